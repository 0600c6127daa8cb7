import { Mark, type MarkType, type Node } from 'prosemirror-model'
import { wrappersOf } from './inline-schema.ts'
import { schema } from './schema.ts'

/**
 * Removes spaces at the start and end of each line of a text, and empty lines at its ends, because Markdown does not preserve them.
 */
export function trimLines(nodes: readonly Node[]): readonly Node[] {
  if (!nodes.some((node, at) => hasEdge(node, nodes[at - 1], nodes[at + 1]))) return nodes
  const forward = trimStarts(nodes, /^[ \t]+/)
  return trimStarts(forward.toReversed(), /[ \t]+$/).toReversed()
}

const isBreak = (node: Node | undefined): boolean => node === undefined || node.type.name === 'hard_break'

const hasEdge = (node: Node, before: Node | undefined, after: Node | undefined): boolean =>
  (isBreak(before) && (/^[ \t]/.test(node.text ?? '') || (before === undefined && isBreak(node)))) ||
  (isBreak(after) && (/[ \t]$/.test(node.text ?? '') || (after === undefined && isBreak(node))))

/** Removes spaces after line breaks, and line breaks before the first other node. */
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

/** Marks that Markdown writes as delimiters, which are not recognized beside a space. */
const delimitedMarks = ['bold', 'italic', 'strikethrough'].map((name) => schema.marks[name] as MarkType)

/** Removes marks from spaces and line breaks at the edges of marked text, because Markdown could only express them with HTML. */
export const unmarkEdges = (nodes: readonly Node[]): readonly Node[] =>
  delimitedMarks.reduce((all, mark) => {
    if (!all.some(({ marks }) => mark.isInSet(marks))) return all
    const forward = unmarkStarts(all, mark, false)
    return unmarkStarts(forward.toReversed(), mark, true).toReversed()
  }, nodes)

function unmarkStarts(nodes: readonly Node[], mark: MarkType, isReversed: boolean): Node[] {
  let isInside = false
  let last = Mark.none
  return nodes.flatMap((node) => {
    const find = (name: string) => node.marks.find(({ type }) => type.name === name)
    const wrappers = wrappersOf(node)
    const isText = node.isText || node.type.name === 'hard_break'
    // Links and HTML contain marks; other inline elements have none.
    isInside &&= isText && Mark.sameSet(wrappers, last)
    last = wrappers
    if (!isText || !mark.isInSet(node.marks)) isInside = false
    else if (!isInside) {
      const text = node.text ?? ''
      const kept = find('code') ? text : isReversed ? text.trimEnd() : text.trimStart()
      const unmarked = node.mark(mark.removeFromSet(node.marks))
      if (kept === '') return unmarked
      isInside = true
      const [size, space] = [kept.length, text.length - kept.length]
      if (space > 0)
        return isReversed ? [unmarked.cut(size), node.cut(0, size)] : [unmarked.cut(0, space), node.cut(space)]
    }
    return node
  })
}
