import { DocumentTooLargeError, assertWithinLimits } from '../document/limits.ts'
import { type DocumentConflict, mergeDocuments } from '../document/merge.ts'
import { type Merged, mergeFields, mergeValue } from '../document/merge-fields.ts'
import { sameValue } from './diff.ts'
import { type Objects, readObject } from './objects.ts'

/** Three-way over values; objects are merged key by key. In a conflict the value is ours as far as both changed it. */
export function mergeValues(base: unknown, ours: unknown, theirs: unknown): Merged<unknown> {
  const merged = mergeValue(base, ours, theirs, { same: sameValue })
  if (!merged.isConflict || !isRecord(ours) || !isRecord(theirs)) return merged
  const former = isRecord(base) ? base : undefined
  return mergeFields<object>(former, ours, theirs, (_, ...values) => mergeValues(...values))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** Merges documents that are given by their hashes. */
export async function mergeBodies(
  objects: Objects,
  { base, ours, theirs }: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
  options: { language?: string | undefined } = {},
): Promise<MergedBody> {
  const whole = (document: string | undefined): MergedBody => ({ document, conflicts: [], combined: [] })
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
    return { ...whole(ours), message: `Both texts together are too large for one page. ${error.message}` }
  }
  return { document: objects.write({ kind: 'document', document }), conflicts, combined }
}
