import { randomText } from '../kernel/ids.ts'
import { type Sealer, createSealer } from '../kernel/sealer.ts'
import type { Database } from './database.ts'
import type { Db } from '../schema/tables.ts'

const checkText = 'octavo'

/** Returns the secret for signatures, which is generated on the first start and stored in the database. */
export async function getInstanceSecret({ reader, transaction }: Database): Promise<string> {
  const stored = await findInstanceValue(reader, 'secret')
  if (stored !== undefined) return stored
  return transaction(async (db) => {
    await db
      .insertInto('instance')
      .values({ key: 'secret', value: randomText(52) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await findInstanceValue(db, 'secret')) ?? ''
  })
}

/**
 * Stores a text encrypted with the secret key of this process, so that other processes can compare theirs. Returns
 * false if the process that started last had another key: the processes cannot decrypt each other's values.
 */
export async function recordSecretKey({ reader, transaction }: Database, sealer: Sealer): Promise<boolean> {
  const stored = await findInstanceValue(reader, 'secret_key_check')
  if (stored !== undefined && sealer.open(stored) === checkText) return true
  const value = sealer.seal(checkText)
  await transaction((db) =>
    db
      .insertInto('instance')
      .values({ key: 'secret_key_check', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
  )
  return stored === undefined
}

/** Whether a secret key is that of the process that started last; undefined if none was stored. */
export async function isSecretKeyInUse(db: Db, secretKey: string | undefined): Promise<boolean | undefined> {
  const [secret, storedCheck] = [await findInstanceValue(db, 'secret'), await findInstanceValue(db, 'secret_key_check')]
  if (secret === undefined || storedCheck === undefined) return undefined
  return createSealer(secret, secretKey).open(storedCheck) === checkText
}

/** Replaces the value of a key unless another process has replaced it; returns the value that is stored now. */
export async function replaceInstanceValue(db: Db, key: string, expected: string, value: string): Promise<string> {
  await db.updateTable('instance').set({ value }).where('key', '=', key).where('value', '=', expected).execute()
  return (await findInstanceValue(db, key)) ?? value
}

/** Returns the stored value of a key; stores the given one first if there is none. */
export async function getOrStoreInstanceValue(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto('instance')
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findInstanceValue(db, key)) ?? value
}

/** Returns the stored value of a key. */
export async function findInstanceValue(db: Db, key: string): Promise<string | undefined> {
  return (await db.selectFrom('instance').select('value').where('key', '=', key).executeTakeFirst())?.value
}
