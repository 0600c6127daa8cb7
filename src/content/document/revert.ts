import type { Document } from './nodes.ts'
import { type Location, indexOf } from './parts.ts'
import { resolveWith } from './resolve.ts'

/** Reverts blocks to their former version: removes those that did not exist and inserts those that were removed. */
export function revertBlocks(document: Document, former: Document, keys: readonly string[]): Document {
  const before = indexOf(former)
  let reverted = document
  for (const key of keys) {
    const [was, is] = [before?.get(key), indexOf(reverted)?.get(key)]
    reverted = resolveWith(
      reverted,
      { key, base: was?.block ?? null, ours: is?.block ?? null, theirs: null, where: placeOf(was) },
      'base',
    )
  }
  return reverted
}

/** Returns the keys that neither document contains. */
export function unknownKeys(document: Document, former: Document, keys: readonly string[]): string[] {
  const [now, before] = [indexOf(document), indexOf(former)]
  return keys.filter((key) => !now?.has(key) && !before?.has(key))
}

function placeOf(location: Location | undefined) {
  if (!location) return { parent: null, group: 'nodes', after: null }
  const { parent, group, index, siblings } = location
  return { parent, group, after: siblings[index - 1]?.key ?? null }
}
