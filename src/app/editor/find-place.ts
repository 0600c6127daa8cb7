import type { NodeType, ResolvedPos } from 'prosemirror-model'

/** Returns the nearest position, at or after another, where a node can be inserted; undefined if there is none. */
export function findPlace($at: ResolvedPos, type: NodeType): number | undefined {
  for (let depth = $at.depth; depth >= 0; depth--) {
    const index = depth === $at.depth ? $at.index() : $at.indexAfter(depth)
    if ($at.node(depth).canReplaceWith(index, index, type)) return depth === $at.depth ? $at.pos : $at.after(depth + 1)
  }
  return undefined
}
