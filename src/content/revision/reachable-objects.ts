import type { ItemEntry, Objects, PageEntry, StoredObject } from './objects.ts'
import type { NodeRef, Sequence } from './sequence.ts'

/** Yields the hashes of all objects reachable from these roots, including the roots, each once and in batches. */
export async function* iterateReachableHashes(
  objects: Objects,
  roots: readonly string[],
  seen: Set<string> = new Set(),
): AsyncGenerator<string[]> {
  const pending = takeUnseen(roots, seen)
  while (pending.length > 0) {
    // Depth-first: taking hashes from the end keeps the number of waiting hashes low.
    const batch = pending.splice(-batchSize)
    yield batch
    const found = await objects.read(batch, { skipCache: true })
    for (const hash of takeUnseen(found.flatMap(referencedHashes), seen)) pending.push(hash)
  }
}

const batchSize = 500

function takeUnseen(hashes: readonly string[], seen: Set<string>): string[] {
  return hashes.filter((hash) => !seen.has(hash) && seen.add(hash))
}

function referencedHashes(object: StoredObject): string[] {
  switch (object.kind) {
    case 'root':
      return [
        ...hashesInSequence(object.pages),
        ...hashesInSequence(object.parents),
        ...hashesInSequence(object.files),
        ...hashesInSequence(object.reusableContents),
        ...hashesInSequence(object.formerPaths),
        ...(object.redirects ? hashesInSequence(object.redirects) : []),
      ]
    case 'listing':
      return [
        ...(object.config?.hash === undefined ? [] : [object.config.hash]),
        ...hashesInSequence(object.files),
        ...hashesInSequence(object.items),
      ]
    case 'page':
      return [...(object.document === undefined ? [] : [object.document]), ...hashesInSequence(object.pages)]
    case 'reusable-content':
      return [object.document]
    case 'sequence':
      return object.entries.flatMap((entry) => ('hash' in entry ? [entry.hash as string] : []))
    case 'document':
    case 'file':
    case 'source':
      return []
  }
}

/** Returns the hashes in a sequence; entries that refer to no object, such as the parents of pages, have none. */
function hashesInSequence(sequence: Sequence<{ id: string }>): string[] {
  return (sequence.entries as readonly (NodeRef | PageEntry | ItemEntry | { id: string })[]).flatMap((entry) =>
    'hash' in entry ? [entry.hash] : [],
  )
}
