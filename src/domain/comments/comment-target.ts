import type { Block, Document, Table } from '../../content/document/nodes.ts'
import { tableTextLines, textOfBlocks } from '../../content/document/text.ts'
import { walkBlocks } from '../../content/document/walk.ts'
import { readObject, readObjects } from '../../content/revision/objects.ts'
import { type LocatedPage, type Tree, findPage, findPages } from '../../content/revision/tree.ts'
import type { PostCommentBody } from '../../contract/comments.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { groupBy } from '../../kernel/group-by.ts'
import type { Row } from '../../schema/tables.ts'
import { toBatches } from '../../storage/batches.ts'

/** Columns that describe the page, block or table cell that a comment is about. */
export type TargetColumns = Pick<
  Row<'comments'>,
  'page_id' | 'page_title' | 'document_hash' | 'node_key' | 'cell_record' | 'cell_definition' | 'preview'
>

export const noTarget: TargetColumns = {
  page_id: null,
  page_title: null,
  document_hash: null,
  node_key: null,
  cell_record: null,
  cell_definition: null,
  preview: null,
}

type TargetInput = Pick<PostCommentBody, 'page' | 'node' | 'tableCell'>

/** Finds the page, block or cell that a new comment refers to; fails if it does not exist. */
export async function resolveTarget(
  tree: Tree,
  { page: pageId, node, tableCell }: TargetInput,
): Promise<TargetColumns> {
  if (pageId === undefined) {
    if (node !== undefined || tableCell) throw invalid('body.page', 'is required with `node` or `tableCell`')
    return noTarget
  }
  const located = await findPage(tree, pageId)
  if (!located) throw unknownReference('body.page', 'page')
  const { page } = located
  const target = { ...noTarget, page_id: pageId, page_title: page.title }
  if (node === undefined && !tableCell) return target
  const document = page.document === undefined ? undefined : await readDocument(tree, page.document)
  const block = document && findTargetBlock(document, node, tableCell)
  if (!block)
    throw unknownReference(
      node === undefined ? 'body.tableCell' : 'body.node',
      node === undefined ? 'table cell' : 'block',
    )
  if (tableCell && !hasCell(block, tableCell)) throw unknownReference('body.tableCell', 'table cell')
  return {
    ...target,
    document_hash: page.document ?? null,
    node_key: block.key ?? null,
    cell_record: tableCell?.record ?? null,
    cell_definition: tableCell?.definition ?? null,
    preview: createPreview(
      tableCell && block.type === 'table' ? textOfCell(block, tableCell) : textOfBlocks([block], ' '),
    ),
  }
}

type Cell = NonNullable<TargetInput['tableCell']>

const readDocument = async (tree: Tree, hash: string): Promise<Document> =>
  (await readObject(tree.objects, 'document', hash)).document

/** Finds a block by its key, or the only table that has the cell. */
function findTargetBlock(document: Document, key: string | undefined, cell: Cell | undefined): Block | undefined {
  const found: Block[] = []
  for (const block of walkBlocks(document)) {
    const isTarget = key === undefined ? cell !== undefined && hasCell(block, cell) : block.key === key
    if (isTarget && block.key !== undefined) found.push(block)
  }
  if (key === undefined && found.length > 1)
    throw invalid('body.node', 'is required, because several tables have this cell')
  return found[0]
}

const hasCell = (block: Block, { record, definition }: Cell): boolean =>
  block.type === 'table' &&
  Object.hasOwn(block.data.records, record) &&
  Object.hasOwn(block.data.definition, definition)

/** Returns the text of a cell, or the title of its column if it is empty. */
function textOfCell(table: Table, { record, definition }: Cell): string {
  const { data } = table
  const row = data.records[record]
  const [title = '', text = ''] = tableTextLines({
    ...table,
    data: { ...data, view: { ...data.view, columns: [definition] }, records: row ? { [record]: row } : {} },
  })
  return text || title
}

/** Maximum length of a preview in UTF-16 code units. */
const maxPreviewLength = 200

function createPreview(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= maxPreviewLength) return line
  // A surrogate pair is not split.
  return `${line.slice(0, maxPreviewLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** State of the target of a comment in the current content. */
export interface TargetState {
  /** The page; undefined if it was deleted. */
  page: LocatedPage | undefined
  /** Whether the page, block or cell was deleted. */
  isOutdated: boolean
}

/** Number of documents that are read at once, so that their parsing does not block other requests for long. */
const documentBatchSize = 20

/**
 * Finds the targets of comments in the current content, by comment id. Documents are read only of pages that have changed since a
 * comment about one of their blocks was posted.
 */
export async function findTargetStates(
  tree: Tree,
  comments: readonly Row<'comments'>[],
): Promise<Map<string, TargetState>> {
  const withPage = comments.filter((comment) => comment.page_id !== null)
  if (withPage.length === 0) return new Map()
  const pages = await findPages(tree, [...new Set(withPage.map((comment) => comment.page_id as string))])
  const states = new Map<string, TargetState>()
  const unchecked: Row<'comments'>[] = []
  for (const comment of withPage) {
    const page = pages.get(comment.page_id as string)
    const isChecked = comment.node_key === null || page?.page.document === comment.document_hash
    states.set(comment.id, { page, isOutdated: !page || !isChecked })
    if (!isChecked && page?.page.document !== undefined) unchecked.push(comment)
  }
  const byDocument = groupBy(unchecked, (comment) => states.get(comment.id)?.page?.page.document as string)
  const yieldIfDue = createYielder()
  for (const hashes of toBatches([...byDocument.keys()], documentBatchSize)) {
    const objects = await readObjects(tree.objects, 'document', hashes)
    for (const [index, { document }] of objects.entries()) {
      const blocks = new Map(Array.from(walkBlocks(document), (block) => [block.key, block]))
      for (const comment of byDocument.get(hashes[index] as string) ?? []) {
        const block = blocks.get(comment.node_key as string)
        const isOutdated = !block || !hasCellOf(block, comment)
        states.set(comment.id, { page: states.get(comment.id)?.page, isOutdated })
      }
      await yieldIfDue()
    }
  }
  return states
}

/** Whether a block has the cell that a comment is about, if it is about one. */
function hasCellOf(block: Block, { cell_record: record, cell_definition: definition }: Row<'comments'>): boolean {
  return record === null || definition === null || hasCell(block, { record, definition })
}
