import { createSession } from '../../src/access/sessions.ts'
import { newId } from '../../src/kernel/ids.ts'
import { days, timestamp } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/database.ts'

/** Signs a user in; returns the value of the cookie. */
export async function createBrowserSession(database: Database, email: string): Promise<string> {
  const users = database.reader.selectFrom('users').select('id').where('email', '=', email)
  const { id: userId } = await users.executeTakeFirstOrThrow()
  const { token } = await database.transaction((db) =>
    createSession(
      db,
      { newId, now: () => timestamp(Date.now()) },
      {
        userId,
        method: 'password',
        hasSecondFactor: false,
        sso: undefined,
        client: { address: '127.0.0.1', userAgent: 'Benchmark' },
        lifetimes: { idle: days(1), absolute: days(1) },
      },
    ),
  )
  return token
}
