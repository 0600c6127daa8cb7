import { escapePattern } from './escape-pattern.ts'
import type { Block, Document, InlineNode } from './nodes.ts'
import { inlinesOf, mapBlocks, withNodes } from './walk.ts'

/** A literal text that is searched in documents. */
export interface TextQuery {
  text: string
  isCaseSensitive: boolean
  isWholeWord: boolean
}

/** A found text, and the line of text that contains it. */
export interface TextMatch {
  line: string
  /** Start and end in the line. */
  from: number
  to: number
}

/** Maximum number of matches that are returned for a document. */
export const maxTextMatches = 10_000

/** Character that represents nodes other than text in a line. */
export const textPlaceholder = '\uFFFC'

/** Returns a pattern that finds a text. */
export function toTextPattern({ text, isCaseSensitive, isWholeWord }: TextQuery): RegExp {
  const escaped = escapePattern(text.replaceAll(textPlaceholder, ''))
  const source = isWholeWord ? String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])` : escaped
  return new RegExp(source, isCaseSensitive ? 'gu' : 'giu')
}

/** Finds a text in the lines of a document: paragraphs, headings, lines of code, captions and cells, but not in attributes. */
export function findText(document: Document, query: TextQuery): TextMatch[] {
  const pattern = toTextPattern(query)
  const matches: TextMatch[] = []
  mapBlocks(document.nodes, (block) => {
    const line = matches.length < maxTextMatches ? lineOf(inlinesOf(block)) : ''
    for (const { from, to } of findInLine(line, pattern, maxTextMatches - matches.length))
      matches.push({ line, from, to })
    return block
  })
  return matches
}

/** Replaces matches in the order in which they are found; `isChosen` is called with the index of each. */
export function replaceText(
  document: Document,
  query: TextQuery,
  replacement: string,
  isChosen: (index: number) => boolean,
): Document {
  const pattern = toTextPattern(query)
  let index = 0
  const nodes = mapBlocks(document.nodes, (block) => {
    const inlines = inlinesOf(block)
    const edits = findInLine(lineOf(inlines), pattern).filter(() => isChosen(index++))
    return edits.length === 0 ? block : ({ ...block, nodes: replaceInLine(inlines, edits, replacement) } as Block)
  })
  return withNodes(document, nodes)
}

interface Range {
  from: number
  to: number
}

function findInLine(line: string, pattern: RegExp, limit = Infinity): Range[] {
  const found: Range[] = []
  for (const { index, 0: match } of line.matchAll(pattern)) {
    if (found.length >= limit) break
    if (match !== '') found.push({ from: index, to: index + match.length })
  }
  return found
}

/** Returns the text of a line. */
function lineOf(inlines: readonly InlineNode[]): string {
  let line = ''
  for (const node of inlines) {
    if (node.object === 'text') for (const { text } of node.leaves) line += text
    else line += 'nodes' in node ? lineOf(node.nodes) : textPlaceholder
  }
  return line
}

/** Replaces ranges of a line. A replacement has the marks of the first replaced character. */
function replaceInLine(inlines: readonly InlineNode[], edits: readonly Range[], replacement: string): InlineNode[] {
  let offset = 0
  const replaceLeaf = (text: string): string => {
    const start = offset
    offset += text.length
    let [result, position] = ['', 0]
    for (const { from, to } of edits) {
      if (to <= start || from >= start + text.length) continue
      result += text.slice(position, Math.max(from - start, 0)) + (from >= start ? replacement : '')
      position = Math.min(to - start, text.length)
    }
    return result + text.slice(position)
  }
  const replaceAll = (nodes: readonly InlineNode[]): InlineNode[] =>
    nodes.flatMap((node): InlineNode[] => {
      if (node.object === 'text') {
        const leaves = node.leaves.map((leaf) => ({ ...leaf, text: replaceLeaf(leaf.text) }))
        const kept = leaves.filter(({ text }) => text !== '')
        return [{ ...node, leaves: kept.length > 0 ? kept : leaves.slice(0, 1) }]
      }
      if (!('nodes' in node)) {
        offset += textPlaceholder.length
        return [node]
      }
      const wasEmpty = lineOf(node.nodes) === ''
      const changed = replaceAll(node.nodes)
      // A link without text could not be seen.
      const isRemoved = node.type === 'link' && !wasEmpty && lineOf(changed) === ''
      return isRemoved ? [] : [{ ...node, nodes: changed }]
    })
  return replaceAll(inlines)
}
