import type { Api } from '../contract/api.ts'
import type { ErrorDetail, ErrorReply } from '../contract/errors.ts'
import type { BodyInputOf, Operation, ParamsOf, QueryInputOf, ReplyOf } from '../contract/operation.ts'

/** Error for a reply whose status is not 2xx. */
export class ApiError extends Error {
  readonly status: number
  readonly details: ErrorDetail[]
  /** Number of seconds after which the request can be sent again, if the server returned it. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, details: ErrorDetail[] = [], retryAfter?: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** Type that adds no keys to an intersection. */
type NoKeys = unknown

export type QueryValue = string | number | boolean | readonly string[] | undefined

/** Request of an operation, with only the parts that the operation has. */
export type RequestOf<O extends Operation> = (keyof ParamsOf<O> extends never ? NoKeys : { params: ParamsOf<O> }) &
  (QueryInputOf<O> extends undefined ? NoKeys : { query?: Partial<Record<keyof QueryInputOf<O>, QueryValue>> }) &
  (BodyInputOf<O> extends undefined ? NoKeys : { body?: BodyInputOf<O> }) & { headers?: Record<string, string> }

/** Arguments of a call: the request may be omitted if the path has no parameters. */
export type RequestArguments<O extends Operation> = keyof ParamsOf<O> extends never ? [RequestOf<O>?] : [RequestOf<O>]

/** Request without its types. */
export interface AnyRequest {
  params?: Record<string, string>
  query?: Record<string, QueryValue>
  body?: unknown
  headers?: Record<string, string>
}

/** The operations by method and path, for example `GET /spaces/{spaceId}`. */
type OperationsByRoute = { [Name in keyof Api as `${Api[Name]['method']} ${Api[Name]['path']}`]: Api[Name] }

/** Method and path of an operation of the contract. */
export type ApiRoute = keyof OperationsByRoute
/** A route that only reads. */
export type ReadRoute = Extract<ApiRoute, `GET ${string}`>
export type OperationOf<Route extends ApiRoute> = OperationsByRoute[Route]
export type ReplyOfRoute<Route extends ApiRoute> = ReplyOf<OperationsByRoute[Route]>

/** Returns the path and query string of a request. */
export function buildRequestPath(path: string, { params = {}, query = {} }: AnyRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? (value as string[]) : [String(value)]) search.append(name, one)
  }
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}

/** Returns the options of `fetch` for a request. */
export function toFetchOptions(
  method: string,
  { body, headers }: AnyRequest,
  more: Record<string, string>,
): RequestInit {
  return {
    method,
    headers: { ...more, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** Returns the value of a reply, or throws an `ApiError`. */
export async function readReply(reply: Response): Promise<unknown> {
  const text = await reply.text()
  if (!reply.ok) throw toApiError(reply, text)
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns the error of a reply whose status is not 2xx. */
export function toApiError(reply: Response, text: string): ApiError {
  const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN)
  const wait = Number.isFinite(retryAfter) ? retryAfter : undefined
  try {
    const { error } = JSON.parse(text) as ErrorReply
    return new ApiError(reply.status, error.message, error.details, wait)
  } catch {
    return new ApiError(reply.status, reply.statusText, [], wait)
  }
}
