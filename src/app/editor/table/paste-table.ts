import { DOMParser as ContentParser, Fragment, type Node, type Schema, Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { fillText } from '../../texts.ts'
import { showToast } from '../../ui/toasts.tsx'
import { spanOf } from './merged-cells.ts'
import { convertText, insertColumn } from './table-columns.ts'
import { currentCell, insertRow, selectCell } from './table-commands.ts'
import { type CellPlace, cellPosition, columnIds, columnOf, maxPastedCells, maxPastedColumns } from './table-model.ts'
import { tableTexts as texts } from './table-texts.ts'
import { splitTabs, tableOfTexts } from './text-table.ts'

/** Inserts a pasted table, or fills the cells starting with the current one; returns whether it did. */
export function pasteTable(view: EditorView, html: string, text: string): boolean {
  const { selection } = view.state
  if (selection.$from.parent.type.spec.code) return false
  const rows = html === '' ? splitTabs(text) : undefined
  const isTooLarge = html.includes('<table') ? countCells(html) > maxPastedCells : rows && isLarge(rows)
  if (isTooLarge) {
    showToast(fillText(texts.tooLarge, { count: maxPastedCells }), { kind: 'error' })
    return true
  }
  const place = currentCell(view.state)
  if (!place && !rows) return false
  const table = rows ? tableOfTexts(rows, view.state.schema) : parseOnlyTable(html, view.state.schema)
  if (!table) return false
  if (place) fillCells(view, place, table)
  else view.dispatch(view.state.tr.replaceSelection(new Slice(Fragment.from(table), 0, 0)).scrollIntoView())
  return true
}

const countCells = (html: string): number => html.match(/<t[dh][\s>]/gi)?.length ?? 0

const isLarge = (rows: readonly (readonly string[])[]): boolean =>
  rows.some((row) => row.length > maxPastedColumns) || rows.reduce((sum, row) => sum + row.length, 0) > maxPastedCells

/** Returns the table in HTML without other content. */
function parseOnlyTable(html: string, schema: Schema): Node | undefined {
  if (!html.includes('<table')) return undefined
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const [table, second] = body.querySelectorAll('table')
  if (!table || second || (table.textContent ?? '').trim() !== (body.textContent ?? '').trim()) return undefined
  body.replaceChildren(table)
  return ContentParser.fromSchema(schema).parse(body).firstChild ?? undefined
}

/** Replaces the contents of cells with those of a table; adds rows and columns if the table is larger. */
function fillCells(view: EditorView, { at, row, column }: CellPlace, pasted: Node): void {
  const [head, ...others] = pasted.children
  const lines = head?.textContent === '' ? others : pasted.children
  const width = columnIds(pasted).length
  const current = (): CellPlace => ({ table: view.state.doc.nodeAt(at) as Node, at, row, column })
  for (let missing = column + width - columnIds(current().table).length; missing > 0; missing--)
    view.dispatch(insertColumn(view.state, current(), columnIds(current().table).length))
  for (let missing = row + lines.length - current().table.childCount; missing > 0; missing--)
    view.dispatch(insertRow(view.state, current(), current().table.childCount))
  const { table } = current()
  const { tr } = view.state
  for (let line = lines.length - 1; line >= 0; line--) {
    for (let index = width - 1; index >= 0; index--) {
      const cell = table.child(row + line).child(column + index)
      const start = cellPosition({ table, at, row: row + line, column: column + index })
      const content = lines[line]?.child(index)
      if (!content || spanOf({ table, at, row: row + line, column: column + index }).coveredBy) continue
      if (cell.isAtom)
        tr.setNodeAttribute(start, 'value', convertText(content.textContent, columnOf(table, column + index)))
      else tr.replaceWith(start + 1, start + cell.nodeSize - 1, toContent(content, cell))
    }
  }
  const last = { at, row: row + lines.length - 1, column: column + width - 1 }
  view.dispatch(selectCell(tr, { ...last, table: tr.doc.nodeAt(at) as Node }))
}

/** Returns the contents of a pasted cell for a cell or a title. */
function toContent(pasted: Node, cell: Node): Fragment {
  if (pasted.inlineContent === cell.inlineContent) return pasted.content
  const { schema } = cell.type
  if (pasted.inlineContent) return Fragment.from(schema.node('paragraph', null, pasted.content))
  const text = pasted.textBetween(0, pasted.content.size, ' ', ' ').trim()
  return text === '' ? Fragment.empty : Fragment.from(schema.text(text))
}
