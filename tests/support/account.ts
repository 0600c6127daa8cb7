import { createClient } from '../../src/client/client.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createToken, createUser } from '../../src/domain/users/accounts.ts'
import type { Person, TestServer } from './server.ts'

/** Creates an account with a given email address directly in the database, as an operator would. */
export async function makeAccount({ server, url, clock }: TestServer, email: string): Promise<Person> {
  const making = { newId, now: () => new Date(clock.now()).toISOString() }
  return server.app.database.transaction(async (db) => {
    const user = await createUser(db, making, { email, displayName: 'Invited' })
    const { token } = await createToken(db, making, { userId: user.id, label: 'Test' })
    return { id: user.id, email: user.email, token, api: createClient({ url, token }) }
  })
}
