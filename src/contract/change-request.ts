import { z } from 'zod'
import { Comment, Contribution } from './comment.ts'
import { DocumentBody, JsonDocument } from './document.ts'
import { Count, HttpUrl, Id, Timestamp, User } from './shared.ts'
import { Team } from './team.ts'

export const ChangeRequestStatus = z
  .enum(['draft', 'open', 'archived', 'merged'])
  .meta({ id: 'ChangeRequestStatus', description: '`merged` comes only from merging, and is final' })
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>

export const ChangeRequestSubject = z.string().max(100)

const linkFields = {
  ref: z.object({ kind: z.literal('url'), url: HttpUrl }),
  title: z.string().max(128).optional(),
}

/** Something elsewhere that a change request belongs to; a known `id` keeps the link, else it is a new one. */
export const ChangeRequestLinkInput = z.object({ id: Id.optional(), ...linkFields })

export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: Id,
    number: z.int().min(1).describe('Counts up within the space; works in paths like the id'),
    status: ChangeRequestStatus,
    subject: z.string(),
    description: JsonDocument.optional(),
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mergedBy: User.optional(),
    mergedAt: Timestamp.optional(),
    space: Id,
    revision: Id.describe('The active revision'),
    revisionInitial: Id.describe('The revision of the space that it was created from'),
    revisionMergedAncestor: Id.optional().describe('The revision of the space that it was last updated from'),
    revisionMerged: Id.optional().describe('The revision of the space that came from merging it'),
    comments: Count.describe('How many comments are open'),
    outdated: z.boolean().describe('The content of the space has changed since it was created or last updated'),
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
    revision: Id.describe('The revision of the change request that was reviewed'),
    reviewer: User,
    requestedBy: User.optional(),
    status: ReviewStatus,
    outdated: z.boolean().describe('The change request has changed since'),
    comment: Comment.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ChangeRequestReview' })
export type Review = z.infer<typeof Review>

const reviewRequest = {
  object: z.literal('change-request-requested-reviewer'),
  revision: Id,
  requestedBy: User,
  createdAt: Timestamp,
}

export const RequestedReviewer = z
  .discriminatedUnion('kind', [
    z.object({ ...reviewRequest, kind: z.literal('user'), user: User }),
    z.object({ ...reviewRequest, kind: z.literal('team'), team: Team }),
  ])
  .meta({ id: 'ChangeRequestRequestedReviewer' })
export type RequestedReviewer = z.infer<typeof RequestedReviewer>

export const Contributor = Contribution.extend({ actionType: z.enum(['edit', 'comment']) }).meta({
  id: 'ChangeRequestContributor',
})
export type Contributor = z.infer<typeof Contributor>

export const ConflictSide = z
  .enum(['ours', 'theirs', 'base'])
  .describe('`ours` is the change request, `theirs` the space, `base` what both came from')
export type ConflictSide = z.infer<typeof ConflictSide>

export const ConflictResolution = z
  .enum([...ConflictSide.options, 'own'])
  .describe('The side that was taken; `own` is content that neither side had')

/** How a conflict is decided: with one side, or with content of one's own. */
export const ConflictDecision = z
  .union(
    [
      z.strictObject({ side: ConflictSide }),
      z.strictObject({
        document: DocumentBody.describe('Replaces the disputed block, or all text of the disputed page'),
      }),
      z.strictObject({
        value: z
          .unknown()
          .refine((value) => value !== undefined, 'is needed')
          .describe('The value of the disputed field, variable or tag, as changes of content give it'),
      }),
    ],
    { error: 'must have exactly one of `side`, `document` and `value`' },
  )
  .meta({ id: 'ChangeRequestConflictDecision' })
export type ConflictDecision = z.infer<typeof ConflictDecision>

const side = z
  .unknown()
  .optional()
  .describe(
    'Absent or null where this side has nothing. A page, file or reusable content whose existence is disputed has its title or name, and `urls.location` where this side of it is read',
  )

const ConflictWords = z
  .array(z.object({ kind: z.enum(['equal', 'added', 'removed']), text: z.string() }))
  .describe('What the side made of `base`, word by word')

/** Something that the change request and the space have both changed, each in its own way. */
export const Conflict = z
  .object({
    object: z.literal('change-request-conflict'),
    id: Id,
    type: z
      .enum(['existence', 'place', 'field', 'block', 'value'])
      .describe('What is disputed: whether the thing exists, where it stands, one of its parts, or all of it'),
    page: Id.optional().describe('What it is about: one of `page`, `file`, `reusableContent`, `variable` and `tag`'),
    file: Id.optional(),
    reusableContent: Id.optional(),
    variable: z.string().optional().describe('The name of the variable'),
    tag: z.string().optional().describe('The slug of the tag'),
    field: z.string().optional().describe('The disputed field'),
    block: z.string().optional().describe('The key of the disputed block, or of the block whose place is disputed'),
    parts: z
      .array(z.object({ part: z.string(), base: z.unknown(), ours: z.unknown(), theirs: z.unknown() }))
      .optional()
      .describe(
        'The disputed parts of a table, at most 100: `rows/ID`, `rows/ID/position`, `columns/ID/title`, `cells/ROW/COLUMN` and so on',
      ),
    base: side,
    ours: side,
    theirs: side,
    after: z
      .object({ base: Id.nullable(), ours: Id.nullable(), theirs: Id.nullable() })
      .optional()
      .describe('Where only the order of pages is disputed: the page before it on each side, null at the start'),
    words: z.object({ ours: ConflictWords, theirs: ConflictWords }).optional().describe('Of disputed texts'),
    message: z.string().optional().describe('Why both sides cannot be combined, or that they no longer differ'),
    status: z.enum(['open', 'resolved']),
    resolution: ConflictResolution.optional(),
  })
  .meta({ id: 'ChangeRequestConflict' })
export type Conflict = z.infer<typeof Conflict>

/** A block in which a merge has combined texts of both sides. */
export const CombinedBlock = z
  .object({
    page: Id.optional().describe('The page of the block, or else'),
    reusableContent: Id.optional().describe('the reusable content'),
    block: z.string().describe('The key of the block'),
  })
  .meta({ id: 'CombinedBlock' })
export type CombinedBlock = z.infer<typeof CombinedBlock>
