import type { Node } from 'prosemirror-model'
import { type TextQuery, textPlaceholder, toTextPattern } from '../../../content/document/find-text.ts'

export type FindQuery = TextQuery

/** Positions of a found text. */
export interface Match {
  from: number
  to: number
}

/** Maximum number of matches in a page; more could not be shown without delay. */
export const maxMatches = 5000

/** Returns a function that finds a text in documents. Blocks that were already searched are not searched again. */
export function createFinder(query: FindQuery): (doc: Node) => Match[] {
  const pattern = toTextPattern(query)
  const known = new WeakMap<Node, readonly Match[]>()
  const search = (block: Node): readonly Match[] => {
    const before = known.get(block)
    if (before) return before
    const text = block.textBetween(0, block.content.size, undefined, textPlaceholder)
    const found = [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
    known.set(block, found)
    return found
  }
  return (doc) => {
    const matches: Match[] = []
    if (query.text === '') return matches
    doc.descendants((node, position) => {
      if (!node.isTextblock) return matches.length < maxMatches
      for (const { from, to } of search(node)) matches.push({ from: position + 1 + from, to: position + 1 + to })
      return false
    })
    return matches.slice(0, maxMatches)
  }
}
