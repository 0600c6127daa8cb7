import { DocumentTooLargeError, assertWithinLimits } from '../document/limits.ts'
import { type DocumentConflict, mergeDocuments } from '../document/merge.ts'
import { type Merged, mergeFields, mergeValue } from '../document/merge-fields.ts'
import { sameValue } from './diff.ts'
import { type Objects, readObject } from './objects.ts'

/** Three-way over values; objects are merged key by key. In a conflict the value is ours as far as both changed it. */
export function mergeValues(base: unknown, ours: unknown, theirs: unknown): Merged<unknown> {
  const merged = mergeValue(base, ours, theirs, { same: sameValue })
  if (!merged.isConflict || !isRecord(ours) || !isRecord(theirs)) return merged
  // Half of one reference and half of another lead to what nobody has named.
  if (isWhole(ours) || isWhole(theirs)) return merged
  const former = isRecord(base) ? base : undefined
  return mergeFields<object>(former, ours, theirs, (_, ...values) => mergeValues(...values))
}

/** References and sources of computed pages have a kind or type that decides about their other fields. */
const isWhole = (value: Record<string, unknown>): boolean =>
  typeof value['kind'] === 'string' || typeof value['type'] === 'string'

/** Maximum number of variables of a page, and of tags of a space, as changes of content allow them. */
export const maxNamed = 1000

/** Whether something has both symbols, of which changes of content allow one. */
export const hasTwoSymbols = ({ emoji, icon }: { emoji?: unknown; icon?: unknown }): boolean =>
  emoji !== undefined && icon !== undefined

export const oneSymbol = 'One side set an emoji and the other an icon; only one of them can be set'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A block of a page or of a reusable content. */
export interface CombinedBlock {
  page?: string
  reusableContent?: string
  block: string
}

export interface MergeOptions {
  /** The language that texts are written in. */
  language?: string | undefined
  /** Called between pages, so that others can run during a long merge. */
  breathe?: (() => Promise<void>) | undefined
}

export interface MergedBody {
  /** The hash of the result. */
  document: string | undefined
  conflicts: readonly DocumentConflict[]
  /** The keys of blocks in which texts of both sides are combined. */
  combined: readonly string[]
  /** Why the result is ours as it was: both together are larger than a document may be. */
  message?: string
}

const whole = (document: string | undefined): MergedBody => ({ document, conflicts: [], combined: [] })

/** Merges documents that are given by their hashes. */
export async function mergeBodies(
  objects: Objects,
  { base, ours, theirs }: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
  options: MergeOptions = {},
): Promise<MergedBody> {
  if (theirs === base || theirs === ours || theirs === undefined) return whole(ours)
  if (ours === undefined || ours === base) return whole(theirs)
  const read = async (hash: string) => (await readObject(objects, 'document', hash)).document
  const { document, conflicts, combined } = mergeDocuments(
    base === undefined ? undefined : await read(base),
    await read(ours),
    await read(theirs),
    options,
  )
  try {
    assertWithinLimits(document)
  } catch (error) {
    if (!(error instanceof DocumentTooLargeError)) throw error
    return { ...whole(ours), message: `The combined text is too large for one page. ${error.message}` }
  }
  return { document: objects.write({ kind: 'document', document }), conflicts, combined }
}
