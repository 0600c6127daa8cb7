import { isEqualContent } from '../../../content/document/block-groups.ts'
import { DocumentTooLargeError, assertWithinLimits } from '../../../content/document/limits.ts'
import { type DocumentConflict, mergeDocuments } from '../../../content/document/merge.ts'
import type { Document } from '../../../content/document/nodes.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import { readObject } from '../../../content/revision/objects.ts'
import { findInSorted } from '../../../content/revision/sequence.ts'
import { findPage } from '../../../content/revision/tree.ts'
import type { ParsedDocumentBody } from '../../../domain/documents/document-body.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createYielder } from '../../../kernel/event-loop.ts'
import { readDocumentObject } from '../body.ts'
import type { Batch } from './batch.ts'

/** Maximum number of blocks that an error names. */
const maxNamedBlocks = 100

/** The text and title of a page in the revision in which its writer read it. */
export interface BaseDocument {
  /** Hash of the document; undefined if the page had none. */
  hash: string | undefined
  title: string
}

/** Finds the text and title of a page in a revision; fails if the revision does not contain the page. */
export async function openBase(batch: Batch, pageId: string, revisionId: string): Promise<BaseDocument> {
  const tree = await batch.options.openRevisionTree(revisionId, `${batch.field}.base`)
  const located = await findPage(tree, pageId)
  if (!located) throw new TreeError('base', 'The revision does not contain the page')
  return { hash: located.page.document, title: located.page.title }
}

/** Finds the text of a reusable content in a revision; fails if the revision does not contain it. */
export async function openReusableContentBase(
  batch: Batch,
  id: string,
  revisionId: string,
): Promise<Pick<BaseDocument, 'hash'>> {
  const { objects, root } = await batch.options.openRevisionTree(revisionId, `${batch.field}.base`)
  const entry = (await findInSorted(objects, root.reusableContents, [id])).get(id)
  if (!entry) throw new TreeError('base', 'The revision does not contain the reusable content')
  return { hash: (await readObject(objects, 'reusable-content', entry.hash)).document }
}

/** The text of a page or reusable content before it is written. */
interface CurrentDocument {
  id: string
  /** Page from which relative links are resolved; undefined for a reusable content. */
  pageId: string | undefined
  /** Hash of the document. */
  current: string | undefined
}

/** Stores a text that was written over an earlier version, merged with the changes since then; returns its hash. */
export async function writeOverBase(
  batch: Batch,
  base: Pick<BaseDocument, 'hash'>,
  written: ParsedDocumentBody,
  { id, pageId, current }: CurrentDocument,
): Promise<string> {
  if (current === undefined || current === base.hash) return batch.writeDocument(current, written, pageId)
  const { tree, language } = batch.options
  const before = await readDocumentObject(tree, base.hash)
  const ours = await batch.identifyDocument(before, written, pageId)
  const theirs = await readDocumentObject(tree, current)
  if (isEqualContent(ours, theirs)) return current
  const { document, conflicts } = await mergeDocuments(before, ours, theirs, {
    language,
    yieldIfDue: createYielder(),
  })
  if (conflicts.length > 0) throw mergeConflict(batch.field, conflicts)
  assertMergedWithinLimits(document)
  if (!isEqualContent(document, ours)) batch.recordMerged(id)
  return isEqualContent(document, theirs) ? current : batch.storeDocument(document)
}

function mergeConflict(field: string, conflicts: readonly DocumentConflict[]): AppError {
  const path = `${field}.document`
  const details = conflicts.slice(0, maxNamedBlocks).map(({ key, part }) => ({
    path,
    message: `the block ${key} was ${part === 'place' ? 'moved' : 'changed'} differently since the base`,
    block: key,
  }))
  return new AppError(
    'conflict',
    `${path}: Blocks that were also changed since the base: ${conflicts.length}. Read the page again and repeat the change`,
    details,
  )
}

function assertMergedWithinLimits(document: Document): void {
  try {
    assertWithinLimits(document)
  } catch (error) {
    if (!(error instanceof DocumentTooLargeError)) throw error
    throw new TreeError(
      'document',
      `The document is too large after it was merged with the changes since the base. ${error.message}`,
    )
  }
}
