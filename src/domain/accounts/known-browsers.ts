import { hash } from 'node:crypto'
import type { Db } from '../../schema/tables.ts'

/** Maximum number of browsers that are remembered for a user. */
const maxBrowsers = 20

const hashBrowser = (browserId: string): string => hash('sha256', browserId, 'hex')

/** Whether the user has signed in with this browser before. */
export async function isKnownBrowser(db: Db, userId: string, browserId: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_browsers')
    .select('used_at')
    .where('user_id', '=', userId)
    .where('browser_hash', '=', hashBrowser(browserId))
    .executeTakeFirst()
  return row !== undefined
}

/** Remembers the browser of a user, and forgets the one that was not used for the longest time if there are too many. */
export async function rememberBrowser(db: Db, userId: string, browserId: string, now: string): Promise<void> {
  await db
    .insertInto('known_browsers')
    .values({ user_id: userId, browser_hash: hashBrowser(browserId), used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'browser_hash']).doUpdateSet({ used_at: now }))
    .execute()
  const oldest = await db
    .selectFrom('known_browsers')
    .select('browser_hash')
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .offset(maxBrowsers)
    .limit(100)
    .execute()
  if (oldest.length === 0) return
  await db
    .deleteFrom('known_browsers')
    .where('user_id', '=', userId)
    .where(
      'browser_hash',
      'in',
      oldest.map(({ browser_hash }) => browser_hash),
    )
    .execute()
}
