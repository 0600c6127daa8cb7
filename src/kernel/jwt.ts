import { createHmac, timingSafeEqual } from 'node:crypto'
import { seconds } from './time.ts'

export type JwtPayload = Record<string, unknown>

/**
 * Why a token is not taken: it is no token, asks for another algorithm or something we do not know, was signed with
 * another key or changed, or its time has passed or not come.
 */
export type JwtError = 'malformed' | 'algorithm' | 'signature' | 'expired' | 'notYet'

const algorithm = 'HS256'
/** As long as a token may be that somebody else has made. */
const usualLength = 8 * 1024
/** Clocks of those who sign may be ahead of ours. */
const leeway = seconds(60)
const part = /^[\w-]+$/

/** A token that says the payload, in the name of whoever has the key. */
export function signJwt(payload: JwtPayload, key: string): string {
  const signed = [{ alg: algorithm, typ: 'JWT' }, payload]
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
    .join('.')
  return `${signed}.${signatureOf(signed, key)}`
}

/** The payload of a token that was signed with the key; `now` is in milliseconds. */
export function verifyJwt(
  token: string,
  key: string,
  now: number,
  maxLength = usualLength,
): { payload: JwtPayload } | { error: JwtError } {
  const parts = token.length <= maxLength ? token.split('.') : []
  const [head = '', body = '', signature = ''] = parts
  const header = parts.length === 3 ? decode(head) : undefined
  if (header === undefined) return { error: 'malformed' }
  // Whatever `crit` names must be understood, and we understand nothing.
  if (header.alg !== algorithm || 'crit' in header) return { error: 'algorithm' }
  if (key === '' || !isEqual(signature, signatureOf(`${head}.${body}`, key))) return { error: 'signature' }
  const payload = decode(body)
  if (payload === undefined) return { error: 'malformed' }
  const error = problemOfTimes(payload, now)
  return error === undefined ? { payload } : { error }
}

function problemOfTimes({ exp, nbf, iat }: JwtPayload, now: number): JwtError | undefined {
  if (![exp, nbf, iat].every((time) => time === undefined || Number.isFinite(time))) return 'malformed'
  if (exp !== undefined && now >= seconds(exp as number)) return 'expired'
  if (nbf !== undefined && now + leeway < seconds(nbf as number)) return 'notYet'
  return undefined
}

const signatureOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url')

/** Compares the texts, not what they decode to: several texts decode to the same bytes. */
function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The JSON object that a part of a token holds. */
function decode(text: string): JwtPayload | undefined {
  if (!part.test(text)) return undefined
  try {
    const bytes = Buffer.from(text, 'base64url')
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JwtPayload) : undefined
  } catch {
    return undefined
  }
}
