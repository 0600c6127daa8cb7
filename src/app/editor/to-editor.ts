import { Mark as EditorMark, type Node } from 'prosemirror-model'
import type {
  Block,
  Code,
  Document,
  Expandable,
  Image,
  InlineElement,
  InlineNode,
  Leaf,
  LinkInline,
  Table,
} from '../../content/document/nodes.ts'
import { formattingName } from '../../content/document/formatting-tags.ts'
import { isDiagram } from './code/diagrams.ts'
import { newLinkId } from './inline-schema.ts'
import { isSameJson } from './json.ts'
import type { Origins } from './origins.ts'
import { isEditedType, nodeName, nodeType, schema } from './schema.ts'
import { readPlainText } from './plain-text.ts'
import { readTable } from './table/read-table.ts'
import { toBlock, toInlines } from './to-document.ts'

/** Converts a document to the content of the editor. */
export function toEditor(document: Document, origins: Origins): Node {
  const { nodes, ...rest } = document
  return createNode('doc', { rest }, new BlockReader(origins).readAll(nodes))
}

/** Converts a block to a node. */
export const toNode = (block: Block): Node => new BlockReader(new WeakMap()).readAll([block])[0] as Node

const createNode = (name: string, attrs: object, content?: readonly Node[]): Node =>
  nodeType(name).create(attrs, content)

const filler = (): Node => createNode('paragraph', { isFiller: true })

/** Returns the attributes that all blocks have. */
function attributesOf(block: Block): { key: unknown; data: unknown; rest: object | null } {
  const {
    object: _object,
    type: _type,
    key,
    data,
    nodes: _nodes,
    fragments: _fragments,
    ...rest
  } = block as Block & {
    data?: object
    nodes?: unknown
    fragments?: unknown
  }
  return { key: key ?? null, data: data ?? null, rest: Object.keys(rest).length > 0 ? rest : null }
}

class BlockReader {
  readonly #origins: Origins

  constructor(origins: Origins) {
    this.#origins = origins
  }

  readAll(blocks: readonly Block[]): Node[] {
    return blocks.length === 0 ? [filler()] : blocks.map((block) => this.#read(block))
  }

  #read(block: Block): Node {
    return this.#keep(block, (isEditedType(block.type) && this.#readEdited(block)) || protect(block))
  }

  #keep(block: Block, node: Node): Node {
    this.#origins.set(node, block)
    return node
  }

  /** Returns undefined if editing the block would change data that the editor does not show. */
  #readEdited(block: Block): Node | undefined {
    switch (block.type) {
      case 'paragraph':
      case 'heading-1':
      case 'heading-2':
      case 'heading-3': {
        const inlines = readInlines(block.nodes)
        return inlines && createNode(nodeName(block.type), attributesOf(block), inlines)
      }
      case 'blockquote':
      case 'hint':
      case 'if':
        return createNode(block.type, attributesOf(block), this.readAll(block.nodes))
      case 'list-ordered':
      case 'list-unordered':
        return this.#readItems(block, block.nodes, 'list_item')
      case 'list-tasks': {
        const startWithText = block.nodes.every(
          ({ nodes: [first] }) => first === undefined || first.type === 'paragraph',
        )
        return startWithText ? this.#readItems(block, block.nodes, 'task_item') : undefined
      }
      case 'columns':
        return this.#readItems(block, block.nodes, 'column')
      case 'tabs':
        return this.#readItems(block, block.nodes, 'tabs_item')
      case 'updates':
        return this.#readItems(block, block.nodes, 'update')
      case 'stepper':
        return this.#readItems(block, block.nodes, 'stepper_step')
      case 'divider':
        return createNode('divider', attributesOf(block))
      case 'code':
        return readCode(block)
      case 'images': {
        const images = block.nodes.map((image) => readImage(image))
        if (images.length === 0 || images.includes(undefined)) return undefined
        return createNode('images', attributesOf(block), images as Node[])
      }
      case 'expandable':
        return this.#readExpandable(block)
      case 'table':
        return this.#readTable(block)
      default:
        return undefined
    }
  }

  #readItems(
    block: Block,
    items: readonly Extract<Block, { nodes: readonly Block[] }>[],
    name: string,
  ): Node | undefined {
    if (items.length === 0) return undefined
    const nodes = items.map((item) => this.#keep(item, createNode(name, attributesOf(item), this.readAll(item.nodes))))
    const list = createNode(nodeName(block.type), attributesOf(block), nodes)
    // The first paragraph of a task may be protected.
    return nodes.every((node) => node.type.validContent(node.content)) ? list : undefined
  }

  #readTable(block: Table): Node | undefined {
    const read = readTable(block, {
      // A table in a cell is not edited in place.
      readBlocks: (blocks) =>
        blocks.length === 0
          ? [filler()]
          : blocks.map((one) => (one.type === 'table' ? this.#keep(one, protect(one)) : this.#read(one))),
      readInlines,
      attributesOf,
      create: createNode,
    })
    if (!read) return undefined
    const node = createNode('table', { ...attributesOf(block), ...read.attrs }, read.content)
    return restoresBlock(node, block) ? node : undefined
  }

  #readExpandable(block: Expandable): Node | undefined {
    const [title, body, other] = block.fragments
    if (title?.type !== 'expandable-title' || body?.type !== 'expandable-body' || other) return undefined
    const [paragraph, second] = title.nodes
    if (second || (paragraph && paragraph.type !== 'paragraph')) return undefined
    const inlines = paragraph ? readInlines(paragraph.nodes) : []
    if (!inlines) return undefined
    const { nodes: _, ...titleRest } = title
    const { nodes: blocks, ...bodyRest } = body
    return createNode('expandable', attributesOf(block), [
      createNode(
        'expandable_title',
        { rest: titleRest, paragraph: paragraph ? attributesOf(paragraph) : null },
        inlines,
      ),
      createNode('expandable_body', { rest: bodyRest }, this.readAll(blocks)),
    ])
  }
}

