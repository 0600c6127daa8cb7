import type { Document } from './nodes.ts'
import { type BlockLocation, indexBlocks } from './block-groups.ts'
import { resolveDocumentConflict } from './resolve-document-conflicts.ts'

/** Reverts blocks to their former version: removes those that did not exist and inserts those that were removed. */
export function revertBlocks(document: Document, former: Document, keys: readonly string[]): Document {
  const before = indexBlocks(former)
  let reverted = document
  for (const key of keys) {
    const [previous, current] = [before?.get(key), indexBlocks(reverted)?.get(key)]
    reverted = resolveDocumentConflict(
      reverted,
      { key, base: previous?.block ?? null, ours: current?.block ?? null, theirs: null, where: toPosition(previous) },
      'base',
    )
  }
  return reverted
}

/** Returns the keys that neither document contains. */
export function findUnknownKeys(document: Document, former: Document, keys: readonly string[]): string[] {
  const [now, before] = [indexBlocks(document), indexBlocks(former)]
  return keys.filter((key) => !now?.has(key) && !before?.has(key))
}

function toPosition(location: BlockLocation | undefined) {
  if (!location) return { parent: null, group: 'nodes', after: null }
  const { parent, group, index, siblings } = location
  return { parent, group, after: siblings[index - 1]?.key ?? null }
}
