import type { MergeCheck, MergeStatus } from '../../contract/merge-status.ts'
import { type TokenScope, isActionAllowed } from '../../contract/roles.ts'
import { isClosed } from '../../domain/change-requests/change-request-queries.ts'
import {
  type ApplicableRules,
  type MergeAttempt,
  type RuleResult,
  canBypassRules,
  evaluateRules,
  findApprovers,
  isReviewRequired,
  resolveMergeRules,
} from '../../domain/change-requests/merge-rules.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { getMergeRules } from '../../domain/organizations/organization-store.ts'
import { loadUsers } from '../../domain/users/load-users.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { countConflicts } from './conflict-store.ts'
import { previewMerge } from './merging.ts'
import { countRequestedReviewers, findLatestReviews } from './review-store.ts'

export interface MergeRulesResult {
  source: ApplicableRules['source']
  results: RuleResult[]
  /** Whether the caller can merge although rules are not met. */
  canBypass: boolean
  /** Results that prevent the caller from merging. */
  unmet: RuleResult[]
  requiresReview: boolean
  attempt: MergeAttempt
}

/** Evaluates the merge rules of the space or the organization for a change request. */
export async function evaluateMergeRules(
  { db, space, principal }: SpaceContext,
  request: Row<'change_requests'>,
): Promise<MergeRulesResult> {
  const { source, rules } = resolveMergeRules(
    JSON.parse(space.merge_rules) as Parameters<typeof resolveMergeRules>[0],
    await getMergeRules(db, space.organization_id),
  )
  const attempt = {
    request,
    spaceRevisionId: space.revision_id,
    reviews: await findLatestReviews(db, request),
    userId: principal.user.id,
  }
  const results = evaluateRules(rules, attempt)
  const canBypass = canBypassRules(rules, principal.user.id)
  return {
    source,
    results,
    canBypass,
    unmet: canBypass ? [] : results.filter(({ isMet }) => !isMet),
    requiresReview: isReviewRequired(rules, attempt),
    attempt,
  }
}

/** Returns why the rules do not allow a merge; undefined if they allow it. */
export function describeUnmetRules({ unmet }: MergeRulesResult): string | undefined {
  if (unmet.length === 0) return undefined
  return `The change request cannot be merged: ${unmet.map(({ requirement }) => requirement).join('; ')}`
}

/** Returns whether the caller can merge a change request, with the results of all checks. */
export async function readMergeStatus(context: SpaceContext, request: Row<'change_requests'>): Promise<MergeStatus> {
  const { db, space } = context
  const evaluated = await evaluateMergeRules(context, request)
  // A closed change request cannot be merged, whatever the result would be.
  const preview = isClosed(request)
    ? { conflicts: [], openCount: 0, combined: [] }
    : await previewMerge(context, request)
  const conflicts = {
    open: preview.openCount,
    resolved: await countConflicts(db, request, 'resolved'),
    expected: preview.conflicts.length - preview.openCount,
  }
  const permissions = findPermissions(context)
  const reasons = [
    ...describeClosed(request),
    ...(permissions.merge ? [] : ['You are not allowed to merge change requests of this space']),
    ...evaluated.unmet.map(toSentence),
    ...describeConflicts(conflicts),
    ...(evaluated.requiresReview && preview.combined.length > 0 ? [combinedReason] : []),
  ]
  return {
    object: 'change-request-merge-status',
    mergeable: reasons.length === 0,
    reasons,
    checks: await presentChecks(context, evaluated),
    canBypass: evaluated.canBypass,
    conflicts,
    combined: preview.combined.length,
    outdated: request.status !== 'merged' && baseRevisionIdOf(request) !== space.revision_id,
    reviews: { ...countReviews(evaluated.attempt), requested: await countRequestedReviewers(db, request) },
    permissions,
  }
}

const combinedReason =
  'Text of both sides would be combined within blocks. Update the change request and have it reviewed again'

function describeClosed({ status }: Row<'change_requests'>): string[] {
  if (status === 'merged') return ['The change request is already merged']
  return status === 'archived' ? ['The change request is archived. Open it again to merge it'] : []
}

function describeConflicts({ open, expected }: MergeStatus['conflicts']): string[] {
  return [
    ...(open > 0 ? [`Conflicts to resolve: ${open}`] : []),
    ...(expected > 0 ? [`New conflicts with the space: ${expected}. Update the change request to resolve them`] : []),
  ]
}

function findPermissions({ role, principal: { scopes } }: SpaceContext): MergeStatus['permissions'] {
  const isGranted = (action: 'edit' | 'review' | 'merge', scope: TokenScope) =>
    isActionAllowed('space', action, role) && (scopes === null || scopes.includes(scope))
  return {
    edit: isGranted('edit', 'space:write'),
    review: isGranted('review', 'space:write'),
    merge: isGranted('merge', 'change-request:merge'),
  }
}

function countReviews({ request, reviews }: MergeAttempt): Omit<MergeStatus['reviews'], 'requested'> {
  const current = reviews.filter((review) => review.revision_id === request.revision_id)
  const approved = current.filter(({ status }) => status === 'approved').length
  return { approved, changesRequested: current.length - approved, outdated: reviews.length - current.length }
}

const toSentence = ({ requirement }: Pick<RuleResult, 'requirement'>): string =>
  `${requirement.charAt(0).toUpperCase()}${requirement.slice(1)}`

async function presentChecks(
  { db, urls }: SpaceContext,
  { source, results, attempt }: MergeRulesResult,
): Promise<MergeCheck[]> {
  const approvers = findApprovers(attempt)
  const users = await loadUsers(
    db,
    results.flatMap(({ rule }) => ('users' in rule ? rule.users : [])),
  )
  return results.map(({ rule, isMet, requirement }) => ({
    rule: rule.rule,
    source,
    satisfied: isMet,
    message: toSentence({ requirement }),
    ...('users' in rule && {
      reviewers: rule.users.map((id) => ({ user: presentUser(users.get(id), urls), approved: approvers.has(id) })),
    }),
  }))
}
