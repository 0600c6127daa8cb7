import type { Mark as EditorMark, Node } from 'prosemirror-model'
import { InlineBuilder, paragraph } from '../../content/document/build.ts'
import { formattingName } from '../../content/document/formatting-tags.ts'
import type {
  Block,
  Document,
  Fragment,
  HtmlInline,
  InlineElement,
  InlineNode,
  Mark,
} from '../../content/document/nodes.ts'
import { wrappersOf } from './inline-schema.ts'
import type { Origins } from './origins.ts'
import { toTextNodes } from './plain-text.ts'
import { type TableWriter, writeTable } from './table/write-table.ts'
import { trimLines, unmarkEdges } from './trim-lines.ts'

interface BlockAttributes {
  key: string | null
  data: object | null
  rest: object | null
}

/** Data of new blocks whose data is required. */
const defaultData: Readonly<Record<string, object>> = {
  hint: { style: 'info' },
  divider: {},
  expandable: {},
  if: { expression: 'true' },
  update: { date: '' },
}
const voidTypes: ReadonlySet<string> = new Set(['divider', 'image', 'expandable', 'table'])

/**
 * Converts the content of the editor to a document. Unedited blocks are the original ones; in other blocks, spaces and empty
 * paragraphs that typing leaves behind are removed. Without origins, every node is converted exactly.
 */
export function toDocument(doc: Node, origins?: Origins): Document {
  const rest = (doc.attrs['rest'] ?? { object: 'document', data: { schemaVersion: 1 } }) as Omit<Document, 'nodes'>
  return { ...rest, nodes: toBlocks(doc, origins) }
}

function toBlocks(parent: Node, origins: Origins | undefined): Block[] {
  const blocks = parent.children.flatMap((node) => (isOmitted(node, origins) ? [] : [toBlock(node, origins)]))
  const isEmptyItem = origins && blocks.length === 0 && parent.type.name === 'list_item'
  return isEmptyItem ? [paragraph([])] : blocks
}

/** Whether a node is an empty paragraph or task, which documents do not contain unless they were read with it. */
export function isOmitted(node: Node, origins: Origins | undefined): boolean {
  const { name } = node.type
  if (!origins) return name === 'paragraph' && node.attrs['isFiller'] === true && node.childCount === 0
  if (origins.has(node)) return false
  if (name === 'paragraph') return trimLines(node.children).length === 0
  return (name === 'task_item' || name === 'list_tasks') && node.children.every((inner) => isOmitted(inner, origins))
}

/** Whether a node represents a block, not a part of one such as a row. */
export const isBlock = ({ type }: Node): boolean =>
  type.name === 'protected_block' || type.spec['blockType'] !== undefined

/** Converts a node that represents a block. */
export function toBlock(node: Node, origins?: Origins): Block {
  const origin = origins?.get(node)
  if (origin) return origin
  if (node.type.name === 'protected_block') return node.attrs['json'] as Block
  const type = node.type.spec['blockType'] as string
  return {
    object: 'block',
    type,
    ...toFields(node.attrs as BlockAttributes, type),
    ...toContents(node, type, origins),
  } as unknown as Block
}

function toFields({ key, data, rest }: BlockAttributes, type: string): object {
  const known = data ?? defaultData[type]
  return {
    ...(key !== null && { key }),
    ...(rest ?? (voidTypes.has(type) && { isVoid: true })),
    ...(known && { data: known }),
  }
}

const toText = (node: Node, origins: Origins | undefined): readonly InlineNode[] =>
  toInlines(origins ? unmarkEdges(trimLines(node.children)) : node.children)

function toContents(node: Node, type: string, origins: Origins | undefined): object {
  switch (type) {
    case 'divider':
      return {}
    case 'code':
      return { nodes: toLines(node) }
    case 'image':
      return toCaption(node, origins)
    case 'expandable':
      return { fragments: toParts(node, origins) }
    case 'table':
      return writeTable(node, createTableWriter(origins))
    default:
      return { nodes: node.inlineContent ? toText(node, origins) : toBlocks(node, origins) }
  }
}

const createTableWriter = (origins: Origins | undefined): TableWriter => ({
  toBlocks: (parent) => toBlocks(parent, origins),
  toInlines: (parent) => toText(parent, origins),
  toParagraph: (nodes, attributes) => toTitle(nodes, attributes as BlockAttributes),
  isEdited: origins !== undefined,
})

/** Replaces unpaired surrogates, which the server refuses. */
const toValidText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

interface Line {
  text: string
  attributes: BlockAttributes
}

