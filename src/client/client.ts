import { type Api, api } from '../contract/api.ts'
import type { eventStreams } from '../contract/live-events.ts'
import type { Operation, ReplyOf } from '../contract/operation.ts'
import { type AnyRequest, type RequestArguments, buildRequestPath, readReply, toFetchOptions } from './request.ts'

export { ApiError, type RequestOf, buildRequestPath } from './request.ts'

/** Operations with one reply. Streams of events are read with `fetch`. */
type CallableName = Exclude<keyof Api, keyof typeof eventStreams>

export type Client = {
  [Name in CallableName]: (...request: RequestArguments<Api[Name]>) => Promise<ReplyOf<Api[Name]>>
}

/** Creates a client with a method for every operation of the contract. `url` is the URL of the server, without `/v1`. */
export function createClient({ url, token }: { url: string; token?: string | undefined }): Client {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const call = async ({ method, path }: Operation, request: AnyRequest = {}): Promise<unknown> =>
    readReply(
      await fetch(`${url}/v1${buildRequestPath(path, request)}`, toFetchOptions(method, request, authorization)),
    )
  return Object.fromEntries(
    Object.entries<Operation>(api)
      .filter(([, { eventStream }]) => !eventStream)
      .map(([name, operation]) => [name, (request?: AnyRequest) => call(operation, request)]),
  ) as unknown as Client
}
