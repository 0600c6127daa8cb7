import { AppError } from '../../kernel/errors.ts'
import { type Clock, seconds, timestamp } from '../../kernel/time.ts'
import type { Database } from '../../storage/database.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { type LiveEventContext, recordLiveEvent } from './record-event.ts'

type PresenceRow = Row<'presence'>
type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

/** Time after which a user has left, unless they report again where they are. */
const presenceLifetime = seconds(40)

/** Maximum number of tabs of one token or session. */
const maxTabs = 20

/** Maximum number of tabs in the list of a space. */
const maxListed = 500

/** Maximum number of tabs that are removed in one transaction. */
const maxRemoved = 200

/** Where a tab of a user is. */
export type PresencePlace = Pick<
  PresenceRow,
  | 'credential_id'
  | 'tab'
  | 'user_id'
  | 'organization_id'
  | 'space_id'
  | 'page_id'
  | 'change_request_id'
  | 'block_key'
  | 'editing'
>

/** Stores where a user is. Others are notified only if the user has arrived or moved. */
export async function storePresence(context: LiveEventContext, place: PresencePlace): Promise<void> {
  const { db, now } = context
  const former = await findTab(db, place)
  const expiresAt = timestamp(Date.parse(now()) + presenceLifetime)
  const isActive = former !== undefined && former.expires_at > now()
  if (isActive && isSamePlace(former, place)) {
    await db
      .updateTable('presence')
      .set({ expires_at: expiresAt })
      .where('credential_id', '=', place.credential_id)
      .where('tab', '=', place.tab)
      .execute()
    return
  }
  if (!former) await checkTabLimit(db, place, now())
  const values = { ...place, updated_at: now(), expires_at: expiresAt }
  await db
    .insertInto('presence')
    .values(values)
    .onConflict((conflict) => conflict.columns(['credential_id', 'tab']).doUpdateSet(values))
    .execute()
  if (isActive && former.space_id !== place.space_id) await recordPresence(context, former)
  await recordPresence(context, place)
}

/** Lists the tabs of users who are in a space now. */
export function findPresence(db: Db, { organization_id, id }: SpaceKey, now: string): Promise<PresenceRow[]> {
  return db
    .selectFrom('presence')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('space_id', '=', id)
    .where('expires_at', '>', now)
    .orderBy('updated_at')
    .orderBy('credential_id')
    .limit(maxListed)
    .execute()
}

/** Removes users who have left, and notifies others of it. */
export async function removeExpiredPresence({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const now = timestamp(clock())
  if ((await selectExpired(database.reader, now).limit(1).execute()).length === 0) return
  await database.transaction(async (db) => {
    const expired = await selectExpired(db, now).limit(maxRemoved).execute()
    for (const row of expired) {
      const { numDeletedRows } = await db
        .deleteFrom('presence')
        .where('credential_id', '=', row.credential_id)
        .where('tab', '=', row.tab)
        .where('expires_at', '<=', now)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await recordPresence({ db, now: () => now }, row)
    }
  })
}

/** Deletes the rows of users who have left, when there is no connected client to notify. */
export async function deleteExpiredPresence(db: Db, now: string): Promise<void> {
  await db.deleteFrom('presence').where('expires_at', '<=', now).execute()
}

const selectExpired = (db: Db, now: string) => db.selectFrom('presence').selectAll().where('expires_at', '<=', now)

function findTab(db: Db, { credential_id, tab }: PresencePlace): Promise<PresenceRow | undefined> {
  return db
    .selectFrom('presence')
    .selectAll()
    .where('credential_id', '=', credential_id)
    .where('tab', '=', tab)
    .executeTakeFirst()
}

const isSamePlace = (former: PresenceRow, place: PresencePlace): boolean =>
  former.space_id === place.space_id &&
  former.page_id === place.page_id &&
  former.change_request_id === place.change_request_id &&
  former.block_key === place.block_key &&
  former.editing === place.editing

/** Fails if a token or session has the maximum number of tabs. */
async function checkTabLimit(db: Db, { credential_id }: PresencePlace, now: string): Promise<void> {
  const tabs = await db
    .selectFrom('presence')
    .select('tab')
    .where('credential_id', '=', credential_id)
    .where('expires_at', '>', now)
    .limit(maxTabs)
    .execute()
  if (tabs.length === maxTabs)
    throw new AppError('rateLimited', `The maximum number of tabs (${maxTabs}) is open. Close others first`)
}

/** Records that a user has arrived at a place, moved to it, or left it. */
function recordPresence(
  context: LiveEventContext,
  place: Pick<PresencePlace, 'organization_id' | 'space_id' | 'page_id' | 'change_request_id' | 'user_id'>,
): Promise<void> {
  return recordLiveEvent(context, {
    kind: 'presence',
    organizationId: place.organization_id,
    spaceId: place.space_id,
    changeRequestId: place.change_request_id,
    pageId: place.page_id,
    userId: place.user_id,
  })
}
