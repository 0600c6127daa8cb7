import type { Conflict } from '../../contract/change-request.ts'
import { changeRequests } from '../../contract/change-requests.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { ReplyOf } from '../../contract/operation.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { type OperationInput, implement, withPreparation } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import type { Row } from '../../schema/tables.ts'
import { listChanges } from '../content/list-changes.ts'
import { getRevision } from '../../domain/revisions/revisions.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import * as conflicts from './conflict-store.ts'
import { parseDescription, presentDescription, serializeDescription } from './description.ts'
import { openChangeRequest } from '../../domain/change-requests/open-change-request.ts'
import {
  parseCombinedBlocks,
  updateStatusCounts,
  mergeIntoSpace,
  reviewRequiredMessage,
  previewMerge,
  updateFromSpace,
} from './merging.ts'
import { parseCustomText } from './custom-content.ts'
import { baseRevisionIdOf, redactForVisitor } from '../../domain/change-requests/present-change-request.ts'
import { presentConflicts, presentConflictRows } from './present-conflicts.ts'
import {
  getChangeRequest,
  getEditableChangeRequest,
  lockEditableChangeRequest,
  loadChangeRequestPresenterAcrossSpaces,
  presentChangeRequestWithUsers,
} from '../../domain/change-requests/change-request-queries.ts'
import { type ResolutionChoice, reopenConflict, resolveAllConflicts, resolveConflict } from './resolving.ts'
import { type TemplateServices, applyTemplate, prepareTemplate } from '../templates/apply-template.ts'
import { type MergeRulesResult, describeUnmetRules, evaluateMergeRules, readMergeStatus } from './merge-status.ts'
import { revalidateChangeRequest } from '../../domain/revalidation/revalidate.ts'
import * as store from '../../domain/change-requests/change-request-store.ts'
import { recordChangeRequestEvent } from '../../domain/live/record-event.ts'

type ResolveConflictInput = OperationInput<(typeof changeRequests)['resolveChangeRequestConflict']>

const sortColumns = { updatedAt: 'updated_at', createdAt: 'created_at' } as const

export const changeRequestRoutes = (services: TemplateServices) =>
  implement(changeRequests, {
    async listChangeRequestsForOrganization(context, { query }) {
      return listChangeRequests(context, { ...query, spaceId: query.space })
    },

    async listChangeRequestsForSpace(context, { query }) {
      return listChangeRequests(context, { ...query, status: [query.status], spaceId: context.space.id })
    },

    createChangeRequest: withPreparation(
      async ({ space }: SpaceContext, { body }: OperationInput<(typeof changeRequests)['createChangeRequest']>) =>
        body.template && prepareTemplate(services, space.organization_id, body.template),
      async (context, { body }, template) => {
        const { db, space } = context
        await lockSpace(db, space)
        const request = await openChangeRequest(context, {
          subject: body.subject,
          status: 'draft',
          baseRevision: space.revision_id,
        })
        if (!template) return presentChangeRequestWithUsers(context, request)
        await applyTemplate(context, template, request)
        return presentChangeRequestWithUsers(context, await getChangeRequest(context, request.id))
      },
    ),

    async getChangeRequestById(context, { params }) {
      const request = await getChangeRequest(context, params.changeRequestId)
      // Visitors can read only the change request that they preview.
      if (context.visitor && context.visitor.changeRequestId !== request.id) throw notFound('change request')
      const presented = await presentChangeRequestWithUsers(context, request)
      return context.visitor ? redactForVisitor(presented) : presented
    },

    async updateChangeRequestById(context, { params, body }) {
      const { db, space, now } = context
      await lockSpace(db, space)
      const request = await getChangeRequest(context, params.changeRequestId)
      if (request.status === 'merged') throw conflict('The change request is already merged and cannot be changed')
      const updated = await store.updateChangeRequest(db, request, {
        ...(body.subject !== undefined && { subject: body.subject }),
        ...(body.status !== undefined && { status: body.status }),
        ...(body.description !== undefined && { description: serializeDescription(body.description) }),
        ...(body.links !== undefined && { links: serializeLinks(context, request, body.links) }),
        updated_at: now(),
      })
      await updateStatusCounts(context, request.status, updated.status)
      await recordChangeRequestEvent(context, updated)
      await revalidateChangeRequest(context, request)
      return presentChangeRequestWithUsers(context, updated)
    },

    async getChangeRequestDescription(context, { params }) {
      return presentDescription((await getChangeRequest(context, params.changeRequestId)).description)
    },

    setChangeRequestDescription: withPreparation(
      async (_: SpaceContext, { body }: OperationInput<(typeof changeRequests)['setChangeRequestDescription']>) =>
        parseDescription(body.markdown),
      async (context, { params }, description) => {
        const { db, space, now } = context
        await lockSpace(db, space)
        const request = await getChangeRequest(context, params.changeRequestId)
        if (request.status === 'merged') throw conflict('The change request is already merged and cannot be changed')
        await store.updateChangeRequest(db, request, { description, updated_at: now() })
        await revalidateChangeRequest(context, request)
        return presentDescription(description)
      },
    ),

    async mergeChangeRequest(context, { params, query }) {
      const request = await lockEditableChangeRequest(context, params.changeRequestId)
      const rules = await evaluateMergeRules(context, request)
      if (query.dryRun) return presentMergePreview(context, request, rules)
      const unmet = describeUnmetRules(rules)
      if (unmet !== undefined) throw conflict(unmet)
      return mergeIntoSpace(context, request, rules)
    },

    async getChangeRequestMergeStatus(context, { params }) {
      return readMergeStatus(context, await getChangeRequest(context, params.changeRequestId))
    },

    async updateChangeRequest(context, { params }) {
      return updateFromSpace(context, await lockEditableChangeRequest(context, params.changeRequestId))
    },

    async getChangeRequestChanges(context, { params, query }) {
      const { db, space } = context
      const request = await getChangeRequest(context, params.changeRequestId)
      const before = await getRevision(db, space, query.comparedWith ?? baseRevisionIdOf(request))
      const after = await getRevision(db, space, request.revision_id)
      return listChanges(context, { before, after }, query, parseCombinedBlocks(request))
    },

    async listChangeRequestConflicts(context, { params, query }) {
      const { db } = context
      const request = await getChangeRequest(context, params.changeRequestId)
      const after = decodeCursor(query.page, 1)
      const rows = await conflicts.findConflicts(db, request, { status: query.status, after, limit: query.limit })
      const count = await conflicts.countConflicts(db, request, query.status)
      const presented = await presentConflictRows(context, request, rows.slice(0, query.limit))
      const byId = new Map(presented.map((one) => [one.id, one]))
      return toPage(
        rows,
        query,
        count,
        (row) => [row.id],
        ({ id }) => byId.get(id) as Conflict,
      )
    },

    resolveChangeRequestConflict: withPreparation(
      async (context: SpaceContext, { params, body }: ResolveConflictInput): Promise<ResolutionChoice> => {
        await getEditableChangeRequest(context, params.changeRequestId)
        return 'document' in body ? { text: await parseCustomText(body.document) } : body
      },
      async (context, { params }, choice) => {
        const request = await lockEditableChangeRequest(context, params.changeRequestId)
        const resolved = await resolveConflict(context, request, params.conflictId, choice)
        return presentOneConflict(context, resolved)
      },
    ),

    async reopenChangeRequestConflict(context, { params }) {
      const request = await lockEditableChangeRequest(context, params.changeRequestId)
      return presentOneConflict(context, await reopenConflict(context, request, params.conflictId))
    },

    async resolveChangeRequestConflicts(context, { params, body }) {
      const request = await lockEditableChangeRequest(context, params.changeRequestId)
      return presentChangeRequestWithUsers(context, await resolveAllConflicts(context, request, body.side))
    },

    async getContributorsByChangeRequestId(context, { params, query }) {
      const { db, urls } = context
      const request = await getChangeRequest(context, params.changeRequestId)
      const after = decodeCursor(query.page, 2)
      const rows = await store.findContributors(db, request, { after, limit: query.limit })
      const users = await loadUsers(
        db,
        rows.map((row) => row.user_id),
      )
      return toPage(
        rows,
        query,
        await store.countContributors(db, request),
        (row) => [row.user_id, row.action],
        (row) => ({
          user: presentUser(users.get(row.user_id), urls),
          count: row.count,
          updatedAt: row.updated_at,
          actionType: row.action,
        }),
      )
    },
  })

