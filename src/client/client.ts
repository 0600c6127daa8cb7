import { type Api, api } from '../contract/api.ts'
import type { eventStreams } from '../contract/live-events.ts'
import type { ErrorDetail, ErrorReply } from '../contract/errors.ts'
import type { BodyInputOf, Operation, ParamsOf, QueryInputOf, ReplyOf } from '../contract/operation.ts'

/** Error for a reply whose status is not 2xx. */
export class ApiError extends Error {
  readonly status: number
  readonly details: ErrorDetail[]

  constructor(status: number, message: string, details: ErrorDetail[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.details = details
  }
}

/** Type that adds no keys to an intersection. */
type NoKeys = unknown

/** Request of an operation, with only the parts that the operation has. */
export type RequestOf<O extends Operation> = (keyof ParamsOf<O> extends never ? NoKeys : { params: ParamsOf<O> }) &
  (QueryInputOf<O> extends undefined ? NoKeys : { query?: Partial<Record<keyof QueryInputOf<O>, QueryValue>> }) &
  (BodyInputOf<O> extends undefined ? NoKeys : { body?: BodyInputOf<O> }) & { headers?: Record<string, string> }

type QueryValue = string | number | boolean | readonly string[] | undefined

/** Operations with one reply. Streams of events are read with `fetch`. */
type CallableName = Exclude<keyof Api, keyof typeof eventStreams>

export type Client = {
  [Name in CallableName]: (
    ...request: keyof ParamsOf<Api[Name]> extends never ? [RequestOf<Api[Name]>?] : [RequestOf<Api[Name]>]
  ) => Promise<ReplyOf<Api[Name]>>
}

interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, QueryValue>
  body?: unknown
  headers?: Record<string, string>
}

/** Creates a client with a method for every operation of the contract. `url` is the URL of the server, without `/v1`. */
export function createClient({ url, token }: { url: string; token?: string | undefined }): Client {
  const call = async (operation: Operation, request: AnyRequest = {}): Promise<unknown> => {
    const reply = await fetch(`${url}/v1${buildRequestPath(operation, request)}`, {
      method: operation.method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw toApiError(reply, text)
    return text === '' ? undefined : JSON.parse(text)
  }
  return Object.fromEntries(
    Object.entries<Operation>(api)
      .filter(([, { eventStream }]) => !eventStream)
      .map(([name, operation]) => [name, (request?: AnyRequest) => call(operation, request)]),
  ) as unknown as Client
}

/** Returns the path and query string of a request. */
export function buildRequestPath(operation: Operation, { params = {}, query = {} }: AnyRequest): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? (value as string[]) : [String(value)]) search.append(name, one)
  }
  return search.size > 0 ? `${path}?${search.toString()}` : path
}

function toApiError(reply: Response, text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as ErrorReply
    return new ApiError(reply.status, error.message, error.details)
  } catch {
    return new ApiError(reply.status, reply.statusText)
  }
}
