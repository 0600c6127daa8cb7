import type { Fetch } from '../fetch/fetch.ts'
import { FetchError } from '../fetch/errors.ts'
import { hours, seconds } from '../kernel/time.ts'
import { EngineError, type EngineFailure } from './engine.ts'
import { normalizeMarkup } from './markup.ts'

/** How requests are sent to a service. */
export interface ServiceConnection {
  fetch: Fetch
  /** URL without a trailing slash. */
  url: string
  key: string | undefined
  /** Timeout of a request in milliseconds. */
  timeout: number
  /** Whether errors contain the message of the service, which only those who configured the engine may read. */
  showsDetails: boolean
}

export interface ServiceReply {
  status: number
  contentType: string
  retryAfter: string | undefined
  text: string
}

/** Maximum size of a reply in bytes, so that parsing it does not block the process. */
export const maxReplyBytes = 512 * 1024
/** Maximum size of a streamed reply in bytes, which has a few hundred bytes for each token and is parsed in steps. */
const maxStreamBytes = 4 * 1024 ** 2

export const isEventStream = (contentType: string): boolean => contentType.includes('text/event-stream')

/** Posts a JSON value to a service and reads the reply, whatever its status is. Fails with an `EngineError`. */
export async function postJson(
  { fetch, url, timeout }: ServiceConnection,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: unknown },
  signal: AbortSignal,
): Promise<ServiceReply> {
  const message = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
  try {
    const reply = await fetch.post(`${url}${path}`, message, { maxBytes: maxStreamBytes, timeout, signal })
    const { status, contentType = '', retryAfter } = reply
    const bytes = await readBytes(reply.body, isEventStream(contentType) ? maxStreamBytes : maxReplyBytes)
    return { status, contentType, retryAfter, text: bytes.toString('utf8') }
  } catch (error) {
    if (error instanceof FetchError) throw toEngineError(error)
    throw error
  }
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw invalidReply('it is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
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

/** Returns a field of a value; undefined if the value is not an object or does not have it. */
export function getField(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** Returns the translations in the list of a reply, which must have one entry for each text. */
export function readTexts(list: unknown, count: number, readText: (entry: unknown) => unknown): (string | undefined)[] {
  if (!Array.isArray(list) || list.length !== count)
    throw invalidReply('it does not have one translation for each text')
  return list.map((entry) => {
    const text = readText(entry)
    return typeof text === 'string' ? normalizeMarkup(text) : undefined
  })
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
  if (status === 413) return ['invalid-reply', 'does not accept texts of this size']
  if (status === 408 || status === 425 || status >= 500) return ['unavailable', 'is not available']
  return ['rejected', 'rejected the request']
}

const maxDetailLength = 200

/** Returns the message of an error reply: `message`, `error` or `error.message` of a JSON object. */
function readErrorMessage(text: string, key: string | undefined): string | undefined {
  const reply = parseJson(text)
  const error = getField(reply, 'error') ?? getField(reply, 'message')
  const found = typeof error === 'string' ? error : getField(error, 'message')
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
