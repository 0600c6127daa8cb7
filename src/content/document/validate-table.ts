import type { CellValue, ColumnDefinition, TableData, TableView } from './nodes.ts'
import { contentRef, fileRef } from './validate-refs.ts'
import {
  DocumentError,
  type FieldReaders,
  type ValueReader,
  childPath,
  objectWithFields,
  boolean,
  integer,
  listOf,
  mapOf,
  getOwnProperty,
  number,
  object,
  oneOf,
  optional,
  string,
  variant,
  withDefault,
} from './validate-values.ts'

const tableView: ValueReader<TableView> = variant<'type', TableView>('type', {
  grid: {
    columns: listOf(string),
    columnWidths: optional(mapOf(number(0, 100_000))),
    hideHeader: withDefault(boolean, false),
    stickyHeader: optional(boolean),
    stickyFirstColumn: optional(boolean),
  },
  cards: {
    cardSize: withDefault(oneOf('medium', 'large'), 'medium'),
    columns: listOf(string),
    targetDefinition: optional(string),
    coverDefinition: optional(string),
    coverDefinitionDark: optional(string),
    hideColumnTitle: optional(boolean),
    wrap: optional(boolean),
  },
})

/** Reads a title and trims it, because Markdown cannot represent spaces around a title. */
const columnTitle: ValueReader<string> = (value, path) => withDefault(string, '')(value, path).trim()
const columnFields = { id: string, title: columnTitle, header: optional(string) }

const columnDefinition: ValueReader<ColumnDefinition> = variant<'type', ColumnDefinition>('type', {
  text: {
    ...columnFields,
    textAlignment: optional(oneOf('left', 'center', 'right')),
    verticalAlignment: optional(oneOf('top', 'middle', 'bottom')),
  },
  number: columnFields,
  checkbox: columnFields,
  files: columnFields,
  'content-ref': columnFields,
  image: columnFields,
  users: { ...columnFields, multiple: optional(boolean) },
  rating: { ...columnFields, max: withDefault(integer(1, 100), 5) },
  select: {
    ...columnFields,
    multiple: optional(boolean),
    options: withDefault(listOf(objectWithFields({ value: string, label: string, color: optional(string) })), []),
  },
})

const imageCell = objectWithFields<Extract<CellValue, { ref: unknown }>>({
  ref: fileRef,
  objectFit: optional(oneOf('contain', 'fill', 'cover')),
  alt: optional(string),
})

/** Reads a cell by the shape of its value, because the type of its column may have changed since the value was written. */
const cellValue: ValueReader<CellValue> = (value, path) => {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return number()(value, path)
  if (typeof value === 'string') return string(value, path)
  if (Array.isArray(value)) return listOf(string)(value, path)
  return getOwnProperty(object(value, path), 'ref') === undefined ? contentRef(value, path) : imageCell(value, path)
}

export const tableFieldReaders: FieldReaders<TableData> = {
  view: tableView,
  records: mapOf(objectWithFields({ orderIndex: string, values: mapOf(cellValue) })),
  definition: mapOf((value, path, name) => {
    const column = columnDefinition({ id: name, ...object(value, path) }, path)
    if (column.id !== name) throw new DocumentError('Must equal the key of the column', childPath(path, 'id'))
    return column
  }),
  cellMerges: optional(
    listOf(
      objectWithFields({
        anchor: objectWithFields({ record: string, column: string }),
        rowSpan: integer(1, 50),
        colSpan: integer(1, 50),
      }),
    ),
  ),
  fullWidth: optional(boolean),
  search: optional(boolean),
}
