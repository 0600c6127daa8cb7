import { batches } from '../storage/objects.ts'
import type { Db, Row } from '../storage/tables.ts'

export interface SpaceKey {
  organizationId: string
  spaceId: string
}

export interface Head extends SpaceKey {
  rootHash: string
}

function heads(db: Db) {
  return db
    .selectFrom('spaces')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.organization_id', '=', 'spaces.organization_id')
        .onRef('revisions.id', '=', 'spaces.revision_id'),
    )
    .select(['spaces.organization_id as organizationId', 'spaces.id as spaceId', 'revisions.root_hash as rootHash'])
}

/** What a space contains now, whatever organization it is in by now. */
export function findHead(db: Db, spaceId: string): Promise<Head | undefined> {
  return heads(db).where('spaces.id', '=', spaceId).executeTakeFirst()
}

/** What those of these spaces contain now that are not deleted. */
export async function findHeads(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<Head[]> {
  const found: Head[] = []
  for (const ids of batches(spaceIds)) {
    const rows = await heads(db)
      .where('spaces.organization_id', '=', organizationId)
      .where('spaces.id', 'in', ids)
      .where('spaces.deleted_at', 'is', null)
      .execute()
    found.push(...rows)
  }
  return found
}

/** Spaces, in the order of their ids, whose present content cannot be searched yet. */
export async function findUnindexed(db: Db, format: number, after: string, limit: number): Promise<string[]> {
  const rows = await heads(db)
    .leftJoin('search_states as state', (join) =>
      join
        .onRef('state.organization_id', '=', 'spaces.organization_id')
        .onRef('state.space_id', '=', 'spaces.id')
        .onRef('state.root_hash', '=', 'revisions.root_hash')
        .on('state.pending_hash', 'is', null)
        .on('state.format', '=', format),
    )
    .where('state.space_id', 'is', null)
    .where('spaces.id', '>', after)
    .orderBy('spaces.id')
    .limit(limit)
    .execute()
  return rows.map(({ spaceId }) => spaceId)
}

export function findState(db: Db, { organizationId, spaceId }: SpaceKey): Promise<Row<'search_states'> | undefined> {
  return db
    .selectFrom('search_states')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
}

type Progress = Omit<Row<'search_states'>, 'organization_id' | 'space_id'>

export async function putState(db: Db, { organizationId, spaceId }: SpaceKey, progress: Progress): Promise<void> {
  await db
    .insertInto('search_states')
    .values({ organization_id: organizationId, space_id: spaceId, ...progress })
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id']).doUpdateSet(progress))
    .execute()
}

/** Removes all that is kept of these pages. */
export async function deletePages(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  pageIds: readonly string[],
): Promise<void> {
  for (const ids of batches(pageIds)) {
    for (const table of ['search_sections', 'search_reuses'] as const) {
      await db
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', spaceId)
        .where('page_id', 'in', ids)
        .execute()
    }
  }
}

/** The pages that something is kept of, behind one of them in the order of their ids. */
export async function findIndexedPages(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('search_sections')
    .select('page_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('page_id', '>', after)
    .orderBy('page_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.page_id)
}

export async function insertReuses(db: Db, rows: readonly Row<'search_reuses'>[]): Promise<void> {
  for (const some of batches(rows, 100)) await db.insertInto('search_reuses').values(some).execute()
}

/** The pages that say what one of these reusable contents says. */
export const findReusing = (db: Db, space: SpaceKey, reusableContentIds: readonly string[]): Promise<Set<string>> =>
  findPagesBy(db, space, 'reusable_content_id', reusableContentIds)

/** Which of these pages say what some reusable content says. */
export const findReusingAmong = (db: Db, space: SpaceKey, pageIds: readonly string[]): Promise<Set<string>> =>
  findPagesBy(db, space, 'page_id', pageIds)

async function findPagesBy(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  column: 'page_id' | 'reusable_content_id',
  values: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches(values)) {
    const rows = await db
      .selectFrom('search_reuses')
      .select('page_id')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where(column, 'in', some)
      .execute()
    for (const row of rows) found.add(row.page_id)
  }
  return found
}
