import type { DOMOutputSpec, NodeSpec } from 'prosemirror-model'
import { parseTable, parseTableAttributes } from './parse-table.ts'
import { describeValue } from './cell-values.ts'
import type { CellValue } from '../../../content/document/nodes.ts'

/** HTML of a table for copying to other programs and for parsing pasted HTML. The editor shows tables with node views. */
export const tableMarkup = {
  isolating: true,
  /** Fragments that are not in visible cells, and the areas of merged cells. */
  attrs: { loose: { default: null }, merges: { default: null } },
  parseDOM: [{ tag: 'table', getAttrs: parseTableAttributes, getContent: parseTable }],
  toDOM: (): DOMOutputSpec => ['table', ['tbody', 0]],
} satisfies NodeSpec

/**
 * Rows and cells. Every cell has the ID of its column; a cell with text also has the name of its fragment, and the other
 * fields of that fragment.
 */
export const tableNodes: Record<string, NodeSpec> = {
  table_head: { content: 'table_header*', toDOM: (): DOMOutputSpec => ['tr', 0] },
  table_header: {
    content: 'inline*',
    isolating: true,
    defining: true,
    attrs: { column: { default: '' }, title: { default: null }, rest: { default: null }, paragraph: { default: null } },
    toDOM: (): DOMOutputSpec => ['th', 0],
  },
  table_row: {
    content: '(table_cell | table_value)*',
    attrs: { id: { default: null }, orderIndex: { default: null }, hidden: { default: null }, rest: { default: null } },
    toDOM: (): DOMOutputSpec => ['tr', 0],
  },
  table_cell: {
    content: 'block+',
    isolating: true,
    attrs: { column: { default: '' }, name: { default: null }, rest: { default: null } },
    toDOM: (): DOMOutputSpec => ['td', 0],
  },
  /** A cell of another type than text, with its value. */
  table_value: {
    atom: true,
    isolating: true,
    selectable: true,
    attrs: { column: { default: '' }, value: { default: undefined } },
    toDOM: ({ attrs }): DOMOutputSpec => ['td', describeValue(attrs['value'] as CellValue | undefined)],
  },
}
