import type { Database } from '../storage/database.ts'
import type { Db } from '../schema/tables.ts'

/** Key of the instance setting that holds where the server was last started. */
const key = 'server-address'

/** The address that a server without OCTAVO_URL last listened on. */
export async function findServerAddress(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('instance').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Stores the address that the server listens on, so that the command line can print addresses of sites. */
export async function storeServerAddress({ reader, transaction }: Database, address: string): Promise<void> {
  if ((await findServerAddress(reader)) === address) return
  await transaction((db) =>
    db
      .insertInto('instance')
      .values({ key, value: address })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: address }))
      .execute(),
  )
}
