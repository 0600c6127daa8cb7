import { z } from 'zod'
import { Comment, Contribution } from './comment.ts'
import { DocumentBody, JsonDocument } from './document.ts'
import { Count, HttpUrl, Id, Timestamp, User } from './shared.ts'
import { Team } from './team.ts'

export const ChangeRequestStatus = z
  .enum(['draft', 'open', 'archived', 'merged'])
  .meta({ id: 'ChangeRequestStatus', description: '`merged` is set only by merging and is final' })
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>

export const ChangeRequestSubject = z.string().max(100)

const linkFields = {
  ref: z.object({ kind: z.literal('url'), url: HttpUrl }),
  title: z.string().max(128).optional(),
}

/** A link to an external resource, such as an issue. An existing `id` updates the link, otherwise a new one is created. */
export const ChangeRequestLinkInput = z.object({ id: Id.optional(), ...linkFields })

export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: Id,
    number: z.int().min(1).describe('Number of the change request in its space; accepted in paths instead of the id'),
    status: ChangeRequestStatus,
    subject: z.string(),
    description: JsonDocument.optional(),
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mergedBy: User.optional(),
    mergedAt: Timestamp.optional(),
    space: Id,
    revision: Id.describe('ID of the current revision'),
    revisionInitial: Id.describe('ID of the revision of the space from which the change request was created'),
    revisionMergedAncestor: Id.optional().describe(
      'ID of the revision of the space from which the change request was last updated',
    ),
    revisionMerged: Id.optional().describe('ID of the revision of the space that resulted from merging'),
    comments: Count.describe('Number of open comments'),
    outdated: z
      .boolean()
      .describe('Whether the content of the space has changed since the change request was created or last updated'),
    links: z.array(z.object({ id: Id, ...linkFields })).optional(),
    urls: z.object({ app: z.string(), location: z.string() }),
    permissions: z.object({
      view: z.boolean(),
      comment: z.boolean(),
      edit: z.boolean(),
      review: z.boolean(),
      merge: z.boolean(),
    }),
  })
  .meta({ id: 'ChangeRequest' })
export type ChangeRequest = z.infer<typeof ChangeRequest>

export const ReviewStatus = z.enum(['approved', 'changes-requested'])
export type ReviewStatus = z.infer<typeof ReviewStatus>

export const Review = z
  .object({
    object: z.literal('change-request-review'),
    id: Id,
    revision: Id.describe('ID of the reviewed revision of the change request'),
    reviewer: User,
    requestedBy: User.optional(),
    status: ReviewStatus,
    outdated: z.boolean().describe('Whether the change request has changed since the review'),
    comment: Comment.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ChangeRequestReview' })
export type Review = z.infer<typeof Review>

const reviewRequestFields = {
  object: z.literal('change-request-requested-reviewer'),
  revision: Id,
  requestedBy: User,
  createdAt: Timestamp,
}

export const RequestedReviewer = z
  .discriminatedUnion('kind', [
    z.object({ ...reviewRequestFields, kind: z.literal('user'), user: User }),
    z.object({ ...reviewRequestFields, kind: z.literal('team'), team: Team }),
  ])
  .meta({ id: 'ChangeRequestRequestedReviewer' })
export type RequestedReviewer = z.infer<typeof RequestedReviewer>

export const Contributor = Contribution.extend({ actionType: z.enum(['edit', 'comment']) }).meta({
  id: 'ChangeRequestContributor',
})
export type Contributor = z.infer<typeof Contributor>

export const ConflictSide = z
  .enum(['ours', 'theirs', 'base'])
  .describe('`ours` is the change request, `theirs` is the space, `base` is their common ancestor')
export type ConflictSide = z.infer<typeof ConflictSide>

export const ConflictResolution = z
  .enum([...ConflictSide.options, 'own'])
  .describe('The chosen side; `own` for custom content')

/** The resolution of a conflict: one of the sides, or other content. */
export const ConflictDecision = z
  .union(
    [
      z.strictObject({ side: ConflictSide }),
      z.strictObject({
        document: DocumentBody.describe(
          'Replaces the conflicting block, or the whole document of the conflicting page',
        ),
      }),
      z.strictObject({
        value: z
          .unknown()
          .refine((value) => value !== undefined, 'is required')
          .describe('New value of the conflicting field, variable or tag, in the format of content changes'),
      }),
    ],
    { error: 'must have exactly one of `side`, `document` and `value`' },
  )
  .meta({ id: 'ChangeRequestConflictDecision' })
export type ConflictDecision = z.infer<typeof ConflictDecision>

const ConflictSideValue = z
  .unknown()
  .optional()
  .describe(
    'Absent or null where this side has no value. A page, file or reusable content that was deleted on one side has its title or name, and `urls.location` from which this side of it can be read',
  )

const ConflictWordDiff = z
  .array(z.object({ kind: z.enum(['equal', 'added', 'removed']), text: z.string() }))
  .describe('Word diff between `base` and this side')

/** A conflict: something that the change request and the space changed differently. */
export const Conflict = z
  .object({
    object: z.literal('change-request-conflict'),
    id: Id,
    type: z
      .enum(['existence', 'place', 'field', 'block', 'value'])
      .describe(
        '`existence`: a page, file or reusable content as a whole, for example deleted on one side and changed on the other; `place`: its position; `field`: one field; `block`: one block; `value`: a variable or tag',
      ),
    page: Id.optional().describe(
      'ID of the page. Each conflict has exactly one of `page`, `file`, `reusableContent`, `variable` and `tag`',
    ),
    file: Id.optional(),
    reusableContent: Id.optional(),
    variable: z.string().optional().describe('Name of the variable'),
    tag: z.string().optional().describe('Slug of the tag'),
    field: z.string().optional().describe('Name of the conflicting field'),
    block: z.string().optional().describe('Key of the block whose content or position conflicts'),
    parts: z
      .array(z.object({ part: z.string(), base: z.unknown(), ours: z.unknown(), theirs: z.unknown() }))
      .optional()
      .describe(
        'Conflicting parts of a table, at most 100: `rows/ID`, `rows/ID/position`, `columns/ID/title`, `cells/ROW/COLUMN` and so on',
      ),
    base: ConflictSideValue,
    ours: ConflictSideValue,
    theirs: ConflictSideValue,
    after: z
      .object({ base: Id.nullable(), ours: Id.nullable(), theirs: Id.nullable() })
      .optional()
      .describe(
        'Present when only the order of pages conflicts: the preceding page on each side, null for the first position',
      ),
    words: z
      .object({ ours: ConflictWordDiff, theirs: ConflictWordDiff })
      .optional()
      .describe('Word diffs, for conflicting text'),
    message: z
      .string()
      .optional()
      .describe('Why the two sides cannot be combined, or a note that they no longer differ'),
    status: z.enum(['open', 'resolved']),
    resolution: ConflictResolution.optional(),
  })
  .meta({ id: 'ChangeRequestConflict' })
export type Conflict = z.infer<typeof Conflict>

/** A block in which a merge combined text of both sides. */
export const CombinedBlock = z
  .object({
    page: Id.optional().describe('ID of the page that contains the block'),
    reusableContent: Id.optional().describe('ID of the reusable content that contains the block'),
    block: z.string().describe('Key of the block'),
  })
  .meta({ id: 'CombinedBlock' })
export type CombinedBlock = z.infer<typeof CombinedBlock>
