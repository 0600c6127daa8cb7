import { z } from 'zod'
import {
  ChangeRequest,
  ChangeRequestLinkInput,
  ChangeRequestStatus,
  ChangeRequestSubject,
  CombinedBlock,
  Conflict,
  ConflictDecision,
  ConflictSide,
  Contributor,
  RequestedReviewer,
  Review,
  ReviewStatus,
} from './change-request.ts'
import { ContentRef, DocumentBody, DocumentFormat, JsonDocument } from './document.ts'
import { operation } from './kit.ts'
import { ChangesQuery, RevisionChanges } from './semantic-changes.ts'
import { Count, Id, ListQuery, QueryBoolean, pageOf, recordOf } from './shared.ts'

/** A query parameter that may be repeated; given once, it is a list of one. */
function queryList<Item extends z.ZodType<string, string>>(item: Item) {
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item).max(100))
}

const listFilters = {
  creator: Id.optional().describe('Only those that this user created'),
  contributor: Id.optional().describe('Only those that this user contributed to'),
  requestedReviewer: Id.optional().describe('Only those that this user was asked to review'),
  orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt').describe('Newest first'),
}

const combined = z
  .array(CombinedBlock)
  .optional()
  .describe('Blocks in which texts of both sides were combined, if there are any')

export const changeRequests = {
  listChangeRequestsForOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/change-requests',
    summary: 'List the change requests of all spaces of an organization that the caller can see',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery.extend({
      status: queryList(ChangeRequestStatus).default(['open']),
      ...listFilters,
      space: Id.optional().describe('Only those of this space'),
      site: Id.optional().describe('Only those of the spaces of this site'),
    }),
    reply: pageOf(ChangeRequest),
  }),
  listChangeRequestsForSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests',
    summary: 'List the change requests of a space',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ status: ChangeRequestStatus.default('open'), ...listFilters }),
    reply: pageOf(ChangeRequest),
  }),
  createChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests',
    summary: 'Create a change request',
    description: 'It starts as a draft with the content that the space has now.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({
      subject: ChangeRequestSubject.optional(),
      template: z
        .object({
          id: Id,
          params: z.object({ contentRefs: recordOf(z.string(), ContentRef, 1000).optional() }).optional(),
        })
        .optional()
        .describe('A template to start with'),
      agentTaskId: z.string().max(256).optional().describe('The task of an agent that it implements'),
    }),
    status: 201,
    reply: ChangeRequest,
    errors: [404],
  }),
  getChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Get a change request by its id or number',
    access: 'space:visit',
    scope: 'space:read',
    reply: ChangeRequest,
  }),
  updateChangeRequestById: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Change the subject, status, description or links of a change request',
    access: 'space:edit',
    scope: 'space:write',
    body: z
      .object({
        subject: ChangeRequestSubject,
        status: ChangeRequestStatus.exclude(['merged']),
        description: JsonDocument,
        links: z.array(ChangeRequestLinkInput).max(10).describe('Replaces all'),
      })
      .partial(),
    reply: ChangeRequest,
    errors: [404, 409],
  }),
  mergeChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/merge',
    summary: 'Merge a change request into the content of its space',
    description:
      'When both sides changed the same thing, nothing live changes: the result is `conflicts`, and the change request, brought up to date, lists them. The same happens when texts of both sides are combined within a block and a merge rule requires reviews, as nobody has reviewed the combined text.',
    access: 'space:merge',
    scope: 'change-request:merge',
    query: z.object({
      dryRun: QueryBoolean.optional().describe('Only returns what would happen, with conflicts; changes nothing'),
    }),
    reply: z.object({
      revision: Id,
      result: z.enum(['merge', 'conflicts']),
      combined,
      conflicts: z
        .array(Conflict)
        .optional()
        .describe('Of a dry run: the conflicts that there are or would be, at most 200'),
      conflictCount: Count.optional().describe('Of a dry run: how many conflicts there are or would be'),
      message: z.string().optional().describe('Why nothing was merged although there are no conflicts'),
    }),
    errors: [409],
  }),
  updateChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/update',
    summary: 'Bring a change request up to date with the content of its space',
    access: 'space:edit',
    scope: 'space:write',
    reply: z.object({ revision: Id, result: z.enum(['update', 'conflicts']), combined }),
    errors: [409],
  }),
  getChangeRequestChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/changes',
    summary: 'Get what a change request changes',
    access: 'space:view',
    scope: 'space:read',
    query: ChangesQuery,
    reply: RevisionChanges,
  }),
  listChangeRequestConflicts: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
    summary: 'List the conflicts of a change request with the content of its space',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ status: Conflict.shape.status.optional() }),
    reply: pageOf(Conflict),
  }),
  resolveChangeRequestConflict: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}',
    summary: 'Resolve a conflict by taking one side or with content of your own',
    access: 'space:edit',
    scope: 'space:write',
    body: ConflictDecision,
    reply: Conflict,
    errors: [409],
  }),
  reopenChangeRequestConflict: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}/resolution',
    summary: 'Undo the resolution of a conflict',
    description:
      'Puts back what the change request had when the conflict was resolved; whatever else was written since stays.',
    access: 'space:edit',
    scope: 'space:write',
    reply: Conflict,
    errors: [409],
  }),
  resolveChangeRequestConflicts: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
    summary: 'Resolve all open conflicts by taking one side',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({ side: ConflictSide }),
    reply: ChangeRequest,
    errors: [409],
  }),
  getContributorsByChangeRequestId: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/contributors',
    summary: 'List who contributed to a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: pageOf(Contributor),
  }),
}

export const changeRequestReviews = {
  getReviewsByChangeRequestId: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
    summary: 'List the reviews of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({
      format: DocumentFormat.optional().describe('How to give the text of comments'),
      outdated: QueryBoolean.optional().describe('Only reviews that are outdated, or only those that are not'),
    }),
    reply: pageOf(Review),
  }),
  submitChangeRequestReview: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
    summary: 'Review a change request',
    description: 'Ends the request for a review by the caller, if there was one.',
    access: 'space:review',
    scope: 'space:write',
    body: z.object({ status: ReviewStatus, comment: DocumentBody.optional() }),
    status: 201,
    reply: Review,
    errors: [409],
  }),
  getChangeRequestReviewById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}',
    summary: 'Get a review of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: z.object({ format: DocumentFormat.optional().describe('How to give the text of the comment') }),
    reply: Review,
  }),
  getRequestedReviewersByChangeRequestId: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'List who was asked to review a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: pageOf(RequestedReviewer),
  }),
  requestReviewersForChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'Ask users to review a change request',
    description: 'Opens the change request when it is a draft.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({
      users: z.array(Id).min(1).max(100),
      subject: ChangeRequestSubject.optional(),
      description: JsonDocument.optional(),
    }),
    reply: z.object({ users: z.array(RequestedReviewer) }),
    errors: [404, 409],
  }),
  removeRequestedReviewerFromChangeRequest: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}',
    summary: 'Take back a request for a review',
    access: 'space:edit',
    scope: 'space:write',
  }),
}
