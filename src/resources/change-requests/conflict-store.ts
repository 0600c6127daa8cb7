import type { ConflictSide } from '../../contract/change-request.ts'
import type { Cursor } from '../../kernel/page.ts'
import type { Db, Row } from '../../storage/tables.ts'

type RequestKey = Pick<Row<'change_requests'>, 'organization_id' | 'id'>

/** Notes a conflict; one about the same thing is replaced by it, as it tells of what the space has now. */
export async function putConflict(
  db: Db,
  request: RequestKey,
  conflict: { id: string; name: string; body: string; now: string },
): Promise<void> {
  await db
    .insertInto('change_request_conflicts')
    .values({
      organization_id: request.organization_id,
      id: conflict.id,
      change_request_id: request.id,
      name: conflict.name,
      body: conflict.body,
      resolution: null,
      resolved_by: null,
      resolved_at: null,
      created_at: conflict.now,
    })
    .onConflict((existing) =>
      existing
        .columns(['organization_id', 'change_request_id', 'name'])
        .doUpdateSet({ body: conflict.body, resolution: null, resolved_by: null, resolved_at: null }),
    )
    .execute()
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

export function resolve(
  db: Db,
  request: RequestKey,
  id: string,
  { side, userId, now }: { side: ConflictSide; userId: string; now: string },
) {
  return db
    .updateTable('change_request_conflicts')
    .set({ resolution: side, resolved_by: userId, resolved_at: now })
    .where('organization_id', '=', request.organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
