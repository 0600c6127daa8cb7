import type {
  Block,
  ColumnDefinition,
  ContentRef,
  Document,
  Fragment,
  Heading,
  InlineNode,
  Leaf,
  Mark,
  Table,
  TableData,
  Update,
} from './nodes.ts'
import { definitionOf } from './block-definitions.ts'
import { leaf, paragraph } from './build.ts'
import { headerText } from './text.ts'
import { mapNodes, withNodes } from './walk.ts'

// The public schema requires fields that stored documents omit if they have their default value. They are added when a
// document is read, so that stored objects and their hashes do not depend on them.

/** Adds every field that the public schema requires and stored documents omit. */
export function completeDocument(document: Document): Document {
  return withNodes(document, mapNodes(document.nodes, completeBlock, completeInline))
}

type BlockData = Readonly<Record<string, unknown>>

export function completeBlock(block: Block): Block {
  switch (block.type) {
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return { ...block, data: completeHeadingData(block) }
    case 'images':
    case 'columns':
      return { ...block, isVoid: false, data: block.data ?? {} }
    case 'file':
      return block.data.ref.kind === 'url' ? toContentRefBlock(block.data.ref, block) : block
    case 'drawing':
      return block.data.ref?.kind === 'url' ? toImagesBlock(block.data.ref, block) : block
    case 'reusable-content':
      return { ...block, data: { ref: completeReusableRef(block.data.ref) } }
    case 'image':
      return block.fragments ? block : { ...block, fragments: [] }
    case 'expandable':
      return { ...block, fragments: block.fragments.map(completeExpandablePart) }
    case 'update':
      return { ...block, data: completeUpdateData(block) }
    case 'table':
      return { ...block, data: completeTableData(block) }
    default: {
      const { requiredData } = definitionOf(block)
      return requiredData ? ({ ...block, data: { ...requiredData, ...dataOf(block) } } as Block) : block
    }
  }
}

type UrlRef = Extract<ContentRef, { kind: 'url' }>

/** Converts an external file to a link and an external drawing to an image: the public schema supports only files of a space. */
const toContentRefBlock = (ref: UrlRef, { key, meta }: Block): Block => ({
  object: 'block',
  type: 'content-ref',
  ...(key !== undefined && { key }),
  ...(meta && { meta }),
  isVoid: true,
  data: { ref },
})

const toImagesBlock = (ref: UrlRef, { key }: Block): Block => ({
  object: 'block',
  type: 'images',
  ...(key !== undefined && { key }),
  isVoid: false,
  data: {},
  nodes: [{ object: 'block', type: 'image', isVoid: true, data: { ref }, fragments: [] }],
})

/** Uses the path of an include as the id if the reusable content does not exist. */
const completeReusableRef = (ref: ContentRef): ContentRef =>
  ref.kind === 'url' ? { kind: 'reusable-content', reusableContent: ref.url } : ref

export const dataOf = (block: Block): BlockData | undefined => ('data' in block ? (block.data as BlockData) : undefined)

/** Removes ids with characters that the public schema does not allow but files contain; the anchor itself is in `meta.id`. */
function completeHeadingData({ data = {} }: Heading): Heading['data'] {
  if (data.id === undefined || /^[-a-z0-9.+_]+$/.test(data.id)) return data
  const { id: _, ...others } = data
  return others
}

/** Adds both names of a fragment of an expandable (`type` and `fragment`), and a paragraph if it is empty. */
function completeExpandablePart(part: Fragment): Fragment {
  const { type } = part
  return {
    ...part,
    ...(part.fragment === undefined && type !== undefined && { fragment: type }),
    nodes: withParagraphIfEmpty(part.nodes),
  }
}

const withParagraphIfEmpty = (nodes: readonly Block[]): readonly Block[] =>
  nodes.length === 0 ? [paragraph([])] : nodes

/** Converts a date to a timestamp, which the public schema requires; files contain only dates. */
function completeUpdateData({ data = { date: '' } }: Update): Update['data'] {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(data.date) && !Number.isNaN(Date.parse(data.date))
  return isDate ? { ...data, date: `${data.date}${midnightSuffix}` } : data
}

export const midnightSuffix = 'T00:00:00.000Z'

/** Default value of `color` of an option. */
export const defaultOptionColor = 'default'

function completeTableData({ data, fragments }: Table): TableData {
  const bodies = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  const definition = Object.entries(data.definition).map(([id, column]) => {
    const title = headerText(column, bodies)
    return [id, completeColumn(column.title === title ? column : { ...column, title })] as const
  })
  return { ...data, definition: Object.fromEntries(definition) }
}

function completeColumn(column: ColumnDefinition): ColumnDefinition {
  switch (column.type) {
    case 'text':
      return { ...column, textAlignment: column.textAlignment ?? 'left' }
    case 'users':
      return { ...column, multiple: column.multiple ?? false }
    case 'select':
      return {
        ...column,
        multiple: column.multiple ?? false,
        options: column.options.map((option) => ({ ...option, color: option.color ?? defaultOptionColor })),
      }
    default:
      return column
  }
}

/** Expression that evaluates to an empty string. */
export const htmlPlaceholderExpression = "''"

/** Represents inlines that the public schema does not have as other types with an additional field; `validate.ts` parses them. */
function substituteInline(node: InlineNode): InlineNode | undefined {
  if (node.object === 'text') return undefined
  if (node.type === 'html') {
    const data = { expression: htmlPlaceholderExpression, ...node.data }
    return { ...node, type: 'expression', data }
  }
  if (node.type !== 'anchor') return undefined
  const { isVoid: _, ...rest } = node
  const { id } = node.data
  const data = { ref: { kind: 'anchor', anchor: id } as const, id }
  return { ...rest, type: 'link', data, nodes: [{ object: 'text', leaves: [leaf('')] }] }
}

export function completeInline(node: InlineNode): InlineNode {
  const substitute = substituteInline(node)
  if (substitute) return substitute
  if (node.object === 'text') {
    return node.leaves.some(hasColor) ? { ...node, leaves: node.leaves.map(completeLeaf) } : node
  }
  if (node.type === 'button') {
    const hasNoTarget = node.data.ref === undefined && node.data.action === undefined
    return hasNoTarget ? { ...node, data: { ...node.data, ref: { kind: 'url', url: '' } } } : node
  }
  if (node.type !== 'annotation') return node
  const fragments = node.fragments.map((part) => ({ ...part, nodes: withParagraphIfEmpty(part.nodes) }))
  return { ...node, isVoid: false, fragments }
}

export const hasColor = ({ marks }: Leaf): boolean => marks.some(({ type }) => type === 'color')

const completeLeaf = (one: Leaf): Leaf => ({ ...one, marks: one.marks.map(completeMark) })

const completeMark = (mark: Mark): Mark =>
  mark.type === 'color' ? { ...mark, data: { text: 'default', background: 'default', ...mark.data } } : mark
