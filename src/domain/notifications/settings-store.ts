import { type KindSettings, type NotificationKind, notificationKinds } from '../../contract/notifications.ts'
import type { Db } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'

/** Settings of all kinds. */
export type KindSettingsTable = Record<NotificationKind, KindSettings>

/** Settings of users who have not chosen others. Merges are frequent, so they are not mailed. */
const defaultSettings = Object.fromEntries(
  notificationKinds.map((kind): [NotificationKind, KindSettings] => [
    kind,
    { inApp: true, email: kind === 'merge' ? 'off' : 'digest' },
  ]),
) as KindSettingsTable

/** Loads the settings of users; returns those of one of them. */
export async function loadSettings(
  db: Db,
  userIds: readonly string[],
): Promise<(userId: string) => Readonly<KindSettingsTable>> {
  const rows = await db.selectFrom('notification_settings').selectAll().where('user_id', 'in', userIds).execute()
  const chosen = new Map<string, KindSettingsTable>()
  for (const { user_id: userId, kind, in_app, email } of rows)
    chosen.set(userId, { ...(chosen.get(userId) ?? defaultSettings), [kind]: { inApp: in_app === 1, email } })
  return (userId) => chosen.get(userId) ?? defaultSettings
}

/** Stores the settings of some kinds. */
export async function storeSettings(
  db: Db,
  userId: string,
  settings: Readonly<Partial<KindSettingsTable>>,
): Promise<void> {
  for (const [kind, { inApp, email }] of Object.entries(settings)) {
    const values = { in_app: toFlag(inApp), email }
    await db
      .insertInto('notification_settings')
      .values({ user_id: userId, kind: kind as NotificationKind, ...values })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(values))
      .execute()
  }
}

/** Ends all mails about notifications to a user. */
export async function turnMailOff(db: Db, userId: string): Promise<void> {
  const settings = (await loadSettings(db, [userId]))(userId)
  const changed = notificationKinds.map((kind) => [kind, { ...settings[kind], email: 'off' }] as const)
  await storeSettings(db, userId, Object.fromEntries(changed))
  await db
    .updateTable('notifications')
    .set({ mail_due: 0 })
    .where('user_id', '=', userId)
    .where('mail_due', '=', 1)
    .execute()
}
