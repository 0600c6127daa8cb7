import { z } from 'zod'
import { MergeRule } from './space.ts'
import { Count, User } from './shared.ts'

const MergeCheck = z
  .object({
    rule: z.enum(MergeRule.options.map(({ shape }) => shape.rule.value)).exclude(['allow_bypass']),
    source: z.enum(['space', 'organization']).describe('Where the rule is declared'),
    satisfied: z.boolean(),
    message: z.string().describe('What the rule requires'),
    reviewers: z
      .array(z.object({ user: User, approved: z.boolean() }))
      .optional()
      .describe('Reviewers that the rule names, and whether they approved the current revision'),
  })
  .meta({ id: 'MergeCheck' })
export type MergeCheck = z.infer<typeof MergeCheck>

export const MergeStatus = z
  .object({
    object: z.literal('change-request-merge-status'),
    mergeable: z.boolean().describe('Whether the caller can merge the change request now'),
    reasons: z
      .array(z.string())
      .describe('Why the caller cannot merge it now, one sentence for each reason; empty when `mergeable` is true'),
    checks: z.array(MergeCheck).describe('Results of the merge rules'),
    canBypass: z.boolean().describe('Whether a rule allows the caller to merge although `checks` are not satisfied'),
    conflicts: z.object({
      open: Count.describe('Conflicts to resolve'),
      resolved: Count.describe('Resolved conflicts'),
      expected: Count.describe('Conflicts with the current content of the space that a merge or update would add'),
    }),
    combined: Count.describe(
      'Blocks in which a merge would combine text of both sides. When a rule requires a review, the change request must be updated and reviewed first',
    ),
    outdated: z
      .boolean()
      .describe('Whether the content of the space has changed since the change request was created or last updated'),
    reviews: z
      .object({
        approved: Count.describe('Reviewers who approved the current revision'),
        changesRequested: Count.describe('Reviewers who requested changes of the current revision'),
        outdated: Count.describe('Reviewers whose latest review is about an earlier revision'),
        requested: Count.describe('Reviewers who were requested and have not reviewed'),
      })
      .describe('Counts of reviewers by their latest review'),
    permissions: z
      .object({ edit: z.boolean(), review: z.boolean(), merge: z.boolean() })
      .describe('What the role of the caller and the scopes of the token allow'),
  })
  .meta({ id: 'MergeStatus' })
export type MergeStatus = z.infer<typeof MergeStatus>
