import { canonical } from './canonical.ts'
import { UniqueNames, hashOf } from './hash.ts'
import { type Item, matchLists } from './match.ts'
import type { Table } from './nodes.ts'
import { type MatchableBlock, Numbering } from './places.ts'
import { cellFragment, columnOrder, headerFragment, rowOrder } from './tables.ts'
import { splitWords } from './tokens.ts'

// Markdown names rows, columns and cells by position (r1, c1, r1c1). Such names do not identify the same row or column
// in another version.
const rowByPlace = /^r\d+$/
const columnByPlace = /^c\d+$/
const cellByPlace = /^r\d+c\d+$/

interface Line extends Item<Line> {
  id: string
  name: string | undefined
  text: string
}

/**
 * Finds names for the rows, columns and cells of a table, and pairs the blocks of its cells with those of the previous
 * version.
 */
export function nameTable(
  place: MatchableBlock,
  before: MatchableBlock | undefined,
  pair: (a: MatchableBlock, b: MatchableBlock) => void,
): void {
  const table = place.block as Table
  const previous = before?.block.type === 'table' ? before.block : undefined
  const numbering = previous && new Numbering()
  const ownGroups = cellGroups(place)
  const groups = before && previous ? cellGroups(before) : new Map<string, readonly MatchableBlock[]>()
  const columns = columnLines(table, ownGroups, numbering)
  const previousColumns = previous ? columnLines(previous, groups, numbering) : []
  nameLines(previousColumns, columns, columnByPlace, 'c-')
  const shared = columns.filter(({ partner }) => partner)
  const rows = rowLines(table, ownGroups, shared.length > 0 ? shared : columns, numbering)
  const sharedBefore = shared.flatMap(({ partner }) => partner ?? [])
  const previousRows = previous ? rowLines(previous, groups, sharedBefore, numbering) : []
  nameLines(previousRows, rows, rowByPlace, 'r-')

  const names = new Map<string, string>()
  const unique = new UniqueNames((previous?.fragments ?? []).flatMap(({ fragment }) => fragment ?? []))
  for (const column of columns) {
    const name = headerFragment(table, column.id)
    if (name === undefined || names.has(name)) continue
    const known = previous && column.partner && headerFragment(previous, column.partner.id)
    // Named by content: two sides that replace the same title by a header fragment create different fragments.
    const make = () => (cellByPlace.test(name) ? unique.make(`h-${hashOf(`${column.name}\0${column.text}`)}`) : name)
    names.set(name, known ?? make())
    matchLists(groups.get(known ?? '') ?? [], ownGroups.get(name) ?? [], pair)
  }
  for (const row of rows) {
    for (const column of columns) {
      const name = cellFragment(table, row.id, column.id)
      if (name === undefined || names.has(name)) continue
      const known = previous && cellOf(previous, row.partner, column.partner)
      const make = () => (cellByPlace.test(name) ? unique.make(`${row.name ?? ''}_${column.name ?? ''}`) : name)
      names.set(name, known ?? make())
      if (known !== undefined) matchLists(groups.get(known) ?? [], ownGroups.get(name) ?? [], pair)
    }
  }
  const orderIndexes = previous && keptOrder(previous, rows)
  place.tableNames = {
    rows: named(rows),
    columns: named(columns),
    fragments: names,
    ...(orderIndexes && { orderIndexes }),
  }
}

/** Returns the order indexes of the previous version if they match the current order of the rows. */
function keptOrder(previous: Table, rows: readonly Line[]): Map<string, string> | undefined {
  const kept = new Map<string, string>()
  let last: string | undefined
  for (const { id, partner } of rows) {
    const index = partner && rowByPlace.test(id) ? previous.data.records[partner.id]?.orderIndex : undefined
    if (index === undefined || (last !== undefined && index <= last)) return undefined
    kept.set(id, index)
    last = index
  }
  return kept
}

const named = (lines: readonly Line[]) => new Map(lines.map(({ id, name }) => [id, name ?? id]))

function cellOf(table: Table, row: Line | undefined, column: Line | undefined): string | undefined {
  return row && column && cellFragment(table, row.id, column.id)
}

type CellGroups = ReadonlyMap<string, readonly MatchableBlock[]>

/** Returns the blocks of cells by the names of their fragments. */
function cellGroups({ block, groups }: MatchableBlock): CellGroups {
  const { fragments } = block as Table
  return new Map(fragments.map(({ fragment }, index) => [fragment ?? '', groups[index]?.places ?? []]))
}

function line(
  id: string,
  kind: string,
  text: string,
  countWords: () => Map<string, number>,
  numbering: Numbering | undefined,
): Line {
  const content = numbering?.of(text) ?? 0
  let words: Map<string, number> | undefined
  return { id, kind, text, content, words: () => (words ??= countWords()), partner: undefined, name: undefined }
}

function columnLines(table: Table, groups: CellGroups, numbering: Numbering | undefined): Line[] {
  return columnOrder(table).map((id) => {
    const { title = '', type = 'text', header } = table.data.definition[id] ?? {}
    const inner = header === undefined ? [] : (groups.get(header) ?? [])
    const text = [`${type} ${title}`, ...inner.map((block) => block.hash())].join('\0')
    const countWords = () => {
      const words = countAll([title])
      for (const block of inner) addAll(words, block.words())
      return words
    }
    return line(id, 'column', text, countWords, numbering)
  })
}

function rowLines(
  table: Table,
  groups: CellGroups,
  columns: readonly Line[],
  numbering: Numbering | undefined,
): Line[] {
  return rowOrder(table).map((id) => {
    const cells = columns.map((column) => {
      const fragment = cellFragment(table, id, column.id)
      const places = fragment === undefined ? undefined : groups.get(fragment)
      return places ?? canonical(table.data.records[id]?.values[column.id] ?? null)
    })
    const textOf = (cell: (typeof cells)[number]) =>
      typeof cell === 'string' ? cell : cell.map((inner) => inner.hash()).join()
    const countWords = () => {
      const words = new Map<string, number>()
      for (const cell of cells) {
        if (typeof cell === 'string') addAll(words, countAll([cell]))
        else for (const inner of cell) addAll(words, inner.words())
      }
      return words
    }
    return line(id, 'row', cells.map(textOf).join('\0'), countWords, numbering)
  })
}

function addAll(words: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [word, count] of more) words.set(word, (words.get(word) ?? 0) + count)
}

function countAll(texts: readonly string[]): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of texts.flatMap(splitWords)) if (word.trim() !== '') words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

function nameLines(before: readonly Line[], after: readonly Line[], byPlace: RegExp, prefix: string): void {
  const pairLines = (a: Line, b: Line) => {
    a.partner = b
    b.partner = a
  }
  const known = new Map(before.map((one) => [one.id, one]))
  const unique = new UniqueNames(known.keys())
  for (const one of after) {
    if (byPlace.test(one.id)) continue
    one.name = one.id
    unique.keep(one.id)
    const same = known.get(one.id)
    if (same) pairLines(same, one)
  }
  const isOpen = ({ name, partner }: Line) => name === undefined || partner !== undefined
  if (before.length > 0) matchLists(before, after.filter(isOpen), pairLines)
  let behind = ''
  for (const one of after) {
    if (one.partner) behind = one.partner.id
    one.name ??= one.partner?.id ?? unique.make(`${prefix}${hashOf(`${one.text}\0${behind}`)}`)
  }
}
