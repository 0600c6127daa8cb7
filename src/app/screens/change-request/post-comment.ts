import type { ChangeRequest } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { invalidateChangeRequests, paramsOf } from './use-change-request.ts'

interface CommentInput {
  body: { markdown: string }
  page?: string | undefined
  node?: string | undefined
}

/** Posts a comment in a change request. */
export async function postComment(changeRequest: ChangeRequest, body: CommentInput): Promise<void> {
  const params = paramsOf(changeRequest)
  await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments', { params, body })
  invalidateChangeRequests(changeRequest)
}
