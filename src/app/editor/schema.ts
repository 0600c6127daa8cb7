import { type DOMOutputSpec, type Node, type NodeSpec, type NodeType, Schema } from 'prosemirror-model'
import { type BlockType, blockDefinitions } from '../../content/document/block-definitions.ts'
import { blockMarkup } from './block-markup.ts'
import { inlineNodes, marks } from './inline-schema.ts'
import { tableNodes } from './table/table-schema.ts'

/** Attributes of every node that represents a block: its key, its data, and its other fields. */
const blockAttributes = { key: { default: null }, data: { default: null }, rest: { default: null } }

/** Types of blocks that are edited in place. All others are shown as they are published, and keep their JSON. */
export type EditedType = keyof typeof blockMarkup

const editedTypes = Object.keys(blockMarkup) as EditedType[]

/** Returns the name of a node; expressions for contents cannot contain hyphens, and `code` is a mark. */
export const nodeName = (type: string): string => (type === 'code' ? 'code_block' : type.replaceAll('-', '_'))

/** Types that can only be in a certain block, such as list items. */
const itemTypes: ReadonlySet<string> = new Set(
  editedTypes.map((type) => blockDefinitions[type].contents).filter((contents) => Object.hasOwn(blockMarkup, contents)),
)

/** Whether blocks of this type are edited in place and allowed wherever any block is. */
export const isEditedType = (type: BlockType): type is EditedType =>
  Object.hasOwn(blockMarkup, type) && !itemTypes.has(type)

/** Returns the expression for the contents of a block. */
function contentExpression(type: EditedType): string {
  // A line of code cannot be edited separately, and a list of tasks has items with a checkbox.
  if (type === 'code') return 'text*'
  if (type === 'list-tasks') return 'task_item+'
  if (type === 'table') return 'table_head table_row*'
  const { contents } = blockDefinitions[type]
  switch (contents) {
    case 'nothing':
      return ''
    case 'inlines':
    case 'caption':
      return 'inline*'
    case 'blocks':
      return 'block+'
    case 'fragments':
      return 'expandable_title expandable_body'
    default:
      return `${nodeName(contents)}+`
  }
}

const blockNodes = Object.fromEntries(
  editedTypes.map((type): [string, NodeSpec] => {
    const markup: NodeSpec = blockMarkup[type]
    const node: NodeSpec = {
      ...markup,
      blockType: type,
      attrs: { ...blockAttributes, ...markup.attrs },
      content: contentExpression(type),
      ...(!itemTypes.has(type) && { group: 'block' }),
    }
    return [nodeName(type), node]
  }),
)

const fragmentNode = (content: string, className: string): NodeSpec => ({
  content,
  attrs: { rest: { default: null }, paragraph: { default: null } },
  defining: true,
  parseDOM: [{ tag: `div.${className}` }],
  toDOM: (): DOMOutputSpec => ['div', { class: className }, 0],
})

const otherNodes: Record<string, NodeSpec> = {
  task_item: {
    blockType: 'list-item',
    // In Markdown, a task cannot start with another block.
    content: 'paragraph block*',
    attrs: { ...blockAttributes, data: { default: { checked: false } } },
    defining: true,
    parseDOM: [
      {
        tag: 'ul.tasks > li, li[data-checked], li:has(> input[type=checkbox])',
        // The first checkbox is that of the task; others belong to tasks inside it.
        getAttrs: (element) => ({
          data: { checked: element.querySelector('input')?.hasAttribute('checked') === true },
        }),
        priority: 60,
      },
    ],
    toDOM: ({ attrs }): DOMOutputSpec => {
      const isChecked = (attrs['data'] as { checked?: boolean } | null)?.checked === true
      return [
        'li',
        ['input', { type: 'checkbox', contenteditable: 'false', ...(isChecked && { checked: '' }) }],
        ['div', 0],
      ]
    },
  },
  expandable_title: fragmentNode('inline*', 'expandable-title'),
  expandable_body: fragmentNode('block+', 'expandable-body'),
  /** A block that is not edited in place, with its JSON. */
  protected_block: {
    group: 'block',
    atom: true,
    selectable: true,
    draggable: true,
    attrs: { json: {} },
    toDOM: () => ['div', { class: 'protected-block' }],
  },
}

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+', attrs: { rest: { default: null } } },
    ...blockNodes,
    ...otherNodes,
    ...tableNodes,
    ...inlineNodes,
  },
  marks,
})

/** Returns a type of node by name. */
export const nodeType = (name: string): NodeType => schema.nodes[name] as NodeType

/** Whether a node accepts blocks of any type except items. */
export const containsBlocks = ({ type }: Node): boolean => type.contentMatch.matchType(nodeType('hint')) !== null
