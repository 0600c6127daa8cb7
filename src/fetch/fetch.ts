import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { type Duplex, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchError } from './errors.ts'
import { type Guard, type GuardOptions, createGuard } from './guard.ts'

export interface Fetch {
  get(address: string, limits: FetchLimits): Promise<Fetched>
  /** Sends a POST request; redirects are not followed. */
  post(address: string, message: Message, limits: FetchLimits): Promise<Fetched>
}

export interface Message {
  body: string
  headers: Readonly<Record<string, string>>
}

export interface FetchLimits {
  /** Maximum size of the received body, and of the decompressed body. */
  maxBytes: number
  /** Timeout in milliseconds for the whole request, including redirects and the body. */
  timeout: number
  signal?: AbortSignal | undefined
}

export interface Fetched {
  status: number
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
    get: (address, limits) => within(limits, (signal) => follow(address, guard, signal)),
    post: (address, message, limits) =>
      within(limits, async (signal) => {
        const url = guard.check(address)
        return { url, response: await request(url, guard, signal, message) }
      }),
  }
}

interface Answered {
  url: URL
  response: IncomingMessage
}

async function within(
  { maxBytes, timeout, signal }: FetchLimits,
  ask: (signal: AbortSignal) => Promise<Answered>,
): Promise<Fetched> {
  const deadline = startDeadline(timeout, signal)
  try {
    const { url, response } = await ask(deadline.signal)
    const encoding = encodingOf(response)
    if (!encoding && Number(response.headers['content-length']) > maxBytes) {
      response.destroy()
      throw tooLarge()
    }
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'],
      retryAfter: response.headers['retry-after'],
      url: url.href,
      body: read(response, encoding, maxBytes, deadline),
      discard() {
        deadline.end()
        response.destroy()
      },
    }
  } catch (error) {
    deadline.end()
    throw failureOf(error, deadline.signal)
  }
}

async function follow(address: string, guard: Guard, signal: AbortSignal): Promise<Answered> {
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
function request(url: URL, { lookup }: Guard, signal: AbortSignal, message?: Message): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestByHttps : requestByHttp
  const headers = { ...requestHeaders, ...message?.headers }
  return new Promise((resolve, reject) => {
    send(url, { method: message ? 'POST' : 'GET', agent: false, headers, lookup, signal }, resolve)
      .on('error', reject)
      .end(message?.body)
  })
}

/** Returns the content encoding of the body; undefined if it is not compressed. */
function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  return encoding === 'identity' || encoding === '' ? undefined : encoding
}

async function* read(
  response: IncomingMessage,
  encoding: string | undefined,
  maxBytes: number,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void> {
  try {
    const received = limited(response, maxBytes, (error) => failureOf(error, deadline.signal))
    yield* encoding === undefined ? received : limited(unpacked(received, encoding), maxBytes, brokenPackage)
  } finally {
    deadline.end()
    response.destroy()
  }
}

/** Yields chunks until `maxBytes` is exceeded; converts errors other than `FetchError` with `explain`. */
async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  explain: (error: unknown) => FetchError,
): AsyncGenerator<Uint8Array, void> {
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      yield chunk
    }
  } catch (error) {
    throw error instanceof FetchError ? error : explain(error)
  }
}

function unpacked(received: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  const decoder = decoders.get(encoding)?.()
  if (!decoder) throw new FetchError('reply', 'The host sent a compressed reply in an unsupported encoding')
  // Errors are also emitted by the decoder, so its reader handles them.
  return pipeline(received, decoder, () => undefined)
}

function brokenPackage(cause: unknown): FetchError {
  return new FetchError('reply', 'The reply of the host could not be decompressed', cause)
}

function tooLarge(): FetchError {
  return new FetchError('tooLarge', 'The content exceeds the size limit')
}

/** Converts an error to a `FetchError`; after a timeout or cancellation, returns that reason instead. */
function failureOf(error: unknown, signal: AbortSignal): FetchError {
  if (signal.aborted) return signal.reason as FetchError
  if (error instanceof FetchError) return error
  return new FetchError('connection', 'The host could not be reached or sent an invalid reply', error)
}

interface Deadline {
  signal: AbortSignal
  end(): void
}

function startDeadline(timeout: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const cancel = () => controller.abort(new FetchError('aborted', 'The request was cancelled', given?.reason))
  const expire = () => controller.abort(new FetchError('timeout', 'The host did not respond in time'))
  const timer = setTimeout(expire, timeout)
  given?.addEventListener('abort', cancel, { once: true })
  if (given?.aborted) cancel()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      given?.removeEventListener('abort', cancel)
    },
  }
}
