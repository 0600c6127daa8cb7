import { CompiledQuery, sql } from 'kysely'
import { toBatches } from '../storage/batches.ts'
import { isPostgres } from '../storage/is-postgres.ts'
import { executePrepared } from '../storage/prepared-statements.ts'
import type { Db, Row } from '../schema/tables.ts'

export interface SpaceKey {
  organizationId: string
  spaceId: string
}

/** Space with the properties besides its content on which its derived rows depend. */
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
    const { rows } = await executePrepared<SpaceHead>(db, selectHeadsAmong(db, organizationId, ids))
    found.push(...rows)
  }
  return found
}

/** Returns the query for the heads of some spaces. It is text, because compiling it takes longer than running it. */
const selectHeadsAmong = (db: Db, organizationId: string, ids: readonly string[]): CompiledQuery =>
  isPostgres(db)
    ? CompiledQuery.raw(`${headsSql} spaces.organization_id = $1 and spaces.id = any($2::text[])`, [
        organizationId,
        ids,
      ])
    : CompiledQuery.raw(`${headsSql} spaces.organization_id = ? and spaces.id in (select value from json_each(?))`, [
        organizationId,
        JSON.stringify(ids),
      ])

const headsSql = `
  select spaces.organization_id as "organizationId", spaces.id as "spaceId", spaces.language,
    coalesce(revisions.computed_root_hash, revisions.root_hash) as "rootHash"
  from spaces join revisions on revisions.organization_id = spaces.organization_id and revisions.id = spaces.revision_id
  where spaces.deleted_at is null and`
