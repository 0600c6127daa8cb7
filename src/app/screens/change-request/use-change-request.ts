import type { ChangeRequest, ChangeRequestStatus } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { useUser } from '../../session.ts'

/** Path parameters of the operations of a change request. */
export const paramsOf = ({ id, space }: Pick<ChangeRequest, 'id' | 'space'>) => ({
  spaceId: space,
  changeRequestId: id,
})

/** Returns the path of a screen of a change request: `screenPath(changeRequest, '/changes')`. */
export const screenPath = ({ space, number }: Pick<ChangeRequest, 'space' | 'number'>, part = ''): string =>
  `/spaces/${space}/change-requests/${number}${part}`

/** Whether a change request can be edited, reviewed and merged. */
export const isActive = ({ status }: { status: ChangeRequestStatus }): boolean =>
  status === 'draft' || status === 'open'

export const useMergeStatus = (changeRequest: ChangeRequest) =>
  useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/merge-status', { params: paramsOf(changeRequest) })

/** Reads the reviews of a change request, newest last. */
export function useReviews(changeRequest: ChangeRequest) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
    params: paramsOf(changeRequest),
    query: { limit: 200 },
  })
  const reviews = data?.items.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
  return { reviews, error, reload }
}

/** Returns the last review of the user who is signed in. */
export function useOwnReview(changeRequest: ChangeRequest) {
  const user = useUser()
  return useReviews(changeRequest).reviews?.findLast(({ reviewer }) => reviewer.id === user?.id)
}

/** Reads everything of the change requests of a space again. */
export const invalidateChangeRequests = ({ space }: Pick<ChangeRequest, 'space'>): void =>
  invalidate(`/spaces/${space}/change-requests`)

/** Sets fields of a change request. */
export async function patchChangeRequest(
  changeRequest: ChangeRequest,
  body: { subject?: string; status?: Exclude<ChangeRequestStatus, 'merged'> },
): Promise<void> {
  await request('PATCH /spaces/{spaceId}/change-requests/{changeRequestId}', { params: paramsOf(changeRequest), body })
  invalidateChangeRequests(changeRequest)
}
