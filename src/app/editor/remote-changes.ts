import type { Node } from 'prosemirror-model'
import { type EditorState, type Transaction, PluginKey } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import { diffLines } from '../screens/edit/line-diff.ts'

/** Marks transactions with changes that the user did not make. */
export const remoteKey = new PluginKey<true>('remote')

/** The content that was sent to the server, and the changes of the user since then. */
export interface SentContent {
  doc: Node
  mapping: Mapping
}

export const markContentSent = (doc: Node): SentContent => ({ doc, mapping: new Mapping() })

/**
 * Returns a transaction that takes over what the server stored instead of the sent content. It changes only the blocks that
 * differ, keeps what the user typed since then, and is not part of the undo history.
 */
export function createRemoteTransaction(
  state: EditorState,
  sent: SentContent,
  stored: Node,
  compare: (node: Node) => string,
): Transaction {
  const [before, after] = [sent.doc.children, stored.children]
  const hunks = diffLines(before.map(compare), after.map(compare))
  const offsets = [0]
  for (const { nodeSize } of before) offsets.push((offsets.at(-1) ?? 0) + nodeSize)
  const tr = state.tr.setMeta('addToHistory', false).setMeta(remoteKey, true)
  let added = hunks.reduce((sum, { from, to, lines }) => sum + lines.length - (to - from), 0)
  for (const { from, to, lines } of hunks.toReversed()) {
    added -= lines.length - (to - from)
    const nodes = after.slice(from + added, from + added + lines.length)
    const [start, end] = [offsets[from] ?? 0, offsets[to] ?? 0]
    const [only, other] = [before[from], nodes[0]]
    const isSameBlock = to - from === 1 && nodes.length === 1 && only?.type === other?.type && !only?.isAtom
    if (isSameBlock && only && other && hasSameData(only, other) && replaceInside(tr, sent, start, only, other))
      continue
    tr.replaceWith(sent.mapping.map(start, 1), sent.mapping.map(end, -1), nodes)
  }
  return tr
}

const hasSameData = (a: Node, b: Node): boolean => JSON.stringify(a.attrs['data']) === JSON.stringify(b.attrs['data'])

/** Replaces the part of a block that differs; returns false if that is not possible. */
function replaceInside(tr: Transaction, { mapping }: SentContent, start: number, old: Node, next: Node): boolean {
  const from = old.content.findDiffStart(next.content)
  const ends = old.content.findDiffEnd(next.content)
  if (from === null || !ends) return true
  // Equal characters on both sides of a change can be counted twice.
  const overlap = Math.max(0, from - Math.min(ends.a, ends.b))
  try {
    tr.replace(
      mapping.map(start + 1 + from, -1),
      mapping.map(start + 1 + ends.a + overlap, 1),
      next.slice(from, ends.b + overlap),
    )
    return true
  } catch {
    return false
  }
}
