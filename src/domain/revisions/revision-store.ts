import type { Insertable, Updateable } from 'kysely'
import type { Cursor } from '../../kernel/pagination.ts'
import { defineLookup } from '../../storage/lookup.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

export async function insertRevision(db: Db, revision: Insertable<Tables['revisions']>): Promise<void> {
  await db.insertInto('revisions').values(revision).execute()
}

export async function updateRevision(
  db: Db,
  space: SpaceKey,
  id: string,
  values: Updateable<Tables['revisions']>,
): Promise<void> {
  await db
    .updateTable('revisions')
    .set(values)
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', id)
    .where('space_id', '=', space.id)
    .execute()
}

const findById = defineLookup(
  (db, { organizationId, spaceId, id }: Record<'organizationId' | 'spaceId' | 'id', string>) =>
    db
      .selectFrom('revisions')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('space_id', '=', spaceId),
)

export function findRevision(db: Db, space: SpaceKey, id: string): Promise<Row<'revisions'> | undefined> {
  return findById(db, { organizationId: space.organization_id, spaceId: space.id, id })
}

/** Finds the newest revision with this content and listing that has a commit. */
export function findCommittedRevision(
  db: Db,
  space: SpaceKey,
  { root, listing }: { root: string; listing: string },
): Promise<Row<'revisions'> | undefined> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('root_hash', '=', root)
    .where('space_id', '=', space.id)
    .where('listing_hash', '=', listing)
    .where('git', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the revisions that were heads of the space, newest first. */
export function findHistory(
  db: Db,
  space: SpaceKey,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Row<'revisions'>[]> {
  return db
    .selectFrom('revisions')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('change_request_id', 'is', null)
    .where('is_aside', '=', 0)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countHistory(db: Db, space: SpaceKey): Promise<number> {
  const { count } = await db
    .selectFrom('revisions')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('change_request_id', 'is', null)
    .where('is_aside', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the roots of those of the revisions that belong to one of the spaces. */
export async function findRevisionRoots(
  db: Db,
  organizationId: string,
  spaceIds: readonly string[],
  revisionIds: readonly string[],
) {
  if (spaceIds.length === 0 || revisionIds.length === 0) return []
  return db
    .selectFrom('revisions')
    .select(['id', 'space_id', 'root_hash', 'computed_root_hash'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', revisionIds)
    .where('space_id', 'in', spaceIds)
    .execute()
}

/** Removes the generated pages of all revisions of some spaces. */
export async function clearComputedRoots(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .updateTable('revisions')
    .set({ computed_root_hash: null })
    .where('organization_id', '=', organizationId)
    .where('space_id', 'in', spaceIds)
    .where('computed_root_hash', 'is not', null)
    .execute()
}