async function presentOneConflict(
  context: SpaceContext,
  { request, row }: { request: Row<'change_requests'>; row: Row<'change_request_conflicts'> },
): Promise<Conflict> {
  const [presented] = await presentConflictRows(context, request, [row])
  return presented as Conflict
}

/** Maximum number of conflicts in a preview; serializing a larger reply would block other requests. */
const maxPreviewConflicts = 200

/** Returns the result that a merge would have. */
async function presentMergePreview(
  context: SpaceContext,
  request: Row<'change_requests'>,
  rules: MergeRulesResult,
): Promise<ReplyOf<(typeof changeRequests)['mergeChangeRequest']>> {
  const preview = await previewMerge(context, request)
  const listed = preview.conflicts
    .slice(0, maxPreviewConflicts)
    .map(({ id, conflict: one }) => ({ id, conflict: one, resolution: null }))
  const needsReview = rules.requiresReview && preview.combined.length > 0
  const message = describeUnmetRules(rules) ?? (needsReview ? reviewRequiredMessage : undefined)
  return {
    revision: request.revision_id,
    result: listed.length > 0 || needsReview ? 'conflicts' : 'merge',
    conflicts: await presentConflicts(context, request, listed),
    conflictCount: preview.conflicts.length,
    combined: preview.combined,
    ...(message !== undefined && { message }),
  }
}

interface ChangeRequestListOptions extends Omit<store.ChangeRequestFilter, 'space'> {
  spaceId: string | undefined
  orderBy: keyof typeof sortColumns
  page?: string | undefined
  limit: number
}

async function listChangeRequests(
  context: Pick<SpaceContext, 'db' | 'viewer' | 'urls'>,
  { spaceId, ...query }: ChangeRequestListOptions,
) {
  const { db, viewer } = context
  const filter = { ...query, space: spaceId }
  const after = decodeCursor(query.page, 2)
  const orderBy = sortColumns[query.orderBy]
  const rows = await store.findChangeRequests(db, viewer, filter, { orderBy, after, limit: query.limit })
  const present = await loadChangeRequestPresenterAcrossSpaces(context, rows)
  const count = await store.countChangeRequests(db, viewer, filter)
  return toPage(rows, query, count, (row) => [row[orderBy], row.id], present)
}

function serializeLinks(
  { newId }: SpaceContext,
  request: Row<'change_requests'>,
  links: readonly { id?: string | undefined; ref: object; title?: string | undefined }[],
): string {
  const unusedIds = new Set((JSON.parse(request.links) as { id: string }[]).map(({ id }) => id))
  const withIds = links.map(({ id, ...link }) => ({
    id: id !== undefined && unusedIds.delete(id) ? id : newId(),
    ...link,
  }))
  return JSON.stringify(withIds)
}
