import { insertClient } from '../../src/domain/oauth/clients.ts'
import { createGrant, findGrants } from '../../src/domain/oauth/grants.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { TestServer } from './server.ts'

/** Gives an app access to the account of a user; returns the ID of the permission. */
export async function authorizeApp({ server, clock }: TestServer, userId: string, name = 'App'): Promise<string> {
  const context = { newId, now: () => new Date(clock.now()).toISOString() }
  const redirectUri = 'http://127.0.0.1/callback'
  return server.app.database.transaction(async (db) => {
    const { id: clientId } = await insertClient(db, context, { name, redirectUris: [redirectUri] })
    const scopes = ['space:read'] as const
    await createGrant(db, context, { clientId, userId, scopes, redirectUri, challenge: 'x', ssoOrganizationId: null })
    const [grant] = await findGrants(db, userId)
    return grant?.id ?? ''
  })
}
