import { z } from 'zod'
import { ChangeRequest } from './change-request.ts'
import { VariableValue } from './revision.ts'
import { Count, Id, ListQuery } from './shared.ts'

const defaultChanges = 10

export const ChangesQuery = z.object({
  limit: ListQuery.shape.limit
    .unwrap()
    .default(defaultChanges)
    .meta({ ...ListQuery.shape.limit.meta(), default: defaultChanges })
    .describe('How many changes at the most'),
})
export type ChangesQuery = z.infer<typeof ChangesQuery>

/** A value on both sides of a change; absent where there was or is none. */
function changeOf<Value extends z.ZodType>(value: Value) {
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
  .record(z.string(), changeOf(z.unknown()))
  .describe('The fields that differ; `document` tells the ids of the documents')

const BlockChange = z
  .object({
    kind: z.enum(['added', 'removed', 'edited', 'moved']),
    block: z.string().describe('The key of the block'),
    type: z.string(),
    before: z.string().optional().describe('What it said'),
    after: z.string().optional().describe('What it says now'),
    combined: z.boolean().optional().describe('An update of the change request has combined texts of both sides in it'),
    words: z
      .array(z.object({ kind: z.enum(['equal', 'added', 'removed']), text: z.string() }))
      .optional()
      .describe('The same word by word, of a text that was edited'),
  })
  .meta({ id: 'BlockChange' })
export type BlockChange = z.infer<typeof BlockChange>

const textChanges = {
  blocks: z.array(BlockChange).optional().describe('What was done to the text, at most 100 blocks'),
  moreBlocks: Count.optional().describe('How many changes to the text are left out'),
}

export const SemanticChange = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), page }),
    z.object({ type: z.literal('page_edited'), page, attributes, ...textChanges }),
    z.object({ type: z.literal('page_deleted'), page }),
    z.object({ type: z.literal('page_moved'), page, parent: changeOf(page) }),
    z.object({ type: z.literal('file_created'), file }),
    z.object({ type: z.literal('file_edited'), file, attributes }),
    z.object({ type: z.literal('file_deleted'), file }),
    z.object({ type: z.literal('variables_edited'), variables: z.record(z.string(), changeOf(VariableValue)) }),
    z.object({ type: z.literal('reusable_content_created'), reusableContent }),
    z.object({ type: z.literal('reusable_content_edited'), reusableContent, attributes, ...textChanges }),
    z.object({ type: z.literal('reusable_content_deleted'), reusableContent }),
    z.object({ type: z.literal('tag_created'), tag }),
    z.object({ type: z.literal('tag_edited'), tag, attributes }),
    z.object({ type: z.literal('tag_deleted'), tag }),
  ])
  .meta({ id: 'SemanticChange' })
export type SemanticChange = z.infer<typeof SemanticChange>

export const RevisionChanges = z
  .object({
    mergedFrom: ChangeRequest.optional().describe('The change request that the changes came from'),
    changes: z.array(SemanticChange),
    more: Count.optional().describe('How many changes are left out'),
  })
  .meta({ id: 'RevisionChanges' })
export type RevisionChanges = z.infer<typeof RevisionChanges>
