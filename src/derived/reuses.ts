import { toBatches } from '../storage/batches.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { SpaceKey } from './heads.ts'

/** Stores which pages include which reusable contents and specifications. */
export async function insertReuses(db: Db, rows: readonly Row<'search_reuses'>[]): Promise<void> {
  for (const batch of toBatches(rows, 100)) await db.insertInto('search_reuses').values(batch).execute()
}

/** Returns the ID under which the use of a specification is stored, given its name in `LoadedSpecs.versions`. */
export const toReusedSpecId = (name: string): string => `openapi:${name}`

const variablePrefix = 'variable:'

/** Returns the ID under which the use of a variable of the space is stored. */
export const toUsedVariableId = (name: string): string => `${variablePrefix}${name}`

/** Counts the pages of a space that use each of its variables. */
export async function countVariableUses(db: Db, { organizationId, spaceId }: SpaceKey): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('search_reuses')
    .select(['reusable_content_id as id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('reusable_content_id', '>=', variablePrefix)
    // `;` is the character after the colon.
    .where('reusable_content_id', '<', variablePrefix.replace(':', ';'))
    .groupBy('reusable_content_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id.slice(variablePrefix.length), count]))
}

/** Finds pages, ordered by ID, that use a variable of the space, and how many there are. */
export async function findPagesUsingVariable(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  name: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ pageIds: string[]; count: number }> {
  const uses = db
    .selectFrom('search_reuses')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('reusable_content_id', '=', toUsedVariableId(name))
  const rows = await uses.select('page_id').where('page_id', '>', after).orderBy('page_id').limit(limit).execute()
  const { count } = await uses.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { pageIds: rows.map((row) => row.page_id), count }
}

/** Finds the pages that include one of these reusable contents or specifications. */
export const findPagesReusing = (
  db: Db,
  space: SpaceKey,
  reusableContentIds: readonly string[],
): Promise<Set<string>> => findPagesBy(db, space, 'reusable_content_id', reusableContentIds)

/** Finds spaces, ordered by ID, with pages that include one of these reusable contents or specifications. */
export async function findSpacesReusing(
  db: Db,
  organizationId: string,
  reusedIds: readonly string[],
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('search_reuses')
    .select('space_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('reusable_content_id', 'in', reusedIds)
    .where('space_id', '>', after)
    .orderBy('space_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.space_id)
}

/** Finds those of these pages that include any reusable content. */
export const findReusingPagesAmong = (db: Db, space: SpaceKey, pageIds: readonly string[]): Promise<Set<string>> =>
  findPagesBy(db, space, 'page_id', pageIds)

async function findPagesBy(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  column: 'page_id' | 'reusable_content_id',
  values: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>()
  for (const batch of toBatches(values)) {
    const rows = await db
      .selectFrom('search_reuses')
      .select('page_id')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where(column, 'in', batch)
      .execute()
    for (const row of rows) found.add(row.page_id)
  }
  return found
}
