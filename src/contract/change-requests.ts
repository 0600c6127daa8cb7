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
import { DocumentBody, DocumentFormat, JsonDocument } from './document.ts'
import { MergeStatus } from './merge-status.ts'
import { operation } from './operation.ts'
import { ChangesQuery, RevisionChanges } from './semantic-changes.ts'
import { Count, Id, ListQuery, QueryBoolean, paginated, queryList } from './shared.ts'
import { TemplateUse } from './template.ts'

const listFilters = {
  creator: Id.optional().describe('Only change requests created by this user'),
  contributor: Id.optional().describe('Only change requests to which this user contributed'),
  requestedReviewer: Id.optional().describe('Only change requests for which a review by this user is requested'),
  orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt').describe('Sort order; newest first'),
}

const combined = z
  .array(CombinedBlock)
  .optional()
  .describe('Blocks in which text of both sides was combined; absent when there are none')

/** Maximum length of a description as Markdown in UTF-16 code units. */
const maxDescriptionLength = 16 * 1024

const ChangeRequestDescription = z
  .object({
    object: z.literal('change-request-description'),
    markdown: z.string().describe('Empty when there is no description'),
  })
  .meta({ id: 'ChangeRequestDescription' })

export const changeRequests = {
  listChangeRequestsForOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/change-requests',
    summary: 'List change requests in an organization',
    description: 'Returns the change requests of all spaces that the caller can see.',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery.extend({
      status: queryList(ChangeRequestStatus).default(['open']),
      ...listFilters,
      space: Id.optional().describe('Only change requests of this space'),
      site: Id.optional().describe('Only change requests of the spaces of this site'),
    }),
    reply: paginated(ChangeRequest),
  }),
  listChangeRequestsForSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests',
    summary: 'List change requests in a space',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ status: ChangeRequestStatus.default('open'), ...listFilters }),
    reply: paginated(ChangeRequest),
  }),
  createChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests',
    summary: 'Create a change request',
    description: 'The change request starts as a draft with the current content of the space.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({
      subject: ChangeRequestSubject.optional(),
      template: TemplateUse.optional().describe('Template whose pages the change request adds'),
      agentTaskId: z.string().max(256).optional().describe('ID of the agent task that the change request implements'),
    }),
    status: 201,
    reply: ChangeRequest,
    errors: [404],
  }),
  getChangeRequestById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Get a change request',
    description: 'The path accepts the id or the number of the change request.',
    access: 'space:visit',
    scope: 'space:read',
    reply: ChangeRequest,
  }),
  updateChangeRequestById: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    summary: 'Update a change request',
    access: 'space:edit',
    scope: 'space:write',
    body: z
      .object({
        subject: ChangeRequestSubject,
        status: ChangeRequestStatus.exclude(['merged']),
        description: JsonDocument,
        links: z.array(ChangeRequestLinkInput).max(10).describe('Replaces all links'),
      })
      .partial(),
    reply: ChangeRequest,
    errors: [404, 409],
  }),
  getChangeRequestDescription: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/description',
    summary: 'Get the description of a change request as Markdown',
    access: 'space:view',
    scope: 'space:read',
    reply: ChangeRequestDescription,
  }),
  setChangeRequestDescription: operation({
    method: 'PUT',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/description',
    summary: 'Set the description of a change request as Markdown',
    description: 'An empty text removes the description.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({ markdown: z.string().max(maxDescriptionLength) }),
    reply: ChangeRequestDescription,
    errors: [409],
  }),
  mergeChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/merge',
    summary: 'Merge a change request',
    description:
      'When both sides changed the same thing, the space is not changed: the result is `conflicts`, and the change request is updated and lists the conflicts. The same happens when text of both sides is combined within a block and a merge rule requires reviews, because the combined text has not been reviewed.',
    access: 'space:merge',
    scope: 'change-request:merge',
    query: z.object({
      dryRun: QueryBoolean.optional().describe(
        'Return the result and the conflicts of a merge without changing anything',
      ),
    }),
    reply: z.object({
      revision: Id,
      result: z.enum(['merge', 'conflicts']),
      combined,
      conflicts: z
        .array(Conflict)
        .optional()
        .describe('Only for a dry run: existing and expected conflicts, at most 200'),
      conflictCount: Count.optional().describe('Only for a dry run: number of existing and expected conflicts'),
      message: z.string().optional().describe('Why nothing was merged although there are no conflicts'),
    }),
    errors: [409],
  }),
  getChangeRequestMergeStatus: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/merge-status',
    summary: 'Get the merge status of a change request',
    description:
      'Returns whether the caller can merge the change request, with the results of the merge rules, conflicts and reviews. Changes nothing.',
    access: 'space:view',
    scope: 'space:read',
    reply: MergeStatus,
  }),
  updateChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/update',
    summary: 'Update a change request from its space',
    description: 'Merges the current content of the space into the change request.',
    access: 'space:edit',
    scope: 'space:write',
    reply: z.object({ revision: Id, result: z.enum(['update', 'conflicts']), combined }),
    errors: [409],
  }),
  getChangeRequestChanges: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/changes',
    summary: 'List the changes of a change request',
    description:
      'Compares the current content with the revision from which the change request was created or last updated, or with the revision in `comparedWith`: with `revision` of a review, the reply contains what changed since that review.',
    access: 'space:view',
    scope: 'space:read',
    query: ChangesQuery,
    reply: RevisionChanges,
  }),
  listChangeRequestConflicts: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
    summary: 'List the conflicts of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery.extend({ status: Conflict.shape.status.optional() }),
    reply: paginated(Conflict),
  }),
  resolveChangeRequestConflict: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}',
    summary: 'Resolve a conflict',
    description: 'Resolves the conflict with one side, or with the given content.',
    access: 'space:edit',
    scope: 'space:write',
    body: ConflictDecision,
    reply: Conflict,
    errors: [409],
  }),
  reopenChangeRequestConflict: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts/{conflictId}/resolution',
    summary: 'Reopen a conflict',
    description:
      'Restores the content that the change request had before the conflict was resolved. Later edits of other content are kept.',
    access: 'space:edit',
    scope: 'space:write',
    reply: Conflict,
    errors: [409],
  }),
  resolveChangeRequestConflicts: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts',
    summary: 'Resolve all open conflicts',
    description: 'Resolves all of them with the same side.',
    access: 'space:edit',
    scope: 'space:write',
    body: z.object({ side: ConflictSide }),
    reply: ChangeRequest,
    errors: [409],
  }),
  getContributorsByChangeRequestId: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/contributors',
    summary: 'List the contributors of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Contributor),
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
      format: DocumentFormat.optional().describe('Format of comment bodies'),
      outdated: QueryBoolean.optional().describe('Filter by whether the review is outdated'),
    }),
    reply: paginated(Review),
  }),
  submitChangeRequestReview: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/reviews',
    summary: 'Submit a review',
    description: 'Completes a pending review request for the caller.',
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
    summary: 'Get a review',
    access: 'space:view',
    scope: 'space:read',
    query: z.object({ format: DocumentFormat.optional().describe('Format of the comment body') }),
    reply: Review,
  }),
  getRequestedReviewersByChangeRequestId: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'List the requested reviewers of a change request',
    access: 'space:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(RequestedReviewer),
  }),
  requestReviewersForChangeRequest: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers',
    summary: 'Request reviews',
    description: 'A draft change request becomes open.',
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
    summary: 'Remove a requested reviewer',
    access: 'space:edit',
    scope: 'space:write',
  }),
}
