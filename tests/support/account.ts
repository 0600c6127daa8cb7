import { createClient } from '../../src/client/client.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createToken, createUser } from '../../src/domain/users/accounts.ts'
import type { Person, TestServer } from './server.ts'

/** An account with an e-mail address that is known beforehand, made as the operator of the server makes it. */
export async function makeAccount({ server, url, clock }: TestServer, email: string): Promise<Person> {
  const making = { newId, now: () => new Date(clock.now()).toISOString() }
  return server.app.database.transaction(async (db) => {
    const user = await createUser(db, making, { email, displayName: 'Invited' })
    const { token } = await createToken(db, making, { userId: user.id, label: 'Test' })
    return { id: user.id, email: user.email, token, api: createClient({ url, token }) }
  })
}
