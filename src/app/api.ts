import {
  type AnyRequest,
  ApiError,
  type ApiRoute,
  type OperationOf,
  type ReplyOfRoute,
  type RequestArguments,
  buildRequestPath,
  toApiError,
  toFetchOptions,
} from '../client/request.ts'
import { basePath } from './base-path.ts'
import { isOffline, isSignedOut } from './connection.ts'

export { ApiError, type ApiRoute, type ReadRoute, type ReplyOfRoute } from '../client/request.ts'

/** Proof that a page of this server sends the request; without it the API ignores the session cookie. */
export const sessionHeaders: Readonly<Record<string, string>> = {
  'x-octavo-session': document.querySelector<HTMLMetaElement>('meta[name="octavo-session"]')?.content ?? '',
}

/** Returns the URL of a path of the API. */
export const apiUrl = (path: string): string => `${basePath}v1${path}`

/**
 * Calls an operation of the API, named by its method and path: `request('GET /spaces/{spaceId}', { params: { spaceId } })`.
 * Throws an `ApiError`; its status is 0 if there was no reply.
 */
export async function request<Route extends ApiRoute>(
  route: Route,
  ...[input]: RequestArguments<OperationOf<Route>>
): Promise<ReplyOfRoute<Route>> {
  return (await requestPath(route, input ?? {})) as ReplyOfRoute<Route>
}

/** Calls an operation without types. */
export async function requestPath(route: string, input: AnyRequest, signal?: AbortSignal): Promise<unknown> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const text = await send(buildRequestPath(path, input), {
    ...toFetchOptions(method, input, sessionHeaders),
    ...(signal && { signal }),
  })
  return text === '' ? undefined : JSON.parse(text)
}

/** Reads a path of the API and returns the text of the reply. */
export const requestText = (path: string): Promise<string> => send(path, toFetchOptions('GET', {}, sessionHeaders))

async function send(path: string, options: RequestInit): Promise<string> {
  const { reply, text } = await fetchText(path, options)
  isOffline.value = false
  if (reply.status === 401) isSignedOut.value = true
  if (!reply.ok) throw toApiError(reply, text)
  return text
}

async function fetchText(path: string, options: RequestInit): Promise<{ reply: Response; text: string }> {
  try {
    const reply = await fetch(apiUrl(path), options)
    return { reply, text: await reply.text() }
  } catch (error) {
    if (options.signal?.aborted) throw error
    isOffline.value = true
    throw new ApiError(0, 'The server cannot be reached')
  }
}
