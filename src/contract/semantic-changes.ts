import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { VariableValue } from './revision.ts'
import { Count, Id, ListQuery, QueryBoolean } from './shared.ts'

const defaultChangeLimit = 10

export const ChangesQuery = z.object({
  page: ListQuery.shape.page,
  limit: ListQuery.shape.limit
    .unwrap()
    .default(defaultChangeLimit)
    .meta({ ...ListQuery.shape.limit.meta(), default: defaultChangeLimit })
    .describe('Maximum number of changes. A reply with long texts contains fewer'),
  comparedWith: Id.optional().describe(
    'ID of the revision to compare with: of the space, or of one of its change requests. By default, a revision is compared with its parent, and a change request with the revision from which it was created or last updated',
  ),
  blocks: QueryBoolean.default(true).describe('`false` omits the changed blocks; `stats` remain'),
})
export type ChangesQuery = z.infer<typeof ChangesQuery>

/** A value on both sides of a change; absent where there was or is none. */
function beforeAndAfter<Value extends z.ZodType>(value: Value) {
  return z.object({ before: value.optional(), after: value.optional() })
}

const page = z
  .object({
    id: Id,
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional(),
  })
  .meta({ id: 'ChangedPage' })
const file = z
  .object({ id: Id, name: z.string(), contentType: z.string(), downloadURL: z.string() })
  .meta({ id: 'ChangedFile' })
const reusableContent = z
  .object({ id: Id, title: z.string(), document: z.string().optional() })
  .meta({ id: 'ChangedReusableContent' })
const tag = z.object({ slug: z.string(), label: z.string() }).meta({ id: 'ChangedTag' })
const attributes = z
  .record(z.string(), beforeAndAfter(z.unknown()))
  .describe('Changed fields; `document` contains document ids')

const BlockChange = z
  .object({
    kind: z.enum(['added', 'removed', 'edited', 'moved']),
    block: z.string().describe('Key of the block'),
    type: z.string(),
    before: z.string().optional().describe('Previous text'),
    after: z.string().optional().describe('Current text'),
    combined: z
      .boolean()
      .optional()
      .describe('Whether an update of the change request combined text of both sides in this block'),
    words: z
      .array(z.object({ kind: z.enum(['equal', 'added', 'removed']), text: z.string() }))
      .optional()
      .describe('Word diff of edited text'),
  })
  .meta({ id: 'BlockChange' })
export type BlockChange = z.infer<typeof BlockChange>

const stats = z
  .object({ added: Count, removed: Count })
  .describe(
    'Number of added and removed blocks of the document, each with the blocks in it. An edited block counts as added and removed, a moved one does not count',
  )
  .meta({ id: 'ChangeStats' })
export type ChangeStats = z.infer<typeof stats>

const textChanges = {
  stats,
  blocks: z.array(BlockChange).optional().describe('Changed blocks, at most 100'),
  moreBlocks: Count.optional().describe('Number of omitted changed blocks'),
}

export const SemanticChange = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), page, stats }),
    z.object({ type: z.literal('page_edited'), page, attributes, ...textChanges }),
    z.object({ type: z.literal('page_deleted'), page, stats }),
    z.object({ type: z.literal('page_moved'), page, parent: beforeAndAfter(page) }),
    z.object({ type: z.literal('file_created'), file }),
    z.object({ type: z.literal('file_edited'), file, attributes }),
    z.object({ type: z.literal('file_deleted'), file }),
    z.object({ type: z.literal('variables_edited'), variables: z.record(z.string(), beforeAndAfter(VariableValue)) }),
    z.object({ type: z.literal('reusable_content_created'), reusableContent, stats }),
    z.object({ type: z.literal('reusable_content_edited'), reusableContent, attributes, ...textChanges }),
    z.object({ type: z.literal('reusable_content_deleted'), reusableContent, stats }),
    z.object({ type: z.literal('tag_created'), tag }),
    z.object({ type: z.literal('tag_edited'), tag, attributes }),
    z.object({ type: z.literal('tag_deleted'), tag }),
  ])
  .meta({ id: 'SemanticChange' })
export type SemanticChange = z.infer<typeof SemanticChange>

export const RevisionChanges = z
  .object({
    mergedFrom: ChangeRequest.optional().describe('Change request from which the changes were merged'),
    changes: z.array(SemanticChange),
    more: Count.optional().describe('Number of changes after those of this reply'),
    next: z
      .object({ page: z.string() })
      .optional()
      .describe(
        'Cursor of the next changes; absent at the end. The next replies compare the same two revisions, even when the change request is edited in the meantime',
      ),
  })
  .meta({ id: 'RevisionChanges' })
export type RevisionChanges = z.infer<typeof RevisionChanges>
