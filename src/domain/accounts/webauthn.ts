import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { isIP } from 'node:net'
import { z } from 'zod'
import type { Row } from '../../schema/tables.ts'
import { challengeLifetime } from './challenges.ts'

/** Server for which passkeys are created; browsers offer them on this host only. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Returns the server as a relying party; undefined if browsers do not support passkeys at its origin. */
export function findRelyingParty(origin: string): RelyingParty | undefined {
  const { protocol, hostname } = new URL(origin)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure && !isAddress ? { id: hostname, origin } : undefined
}

const Base64Url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/)

const CredentialId = Base64Url(1400)
const ClientData = Base64Url(8000)

/** Credential that a browser returns when a passkey was created. The lengths limit the work of one request. */
export const CreatedCredential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: ClientData,
    attestationObject: Base64Url(16_000),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
})

/** Credential that a browser returns when a passkey was used. */
export const UsedCredential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: ClientData,
    authenticatorData: Base64Url(8000),
    signature: Base64Url(4000),
    userHandle: z.string().max(100).nullish(),
  }),
})

/** Passkey that a browser has created. */
export interface RegisteredPasskey {
  id: string
  publicKey: string
  counter: number
  transports: readonly string[]
  isBackedUp: boolean
}

/** What an authenticator reported about one use of a passkey. */
export interface PasskeyUse {
  counter: number
  isBackedUp: boolean
}

/** Result of a verification; `problem` is for the log. */
export type Verification<T> = { value: T } | { problem: string }

/** EdDSA, ES256 and RS256, which together all authenticators support. */
const algorithms = [-8, -7, -257]

interface Person {
  id: string
  email: string
  display_name: string
}

/** Returns the options with which a browser creates a passkey that can be found without a user name. */
export const createRegistrationOptions = (
  party: RelyingParty & { name: string },
  user: Person,
  challenge: string,
  existing: readonly Row<'passkeys'>[],
) => ({
  challenge,
  rp: { id: party.id, name: party.name },
  user: { id: toUserHandle(user.id), name: user.email, displayName: user.display_name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: challengeLifetime,
  attestation: 'none' as const,
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
  excludeCredentials: existing.map(toDescriptor),
})

/** Returns the options with which a browser uses a passkey: any passkey of this server, or one of the given ones. */
export const createAssertionOptions = (
  { id: rpId }: RelyingParty,
  challenge: string,
  allowed: readonly Row<'passkeys'>[] = [],
) => ({
  challenge,
  rpId,
  timeout: challengeLifetime,
  userVerification: 'required' as const,
  allowCredentials: allowed.map(toDescriptor),
})

const toUserHandle = (userId: string): string => Buffer.from(userId).toString('base64url')

const toDescriptor = ({ id, transports }: Row<'passkeys'>) => ({
  id,
  type: 'public-key' as const,
  transports: parseTransports(transports),
})

const parseTransports = (transports: string): string[] => JSON.parse(transports) as string[]

/** Returns the challenge that a browser has answered; undefined if the client data is malformed. */
export function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const parsed = ClientDataChallenge.safeParse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()))
    return parsed.data?.challenge
  } catch {
    return undefined
  }
}

const ClientDataChallenge = z.object({ challenge: Base64Url(400) })

/** Verifies a created credential: origin, challenge, user verification and key. */
export async function verifyRegistration(
  party: RelyingParty,
  credential: z.infer<typeof CreatedCredential>,
  challenge: string,
): Promise<Verification<RegisteredPasskey>> {
  // Loaded when it is first needed, because its certificate parsers would slow down every start.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  return attempt(async () => {
    const response: RegistrationResponseJSON = {
      ...credential,
      response: {
        clientDataJSON: credential.response.clientDataJSON,
        attestationObject: await withoutAttestation(credential.response.attestationObject),
      },
      clientExtensionResults: {},
    }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) throw new Error('The credential could not be verified')
    const { credential: created, credentialBackedUp } = registrationInfo
    if (created.id !== credential.id) throw new Error('The authenticator created another credential')
    return {
      id: created.id,
      publicKey: Buffer.from(created.publicKey).toString('base64url'),
      counter: created.counter,
      transports: credential.response.transports ?? [],
      isBackedUp: credentialBackedUp,
    }
  })
}

/**
 * Removes the statement of a manufacturer about the authenticator. The server does not request one, and verifying what a client sends
 * would parse certificates and fetch revocation lists from URLs in them.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get('authData')
  const unattested = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  return Buffer.from(isoCBOR.encode(unattested)).toString('base64url')
}

/** Verifies a used credential: origin, challenge, user verification, signature and counter. */
export async function verifyAssertion(
  party: RelyingParty,
  passkey: Row<'passkeys'>,
  credential: z.infer<typeof UsedCredential>,
  challenge: string,
): Promise<Verification<PasskeyUse>> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle, ...signed } = credential.response
  if (userHandle && userHandle !== toUserHandle(passkey.user_id))
    return { problem: 'The user handle is of another user' }
  const response: AuthenticationResponseJSON = { ...credential, response: signed, clientExtensionResults: {} }
  return attempt(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    if (!verified) throw new Error('The signature is wrong')
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  })
}

/** Runs a verification. The library throws for every input that is malformed or does not match. */
async function attempt<T>(verify: () => Promise<T>): Promise<Verification<T>> {
  try {
    return { value: await verify() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'Unknown problem' }
  }
}
