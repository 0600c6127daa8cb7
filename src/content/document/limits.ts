import type { Block, Document, InlineNode, Table } from './nodes.ts'
import { fragmentsOf } from './walk.ts'

export const maxBlocks = 10_000
export const maxNesting = 50
export const maxTextBytes = 1_048_576
export const maxCells = 100_000

export interface DocumentSize {
  blocks: number
  /** Maximum nesting of blocks; inlines inside inlines add levels too. */
  depth: number
  /** Bytes of UTF-8 in texts and data; an inline without text counts as one. */
  textLength: number
  /** Rows times columns of all tables, including empty cells, and fragments beyond the usual number. */
  cells: number
}

export class DocumentTooLargeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DocumentTooLargeError'
  }
}

export const nestingTooDeepError = () =>
  new DocumentTooLargeError(`The document is nested deeper than ${maxNesting} levels`)

/** Measures a document; handles any nesting depth. */
export function measureDocument(document: Document): DocumentSize {
  return measureAndCheck(document, () => {})
}

/** Returns the sum of the shares of the limits that a document uses; can exceed 1, because several limits are added. */
export function limitUsage(document: Document): number {
  const { blocks, textLength, cells } = measureDocument(document)
  return blocks / maxBlocks + textLength / maxTextBytes + cells / maxCells
}

/** Checks the limits and stops at the first that is exceeded, so that the cost is bounded by them. */
export function assertWithinLimits(document: Document): void {
  measureAndCheck(document, (size) => {
    checkStructure(size)
    if (size.textLength > maxTextBytes) {
      throw new DocumentTooLargeError(`The document has more than ${maxTextBytes} bytes of text`)
    }
  })
}

/** Checks all limits except the length of the text, which changes when link destinations are resolved. */
export function assertStructureWithinLimits(document: Document): void {
  measureAndCheck(document, checkStructure)
}

function checkStructure({ blocks, depth, cells }: DocumentSize): void {
  if (blocks > maxBlocks) throw new DocumentTooLargeError(`The document has more than ${maxBlocks} blocks`)
  if (depth > maxNesting) throw nestingTooDeepError()
  if (cells > maxCells) throw new DocumentTooLargeError(`The document has more than ${maxCells} cells in tables`)
}

function measureAndCheck(document: Document, check: (size: DocumentSize) => void): DocumentSize {
  const size: DocumentSize = { blocks: 0, depth: 0, textLength: 0, cells: 0 }
  const stack: [node: Block | InlineNode, depth: number][] = document.nodes.map((block) => [block, 1])
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [node, depth] = next
    if (node.object === 'block') size.blocks++
    size.depth = Math.max(size.depth, depth)
    size.textLength += countNodeBytes(node)
    size.cells += countCells(node)
    check(size)
    if (node.object === 'text') continue
    for (const child of 'nodes' in node ? node.nodes : []) {
      // Inlines directly in a block are on the level of the block.
      const isDeeper = child.object === 'block' || (child.object === 'inline' && node.object === 'inline')
      stack.push([child, isDeeper ? depth + 1 : depth])
    }
    for (const { nodes } of fragmentsOf(node)) for (const child of nodes) stack.push([child, depth + 1])
  }
  return size
}

/**
 * Counts table cells. Each fragment beyond the usual number counts as two cells: fragments can be empty, and no cell
 * needs to refer to them.
 */
function countCells(node: Block | InlineNode): number {
  const extra = 2 * Math.max(0, fragmentsOf(node).length - uncountedFragments)
  return node.object === 'block' && node.type === 'table' ? Math.max(countTableCells(node), extra) : extra
}

/** Number of fragments of an expandable block: title and body. */
const uncountedFragments = 2

function countTableCells({ data: { records, definition, view } }: Table): number {
  // A column may be shown more than once.
  return Object.keys(records).length * Math.max(Object.keys(definition).length, view.columns.length)
}

function countNodeBytes(node: Block | InlineNode): number {
  if (node.object === 'text') return node.leaves.reduce((sum, { text }) => sum + utf8ByteLength(text), 0)
  return (node.object === 'inline' ? 1 : 0) + countDataBytes('data' in node ? node.data : undefined, false)
}

/** Fields whose keys are chosen by the author and therefore count too. */
const userKeyedFields: ReadonlySet<string> = new Set(['definition', 'records', 'columnWidths', 'props'])

function countDataBytes(value: unknown, hasUserKeys: boolean): number {
  if (typeof value === 'string') return utf8ByteLength(value)
  if (typeof value !== 'object' || value === null) return hasUserKeys ? 1 : 0
  return Object.entries(value).reduce(
    (sum, [name, one]) =>
      sum + (hasUserKeys ? utf8ByteLength(name) : 0) + countDataBytes(one, hasUserKeys || userKeyedFields.has(name)),
    0,
  )
}

function utf8ByteLength(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) length++
    // Each half of a surrogate pair counts as two bytes.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) length++
  }
  return length
}
