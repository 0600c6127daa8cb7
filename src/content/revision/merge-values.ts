import { DocumentTooLargeError, assertWithinLimits } from '../document/limits.ts'
import { type DocumentConflict, type MergedDocument, mergeDocuments } from '../document/merge.ts'
import { type MergedValue, type Side, mergeFields, mergeValue } from '../document/merge-fields.ts'
import type { Document } from '../document/nodes.ts'
import { isSameValue } from './diff.ts'
import { type Objects, type PageFields, readObject } from './objects.ts'

/**
 * Merges values (three-way merge); objects are merged key by key. In a conflict, the result contains ours where both sides
 * changed a value.
 */
export function mergeValues(base: unknown, ours: unknown, theirs: unknown): MergedValue<unknown> {
  const merged = mergeValue(base, ours, theirs, { isEqual: isSameValue })
  if (!merged.isConflict || !isRecord(ours) || !isRecord(theirs)) return merged
  // Combining parts of two references would result in a reference that neither side has set.
  if (isAtomic(ours) || isAtomic(theirs)) return merged
  const former = isRecord(base) ? base : undefined
  return mergeFields<object>(former, ours, theirs, (_, ...values) => mergeValues(...values))
}

/**
 * Whether a value is merged as a whole: references and sources of computed pages have a kind or type that determines their other
 * fields.
 */
const isAtomic = (value: Record<string, unknown>): boolean =>
  typeof value['kind'] === 'string' || typeof value['type'] === 'string'

/** Maximum number of variables of a page, and of tags of a space; the same as for other changes of content. */
export const maxVariablesOrTags = 1000

/** Whether something has both an emoji and an icon; other changes of content allow only one. */
export const hasEmojiAndIcon = ({ emoji, icon }: { emoji?: unknown; icon?: unknown }): boolean =>
  emoji !== undefined && icon !== undefined

export const emojiAndIconMessage = 'One side set an emoji and the other an icon; only one of them can be set'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A block in which texts of both sides are combined, in a page or a reusable content. */
export interface BlockAddress {
  page?: string
  reusableContent?: string
  block: string
}

export interface MergeOptions {
  /** Language of the texts. */
  language?: string | undefined
  /** Called often in a long merge to yield to the event loop. */
  yieldIfDue?: (() => Promise<void>) | undefined
  /** Whether texts that both sides changed are those of theirs, and are never combined of both. */
  keepsTheirTexts?: boolean | undefined
}

export interface MergedStoredDocument {
  /** Hash of the merged document. */
  document: string | undefined
  conflicts: readonly DocumentConflict[]
  /** Keys of blocks in which texts of both sides are combined. */
  combined: readonly string[]
  /** Reason why the result is that of one side: the merged document exceeds the limits of a document. */
  message?: string
}

const withoutConflicts = (document: string | undefined): MergedStoredDocument => ({
  document,
  conflicts: [],
  combined: [],
})

/** Merges documents so that conflicting parts are as in theirs. */
async function mergeKeepingTheirs(
  [base, ours, theirs]: readonly [Document | undefined, Document, Document],
  { language, yieldIfDue }: MergeOptions,
): Promise<MergedDocument> {
  const merged = await mergeDocuments(base, theirs, ours, { language, keepsTextsWhole: true, yieldIfDue })
  const conflicts = merged.conflicts.map(
    (conflict) => ({ ...conflict, ours: conflict.theirs, theirs: conflict.ours }) as DocumentConflict,
  )
  return { ...merged, conflicts }
}

/** Merges the values of a field of a page. */
export function mergeFieldValues(
  field: string,
  { base, ours, theirs }: Record<Side, unknown>,
  { keepsTheirTexts }: MergeOptions,
): MergedValue<unknown> {
  return keepsTheirTexts && keptFields.has(field) ? mergeValues(base, theirs, ours) : mergeValues(base, ours, theirs)
}

/** Fields of pages that are those of theirs if `keepsTheirTexts` is set and both sides changed them. */
export const keptFields: ReadonlySet<string> = new Set<keyof PageFields>([
  'title',
  'linkTitle',
  'description',
  'variables',
])

/** Merges documents given by their hashes. */
export async function mergeStoredDocuments(
  objects: Objects,
  { base, ours, theirs }: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
  options: MergeOptions = {},
): Promise<MergedStoredDocument> {
  if (theirs === base || theirs === ours || theirs === undefined) return withoutConflicts(ours)
  if (ours === undefined || ours === base) return withoutConflicts(theirs)
  const read = async (hash: string) => (await readObject(objects, 'document', hash)).document
  const versions = [base === undefined ? undefined : await read(base), await read(ours), await read(theirs)] as const
  const { document, conflicts, combined } = await (options.keepsTheirTexts
    ? mergeKeepingTheirs(versions, options)
    : mergeDocuments(...versions, options))
  try {
    assertWithinLimits(document)
  } catch (error) {
    if (!(error instanceof DocumentTooLargeError)) throw error
    const message = `The combined text is too large for one page. ${error.message}`
    return { ...withoutConflicts(options.keepsTheirTexts ? theirs : ours), message }
  }
  return { document: objects.write({ kind: 'document', document }), conflicts, combined }
}
