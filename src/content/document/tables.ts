import type { CellValue, Fragment, Table, TableData } from './nodes.ts'

/** New names for the parts of a table; parts without a new name keep theirs. */
export interface TableNames {
  rows: ReadonlyMap<string, string>
  columns: ReadonlyMap<string, string>
  fragments: ReadonlyMap<string, string>
  /** New order indexes of rows, by the former name of the row. */
  orderIndexes?: ReadonlyMap<string, string>
}

export function rowOrder({ data: { records } }: Table): string[] {
  const position = (id: string) => records[id]?.orderIndex ?? ''
  return Object.keys(records).sort((a, b) => (position(a) < position(b) ? -1 : position(a) > position(b) ? 1 : 0))
}

/**
 * Returns the columns in the order of their definition if it is the same as in the view; otherwise the visible columns, followed by
 * the others.
 */
export function columnOrder({ data: { definition, view } }: Table): string[] {
  const defined = Object.keys(definition)
  const positions = new Map(defined.map((id, index) => [id, index]))
  const shown = view.columns.filter((id) => positions.has(id))
  const isAscending = shown.every(
    (id, index) => index === 0 || (positions.get(shown[index - 1] as string) ?? 0) < (positions.get(id) ?? 0),
  )
  if (isAscending) return defined
  const shownIds = new Set(shown)
  return [...shown, ...defined.filter((id) => !shownIds.has(id))]
}

/**
 * Returns the visible columns, then the others sorted by content, because the order in which these are defined has no
 * meaning.
 */
export function canonicalColumnOrder(table: Table, textOf: (value: unknown) => string): string[] {
  const { definition, view } = table.data
  const shown = new Set(view.columns.filter((id) => Object.hasOwn(definition, id)))
  const hidden = Object.keys(definition).filter((id) => !shown.has(id))
  if (hidden.length < 2) return [...shown, ...hidden]
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment.nodes]))
  const rows = rowOrder(table)
  const contentOf = (id: string): string => {
    const { id: _, header, ...attributes } = definition[id] ?? { id }
    const roles = view.type === 'cards' && [view.targetDefinition, view.coverDefinition, view.coverDefinitionDark]
    const cells = rows.map(
      (row) => fragments.get(cellFragmentName(table, row, id)) ?? table.data.records[row]?.values[id],
    )
    return textOf([roles && roles.map((role) => role === id), attributes, fragments.get(header) ?? null, cells])
  }
  const contents = new Map(hidden.map((id) => [id, contentOf(id)]))
  const sorted = hidden.sort((a, b) => ((contents.get(a) ?? '') < (contents.get(b) ?? '') ? -1 : 1))
  return [...shown, ...sorted]
}

/** Returns the name of a column's header fragment in tables that are named by position. */
export const positionalHeaderName = (column: string) => `r0${column}`

export const orderIndexAt = (index: number) => String(index + 1).padStart(6, '0')

/** Returns the name of the fragment that a cell refers to. */
export function cellFragmentName(table: Table, row: string, column: string): string | undefined {
  if (table.data.definition[column]?.type !== 'text') return undefined
  const value = table.data.records[row]?.values[column]
  return typeof value === 'string' ? value : undefined
}

/** Returns the name of the fragment that the header of a column refers to. */
export const headerFragmentName = (table: Table, column: string): string | undefined =>
  table.data.definition[column]?.header

/** Sorts the fragments of a table: headers, cells row by row, then fragments without a reference. */
export function sortFragments(table: Table): Table {
  const byName = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment]))
  const ordered = new Set<Fragment>()
  const columns = columnOrder(table)
  const add = (name: string | undefined) => {
    const fragment = name === undefined ? undefined : byName.get(name)
    if (fragment) ordered.add(fragment)
  }
  for (const column of columns) add(headerFragmentName(table, column))
  for (const row of rowOrder(table)) for (const column of columns) add(cellFragmentName(table, row, column))
  for (const fragment of table.fragments) ordered.add(fragment)
  return { ...table, fragments: [...ordered] }
}

