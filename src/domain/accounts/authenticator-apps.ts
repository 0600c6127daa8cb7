import type { Sealer } from '../../kernel/sealer.ts'
import type { Db } from '../../schema/tables.ts'
import { findTotpStep } from './totp.ts'

/** Returns when the authenticator app of a user was set up; undefined if there is none. */
export async function findAuthenticatorAppTime(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('authenticator_apps')
    .select('created_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.created_at
}

/** Stores the secret of an app instead of an earlier one. `step` is that of the code which proved that the app works. */
export async function storeAuthenticatorApp(
  db: Db,
  sealer: Sealer,
  { userId, secret, step }: { userId: string; secret: string; step: number },
  now: string,
): Promise<void> {
  const values = { secret: sealer.seal(secret), last_step: step, created_at: now }
  await db
    .insertInto('authenticator_apps')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function deleteAuthenticatorApp(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('authenticator_apps').where('user_id', '=', userId).execute()
}

/** Accepts a code of the app of a user, once: the code of a step is refused if that step or a later one was used before. */
export async function useTotpCode(
  db: Db,
  sealer: Sealer,
  { userId, code }: { userId: string; code: string },
  now: string,
): Promise<boolean> {
  const row = await db.selectFrom('authenticator_apps').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const secret = row && sealer.open(row.secret)
  const step = secret === undefined ? undefined : findTotpStep(secret, code, Date.parse(now))
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('authenticator_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
