import { createPrivateKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import { takeRsaKey } from './rsa-keys.ts'

/** Person who is signed in at a provider. */
export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Person whom the provider signs in next; without one, the sign-in is refused. */
  person: ProviderPerson | undefined
  stop(): Promise<void>
}

const clientId = 'octavo'
const clientSecret = 'a secret of the client & more: %'

/** Starts a certified OpenID Connect provider whose sign-in page immediately returns the chosen person. */
export async function startOidcProvider(redirectUris: readonly string[]): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, ProviderPerson>()
  const provider = new Provider(issuer, {
    ...configuration(redirectUris),
    findAccount: (_context, id) => {
      const person = people.get(id)
      return person && { accountId: id, claims: () => ({ ...person }) }
    },
  })
  const handle = provider.callback()
  const test: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    person: undefined,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  server.on('request', (request, reply) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, reply)
    const { person } = test
    if (person) people.set(person.sub, person)
    const result = person
      ? { login: { accountId: person.sub, remember: false } }
      : { error: 'access_denied', error_description: 'End-User aborted interaction' }
    return void provider.interactionFinished(request, reply, result)
  })
  return test
}

function configuration(redirectUris: readonly string[]): Omit<Configuration, 'findAccount'> {
  const privateKey = createPrivateKey(takeRsaKey())
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}
