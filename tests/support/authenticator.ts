import { type KeyObject, generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'

/** Options of the server for creating a passkey, as far as an authenticator uses them. */
export interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

/** Options of the server for using a passkey. */
export interface RequestOptions {
  challenge: string
  rpId: string
}

/** What a browser would determine itself, and what an attacker might change. */
interface Circumstances {
  origin: string
  /** Whether the user was verified, for example by a fingerprint. */
  isVerified?: boolean
  counter?: number
  userHandle?: string
  credentialId?: string
}

type CborValue = number | string | Uint8Array | Map<number | string, CborValue>

/** Authenticator in software, with a browser: it has one passkey with a real key. */
export class Authenticator {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 0
  userHandle = ''

  /** Creates the passkey, without a statement about the authenticator. */
  create({ challenge, rp, user }: CreationOptions, { origin, isVerified, credentialId }: Circumstances) {
    this.userHandle = user.id
    const id = credentialId === undefined ? this.id : Buffer.from(credentialId, 'base64url')
    const credential = Buffer.concat([
      Buffer.alloc(16),
      uint(id.length, 2),
      id,
      encodeCbor(toCose(this.#keys.publicKey)),
    ])
    const authData = Buffer.concat([this.#authenticatorData(rp.id, this.counter, isVerified, 0x40), credential])
    const attestation: CborValue = new Map<string, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: toClientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Signs a challenge with the passkey. */
  use({ challenge, rpId }: RequestOptions, { origin, isVerified, counter, userHandle, credentialId }: Circumstances) {
    const clientData = toClientData('webauthn.get', challenge, origin)
    const authData = this.#authenticatorData(rpId, counter ?? ++this.counter, isVerified)
    const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')])
    const id = credentialId ?? this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: userHandle ?? this.userHandle,
      },
    }
  }

  #authenticatorData(rpId: string, counter: number, isVerified = true, flags = 0): Buffer {
    const userPresent = 0x01
    const userVerified = isVerified ? 0x04 : 0
    return Buffer.concat([
      hash('sha256', rpId, 'buffer'),
      Buffer.from([flags | userPresent | userVerified]),
      uint(counter, 4),
    ])
  }
}

const toClientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function uint(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

/** Returns a public key of the curve P-256 as COSE. */
function toCose(key: KeyObject): CborValue {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
}

function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(encodeCbor)])
}

function cborHead(type: number, value: number): Buffer {
  const first = type << 5
  if (value < 24) return Buffer.from([first | value])
  return value < 256 ? Buffer.from([first | 24, value]) : Buffer.concat([Buffer.from([first | 25]), uint(value, 2)])
}
