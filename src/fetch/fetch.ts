import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Duplex, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchError } from './errors.ts'
import { type Guard, type GuardOptions, createGuard } from './guard.ts'

export interface Fetch {
  get(address: string, limits: FetchLimits): Promise<FetchResponse>
  /** Sends a POST request; redirects are not followed. */
  post(address: string, message: PostRequest, limits: FetchLimits): Promise<FetchResponse>
  /** Sends a request with any method, headers and body; redirects are not followed. */
  send(address: string, message: OutgoingRequest, limits: FetchLimits): Promise<FetchResponse>
}

export interface PostRequest {
  body: string
  headers: Readonly<Record<string, string>>
}

export interface OutgoingRequest {
  method: string
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
}

export interface FetchLimits {
  /** Maximum size of the received body, and of the decompressed body. */
  maxBytes: number
  /** Timeout in milliseconds for the whole request, including redirects and the body. */
  timeout: number
  signal?: AbortSignal | undefined
}

export interface FetchResponse {
  status: number
  /** Headers without cookies and hop-by-hop headers; names are in lower case. */
  headers: readonly (readonly [string, string])[]
  contentType: string | undefined
  /** Value of the `Retry-After` header: a number of seconds or a date. */
  retryAfter: string | undefined
  /** URL after redirects. */
  url: string
  /** Decompressed body; throws a `FetchError` if a limit is exceeded while it is read. */
  body: AsyncIterable<Uint8Array>
  /** Closes the connection, for callers that do not read the body. */
  discard(): void
}

const maxRedirects = 5

const decoders = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

const requestHeaders = { 'user-agent': 'Octavo', accept: '*/*', 'accept-encoding': 'gzip, br, deflate' }

/** Creates a client for requests to user-supplied URLs, with limits and without access to private networks. */
export function createFetch(options: GuardOptions): Fetch {
  const guard = createGuard(options)
  return {
    get: (address, limits) => requestWithLimits(limits, (signal) => followRedirects(address, guard, signal)),
    post: (address, message, limits) =>
      requestWithLimits(limits, async (signal) => {
        const url = guard.check(address)
        return { url, response: await request(url, guard, signal, { ...message, method: 'POST' }) }
      }),
    send: (address, message, limits) =>
      requestWithLimits(limits, async (signal) => {
        const url = guard.check(address)
        return { url, response: await request(url, guard, signal, message) }
      }),
  }
}

interface RawResponse {
  url: URL
  response: IncomingMessage
}

async function requestWithLimits(
  { maxBytes, timeout, signal }: FetchLimits,
  send: (signal: AbortSignal) => Promise<RawResponse>,
): Promise<FetchResponse> {
  const deadline = startDeadline(timeout, signal)
  try {
    const { url, response } = await send(deadline.signal)
    const encoding = encodingOf(response)
    if (!encoding && Number(response.headers['content-length']) > maxBytes) {
      response.destroy()
      throw tooLargeError()
    }
    return {
      status: response.statusCode ?? 0,
      headers: toHeaderPairs(response.rawHeaders),
      contentType: response.headers['content-type'],
      retryAfter: response.headers['retry-after'],
      url: url.href,
      body: readBody(response, encoding, maxBytes, deadline),
      discard() {
        deadline.end()
        response.destroy()
      },
    }
  } catch (error) {
    deadline.end()
    throw toFetchError(error, deadline.signal)
  }
}

async function followRedirects(address: string, guard: Guard, signal: AbortSignal): Promise<RawResponse> {
  let url = guard.check(address)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(url, guard, signal)
    const target = redirectOf(response)
    if (target === undefined) return { url, response }
    response.destroy()
    url = guard.check(target, url)
  }
  throw new FetchError('reply', 'Too many redirects')
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
}

/** Sends one request over a new connection; the guard's `lookup` checks the IP address. */
function request(
  url: URL,
  { lookup }: Guard,
  signal: AbortSignal,
  message?: OutgoingRequest,
): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const headers = { ...requestHeaders, ...message?.headers }
  return new Promise((resolve, reject) => {
    send(url, { method: message?.method ?? 'GET', agent: false, headers, lookup, signal }, resolve)
      .on('error', reject)
      .end(message?.body)
  })
}

/** Returns pairs of names and values, without cookies and hop-by-hop headers. */
function toHeaderPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!droppedHeaders.has(name)) pairs.push([name, rawHeaders[index + 1] ?? ''])
  }
  return pairs
}

const droppedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns the content encoding of the body; undefined if it is not compressed. */
function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  return encoding === 'identity' || encoding === '' ? undefined : encoding
}

async function* readBody(
  response: IncomingMessage,
  encoding: string | undefined,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void> {
  try {
    const received = limitSize(response, maxBytes, (error) => toFetchError(error, deadline.signal))
    yield* encoding === undefined ? received : limitSize(decompress(received, encoding), maxBytes, decompressionError)
  } finally {
    deadline.end()
    response.destroy()
  }
}

/** Yields chunks until `maxBytes` is exceeded; converts errors other than `FetchError` with `toError`. */
async function* limitSize(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  toError: (error: unknown) => FetchError,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw tooLargeError()
      yield chunk
    }
  } catch (error) {
    throw error instanceof FetchError ? error : toError(error)
  }
}

function decompress(received: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  const decoder = decoders.get(encoding)?.()
  if (!decoder) throw new FetchError('reply', 'The host sent a compressed reply in an unsupported encoding')
  // Errors are also emitted by the decoder, so its reader handles them.
  return pipeline(received, decoder, () => undefined)
}

function decompressionError(cause: unknown): FetchError {
  return new FetchError('reply', 'The reply of the host could not be decompressed', cause)
}

function tooLargeError(): FetchError {
  return new FetchError('tooLarge', 'The content exceeds the size limit')
}

/** Converts an error to a `FetchError`; after a timeout or cancellation, returns that reason instead. */
function toFetchError(error: unknown, signal: AbortSignal): FetchError {
  if (signal.aborted) return signal.reason as FetchError
  if (error instanceof FetchError) return error
  return new FetchError('connection', 'The host could not be reached or sent an invalid reply', error)
}

interface Deadline {
  signal: AbortSignal
  end(): void
}

function startDeadline(timeout: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const cancel = () => controller.abort(new FetchError('aborted', 'The request was cancelled', callerSignal?.reason))
  const expire = () => controller.abort(new FetchError('timeout', 'The host did not respond in time'))
  const timer = setTimeout(expire, timeout)
  callerSignal?.addEventListener('abort', cancel, { once: true })
  if (callerSignal?.aborted) cancel()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', cancel)
    },
  }
}
