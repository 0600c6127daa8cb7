import type { Conflict } from '../../content/revision/conflict.ts'
import type { Draft } from '../../content/revision/draft.ts'
import type { ConflictResolver } from '../../content/revision/resolve-conflicts.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { ContentChange } from '../../contract/content-changes.ts'
import type { DocumentBody } from '../../contract/document.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import type { Row } from '../../schema/tables.ts'
import { applyChanges } from '../content/apply/apply.ts'
import { resolveLinks } from '../content/apply/links.ts'
import { type ParsedDocumentBody, parseDocumentBodyOfAnySize } from '../../domain/documents/document-body.ts'

/** Content that resolves a conflict instead of one of its sides. */
export type CustomContent = { text: ParsedDocumentBody } | { value: unknown }

/** Parses a text that resolves a conflict; must run outside of a transaction. */
export const parseCustomText = (body: DocumentBody): Promise<ParsedDocumentBody> =>
  parseDocumentBodyOfAnySize(body, textField)

const textField = 'body.document'

interface CustomResolution {
  conflict: Conflict
  content: CustomContent
  request: Row<'change_requests'>
  draft: Draft
  tree: Tree
  resolution: ConflictResolver
}

/** Resolves a conflict with custom content; returns the keys of blocks that were added after the conflicting block. */
export async function applyCustomContent(context: SpaceContext, input: CustomResolution): Promise<string[]> {
  const { conflict, content, draft, resolution } = input
  if ('value' in content) {
    await applyChange(context, input, await toContentChange(input, content.value), 'body.value')
    return []
  }
  const { text } = content
  if (conflict.on !== 'page' && conflict.on !== 'reusable-content') {
    throw invalid(textField, 'must not be set: the conflict is not about text')
  }
  if (conflict.about === 'block') {
    const { block } = conflict
    if (block.part === 'place') throw invalid(textField, 'must not be set: the conflict is not about text')
    const pageId = conflict.on === 'page' ? conflict.page : undefined
    const { nodes } = text.hasPathLinks ? await resolveLinks(draft, text.document, pageId) : text.document
    return resolution.replaceBlock(conflict, block, nodes)
  }
  if (conflict.about === 'place' || (conflict.about === 'field' && conflict.field !== 'document')) {
    throw invalid(textField, 'must not be set: the conflict is not about text')
  }
  await restoreDeletedItem(input)
  const change: ContentChange =
    conflict.on === 'page'
      ? { operation: 'update_page', page: conflict.page, document: {} }
      : { operation: 'update_reusable_content', reusableContent: conflict.reusableContent, document: {} }
  await applyChange(context, input, change, textField, text)
  return []
}

/** Restores a page or reusable content that the change request has deleted, before its text is set. */
async function restoreDeletedItem({ conflict, draft, resolution }: CustomResolution): Promise<void> {
  if (conflict.on === 'page' && (await draft.findPage(conflict.page))) return
  if (conflict.on === 'reusable-content' && (await draft.reusableContents.find(conflict.reusableContent))) return
  if (!('theirs' in conflict)) return
  await resolution.resolveWith([conflict], conflict.theirs === null ? 'base' : 'theirs')
}

/** Applies a change like an ordinary edit; errors refer to the field that the caller sent. */
async function applyChange(
  { space, urls, newId, now }: SpaceContext,
  { draft, tree, request }: CustomResolution,
  change: ContentChange,
  field: string,
  text?: ParsedDocumentBody,
): Promise<void> {
  try {
    await applyChanges([change], {
      draft,
      tree,
      now: now(),
      language: space.language ?? undefined,
      newId,
      locationOf: (pageId) => urls.api(`/spaces/${space.id}/change-requests/${request.id}/content/page/${pageId}`),
      getInsertedFile: () => Promise.reject(new Error('A decision has no files')),
      getUploadedFile: () => Promise.reject(new Error('A decision has no files')),
      longTexts: new Map(text && [[`${changePath}.document`, () => text]]),
      openRevisionTree: () => Promise.reject(new Error('A decision reverts nothing')),
    })
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error
    const message = error.details.map((detail) => detail.message).join('; ')
    throw new AppError(error.code, `${field}: ${message}`, [{ path: field, message }])
  }
}

const changePath = 'body.changes.0'

const updateOperations = {
  document: 'update_page',
  group: 'update_group',
  link: 'update_link',
  computed: undefined,
} as const

/** Returns the content change that sets the value which a conflict is about. */
async function toContentChange({ conflict, draft }: CustomResolution, value: unknown): Promise<ContentChange> {
  switch (conflict.on) {
    case 'variable':
      return validateChange({ operation: 'set_variables', variables: { [conflict.name]: value } }, 'variables')
    case 'tag': {
      const others = Object.entries(draft.tags).filter(([slug]) => slug !== conflict.slug)
      const tags: unknown[] = others.map(([slug, tag]) => ({ slug, ...tag }))
      if (value !== null && typeof value !== 'object') throw invalid('body.value', 'must be an object or null')
      if (value !== null) tags.push({ ...value, slug: conflict.slug })
      return validateChange({ operation: 'set_tags', tags }, 'tags')
    }
    case 'reusable-content':
      if (conflict.about !== 'field' || conflict.field !== 'title') break
      return validateChange(
        { operation: 'update_reusable_content', reusableContent: conflict.reusableContent, title: value },
        'title',
      )
    case 'page': {
      if (conflict.about !== 'field' && conflict.about !== 'place') break
      const page = await draft.findPage(conflict.page)
      const operation = page && updateOperations[page.type]
      const field = conflict.about === 'place' ? 'into' : conflict.field
      if (!operation || field === 'document') break
      return validateChange({ operation, page: conflict.page, [field]: value }, field)
    }
    default:
  }
  throw invalid('body.value', 'must not be set: the conflict is not about a value')
}

function validateChange(change: object, field: string): ContentChange {
  const parsed = ContentChange.safeParse(change)
  if (!parsed.success) {
    throw invalid('body.value', parsed.error.issues.map(({ message }) => message).join('; '))
  }
  if (!(field in parsed.data)) throw invalid('body.value', `must not be set: the field ${field} cannot be changed`)
  return parsed.data
}
