import { AppError } from '../../kernel/errors.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import type { PasskeyUse, RegisteredPasskey } from './webauthn.ts'

/** Maximum number of passkeys of a user. */
const maxPasskeys = 20

/** Maximum length of the name that a user gives to a passkey. */
export const maxLabelLength = 64

export function findPasskey(db: Db, id: string): Promise<Row<'passkeys'> | undefined> {
  return db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the passkeys of a user, the oldest first. */
export function findPasskeysOfUser(db: Db, userId: string): Promise<Row<'passkeys'>[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
}

export async function hasPasskey(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Stores a passkey. A credential that is registered already, for this user or another one, is refused and does not change. */
export async function insertPasskey(
  db: Db,
  passkey: RegisteredPasskey & { userId: string; label: string },
  now: string,
): Promise<void> {
  if ((await findPasskeysOfUser(db, passkey.userId)).length >= maxPasskeys)
    throw new AppError('conflict', `An account can have at most ${maxPasskeys} passkeys. Remove one first`)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      label: passkey.label,
      backed_up: toFlag(passkey.isBackedUp),
      created_at: now,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (!numInsertedOrUpdatedRows) throw new AppError('conflict', 'This passkey is already registered')
}

/** Records a use; false if another request has recorded a later one in the meantime. */
export async function recordPasskeyUse(db: Db, passkeyId: string, use: PasskeyUse, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter: use.counter, backed_up: toFlag(use.isBackedUp), last_used_at: now })
    .where('id', '=', passkeyId)
    .where((eb) => eb.or([eb('counter', '<', use.counter), eb('counter', '=', 0)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a passkey of a user; false if the user has no such passkey. */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
