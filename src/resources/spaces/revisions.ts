import { emptyRoot } from '../../content/revision/tree.ts'
import { putObject } from '../../storage/objects.ts'
import type { Db, Row } from '../../storage/tables.ts'

interface FirstRevision {
  /** Chosen by the caller, because the space names it before it exists. */
  id: string
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>
  createdBy: string
  createdAt: string
}

/** Gives a new space its first revision, with no content in it. */
export async function insertEmptyRevision(db: Db, revision: FirstRevision): Promise<void> {
  await insertRevision(db, revision, await putObject(db, revision.space.organization_id, emptyRoot))
}

/** Gives a new space its first revision, with the content of another. Content is immutable, so nothing of it is copied. */
export async function insertCopiedRevision(db: Db, revision: FirstRevision, sourceRevisionId: string): Promise<void> {
  const source = await db
    .selectFrom('revisions')
    .select('root_hash')
    .where('organization_id', '=', revision.space.organization_id)
    .where('id', '=', sourceRevisionId)
    .executeTakeFirstOrThrow()
  await insertRevision(db, revision, source.root_hash)
}

async function insertRevision(
  db: Db,
  { id, space, createdBy, createdAt }: FirstRevision,
  rootHash: string,
): Promise<void> {
  await db
    .insertInto('revisions')
    .values({
      organization_id: space.organization_id,
      id,
      space_id: space.id,
      parents: '[]',
      root_hash: rootHash,
      type: 'edits',
      created_by: createdBy,
      created_at: createdAt,
    })
    .execute()
}
