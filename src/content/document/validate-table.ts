import type { CellValue, ColumnDefinition, TableData, TableView } from './nodes.ts'
import { contentRef, fileRef } from './validate-refs.ts'
import {
  DocumentError,
  type FieldReaders,
  type Read,
  below,
  fields,
  flag,
  integer,
  list,
  map,
  member,
  number,
  object,
  oneOf,
  optional,
  text,
  variant,
  withDefault,
} from './validate-values.ts'

const view: Read<TableView> = variant<'type', TableView>('type', {
  grid: {
    columns: list(text),
    columnWidths: optional(map(number(0, 100_000))),
    hideHeader: withDefault(flag, false),
    stickyHeader: optional(flag),
    stickyFirstColumn: optional(flag),
  },
  cards: {
    cardSize: withDefault(oneOf('medium', 'large'), 'medium'),
    columns: list(text),
    targetDefinition: optional(text),
    coverDefinition: optional(text),
    coverDefinitionDark: optional(text),
    hideColumnTitle: optional(flag),
    wrap: optional(flag),
  },
})

/** Reads a title and trims it, because Markdown cannot represent spaces around a title. */
const title: Read<string> = (value, path) => withDefault(text, '')(value, path).trim()
const titled = { id: text, title, header: optional(text) }

const definition: Read<ColumnDefinition> = variant<'type', ColumnDefinition>('type', {
  text: {
    ...titled,
    textAlignment: optional(oneOf('left', 'center', 'right')),
    verticalAlignment: optional(oneOf('top', 'middle', 'bottom')),
  },
  number: titled,
  checkbox: titled,
  files: titled,
  'content-ref': titled,
  image: titled,
  users: { ...titled, multiple: optional(flag) },
  rating: { ...titled, max: withDefault(integer(1, 100), 5) },
  select: {
    ...titled,
    multiple: optional(flag),
    options: withDefault(list(fields({ value: text, label: text, color: optional(text) })), []),
  },
})

const imageCell = fields<Extract<CellValue, { ref: unknown }>>({
  ref: fileRef,
  objectFit: optional(oneOf('contain', 'fill', 'cover')),
  alt: optional(text),
})

/** Reads a cell by the shape of its value, because the type of its column may have changed since the value was written. */
const cell: Read<CellValue> = (value, path) => {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return number()(value, path)
  if (typeof value === 'string') return text(value, path)
  if (Array.isArray(value)) return list(text)(value, path)
  return member(object(value, path), 'ref') === undefined ? contentRef(value, path) : imageCell(value, path)
}

export const tableData: FieldReaders<TableData> = {
  view,
  records: map(fields({ orderIndex: text, values: map(cell) })),
  definition: map((value, path, name) => {
    const column = definition({ id: name, ...object(value, path) }, path)
    if (column.id !== name) throw new DocumentError('Must equal the key of the column', below(path, 'id'))
    return column
  }),
  cellMerges: optional(
    list(
      fields({
        anchor: fields({ record: text, column: text }),
        rowSpan: integer(1, 50),
        colSpan: integer(1, 50),
      }),
    ),
  ),
  fullWidth: optional(flag),
  search: optional(flag),
}
