import type { Fetch } from '../fetch/fetch.ts'
import { FetchError } from '../fetch/errors.ts'
import { hours, seconds } from '../kernel/time.ts'
import { EngineError, type EngineFailure } from './engine.ts'

/** How requests are sent to a service. */
export interface ServiceConnection {
  fetch: Fetch
  /** URL without a trailing slash. */
  url: string
  key: string | undefined
  /** Timeout of a request in milliseconds. */
  timeout: number
  /** Whether errors contain what the service wrote, which only those who configured the engine may read. */
  showsDetails: boolean
}

export interface ServiceReply {
  status: number
  contentType: string
  retryAfter: string | undefined
  text: string
}

/** Maximum size of a reply in bytes. Streamed replies have a few hundred bytes for each token. */
const maxReplyBytes = 4 * 1024 ** 2

/** Posts a JSON value to a service and reads the reply, whatever its status is. Fails with an `EngineError`. */
export async function postJson(
  { fetch, url, timeout }: ServiceConnection,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
  signal: AbortSignal,
): Promise<ServiceReply> {
  const message = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  try {
    const reply = await fetch.post(`${url}${path}`, message, { maxBytes: maxReplyBytes, timeout, signal })
    const parts: Uint8Array[] = []
    for await (const part of reply.body) parts.push(part)
    const { status, contentType = '', retryAfter } = reply
    return { status, contentType, retryAfter, text: Buffer.concat(parts).toString('utf8') }
  } catch (error) {
    if (error instanceof FetchError) throw toEngineError(error)
    throw error
  }
}

const failures: Readonly<Record<FetchError['failure'], EngineFailure>> = {
  address: 'rejected',
  host: 'unavailable',
  connection: 'unavailable',
  timeout: 'unavailable',
  aborted: 'unavailable',
  tooLarge: 'invalid-reply',
  reply: 'invalid-reply',
}

const toEngineError = ({ failure, message }: FetchError): EngineError =>
  new EngineError(failures[failure], `The translation service cannot be used: ${message}`)

/** Returns the JSON value of a successful reply; fails with an `EngineError` for other replies. */
export function parseReply(reply: ServiceReply, connection: ServiceConnection): unknown {
  assertSuccess(reply, connection)
  const value = parseJson(reply.text)
  if (value === undefined) throw invalidReply('it is not JSON')
  return value
}

export function assertSuccess(reply: ServiceReply, connection: ServiceConnection): void {
  if (reply.status < 200 || reply.status > 299) throw toStatusError(reply, connection)
}

/** Creates the error of a successful reply whose content cannot be used. */
export function invalidReply(reason: string): EngineError {
  return new EngineError('invalid-reply', `The reply of the translation service cannot be read: ${reason}`)
}

/** Returns the value of a JSON text; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toStatusError(reply: ServiceReply, { key, showsDetails }: ServiceConnection): EngineError {
  const { status } = reply
  const [failure, reason] = describeStatus(reply)
  // Services repeat parts of a key that they do not accept.
  const isAboutKey = status === 401 || status === 403
  const detail = showsDetails && !isAboutKey ? readErrorMessage(reply.text, key) : undefined
  const message = `The translation service ${reason} (status ${status})${detail === undefined ? '' : `: ${detail}`}`
  return new EngineError(failure, message, parseRetryAfter(reply.retryAfter, Date.now()))
}

function describeStatus({ status, text }: ServiceReply): [EngineFailure, string] {
  if (status === 401 || status === 403) return ['rejected', 'does not accept the key']
  if (status === 402 || status === 456 || (status === 429 && text.includes('insufficient_quota')))
    return ['rejected', 'has no quota left']
  if (status === 429) return ['rate-limited', 'received too many requests']
  if (status === 404) return ['rejected', 'does not have the URL or the model']
  if (status >= 300 && status < 400) return ['rejected', 'redirects to another URL. Set the URL that it redirects to']
  if (status === 408 || status === 425 || status >= 500) return ['unavailable', 'is not available']
  return ['rejected', 'rejected the request']
}

const maxDetailLength = 200

/** Returns the message of an error reply: `message`, `error` or `error.message` of a JSON object. */
function readErrorMessage(text: string, key: string | undefined): string | undefined {
  const reply = parseJson(text) as { message?: unknown; error?: unknown } | null | undefined
  const error = reply?.error as { message?: unknown } | string | null | undefined
  const found = typeof error === 'object' ? error?.message : (error ?? reply?.message)
  if (typeof found !== 'string' || found === '') return undefined
  const safe = key === undefined ? found : found.replaceAll(key, '…')
  return safe
    .slice(0, maxDetailLength)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
}

/** Maximum waiting time; a service that asks for more is tried again earlier. */
const maxRetryAfter = hours(1)

/** Returns the milliseconds of a `Retry-After` header, which is a number of seconds or a date. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const delay = /^\d+$/.test(value) ? seconds(Number(value)) : Date.parse(value) - now
  return Number.isNaN(delay) ? undefined : Math.min(Math.max(delay, 0), maxRetryAfter)
}

/** Returns the number of characters of texts. */
export const countCharacters = (texts: readonly string[]): number =>
  texts.reduce((total, { length }) => total + length, 0)
