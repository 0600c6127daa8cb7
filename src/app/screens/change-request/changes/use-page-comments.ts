import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Comment } from '../../../../contract/comment.ts'
import { useQuery } from '../../../data/query.ts'
import { paramsOf } from '../use-change-request.ts'

/** Reads the comments of a change request about a page, oldest first. */
export function usePageComments(changeRequest: ChangeRequest, pageId: string): readonly Comment[] {
  const { data } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments', {
    params: paramsOf(changeRequest),
    query: { targetPage: pageId, format: 'document', order: 'asc', limit: 200 },
  })
  return data?.items ?? []
}
