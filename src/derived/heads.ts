import { sql } from 'kysely'
import { toBatches } from '../storage/batches.ts'
import type { Db, Row } from '../schema/tables.ts'

export interface SpaceKey {
  organizationId: string
  spaceId: string
}

/** Space with what its derived rows depend on besides its content. */
export interface DerivedSpace extends SpaceKey {
  language: Row<'spaces'>['language']
}

export interface SpaceHead extends DerivedSpace {
  rootHash: string
}

/** The root with generated pages in place of computed ones. */
export const selectShownRoot = sql<string>`coalesce(revisions.computed_root_hash, revisions.root_hash)`

/** Selects all spaces with the root of their head. */
export function selectSpaceHeads(db: Db) {
  return db
    .selectFrom('spaces')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.organization_id', '=', 'spaces.organization_id')
        .onRef('revisions.id', '=', 'spaces.revision_id'),
    )
    .select([
      'spaces.organization_id as organizationId',
      'spaces.id as spaceId',
      selectShownRoot.as('rootHash'),
      'spaces.language',
    ])
}

/** Finds the head of a space, in whichever organization the space is now. */
export function findSpaceHead(db: Db, spaceId: string): Promise<SpaceHead | undefined> {
  return selectSpaceHeads(db).where('spaces.id', '=', spaceId).executeTakeFirst()
}

/** Finds the heads of the given spaces that are not deleted. */
export async function findSpaceHeads(
  db: Db,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<SpaceHead[]> {
  const found: SpaceHead[] = []
  for (const ids of toBatches(spaceIds)) {
    const rows = await selectSpaceHeads(db)
      .where('spaces.organization_id', '=', organizationId)
      .where('spaces.id', 'in', ids)
      .where('spaces.deleted_at', 'is', null)
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the languages of the given spaces that are not deleted, by space ID. */
export async function findSpaceLanguages(
  db: Db,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<Map<string, DerivedSpace['language']>> {
  const languages = new Map<string, DerivedSpace['language']>()
  for (const ids of toBatches(spaceIds)) {
    const rows = await db
      .selectFrom('spaces')
      .select(['id', 'language'])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id, language } of rows) languages.set(id, language)
  }
  return languages
}
