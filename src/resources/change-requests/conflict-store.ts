import type { ConflictSide } from '../../contract/change-request.ts'
import type { Cursor } from '../../kernel/page.ts'
import type { Db, Row } from '../../storage/tables.ts'

type RequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'id'>

/** How many rows one statement takes: below the number of values that either engine allows. */
const rowsAtOnce = 500

function* chunksOf<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce)
}

/** Notes conflicts; each replaces one about the same thing, as it tells of what the space has now. */
export async function putConflicts(
  db: Db,
  request: RequestKey,
  found: readonly { id: string; name: string; body: string }[],
  now: string,
): Promise<void> {
  const rows = found.map((conflict) => ({
    ...conflict,
    organization_id: request.organization_id,
    change_request_id: request.id,
    resolution: null,
    resolved_by: null,
    resolved_at: null,
    created_at: now,
  }))
  for (const chunk of chunksOf(rows)) {
    await db
      .insertInto('change_request_conflicts')
      .values(chunk)
      .onConflict((existing) =>
        existing.columns(['organization_id', 'change_request_id', 'name']).doUpdateSet((eb) => ({
          body: eb.ref('excluded.body'),
          resolution: null,
          resolved_by: null,
          resolved_at: null,
        })),
      )
      .execute()
  }
}

/** Forgets conflicts about which both sides agree by now. */
export async function deleteConflicts(db: Db, request: RequestKey, ids: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(ids)) {
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

export function findAllOpen(db: Db, request: RequestKey) {
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

export const countOpen = (db: Db, request: RequestKey): Promise<number> => countConflicts(db, request, 'open')

export function findConflict(db: Db, request: RequestKey, id: string) {
  return selectConflicts(db, request, undefined).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Notes that open conflicts are resolved: one, or (undefined) all. */
export async function resolveOpen(
  db: Db,
  request: RequestKey,
  id: string | undefined,
  { side, userId, now }: { side: ConflictSide; userId: string; now: string },
): Promise<void> {
  await db
    .updateTable('change_request_conflicts')
    .set({ resolution: side, resolved_by: userId, resolved_at: now })
    .where('organization_id', '=', request.organization_id)
    .where('change_request_id', '=', request.id)
    .where('resolution', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .execute()
}
