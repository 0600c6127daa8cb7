import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { seconds } from '../../kernel/time.ts'

// One-time codes of authenticator apps (RFC 6238) with the parameters that all apps support: SHA-1, 6 digits, 30 seconds.

const stepLength = seconds(30)
const digits = 6
/** Number of steps by which the clock of the device may differ. */
const maxSkew = 1
/** Length of secrets in bytes, which RFC 4226 recommends. */
const secretLength = 20

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Creates a secret as people enter it into an app: base32 without padding. */
export const generateTotpSecret = (): string => encodeBase32(randomBytes(secretLength))

/** Encodes bytes as base32 without padding; the number of bits must be divisible by 5. */
export function encodeBase32(bytes: Uint8Array): string {
  let [text, bits, value] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31]
  }
  return text
}

function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let [bits, value] = [0, 0]
  for (const character of text) {
    value = ((value << 5) | alphabet.indexOf(character)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 255)
  }
  return Buffer.from(bytes)
}

const toStep = (time: number): number => Math.floor(time / stepLength)

/** Returns the code of a secret at a time. */
export const computeTotpCode = (secret: string, time: number): string => computeCode(decodeBase32(secret), toStep(time))

function computeCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Returns the time step in which a code is valid; undefined if it is wrong. The time does not depend on where the code differs. */
export function findTotpStep(secret: string, code: string, time: number): number | undefined {
  const given = Buffer.from(code.replace(/\s/g, ''))
  const key = decodeBase32(secret)
  let found: number | undefined
  for (let step = toStep(time) - maxSkew; step <= toStep(time) + maxSkew; step++) {
    const expected = Buffer.from(computeCode(key, step))
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step
  }
  return found
}

/** Returns the URL with which authenticator apps store a secret, usually from a QR code. */
export function createTotpUrl(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const query = new URLSearchParams({ secret, issuer }).toString().replaceAll('+', '%20')
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`
}
