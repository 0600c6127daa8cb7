import type { Db } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

/** Stores that pages of a space are generated from these specifications. */
export async function addComputedSources(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string },
  specs: readonly string[],
): Promise<void> {
  for (const batch of toBatches(specs, 100))
    await db
      .insertInto('computed_sources')
      .values(batch.map((spec) => ({ organization_id, space_id: id, spec })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Finds spaces, sorted by ID, in which pages may be generated from a specification with one of these names. */
export async function findSpacesWithSource(
  db: Db,
  organizationId: string,
  names: readonly string[],
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('computed_sources')
    .select('space_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('spec', 'in', names)
    .where('space_id', '>', after)
    .orderBy('space_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.space_id)
}