/** Returns the lines of code. Unedited lines keep their attributes. */
function toLines(node: Node): Block[] {
  const before = (node.attrs['lines'] ?? []) as readonly Line[]
  const texts = toValidText(node.textContent).split('\n')
  const isEqual = (at: number, formerAt: number) => texts[at] === before[formerAt]?.text
  let start = 0
  while (start < texts.length && start < before.length && isEqual(start, start)) start++
  const moved = before.length - texts.length
  let end = texts.length
  while (end > start && end + moved > start && isEqual(end - 1, end - 1 + moved)) end--
  return texts.map((text, at) => {
    const former = at < start ? before[at] : at >= end || moved === 0 ? before[at + moved] : undefined
    return {
      object: 'block',
      type: 'code-line',
      ...toFields(former?.attributes ?? { key: null, data: null, rest: null }, 'code-line'),
      nodes: toTextNodes(text),
    } as unknown as Block
  })
}

interface Caption {
  hasList: boolean
  fragment: object | null
  paragraph: BlockAttributes | null
}

const noCaption: Caption = { hasList: false, fragment: null, paragraph: null }

function toCaption(node: Node, origins: Origins | undefined): object {
  const { hasList, fragment, paragraph: attributes } = (node.attrs['caption'] ?? noCaption) as Caption
  const nodes = toText(node, origins)
  if (nodes.length === 0 && (origins || (!attributes && !fragment))) return hasList ? { fragments: [] } : {}
  const title = nodes.length === 0 && !attributes ? [] : [toTitle(nodes, attributes)]
  return {
    fragments: [{ ...(fragment ?? { object: 'fragment', type: 'caption', fragment: 'caption' }), nodes: title }],
  }
}

/** Returns the paragraph of a caption or title. */
const toTitle = (nodes: readonly InlineNode[], attributes: BlockAttributes | null): Block => ({
  ...paragraph(nodes),
  ...(attributes && toFields(attributes, 'paragraph')),
})

const toRest = (part: Node, type: string): Omit<Fragment, 'nodes'> =>
  (part.attrs['rest'] as Omit<Fragment, 'nodes'> | null) ?? { object: 'fragment', type }

function toParts(node: Node, origins: Origins | undefined): Fragment[] {
  const [title, body] = node.children as [Node, Node]
  const inlines = toText(title, origins)
  const attributes = title.attrs['paragraph'] as BlockAttributes | null
  const hasParagraph = origins !== undefined || attributes !== null || inlines.length > 0
  return [
    { ...toRest(title, 'expandable-title'), nodes: hasParagraph ? [toTitle(inlines, attributes)] : [] },
    { ...toRest(body, 'expandable-body'), nodes: toBlocks(body, origins) },
  ]
}

/** Converts inlines. */
export function toInlines(nodes: readonly Node[], depth = 0): readonly InlineNode[] {
  const builder = new InlineBuilder()
  addInlines(builder, nodes, depth)
  return builder.build()
}

const isSameMark = (one: EditorMark | undefined, other: EditorMark | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.eq(other))

/** Adds inlines. Adjacent nodes in the same link or element of HTML become one. */
function addInlines(builder: InlineBuilder, nodes: readonly Node[], depth: number): void {
  for (let at = 0; at < nodes.length;) {
    const wrapper = wrappersOf(nodes[at] as Node)[depth]
    let end = at + 1
    while (end < nodes.length && isSameMark(wrapper, wrappersOf(nodes[end] as Node)[depth])) end++
    const group = nodes.slice(at, end)
    if (!wrapper) addTexts(builder, group)
    else if (wrapper.type.name === 'link') builder.addElement(toLink(wrapper, group, depth + 1))
    else {
      const open = wrapper.attrs['data'] as HtmlInline
      builder.addElement(open)
      addInlines(builder, group, depth + 1)
      builder.addElement({ ...open, data: { ...open.data, html: `</${formattingName(open.data.html)}>` } })
    }
    at = end
  }
}

function toLink({ attrs }: EditorMark, nodes: readonly Node[], depth: number): InlineElement {
  const link = { object: 'inline', type: 'link', ...(attrs['rest'] as object | null), data: attrs['data'] as object }
  return { ...link, nodes: toInlines(nodes, depth) } as unknown as InlineElement
}

function addTexts(builder: InlineBuilder, nodes: readonly Node[]): void {
  for (const node of nodes) {
    switch (node.type.name) {
      case 'text':
        builder.addText(toValidText(node.text ?? ''), toMarks(node))
        break
      case 'hard_break':
        builder.addText('\n', toMarks(node))
        break
      case 'emoji':
        builder.addElement({
          object: 'inline',
          type: 'emoji',
          ...((node.attrs['rest'] as object | null) ?? { isVoid: true }),
          data: node.attrs['data'],
        } as InlineElement)
        break
      default:
        builder.addElement(node.attrs['json'] as InlineElement)
    }
  }
}

const toMarks = ({ marks }: Node): readonly Mark[] =>
  marks.flatMap(({ type, attrs }): Mark[] => {
    if (type.spec['wraps']) return []
    const mark = { object: 'mark', type: type.name }
    return [(type.name === 'color' ? { ...mark, data: attrs['data'] } : mark) as Mark]
  })
