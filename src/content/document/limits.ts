import type { Block, Document, InlineNode, Table } from './nodes.ts'
import { fragmentsOf } from './walk.ts'

export const maxBlocks = 10_000
export const maxNesting = 50
export const maxTextBytes = 1_048_576
export const maxCells = 100_000

export interface DocumentSize {
  blocks: number
  /** How many blocks stand in each other; a link in a link counts too. */
  depth: number
  /** Bytes of UTF-8 in texts and data; an inline without text counts as one. */
  textLength: number
  /** Rows by columns of all tables, whether or not something stands in them, and fragments that are too many. */
  cells: number
}

export class DocumentTooLargeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DocumentTooLargeError'
  }
}

export const nestedTooDeep = () => new DocumentTooLargeError(`The document is nested deeper than ${maxNesting} levels`)

/** How large a document is, however deep it is nested. */
export function measure(document: Document): DocumentSize {
  return measured(document, () => {})
}

/** How much a document takes of all that one may have; more than 1 for one that is full in several ways. */
export function fullness(document: Document): number {
  const { blocks, textLength, cells } = measure(document)
  return blocks / maxBlocks + textLength / maxTextBytes + cells / maxCells
}

/** Looks no further than the limits, so that it costs no more than they allow. */
export function assertWithinLimits(document: Document): void {
  measured(document, (size) => {
    checkStructure(size)
    if (size.textLength > maxTextBytes) {
      throw new DocumentTooLargeError(`The document has more than ${maxTextBytes} bytes of text`)
    }
  })
}

/** The same without the length of the text, which differs while link destinations are unresolved. */
export function assertStructureWithinLimits(document: Document): void {
  measured(document, checkStructure)
}

function checkStructure({ blocks, depth, cells }: DocumentSize): void {
  if (blocks > maxBlocks) throw new DocumentTooLargeError(`The document has more than ${maxBlocks} blocks`)
  if (depth > maxNesting) throw nestedTooDeep()
  if (cells > maxCells) throw new DocumentTooLargeError(`The document has more than ${maxCells} cells in tables`)
}

function measured(document: Document, check: (size: DocumentSize) => void): DocumentSize {
  const size: DocumentSize = { blocks: 0, depth: 0, textLength: 0, cells: 0 }
  const waiting: [node: Block | InlineNode, depth: number][] = document.nodes.map((block) => [block, 1])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next
    if (node.object === 'block') size.blocks++
    size.depth = Math.max(size.depth, depth)
    size.textLength += bytesOf(node)
    size.cells += cellsOf(node)
    check(size)
    if (node.object === 'text') continue
    for (const child of 'nodes' in node ? node.nodes : []) {
      // What a paragraph says is on its own level.
      const isDeeper = child.object === 'block' || (child.object === 'inline' && node.object === 'inline')
      waiting.push([child, isDeeper ? depth + 1 : depth])
    }
    for (const { nodes } of fragmentsOf(node)) for (const child of nodes) waiting.push([child, depth + 1])
  }
  return size
}

/** More fragments than it has use for count like cells, and each twice: they can be empty, and no cell need name them. */
function cellsOf(node: Block | InlineNode): number {
  const extra = 2 * Math.max(0, fragmentsOf(node).length - usualFragments)
  return node.object === 'block' && node.type === 'table' ? Math.max(cellsIn(node), extra) : extra
}

/** The title and the body of an expandable block. */
const usualFragments = 2

function cellsIn({ data: { records, definition, view } }: Table): number {
  // A column may be shown more than once.
  return Object.keys(records).length * Math.max(Object.keys(definition).length, view.columns.length)
}

function bytesOf(node: Block | InlineNode): number {
  if (node.object === 'text') return node.leaves.reduce((sum, { text }) => sum + utf8Bytes(text), 0)
  return (node.object === 'inline' ? 1 : 0) + dataBytes('data' in node ? node.data : undefined, false)
}

/** Where the names are the author's too. */
const maps: ReadonlySet<string> = new Set(['definition', 'records', 'columnWidths', 'props'])

function dataBytes(value: unknown, isMap: boolean): number {
  if (typeof value === 'string') return utf8Bytes(value)
  if (typeof value !== 'object' || value === null) return isMap ? 1 : 0
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (isMap ? utf8Bytes(name) : 0) + dataBytes(one, isMap || maps.has(name)),
    0,
  )
}

function utf8Bytes(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) length++
    // The two halves of a surrogate pair have two bytes each.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) length++
  }
  return length
}
