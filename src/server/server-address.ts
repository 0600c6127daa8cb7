import type { Database } from '../storage/database.ts'
import type { Db } from '../schema/tables.ts'

/** Key of the instance setting that stores the URL of the last start. */
const settingKey = 'server-address'

/** Returns the URL that a server without OCTAVO_URL last listened on. */
export async function findServerAddress(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('instance').select('value').where('key', '=', settingKey).executeTakeFirst()
  return row?.value
}

/** Stores the URL that the server listens on, so that the command line can print URLs of sites. */
export async function storeServerAddress({ reader, transaction }: Database, address: string): Promise<void> {
  if ((await findServerAddress(reader)) === address) return
  await transaction((db) =>
    db
      .insertInto('instance')
      .values({ key: settingKey, value: address })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: address }))
      .execute(),
  )
}
