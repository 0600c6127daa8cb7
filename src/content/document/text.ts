import { definitionOf } from './block-definitions.ts'
import { areMarksEqual } from './build.ts'
import type { Block, CellValue, ColumnDefinition, Document, InlineNode, Leaf, Table, Text } from './nodes.ts'
import { isTextBlock } from './block-groups.ts'
import { childBlocks } from './walk.ts'

/** Returns the text of inlines without markup. */
export function plainText(nodes: readonly InlineNode[]): string {
  let text = ''
  for (const node of nodes) text += textOfNode(node)
  return text
}

function textOfNode(node: InlineNode): string {
  if (node.object === 'text') {
    let text = ''
    for (const leaf of node.leaves) text += leaf.text
    return text
  }
  switch (node.type) {
    case 'emoji':
      return emojiCharacters(node.data.code)
    case 'button':
      return node.data.label
    case 'inline-math':
      return node.data.formula
    default:
      return 'nodes' in node ? plainText(node.nodes) : ''
  }
}

/** Returns the characters of hexadecimal code points joined by hyphens; empty if they are invalid. */
export function emojiCharacters(code: string): string {
  const points = code.split('-').map((part) => (/^[0-9a-f]{1,6}$/i.test(part) ? parseInt(part, 16) : -1))
  const areCharacters = points.every((point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
  return areCharacters ? String.fromCodePoint(...points) : ''
}

/** Returns the text of a document for search and previews: one line for each block, table row and line of code. */
export const documentText = (document: Document) => textOfBlocks(document.nodes, '\n')

/** Returns the text of blocks without markup. */
export function textOfBlocks(blocks: readonly Block[], separator: string): string {
  const lines: string[] = []
  for (const block of blocks) addTextLines(block, lines)
  return lines.join(separator)
}

/** Adds the lines of a block that are not empty. */
function addTextLines(block: Block, lines: string[]): void {
  const ownLines = block.type === 'table' ? tableTextLines(block) : ownTextLines(block)
  for (const line of ownLines) if (line !== '') lines.push(line)
  if (block.type !== 'table') for (const child of childBlocks(block)) addTextLines(child, lines)
}

/** Returns the text of a block without that of its nested blocks. */
export function ownTextLines(block: Exclude<Block, Table>): readonly string[] {
  if (isTextBlock(block)) return [plainText(block.nodes)]
  return definitionOf(block).textLines?.(block) ?? []
}

type FragmentBlocks = ReadonlyMap<string | undefined, readonly Block[]>

/** Returns the text of a header, which is either a title or a fragment. */
export const headerText = (
  { title, header }: Pick<ColumnDefinition, 'title' | 'header'>,
  bodies: FragmentBlocks,
): string => (header === undefined ? title : textOfBlocks(bodies.get(header) ?? [], ' ').trim())

/** Returns the lines of a table, including the blocks in its cells. */
export function tableTextLines({ data: { view, definition, records }, fragments }: Table): readonly string[] {
  const columns = view.columns.flatMap((id) => definition[id] ?? [])
  const bodies: FragmentBlocks = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  const readers = columns.map((column) => createCellReader(column, bodies))
  const rows = Object.values(records)
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .map(({ values }) => columns.map(({ id }, index) => readers[index]?.(values[id])))
  return [columns.map((column) => headerText(column, bodies)), ...rows].map((cells) => cells.filter(Boolean).join(' '))
}

function createCellReader(column: ColumnDefinition, bodies: FragmentBlocks): (value: CellValue | undefined) => string {
  switch (column.type) {
    case 'text':
      return (value) => textOfBlocks((typeof value === 'string' ? bodies.get(value) : undefined) ?? [], ' ')
    case 'select': {
      const labels = new Map(column.options.map(({ value, label }) => [value, label]))
      return (value) => (isStringList(value) ? value.map((one) => labels.get(one) ?? one).join(', ') : '')
    }
    case 'number':
    case 'rating':
      return (value) => (typeof value === 'number' ? String(value) : '')
    case 'checkbox':
    case 'files':
    case 'users':
    case 'content-ref':
    case 'image':
      return () => ''
  }
}

const isStringList = (value: CellValue | undefined): value is readonly string[] => Array.isArray(value)

/** Joins adjacent texts and removes empty ones, so that equal texts are equal values. */
export function joinTexts(nodes: readonly InlineNode[]): readonly InlineNode[] {
  const joined: InlineNode[] = []
  let open: { text: Text; leaves: Leaf[] } | undefined
  for (const node of nodes) {
    if (node.object !== 'text') {
      open = undefined
      joined.push(node)
      continue
    }
    for (const leaf of node.leaves) {
      if (leaf.text === '') continue
      if (!open) {
        const leaves: Leaf[] = []
        open = { text: { ...node, leaves }, leaves }
        joined.push(open.text)
      }
      const last = open.leaves.at(-1)
      if (last && areMarksEqual(last.marks, leaf.marks))
        open.leaves[open.leaves.length - 1] = { ...last, text: last.text + leaf.text }
      else open.leaves.push(leaf)
    }
  }
  return joined
}
