import type { Node } from 'prosemirror-model'
import { schema } from './schema.ts'

/** Removes spaces at the start and end of each line of a text, and empty lines at its ends: Markdown does not have them. */
export function trimLines(nodes: readonly Node[]): readonly Node[] {
  if (!nodes.some((node, at) => hasEdge(node, nodes[at - 1], nodes[at + 1]))) return nodes
  const forward = trimStarts(nodes, /^[ \t]+/)
  return trimStarts(forward.toReversed(), /[ \t]+$/).toReversed()
}

const isBreak = (node: Node | undefined): boolean => node === undefined || node.type.name === 'hard_break'

const hasEdge = (node: Node, before: Node | undefined, after: Node | undefined): boolean =>
  (isBreak(before) && (/^[ \t]/.test(node.text ?? '') || (before === undefined && isBreak(node)))) ||
  (isBreak(after) && (/[ \t]$/.test(node.text ?? '') || (after === undefined && isBreak(node))))

/** Removes spaces after breaks, and breaks before the first other node. */
function trimStarts(nodes: readonly Node[], spaces: RegExp): Node[] {
  const kept: Node[] = []
  for (const node of nodes) {
    const previous = kept.at(-1)
    if (!isBreak(previous)) kept.push(node)
    else if (isBreak(node)) {
      if (previous) kept.push(node)
    } else if (node.isText) {
      const text = (node.text ?? '').replace(spaces, '')
      if (text !== '') kept.push(schema.text(text, node.marks))
    } else kept.push(node)
  }
  return kept
}