export function renameTableParts(table: Table, names: TableNames): Table {
  const { data } = table
  const row = (id: string) => names.rows.get(id) ?? id
  const column = (id: string) => names.columns.get(id) ?? id
  const fragment = (name: string) => names.fragments.get(name) ?? name
  const cell = (id: string, value: CellValue) =>
    data.definition[id]?.type === 'text' && typeof value === 'string' ? fragment(value) : value
  return {
    ...table,
    data: {
      ...data,
      view: renameView(data.view, column),
      definition: Object.fromEntries(
        columnOrder(table).flatMap((id) => {
          const definition = data.definition[id]
          if (!definition) return []
          const header = definition.header === undefined ? {} : { header: fragment(definition.header) }
          return [[column(id), { ...definition, id: column(id), ...header }]]
        }),
      ),
      records: Object.fromEntries(
        Object.entries(data.records).map(([id, record]) => [
          row(id),
          {
            ...record,
            orderIndex: names.orderIndexes?.get(id) ?? record.orderIndex,
            values: Object.fromEntries(
              Object.entries(record.values).map(([name, value]) => [column(name), cell(name, value)]),
            ),
          },
        ]),
      ),
      ...(data.cellMerges && {
        cellMerges: data.cellMerges.map((merge) => ({
          ...merge,
          anchor: { record: row(merge.anchor.record), column: column(merge.anchor.column) },
        })),
      }),
    },
    fragments: table.fragments.map((one) =>
      one.fragment === undefined ? one : { ...one, fragment: fragment(one.fragment) },
    ),
  }
}

function renameView(view: TableData['view'], column: (id: string) => string): TableData['view'] {
  const columns = view.columns.map(column)
  if (view.type === 'grid') {
    const { columnWidths } = view
    if (!columnWidths) return { ...view, columns }
    const widths = Object.entries(columnWidths).map(([id, width]) => [column(id), width] as const)
    return { ...view, columns, columnWidths: Object.fromEntries(widths) }
  }
  const { targetDefinition, coverDefinition, coverDefinitionDark } = view
  return {
    ...view,
    columns,
    ...(targetDefinition !== undefined && { targetDefinition: column(targetDefinition) }),
    ...(coverDefinition !== undefined && { coverDefinition: column(coverDefinition) }),
    ...(coverDefinitionDark !== undefined && { coverDefinitionDark: column(coverDefinitionDark) }),
  }
}

/** Whether the rows, columns, cells and headers of a table are named by position; its fragments must be in cell order. */
export function isNamedByPosition(table: Table): boolean {
  const { data } = table
  const columns = columnOrder(table)
  const isColumnNamed = (id: string, index: number) => {
    const definition = data.definition[id]
    if (id !== `c${index + 1}` || definition?.id !== id) return false
    return definition.header === undefined || definition.header === positionalHeaderName(id)
  }
  const isRowNamed = (id: string, index: number) =>
    id === `r${index + 1}` &&
    data.records[id]?.orderIndex === orderIndexAt(index) &&
    columns.every((column) => {
      const fragment = cellFragmentName(table, id, column)
      return fragment === undefined || fragment === `${id}${column}`
    })
  return columns.every(isColumnNamed) && rowOrder(table).every(isRowNamed)
}

/** Renames the parts of a table by position, as Markdown does; the caller can specify the order of columns. */
export function renameTableByPosition(unordered: Table, columns = columnOrder(unordered)): Table {
  const table = sortFragments(unordered)
  const rows = rowOrder(table)
  const names = {
    rows: new Map(rows.map((id, index) => [id, `r${index + 1}`])),
    columns: new Map(columns.map((id, index) => [id, `c${index + 1}`])),
    fragments: new Map<string, string>(),
  }
  for (const column of columns) {
    const fragment = headerFragmentName(table, column)
    if (fragment !== undefined) names.fragments.set(fragment, positionalHeaderName(names.columns.get(column) ?? ''))
  }
  for (const row of rows) {
    for (const column of columns) {
      const fragment = cellFragmentName(table, row, column)
      if (fragment !== undefined)
        names.fragments.set(fragment, `${names.rows.get(row) ?? ''}${names.columns.get(column) ?? ''}`)
    }
  }
  const renamed = renameTableParts(table, names)
  return { ...renamed, data: { ...renamed.data, records: reindexRecords(renamed) } }
}

function reindexRecords(table: Table): TableData['records'] {
  return Object.fromEntries(
    rowOrder(table).flatMap((id, index) => {
      const record = table.data.records[id]
      return record ? [[id, { ...record, orderIndex: orderIndexAt(index) }]] : []
    }),
  )
}