const protect = (block: Block): Node => createNode('protected_block', { json: block })

/** Reads code whose lines are plain text. The attributes of lines are stored beside the text. */
function readCode(block: Code): Node | undefined {
  if (isDiagram(block)) return undefined
  const lines = block.nodes.map((line) => {
    const text = readPlainText(line.nodes)
    return text === undefined ? undefined : { text, attributes: attributesOf(line) }
  })
  if (lines.includes(undefined)) return undefined
  const text = lines.map((line) => line?.text).join('\n')
  const node = createNode('code_block', { ...attributesOf(block), lines }, text === '' ? [] : [schema.text(text)])
  return restoresBlock(node, block) ? node : undefined
}

/** Reads an image whose caption is a paragraph without attributes, or absent. */
function readImage(image: Image): Node | undefined {
  const [fragment, second] = image.fragments ?? []
  const [paragraph, next] = fragment?.nodes ?? []
  if (second || next || (paragraph && paragraph.type !== 'paragraph')) return undefined
  const inlines = paragraph ? readInlines(paragraph.nodes) : []
  const { nodes: _, ...rest } = fragment ?? { nodes: [] }
  const caption = {
    hasList: image.fragments !== undefined,
    fragment: fragment ? rest : null,
    paragraph: paragraph ? attributesOf(paragraph) : null,
  }
  const node = inlines && createNode('image', { ...attributesOf(image), caption }, inlines)
  return node && restoresBlock(node, image) ? node : undefined
}

const restoresBlock = (node: Node, block: Block): boolean => isSameJson(toBlock(node), block)

type ReadInlines = (nodes: readonly InlineNode[], outer: readonly EditorMark[]) => Node[]

/** Reads inlines; returns undefined if the editor would change them. */
function readInlines(nodes: readonly InlineNode[]): Node[] | undefined {
  for (const read of [readFormatted, readWritten]) {
    const found = read(nodes, EditorMark.none)
    if (isSameJson(toInlines(found), nodes)) return found
  }
  return undefined
}

/** Reads inlines. Tags that format text become marks of the text up to the next closing tag. */
const readFormatted: ReadInlines = (nodes, outer) => {
  const open = [outer]
  return nodes.flatMap((node) => {
    const { html = '' } = ('data' in node ? node.data : {}) as { html?: string }
    const around = open.at(-1) ?? outer
    if (formattingName(html) === undefined) return readInline(node, around, readFormatted)
    if (html.startsWith('</')) open.pop()
    else open.push([...around, schema.mark(outer.length > 0 ? 'html_in_link' : 'html', { data: node })])
    return []
  })
}

/** Reads inlines with HTML as it is written, which may have missing tags. */
const readWritten: ReadInlines = (nodes, outer) => nodes.flatMap((node) => readInline(node, outer, readWritten))

function readInline(node: InlineNode, outer: readonly EditorMark[], readNodes: ReadInlines): Node[] {
  if (node.object === 'text') return node.leaves.flatMap((leaf) => readLeaf(leaf, outer))
  if (node.type === 'link' && isEditedLink(node)) {
    const attributes = attributesOfInline(node)
    return readNodes(node.nodes, [...outer, schema.mark('link', { id: newLinkId(), ...attributes })])
  }
  if (node.type === 'emoji') return [schema.node('emoji', attributesOfInline(node), undefined, outer)]
  return [schema.node('protected_inline', { json: node }, undefined, outer)]
}

function attributesOfInline(node: InlineElement): { data: unknown; rest: object } {
  const {
    object: _object,
    type: _type,
    data,
    nodes: _nodes,
    ...rest
  } = node as InlineElement & {
    data?: unknown
    nodes?: unknown
  }
  return { data, rest }
}

/** Whether a link has text and contains no other links; others are anchors or cannot be edited. */
const isEditedLink = ({ data, nodes }: LinkInline): boolean =>
  nodes.length > 0 &&
  Object.keys(data).every((name) => name === 'ref') &&
  nodes.every((node) => node.object === 'text' || node.type !== 'link')

function readLeaf({ text, marks }: Leaf, outer: readonly EditorMark[]): Node[] {
  const all = EditorMark.setFrom([
    ...outer,
    ...marks.map((mark) => schema.mark(mark.type, mark.type === 'color' ? { data: mark.data } : undefined)),
  ])
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [schema.node('hard_break', null, undefined, all)] : []),
      ...(line === '' ? [] : [schema.text(line, all)]),
    ])
}
