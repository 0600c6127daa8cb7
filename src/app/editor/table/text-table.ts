import { Fragment, type Node, type Schema } from 'prosemirror-model'
import { createCell, createTable, newColumn, newName, nodeType } from './table-model.ts'

/** Converts tab-separated text, which spreadsheets copy, to the texts of cells; undefined if it is not a table. */
export function splitTabs(text: string): string[][] | undefined {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const isTable =
    lines.some((line) => line.includes('\t')) && lines.every((line) => line.includes('\t') || lines.length > 1)
  return isTable ? lines.map((line) => line.split('\t')) : undefined
}

/** Creates a table from texts; the first row contains the titles. */
export function tableOfTexts(texts: readonly (readonly string[])[], schema: Schema): Node {
  const width = Math.max(1, ...texts.map((row) => row.length))
  const columns = Array.from({ length: width }, newColumn)
  const [first = [], ...others] = texts
  const content = (text: string | undefined) =>
    text === undefined || text.trim() === '' ? Fragment.empty : Fragment.from(schema.text(text.trim()))
  const rows = others.map((row) =>
    nodeType(schema, 'table_row').create(
      { id: newName('r') },
      columns.map((column, index) =>
        createCell(schema, column, [nodeType(schema, 'paragraph').create(null, content(row[index]))]),
      ),
    ),
  )
  return createTable(
    schema,
    columns,
    columns.map((_, index) => content(first[index])),
    rows,
  )
}
