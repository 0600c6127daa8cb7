import { z } from 'zod'
import { DefaultLevel } from './roles.ts'
import { Count, Id, Timestamp } from './shared.ts'
import { GitSyncState } from './git-sync.ts'
import { languages } from './languages.ts'

export const Language = z.enum(languages).meta({ id: 'Language' })
export type Language = z.infer<typeof Language>

export const SpaceVisibility = z.enum(['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'])
export type SpaceVisibility = z.infer<typeof SpaceVisibility>

export const EditMode = z.enum(['live', 'locked']).describe('`locked` prevents direct edits of the content')
export type EditMode = z.infer<typeof EditMode>

const users = z.array(Id).min(1).max(100)

export const MergeRule = z
  .discriminatedUnion('rule', [
    z.object({ rule: z.literal('require_specific_reviewers'), users }),
    z.object({ rule: z.literal('require_one_of_specific_reviewers'), users }),
    z.object({ rule: z.literal('allow_bypass'), users }),
    z.object({ rule: z.literal('require_at_least_one_review') }),
    z.object({ rule: z.literal('require_at_least_one_approved_review') }),
    z.object({ rule: z.literal('require_all_reviews_approved') }),
    z.object({ rule: z.literal('require_agent_review') }),
    z.object({ rule: z.literal('require_up_to_date_change_request') }),
    z.object({ rule: z.literal('require_change_request_subject') }),
    z.object({ rule: z.literal('require_change_request_description') }),
    z.object({ rule: z.literal('require_author_to_merge') }),
    z.object({ rule: z.literal('custom'), expression: z.string().max(1024), message: z.string().max(256).optional() }),
  ])
  .meta({ id: 'MergeRule' })

const noRules = z.object({ type: z.literal('none') })
const someRules = z.object({ type: z.literal('rules'), rules: z.array(MergeRule).max(50) })

export const OrganizationMergeRules = z
  .discriminatedUnion('type', [noRules, someRules])
  .meta({ id: 'OrganizationMergeRules' })
export type OrganizationMergeRules = z.infer<typeof OrganizationMergeRules>

export const SpaceMergeRules = z
  .discriminatedUnion('type', [z.object({ type: z.literal('inherit') }), noRules, someRules])
  .meta({ id: 'SpaceMergeRules' })
export type SpaceMergeRules = z.infer<typeof SpaceMergeRules>

export const Space = z
  .object({
    object: z.literal('space'),
    id: Id,
    title: z.string(),
    emoji: z.string().describe('Empty when the space has no emoji'),
    visibility: SpaceVisibility,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.optional(),
    editMode: EditMode,
    mergeRules: SpaceMergeRules,
    urls: z.object({
      location: z.string(),
      app: z.string(),
      published: z.string().optional(),
      public: z.string().optional(),
      icon: z.string().optional(),
    }),
    organization: Id,
    parent: Id.optional(),
    language: Language.optional(),
    gitSync: GitSyncState.optional().describe('Git connection; absent when there is none'),
    revision: Id.describe('ID of the current revision'),
    defaultLevel: DefaultLevel,
    comments: Count,
    changeRequests: Count,
    changeRequestsOpen: Count,
    changeRequestsDraft: Count,
    permissions: z.object({
      view: z.boolean(),
      access: z.boolean(),
      admin: z.boolean(),
      viewInviteLinks: z.boolean(),
      edit: z.boolean(),
      triggerGitSync: z.boolean(),
      comment: z.boolean(),
      merge: z.boolean(),
      review: z.boolean(),
      installIntegration: z.boolean(),
    }),
  })
  .meta({ id: 'Space' })
export type Space = z.infer<typeof Space>

const SpacePointer = z.object({ type: z.literal('space'), space: Id })
const CollectionPointer = z.object({ type: z.literal('collection'), collection: Id })

/** Position among siblings: before one, after one, or at the end if neither is given. */
export const ContentPosition = z
  .object({
    before: z.discriminatedUnion('type', [SpacePointer, CollectionPointer]).optional(),
    after: z.discriminatedUnion('type', [SpacePointer, CollectionPointer]).optional(),
  })
  .meta({ id: 'ContentPosition' })
export type ContentPosition = z.infer<typeof ContentPosition>

export const MoveBody = z
  .object({ parent: Id.nullable(), position: ContentPosition })
  .partial()
  .refine(
    (body) => body.parent !== undefined || body.position !== undefined,
    'must contain `parent`, `position` or both',
  )
export type MoveBody = z.infer<typeof MoveBody>
