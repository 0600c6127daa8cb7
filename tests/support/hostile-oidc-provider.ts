import { type KeyObject, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { takeRsaKey } from './rsa-keys.ts'

/** Values of an authorization request. */
export interface ReceivedRequest {
  state: string
  nonce: string
  redirectUri: string
}

export interface HostileProvider {
  issuer: string
  /** Public key as providers publish it, which everybody has. */
  publicKeyPem: string
  /** Returns the ID token for a sign-in; tests replace it to forge tokens. */
  createToken: (request: ReceivedRequest) => string
  /** Reads an authorization URL, as the provider would receive it. */
  receive(authorizationUrl: string): ReceivedRequest
  /** Signs an ID token correctly, with changes of its claims. */
  signToken(request: ReceivedRequest, changes?: Record<string, unknown>): string
  /** Number of codes that were exchanged. */
  exchanges: number
  stop(): Promise<void>
}

export const hostileClientId = 'octavo'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const joinToken = (header: object, claims: object, toSignature: (content: string) => string): string => {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${toSignature(content)}`
}

/** Returns a token that claims to need no signature. */
export const createUnsignedToken = (claims: object): string => joinToken({ alg: 'none' }, claims, () => '')

/** Returns a token that is signed with a shared secret. */
export const createHmacToken = (claims: object, secret: string): string =>
  joinToken({ alg: 'HS256', kid: 'test' }, claims, (content) =>
    createHmac('sha256', secret).update(content).digest('base64url'),
  )

/** Returns a token that is signed with RS256. */
export const createRsaToken = (claims: object, key: KeyObject): string =>
  joinToken({ alg: 'RS256', kid: 'test' }, claims, (content) =>
    sign('sha256', Buffer.from(content), key).toString('base64url'),
  )

/** Returns the claims of a valid token. */
export function createClaims(issuer: string, { nonce }: ReceivedRequest): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    aud: hostileClientId,
    sub: 'victim',
    email: 'victim@example.com',
    email_verified: true,
    nonce,
    iat: now,
    exp: now + 300,
  }
}

/** Starts a provider that sends whatever ID token a test wants. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const privateKey = createPrivateKey(takeRsaKey())
  const publicKey = createPublicKey(privateKey)
  const server = createServer((request, reply) => {
    const send = (value: object) => reply.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    if (request.url === '/jwks') {
      send({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] })
    } else if (request.url === '/token') {
      void readText(request).then((text) => {
        provider.exchanges++
        const received = pending.get(new URLSearchParams(text).get('code') ?? '')
        if (!received) return reply.writeHead(400).end()
        return send({ access_token: 'x', token_type: 'Bearer', id_token: provider.createToken(received) })
      })
    } else if (request.url === '/.well-known/openid-configuration') send(createMetadata(issuer))
    else reply.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Requests by their code, which is the state here. */
  const pending = new Map<string, ReceivedRequest>()
  const provider: HostileProvider = {
    issuer,
    publicKeyPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    createToken: (request) => provider.signToken(request),
    receive(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl)
      const read = (name: string) => searchParams.get(name) ?? ''
      const received = { state: read('state'), nonce: read('nonce'), redirectUri: read('redirect_uri') }
      pending.set(received.state, received)
      return received
    },
    signToken: (request, changes) => createRsaToken({ ...createClaims(issuer, request), ...changes }, privateKey),
    exchanges: 0,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return provider
}

const createMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  // A provider that offers everything; the server must restrict it.
  id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'],
  authorization_response_iss_parameter_supported: true,
})

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
