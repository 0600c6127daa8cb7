import type { Comment, CommentReply } from '../../../contract/comment.ts'
import type { Space } from '../../../contract/space.ts'
import { type ApiRoute, type ReplyOfRoute, requestPath } from '../../api.ts'
import { type List, useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import type { AnyRequest } from '../../../client/request.ts'

/** Location of comments: a space or a change request, and optionally one of its pages. */
export interface CommentPlace {
  space: Space
  /** ID of the change request; without it, the comments of the live content. */
  changeRequest?: string | undefined
  /** Only the comments about this page. */
  pageId?: string | undefined
}

/** Routes of comments in spaces; each has the same request and reply in change requests. */
type CommentRoute = Extract<ApiRoute, `${string} /spaces/{spaceId}/comments${string}`>

/** Calls an operation for comments of the place. */
export async function requestComments<Route extends CommentRoute>(
  route: Route,
  { space, changeRequest }: CommentPlace,
  { params = {}, ...rest }: AnyRequest,
): Promise<ReplyOfRoute<Route>> {
  const path =
    changeRequest === undefined
      ? route
      : route.replace('/spaces/{spaceId}', '/spaces/{spaceId}/change-requests/{changeRequestId}')
  const ids = { spaceId: space.id, ...(changeRequest !== undefined && { changeRequestId: changeRequest }), ...params }
  return (await requestPath(path, { ...rest, params: ids })) as ReplyOfRoute<Route>
}

/** Reads the comments of a place again after one was changed. */
export function reloadComments({ space, changeRequest }: CommentPlace): void {
  const path = `/spaces/${space.id}`
  invalidate(`${changeRequest === undefined ? path : `${path}/change-requests/${changeRequest}`}/comments`)
}

/** Number of comments that are read at once. */
const pageSize = 100

/** Reads the open or resolved comments of a place. */
export function useComments(place: CommentPlace, status: Comment['status']): List<Comment> {
  const { space, changeRequest, pageId } = place
  const query = {
    status,
    format: 'document' as const,
    order: 'asc' as const,
    limit: pageSize,
    ...(pageId !== undefined && { targetPage: pageId }),
  }
  const live = useList(changeRequest === undefined ? 'GET /spaces/{spaceId}/comments' : undefined, {
    params: { spaceId: space.id },
    query,
  })
  const proposed = useList(
    changeRequest === undefined ? undefined : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '' }, query },
  )
  return changeRequest === undefined ? live : proposed
}

/** Reads the replies to a comment; without an ID nothing is read. */
export function useReplies({ space, changeRequest }: CommentPlace, commentId: string | undefined): List<CommentReply> {
  const query = { format: 'document' as const, limit: pageSize }
  const id = commentId ?? ''
  const isLive = changeRequest === undefined
  const live = useList(
    commentId !== undefined && isLive ? 'GET /spaces/{spaceId}/comments/{commentId}/replies' : undefined,
    { params: { spaceId: space.id, commentId: id }, query },
  )
  const proposed = useList(
    commentId !== undefined && !isLive
      ? 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies'
      : undefined,
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '', commentId: id }, query },
  )
  return isLive ? live : proposed
}
