import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row } from '../../schema/tables.ts'

type RequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'id'>

/** Maximum number of rows per statement, which keeps the number of parameters below the limits of both database engines. */
const maxRowsPerStatement = 500

function* toChunks<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += maxRowsPerStatement)
    yield items.slice(start, start + maxRowsPerStatement)
}

type ResolutionColumns = Pick<
  Row<'change_request_conflicts'>,
  'resolution' | 'resolved_by' | 'resolved_at' | 'resolved_from'
>

const unresolved: ResolutionColumns = { resolution: null, resolved_by: null, resolved_at: null, resolved_from: null }

/** Stores conflicts, open or resolved; each replaces an existing conflict with the same name. */
export async function upsertConflicts(
  db: Db,
  request: RequestKey,
  found: readonly { id: string; name: string; body: string }[],
  now: string,
  resolutionColumns: ResolutionColumns = unresolved,
): Promise<void> {
  const rows = found.map(({ id, name, body }) => ({
    id,
    name,
    body,
    ...resolutionColumns,
    organization_id: request.organization_id,
    change_request_id: request.id,
    created_at: now,
  }))
  for (const chunk of toChunks(rows)) {
    await db
      .insertInto('change_request_conflicts')
      .values(chunk)
      .onConflict((existing) =>
        existing.columns(['organization_id', 'change_request_id', 'name']).doUpdateSet((eb) => ({
          body: eb.ref('excluded.body'),
          ...resolutionColumns,
        })),
      )
      .execute()
  }
}

/** Deletes conflicts whose sides no longer differ. */
export async function deleteConflicts(db: Db, request: RequestKey, ids: readonly string[]): Promise<void> {
  for (const chunk of toChunks(ids)) {
    await db
      .deleteFrom('change_request_conflicts')
      .where('organization_id', '=', request.organization_id)
      .where('id', 'in', chunk)
      .execute()
  }
}

function selectConflicts(db: Db, request: RequestKey, status: 'open' | 'resolved' | undefined) {
  return db
    .selectFrom('change_request_conflicts')
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .$if(status === 'open', (query) => query.where('resolution', 'is', null))
    .$if(status === 'resolved', (query) => query.where('resolution', 'is not', null))
}

export function findConflicts(
  db: Db,
  request: RequestKey,
  { status, after, limit }: { status: 'open' | 'resolved' | undefined; after: Cursor | undefined; limit: number },
) {
  return selectConflicts(db, request, status)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after?.[0] as string))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export function findOpenConflicts(db: Db, request: RequestKey) {
  return selectConflicts(db, request, 'open').selectAll().orderBy('id').execute()
}

export async function countConflicts(
  db: Db,
  request: RequestKey,
  status: 'open' | 'resolved' | undefined,
): Promise<number> {
  const { count } = await selectConflicts(db, request, status)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const countOpenConflicts = (db: Db, request: RequestKey): Promise<number> => countConflicts(db, request, 'open')

export function findConflict(db: Db, request: RequestKey, id: string) {
  return selectConflicts(db, request, undefined).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the resolutions of all conflicts about existence or position, by conflict name. */
export async function findStructureResolutions(db: Db, request: RequestKey): Promise<Map<string, string | null>> {
  const rows = await selectConflicts(db, request, undefined)
    .select(['name', 'resolution'])
    .where((eb) => eb.or([eb('name', 'like', '%:existence'), eb('name', 'like', '%:place')]))
    .execute()
  return new Map(rows.map(({ name, resolution }) => [name, resolution]))
}
