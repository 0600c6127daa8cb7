import { evaluateCondition } from '../../content/expression/index.ts'
import type { OrganizationMergeRules, SpaceMergeRules } from '../../contract/space.ts'
import { unknownReference, unreachable } from '../../kernel/errors.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { checkCondition } from '../documents/document-body.ts'
import { findMemberIds } from '../members/member-queries.ts'
import { baseRevisionIdOf } from './present-change-request.ts'

export interface MergeAttempt {
  request: Row<'change_requests'>
  /** The head of the space. */
  spaceRevisionId: string
  /** The latest review of each reviewer. */
  reviews: readonly Pick<Row<'change_request_reviews'>, 'reviewer_id' | 'status' | 'revision_id'>[]
  /** Id of the user who merges. */
  userId: string
}

type MergeRule = Extract<OrganizationMergeRules, { type: 'rules' }>['rules'][number]
type RequiringRule = Exclude<MergeRule, { rule: 'allow_bypass' }>

/** Fails when rules name a user who is not a member, or contain an invalid expression. */
export async function checkMergeRules(
  db: Db,
  organizationId: string,
  mergeRules: SpaceMergeRules | OrganizationMergeRules | undefined,
): Promise<void> {
  await checkRuleMembers(db, organizationId, mergeRules)
  if (mergeRules?.type !== 'rules') return
  mergeRules.rules.forEach((rule, at) => {
    if (rule.rule === 'custom') checkCondition(rule.expression, `body.mergeRules.rules.${at}.expression`)
  })
}

/** Fails when merge rules name a user who is not a member. */
async function checkRuleMembers(
  db: Db,
  organizationId: string,
  mergeRules: SpaceMergeRules | OrganizationMergeRules | undefined,
): Promise<void> {
  if (mergeRules?.type !== 'rules') return
  const users = mergeRules.rules.flatMap((rule, at) =>
    'users' in rule ? rule.users.map((id, index) => ({ id, field: `body.mergeRules.rules.${at}.users.${index}` })) : [],
  )
  const memberIds = await findMemberIds(db, organizationId, [...new Set(users.map(({ id }) => id))])
  // Rules are stored as they were sent, so they must contain ids rather than email addresses.
  for (const { id, field } of users) if (memberIds.get(id) !== id) throw unknownReference(field, 'member')
}

/** Merge rules with the owner that declares them. */
export interface ApplicableRules {
  source: 'space' | 'organization'
  rules: readonly MergeRule[]
}

/** Returns the rules that apply to a space: its own, or those of the organization. */
export function resolveMergeRules(space: SpaceMergeRules, organization: OrganizationMergeRules): ApplicableRules {
  const [source, declared] =
    space.type === 'inherit' ? (['organization', organization] as const) : (['space', space] as const)
  return { source, rules: declared.type === 'rules' ? declared.rules : [] }
}

/** Whether a user can merge despite the other rules. */
export const canBypassRules = (rules: readonly MergeRule[], userId: string): boolean =>
  rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(userId))

/** Result of a rule for a change request. */
export interface RuleResult {
  rule: RequiringRule
  isMet: boolean
  /** What the rule requires, without a capital letter at the start. */
  requirement: string
}

/** Evaluates all rules that require something. */
export function evaluateRules(rules: readonly MergeRule[], attempt: MergeAttempt): RuleResult[] {
  return rules.flatMap((rule) => (rule.rule === 'allow_bypass' ? [] : [evaluateRule(rule, attempt)]))
}

/** Returns the ids of the users whose approval of the current revision counts. */
export const findApprovers = ({ request, reviews }: Pick<MergeAttempt, 'request' | 'reviews'>): Set<string> =>
  new Set(
    findCurrentReviews({ request, reviews })
      .filter(({ status }) => status === 'approved')
      .map((review) => review.reviewer_id),
  )

/** Returns the reviews of the current revision; those of earlier revisions do not count. */
const findCurrentReviews = ({ request, reviews }: Pick<MergeAttempt, 'request' | 'reviews'>) =>
  reviews.filter((review) => review.revision_id === request.revision_id)

const reviewRules: ReadonlySet<MergeRule['rule']> = new Set([
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_agent_review',
] as const)

/** Whether the rules require a review before merging. */
export function isReviewRequired(rules: readonly MergeRule[], { userId }: Pick<MergeAttempt, 'userId'>): boolean {
  if (canBypassRules(rules, userId)) return false
  return rules.some(
    (rule) => reviewRules.has(rule.rule) || (rule.rule === 'custom' && /\breviews\b/.test(rule.expression)),
  )
}

function evaluateRule(rule: RequiringRule, attempt: MergeAttempt): RuleResult {
  const { request, reviews, spaceRevisionId, userId } = attempt
  const approvedBy = findApprovers(attempt)
  const result = (isMet: boolean, requirement: string) => ({ rule, isMet, requirement })
  switch (rule.rule) {
    case 'require_specific_reviewers':
      return result(
        rule.users.every((user) => approvedBy.has(user)),
        'all required reviewers must approve it',
      )
    case 'require_one_of_specific_reviewers':
      return result(
        rule.users.some((user) => approvedBy.has(user)),
        'one of the required reviewers must approve it',
      )
    case 'require_at_least_one_review':
      return result(findCurrentReviews(attempt).length > 0, 'it must be reviewed')
    case 'require_at_least_one_approved_review':
      return result(approvedBy.size > 0, 'at least one reviewer must approve it')
    case 'require_all_reviews_approved':
      return result(
        reviews.every(({ status }) => status === 'approved'),
        'all reviews must be approvals',
      )
    case 'require_agent_review':
      return result(false, 'an agent must review it, and this server has no agents')
    case 'require_up_to_date_change_request':
      return result(baseRevisionIdOf(request) === spaceRevisionId, 'it must be up to date with the space')
    case 'require_change_request_subject':
      return result(request.subject.trim() !== '', 'it must have a subject')
    case 'require_change_request_description':
      return result(request.description !== null, 'it must have a description')
    case 'require_author_to_merge':
      return result(request.created_by === userId, 'only its author can merge it')
    case 'custom':
      return result(
        evaluateCondition(rule.expression, toExpressionVariables(attempt)).value,
        rule.message ?? `the rule ${rule.expression} must be true`,
      )
    default:
      return unreachable(rule)
  }
}

/** Returns the variables that the expression of a rule can use. */
function toExpressionVariables({ request, reviews, spaceRevisionId, userId }: MergeAttempt) {
  return {
    changeRequest: {
      number: request.number,
      subject: request.subject,
      status: request.status,
      outdated: baseRevisionIdOf(request) !== spaceRevisionId,
      createdBy: request.created_by,
      reviews: reviews.map((review) => ({
        reviewer: review.reviewer_id,
        status: review.status,
        outdated: review.revision_id !== request.revision_id,
      })),
    },
    user: { id: userId },
  }
}
