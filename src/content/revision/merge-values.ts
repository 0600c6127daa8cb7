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

/** Merges documents that are given by their hashes; returns the hash of the result. */
export async function mergeBodies(
  objects: Objects,
  { base, ours, theirs }: { base: string | undefined; ours: string | undefined; theirs: string | undefined },
  tell: (conflict: DocumentConflict) => void,
): Promise<string | undefined> {
  if (theirs === base || theirs === ours || theirs === undefined) return ours
  if (ours === undefined) return theirs
  const read = async (hash: string) => (await readObject(objects, 'document', hash)).document
  const { document, conflicts } = mergeDocuments(
    base === undefined ? undefined : await read(base),
    await read(ours),
    await read(theirs),
  )
  conflicts.forEach(tell)
  return objects.write({ kind: 'document', document })
}
