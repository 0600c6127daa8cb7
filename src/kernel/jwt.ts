import { createHmac, timingSafeEqual } from 'node:crypto'
import { seconds } from './time.ts'

export type JwtPayload = Record<string, unknown>

/**
 * Reason for rejecting a token: it is not a JWT, it requires another algorithm or an unsupported extension, its
 * signature does not match, or it is expired or not valid yet.
 */
export type JwtError = 'malformed' | 'algorithm' | 'signature' | 'expired' | 'notYet'

const algorithm = 'HS256'
/** Default maximum length of a token. */
const defaultMaxLength = 8 * 1024
/** Tolerance for the clocks of issuers that are ahead of this server's clock. */
const leeway = seconds(60)
const partPattern = /^[\w-]+$/

/** Returns a JWT with the payload, signed with the key. */
export function signJwt(payload: JwtPayload, key: string): string {
  const signed = [{ alg: algorithm, typ: 'JWT' }, payload]
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
    .join('.')
  return `${signed}.${computeSignature(signed, key)}`
}

/** Verifies a JWT and returns its payload; `now` is in milliseconds. */
export function verifyJwt(
  token: string,
  key: string,
  now: number,
  maxLength = defaultMaxLength,
): { payload: JwtPayload } | { error: JwtError } {
  const parts = token.length <= maxLength ? token.split('.') : []
  const [head = '', body = '', signature = ''] = parts
  const header = parts.length === 3 ? decodePart(head) : undefined
  if (header === undefined) return { error: 'malformed' }
  // All extensions in `crit` must be supported (RFC 7515, section 4.1.11), and none is.
  if (header.alg !== algorithm || 'crit' in header) return { error: 'algorithm' }
  if (key === '' || !isEqual(signature, computeSignature(`${head}.${body}`, key))) return { error: 'signature' }
  const payload = decodePart(body)
  if (payload === undefined) return { error: 'malformed' }
  const error = findTimeError(payload, now)
  return error === undefined ? { payload } : { error }
}

function findTimeError({ exp, nbf, iat }: JwtPayload, now: number): JwtError | undefined {
  if (![exp, nbf, iat].every((time) => time === undefined || Number.isFinite(time))) return 'malformed'
  if (exp !== undefined && now >= seconds(exp as number)) return 'expired'
  if (nbf !== undefined && now + leeway < seconds(nbf as number)) return 'notYet'
  return undefined
}

const computeSignature = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Compares the encoded signatures, because several base64url strings decode to the same bytes. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Decodes a part of a token; undefined if it is not a JSON object. */
function decodePart(text: string): JwtPayload | undefined {
  if (!partPattern.test(text)) return undefined
  try {
    const bytes = Buffer.from(text, 'base64url')
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JwtPayload) : undefined
  } catch {
    return undefined
  }
}
