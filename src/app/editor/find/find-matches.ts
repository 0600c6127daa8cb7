import type { Node } from 'prosemirror-model'

export interface FindQuery {
  text: string
  isCaseSensitive: boolean
  isWholeWord: boolean
}

/** Positions of a found text. */
export interface Match {
  from: number
  to: number
}

/** Maximum number of matches in a page; more could not be shown without delay. */
export const maxMatches = 5000

/** Takes the place of what is not text, so that positions in the text are positions in the block. */
const placeholder = '\uFFFC'

/** Returns a function that finds a text in documents. Blocks that it has searched before are not searched again. */
export function createFinder(query: FindQuery): (doc: Node) => Match[] {
  const pattern = toPattern(query)
  const known = new WeakMap<Node, readonly Match[]>()
  const search = (block: Node): readonly Match[] => {
    const before = known.get(block)
    if (before) return before
    const text = block.textBetween(0, block.content.size, undefined, placeholder)
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

function toPattern({ text, isCaseSensitive, isWholeWord }: FindQuery): RegExp {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`).replaceAll(placeholder, '')
  const source = isWholeWord ? String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])` : escaped
  return new RegExp(source, isCaseSensitive ? 'gu' : 'giu')
}
