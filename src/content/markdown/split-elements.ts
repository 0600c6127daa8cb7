import type { Block } from '../document/nodes.ts'
import type { BlockContext, BlockToken, WrapperToken } from './block-tokens.ts'
import type { HtmlElement, HtmlNode } from './html.ts'
import { readHtmlBlocks, readHtmlList } from './parse-html.ts'
import { parseHtmlTable } from './parse-table.ts'

// Tables and lists in HTML whose cells and items contain empty lines: in Markdown, each empty line ends a block of HTML.

/** Elements that each element may contain; cells and items contain blocks. */
const parts: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    table: 'thead tbody tfoot tr colgroup col',
    thead: 'tr',
    tbody: 'tr',
    tfoot: 'tr',
    tr: 'td th',
    ul: 'li',
    ol: 'li',
  }).map(([name, inside]) => [name, new Set(inside.split(' '))]),
)

export interface TokenRange {
  from: number
  to: number
}

interface SplitElement {
  tokens: readonly BlockToken[]
  pairs: ReadonlyMap<number, number>
  /** The tokens inside the element. */
  range: TokenRange
  context: BlockContext
  readRange: (range: TokenRange) => readonly Block[]
}

/** Parses a table or list between an opening and a closing tag; undefined if it contains anything outside of cells and items. */
export function readSplitElement(opening: WrapperToken, split: SplitElement): Block | undefined {
  if (!parts.has(opening.name) || opening.name.startsWith('t') !== (opening.name === 'table')) return undefined
  const cells = new Map<HtmlNode, TokenRange>()
  const sources = new Map<HtmlNode, string>()
  const children = collectParts(opening.name, split, split.range, cells, sources)
  if (!children || cells.size + sources.size === 0) return undefined
  const element = createElement(opening, children)
  const readBlocks = (nodes: readonly HtmlNode[]): Block[] => {
    const [first] = nodes
    const range = first && cells.get(first)
    // A paragraph of spaces cannot be printed in a cell.
    if (range) return split.readRange(range).filter((block) => !isBlankParagraph(block))
    const source = nodes.map((node) => sources.get(node)).find((one) => one !== undefined)
    return source === undefined ? [] : readHtmlBlocks(nodes, source, split.context)
  }
  return opening.name === 'table'
    ? parseHtmlTable(element, split.context.references, readBlocks)
    : readHtmlList(element, readBlocks)
}

/** Returns the elements inside an element; a cell or item that is split contains one node in `cells`. */
function collectParts(
  parent: string,
  split: SplitElement,
  { from, to }: TokenRange,
  cells: Map<HtmlNode, TokenRange>,
  sources: Map<HtmlNode, string>,
): HtmlNode[] | undefined {
  const allowed = parts.get(parent)
  const found: HtmlNode[] = []
  for (let index = from; index < to; index++) {
    const token = split.tokens[index] as BlockToken
    if (token.kind === 'html') {
      for (const node of token.nodes) {
        if (node.type === 'element' && allowed?.has(node.name)) {
          addSources(node, token.source, sources)
          found.push(node)
        } else if (node.type === 'element' || (node.type === 'text' && node.value.trim() !== '')) return undefined
      }
      continue
    }
    const close = split.pairs.get(index)
    if (token.kind !== 'wrapper' || close === undefined || !allowed?.has(token.name)) return undefined
    const inside = { from: index + 1, to: close }
    index = close
    if (parts.has(token.name)) {
      const children = collectParts(token.name, split, inside, cells, sources)
      if (!children) return undefined
      found.push(createElement(token, children))
    } else {
      const content: HtmlNode = { type: 'raw', start: token.end, end: token.end }
      cells.set(content, inside)
      found.push(createElement(token, [content]))
    }
  }
  return found
}

/** Records the source of the nodes in the cells and items of an element. */
function addSources(element: HtmlElement, source: string, sources: Map<HtmlNode, string>): void {
  for (const child of element.children) {
    if (!parts.has(element.name)) sources.set(child, source)
    else if (child.type === 'element') addSources(child, source, sources)
  }
}

const isBlankParagraph = (block: Block) =>
  block.type === 'paragraph' &&
  block.nodes.every((node) => node.object === 'text' && node.leaves.every(({ text }) => text.trim() === ''))

const createElement = ({ name, attributes, start, end }: WrapperToken, children: HtmlNode[]): HtmlElement => ({
  type: 'element',
  name,
  attributes,
  children,
  start,
  end,
  innerStart: end,
  innerEnd: end,
})
