import type { NamedEntry, Objects, PageEntry, StoredObject } from './objects.ts'
import type { NodeRef, Sequence } from './sequence.ts'

/** Yields the hashes of all objects reachable from these roots, including the roots, each once and in batches. */
export async function* reachableFrom(
  objects: Objects,
  roots: readonly string[],
  known: Set<string> = new Set(),
): AsyncGenerator<string[]> {
  const waiting = unknown(roots, known)
  while (waiting.length > 0) {
    // Depth-first: taking hashes from the end keeps the number of waiting hashes low.
    const some = waiting.splice(-portion)
    yield some
    const found = await objects.read(some, { inPassing: true })
    for (const hash of unknown(found.flatMap(hashesIn), known)) waiting.push(hash)
  }
}

const portion = 500

function unknown(hashes: readonly string[], known: Set<string>): string[] {
  return hashes.filter((hash) => !known.has(hash) && known.add(hash))
}

function hashesIn(object: StoredObject): string[] {
  switch (object.kind) {
    case 'root':
      return [
        ...hashesOf(object.pages),
        ...hashesOf(object.parents),
        ...hashesOf(object.files),
        ...hashesOf(object.reusableContents),
        ...hashesOf(object.formerPaths),
        ...(object.redirects ? hashesOf(object.redirects) : []),
      ]
    case 'listing':
      return [
        ...(object.config?.hash === undefined ? [] : [object.config.hash]),
        ...hashesOf(object.files),
        ...hashesOf(object.items),
      ]
    case 'page':
      return [...(object.document === undefined ? [] : [object.document]), ...hashesOf(object.pages)]
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
function hashesOf(sequence: Sequence<{ id: string }>): string[] {
  return (sequence.entries as readonly (NodeRef | PageEntry | NamedEntry | { id: string })[]).flatMap((entry) =>
    'hash' in entry ? [entry.hash] : [],
  )
}
