import type { AnyRequest, OperationOf } from '../../client/request.ts'
import type { SpaceContentUpdate } from '../../contract/content.ts'
import type { BodyInputOf } from '../../contract/operation.ts'
import { ApiError, type ApiRoute, type ReadRoute, type ReplyOfRoute, request, requestPath } from '../api.ts'
import { type ItemOf, type List, type ListRoute, useWholeList } from './list.ts'
import { type Query, useQuery } from './query.ts'

/** Content to read and change: that of a change request, or the live content of a space. */
export interface ContentPlace {
  spaceId: string
  /** Undefined for the live content. */
  changeRequestId: string | undefined
}

type InChangeRequest<Route> = Route extends `${infer Method} /spaces/{spaceId}/content${infer Rest}`
  ? `${Method} /spaces/{spaceId}/change-requests/{changeRequestId}/content${Rest}`
  : never

/** Routes of the live content that exist for the content of change requests too. */
type ContentRoute = { [Route in ApiRoute]: InChangeRequest<Route> extends ApiRoute ? Route : never }[ApiRoute]

type Changes = BodyInputOf<OperationOf<'POST /spaces/{spaceId}/content'>>['changes']

/** Parts of a request for content besides the IDs of its place. */
type ContentRequest = Omit<AnyRequest, 'headers'>

const toRoute = (route: string, { changeRequestId }: ContentPlace): string =>
  changeRequestId === undefined
    ? route
    : route.replace('/spaces/{spaceId}', '/spaces/{spaceId}/change-requests/{changeRequestId}')

const toRequest = ({ spaceId, changeRequestId }: ContentPlace, { params, ...rest }: ContentRequest): AnyRequest => ({
  ...rest,
  params: { ...params, spaceId, ...(changeRequestId !== undefined && { changeRequestId }) },
})

/** Calls an operation for the content of a place, named by the route of the live content. */
export async function requestContent<Route extends ContentRoute>(
  route: Route,
  place: ContentPlace,
  input: ContentRequest = {},
  signal?: AbortSignal,
): Promise<ReplyOfRoute<Route>> {
  return (await requestPath(toRoute(route, place), toRequest(place, input), signal)) as ReplyOfRoute<Route>
}

/** Reads the content of a place like `useQuery`, named by the route of the live content. */
export function useContentQuery<Route extends ContentRoute & ReadRoute>(
  route: Route | undefined,
  place: ContentPlace,
  input: ContentRequest = {},
): Query<ReplyOfRoute<Route>> {
  const found = route && (toRoute(route, place) as 'GET /spaces/{spaceId}/content')
  const query = useQuery(found, toRequest(place, input) as { params: { spaceId: string } })
  return query as Query<unknown> as Query<ReplyOfRoute<Route>>
}

/** Reads a whole list of the content of a place like `useWholeList`, named by the route of the live content. */
export function useContentList<Route extends ContentRoute & ListRoute>(
  route: Route | undefined,
  place: ContentPlace,
  input: ContentRequest = {},
): List<ItemOf<Route>> {
  const found = route && (toRoute(route, place) as 'GET /spaces/{spaceId}/content/files')
  const list = useWholeList(found, toRequest(place, input) as { params: { spaceId: string } })
  return list as List<unknown> as List<ItemOf<Route>>
}

/** Returns the path of content in the API, for `invalidate`. */
export const toContentPath = ({ spaceId, changeRequestId }: ContentPlace): string =>
  `/spaces/${spaceId}${changeRequestId === undefined ? '' : `/change-requests/${changeRequestId}`}/content`

/** Returns the ID of the current revision. */
export async function readHead({ spaceId, changeRequestId }: ContentPlace): Promise<string> {
  const { revision } =
    changeRequestId === undefined
      ? await request('GET /spaces/{spaceId}', { params: { spaceId } })
      : await request('GET /spaces/{spaceId}/change-requests/{changeRequestId}', { params: { spaceId, changeRequestId } })
  return revision
}

/** Changes the content; returns its new revision and the result of each change. */
export async function changeContent(
  { spaceId, changeRequestId }: ContentPlace,
  changes: Changes,
  headers: Record<string, string> = {},
): Promise<SpaceContentUpdate> {
  if (changeRequestId === undefined)
    return request('POST /spaces/{spaceId}/content', { params: { spaceId }, headers, body: { changes } })
  const reply = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content', {
    params: { spaceId, changeRequestId },
    query: { compat: false },
    headers,
    body: { changes },
  })
  if (!('changes' in reply)) throw new ApiError(500, 'The reply has no list of changes')
  const { changeRequest, ...applied } = reply
  return { revision: changeRequest.revision, ...applied }
}
