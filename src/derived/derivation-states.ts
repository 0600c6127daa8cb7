import { toBatches } from '../storage/batches.ts'
import type { Db, Row, Tables } from '../schema/tables.ts'
import { type SpaceKey, selectShownRoot, selectSpaceHeads } from './heads.ts'

/** Tables that store from which content of each space the rows of a derivation were computed. */
export type StatesTable = 'search_states' | 'highlight_states' | 'link_states'

export type DerivationState = Row<'highlight_states'>

// The tables have these columns in common; Kysely's types cannot express a choice between them.
const castTable = (table: StatesTable) => table as 'highlight_states' satisfies keyof Tables

/** Finds spaces, ordered by ID, whose rows do not match their head and the current format. */
export async function findOutdatedSpaces(
  db: Db,
  table: StatesTable,
  format: number,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await selectSpaceHeads(db)
    .leftJoin(`${castTable(table)} as state`, (join) =>
      join
        .onRef('state.organization_id', '=', 'spaces.organization_id')
        .onRef('state.space_id', '=', 'spaces.id')
        .on('state.root_hash', '=', selectShownRoot)
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

export function findDerivationState(
  db: Db,
  table: StatesTable,
  { organizationId, spaceId }: SpaceKey,
): Promise<DerivationState | undefined> {
  return db
    .selectFrom(castTable(table))
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
}

/** Returns the roots from which the rows of spaces were computed, by space ID. */
export async function findDerivedRoots(
  db: Db,
  table: StatesTable,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<Map<string, string>> {
  const roots = new Map<string, string>()
  for (const ids of toBatches(spaceIds)) {
    const rows = await db
      .selectFrom(castTable(table))
      .select(['space_id', 'root_hash'])
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', ids)
      .execute()
    for (const { space_id, root_hash } of rows) if (root_hash !== null) roots.set(space_id, root_hash)
  }
  return roots
}

/** Format of rows that have to be computed again. */
const outdatedFormat = 0

/** Marks all rows of spaces as outdated, so that they are computed again. */
export async function invalidateDerivedRows(
  db: Db,
  table: StatesTable,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<void> {
  for (const ids of toBatches(spaceIds)) {
    await db
      .updateTable(castTable(table))
      .set({ format: outdatedFormat })
      .where('organization_id', '=', organizationId)
      .where('space_id', 'in', ids)
      .execute()
  }
}

export async function upsertDerivationState(
  db: Db,
  table: StatesTable,
  { organizationId, spaceId }: SpaceKey,
  progress: Omit<DerivationState, 'organization_id' | 'space_id'>,
): Promise<void> {
  await db
    .insertInto(castTable(table))
    .values({ organization_id: organizationId, space_id: spaceId, ...progress })
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id']).doUpdateSet(progress))
    .execute()
}
