import { condition } from '../../content/expression/index.ts'
import type { OrganizationMergeRules, SpaceMergeRules } from '../../contract/space.ts'
import { unreachable } from '../../kernel/errors.ts'
import type { Db, Row } from '../../storage/tables.ts'
import { checkCondition } from '../content/documents.ts'
import { demandMembersIn } from '../../domain/members/member-queries.ts'
import { ancestorOf } from './present.ts'

export interface Judged {
  request: Row<'change_requests'>
  /** The active revision of the space. */
  spaceRevisionId: string
  /** The latest review of each reviewer. */
  reviews: readonly Pick<Row<'change_request_reviews'>, 'reviewer_id' | 'status' | 'revision_id'>[]
  /** Who wants to merge. */
  userId: string
}

type Rule = Extract<OrganizationMergeRules, { type: 'rules' }>['rules'][number]

/** Fails when rules name somebody who is no member, or have an expression that could never hold. */
export async function checkMergeRules(
  db: Db,
  organizationId: string,
  mergeRules: SpaceMergeRules | OrganizationMergeRules | undefined,
): Promise<void> {
  await demandMembersIn(db, organizationId, mergeRules)
  if (mergeRules?.type !== 'rules') return
  mergeRules.rules.forEach((rule, at) => {
    if (rule.rule === 'custom') checkCondition(rule.expression, `body.mergeRules.rules.${at}.expression`)
  })
}

/** The rules that hold for a space: its own, or those of the organization. */
export function rulesFor(space: SpaceMergeRules, organization: OrganizationMergeRules): readonly Rule[] {
  const holding = space.type === 'inherit' ? organization : space
  return holding.type === 'rules' ? holding.rules : []
}

const mayBypass = (rules: readonly Rule[], userId: string): boolean =>
  rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(userId))

/** What keeps a change request from being merged, in words; nothing when it may be. */
export function unmetRules(rules: readonly Rule[], judged: Judged): string[] {
  return mayBypass(rules, judged.userId) ? [] : rules.flatMap((rule) => unmet(rule, judged) ?? [])
}

const reviewRules: ReadonlySet<Rule['rule']> = new Set([
  'require_specific_reviewers',
  'require_one_of_specific_reviewers',
  'require_at_least_one_review',
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_agent_review',
] as const)

/** Whether what is merged must have been reviewed. */
export function requireReview(rules: readonly Rule[], { userId }: Pick<Judged, 'userId'>): boolean {
  if (mayBypass(rules, userId)) return false
  return rules.some(
    (rule) => reviewRules.has(rule.rule) || (rule.rule === 'custom' && /\breviews\b/.test(rule.expression)),
  )
}

const say = (isMet: boolean, words: string) => (isMet ? undefined : words)

function unmet(rule: Rule, judged: Judged): string | undefined {
  const { request, reviews, spaceRevisionId, userId } = judged
  // What was reviewed before the last change was not reviewed.
  const current = reviews.filter((review) => review.revision_id === request.revision_id)
  const approvedBy = new Set(current.filter(({ status }) => status === 'approved').map((review) => review.reviewer_id))
  switch (rule.rule) {
    case 'require_specific_reviewers':
      return say(
        rule.users.every((user) => approvedBy.has(user)),
        'all required reviewers must have approved it',
      )
    case 'require_one_of_specific_reviewers':
      return say(
        rule.users.some((user) => approvedBy.has(user)),
        'one of the required reviewers must have approved it',
      )
    case 'allow_bypass':
      return undefined
    case 'require_at_least_one_review':
      return say(current.length > 0, 'it must have been reviewed')
    case 'require_at_least_one_approved_review':
      return say(approvedBy.size > 0, 'a reviewer must have approved it')
    case 'require_all_reviews_approved':
      return say(
        reviews.every(({ status }) => status === 'approved'),
        'no reviewer may still request changes',
      )
    case 'require_agent_review':
      return 'an agent must have reviewed it, which this server has none of'
    case 'require_up_to_date_change_request':
      return say(ancestorOf(request) === spaceRevisionId, 'it must be up to date with the space')
    case 'require_change_request_subject':
      return say(request.subject.trim() !== '', 'it must have a subject')
    case 'require_change_request_description':
      return say(request.description !== null, 'it must have a description')
    case 'require_author_to_merge':
      return say(request.created_by === userId, 'only its author may merge it')
    case 'custom':
      return say(
        condition(rule.expression, scopeFor(judged)).value,
        rule.message ?? `the rule ${rule.expression} must hold`,
      )
    default:
      return unreachable(rule)
  }
}

/** What the expression of a rule can ask about. */
function scopeFor({ request, reviews, spaceRevisionId, userId }: Judged) {
  return {
    changeRequest: {
      number: request.number,
      subject: request.subject,
      status: request.status,
      outdated: ancestorOf(request) !== spaceRevisionId,
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
