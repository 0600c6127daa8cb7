import { canonicalJson } from './canonical-json.ts'
import { UniqueNames, hashText } from './hash.ts'
import { type MatchItem, matchLists } from './match-lists.ts'
import type { Table } from './nodes.ts'
import { type MatchableBlock, TextIds } from './matchable-blocks.ts'
import { cellFragmentName, columnOrder, headerFragmentName, rowOrder } from './tables.ts'
import { splitWords } from './inline-tokens.ts'

// Markdown names rows, columns and cells by position (r1, c1, r1c1). Such names do not identify the same row or column
// in another version.
const rowPositionPattern = /^r\d+$/
const columnPositionPattern = /^c\d+$/
const cellPositionPattern = /^r\d+c\d+$/

interface RowOrColumn extends MatchItem<RowOrColumn> {
  id: string
  name: string | undefined
  text: string
}

/**
 * Finds names for the rows, columns and cells of a table, and pairs the blocks of its cells with those of the previous
 * version.
 */
export function assignTableNames(
  item: MatchableBlock,
  before: MatchableBlock | undefined,
  pair: (a: MatchableBlock, b: MatchableBlock) => void,
): void {
  const table = item.block as Table
  const previous = before?.block.type === 'table' ? before.block : undefined
  const textIds = previous && new TextIds()
  const ownGroups = cellGroups(item)
  const groups = before && previous ? cellGroups(before) : new Map<string, readonly MatchableBlock[]>()
  const columns = listColumns(table, ownGroups, textIds)
  const previousColumns = previous ? listColumns(previous, groups, textIds) : []
  assignNames(previousColumns, columns, columnPositionPattern, 'c-')
  const matchedColumns = columns.filter(({ partner }) => partner)
  const rows = listRows(table, ownGroups, matchedColumns.length > 0 ? matchedColumns : columns, textIds)
  const matchedPreviousColumns = matchedColumns.flatMap(({ partner }) => partner ?? [])
  const previousRows = previous ? listRows(previous, groups, matchedPreviousColumns, textIds) : []
  assignNames(previousRows, rows, rowPositionPattern, 'r-')

  const names = new Map<string, string>()
  const uniqueNames = new UniqueNames((previous?.fragments ?? []).flatMap(({ fragment }) => fragment ?? []))
  for (const column of columns) {
    const name = headerFragmentName(table, column.id)
    if (name === undefined || names.has(name)) continue
    const previousName = previous && column.partner && headerFragmentName(previous, column.partner.id)
    // Named by content: two sides that replace the same title by a header fragment create different fragments.
    const createName = () =>
      cellPositionPattern.test(name) ? uniqueNames.assign(`h-${hashText(`${column.name}\0${column.text}`)}`) : name
    names.set(name, previousName ?? createName())
    matchLists(groups.get(previousName ?? '') ?? [], ownGroups.get(name) ?? [], pair)
  }
  for (const row of rows) {
    for (const column of columns) {
      const name = cellFragmentName(table, row.id, column.id)
      if (name === undefined || names.has(name)) continue
      const previousName = previous && findCellFragmentName(previous, row.partner, column.partner)
      const createName = () =>
        cellPositionPattern.test(name) ? uniqueNames.assign(`${row.name ?? ''}_${column.name ?? ''}`) : name
      names.set(name, previousName ?? createName())
      if (previousName !== undefined) matchLists(groups.get(previousName) ?? [], ownGroups.get(name) ?? [], pair)
    }
  }
  const orderIndexes = previous && findReusableOrderIndexes(previous, rows)
  item.tableNames = {
    rows: namesById(rows),
    columns: namesById(columns),
    fragments: names,
    ...(orderIndexes && { orderIndexes }),
  }
}

/** Returns the order indexes of the previous version if they match the current order of the rows. */
function findReusableOrderIndexes(previous: Table, rows: readonly RowOrColumn[]): Map<string, string> | undefined {
  const orderIndexes = new Map<string, string>()
  let last: string | undefined
  for (const { id, partner } of rows) {
    const index = partner && rowPositionPattern.test(id) ? previous.data.records[partner.id]?.orderIndex : undefined
    if (index === undefined || (last !== undefined && index <= last)) return undefined
    orderIndexes.set(id, index)
    last = index
  }
  return orderIndexes
}

const namesById = (lines: readonly RowOrColumn[]) => new Map(lines.map(({ id, name }) => [id, name ?? id]))

function findCellFragmentName(
  table: Table,
  row: RowOrColumn | undefined,
  column: RowOrColumn | undefined,
): string | undefined {
  return row && column && cellFragmentName(table, row.id, column.id)
}

type CellGroups = ReadonlyMap<string, readonly MatchableBlock[]>

/** Returns the blocks of cells by the names of their fragments. */
function cellGroups({ block, groups }: MatchableBlock): CellGroups {
  const { fragments } = block as Table
  return new Map(fragments.map(({ fragment }, index) => [fragment ?? '', groups[index]?.blocks ?? []]))
}

function createRowOrColumn(
  id: string,
  kind: string,
  text: string,
  countWords: () => Map<string, number>,
  textIds: TextIds | undefined,
): RowOrColumn {
  const contentId = textIds?.idOf(text) ?? 0
  let words: Map<string, number> | undefined
  return { id, kind, text, contentId, words: () => (words ??= countWords()), partner: undefined, name: undefined }
}

function listColumns(table: Table, groups: CellGroups, textIds: TextIds | undefined): RowOrColumn[] {
  return columnOrder(table).map((id) => {
    const { title = '', type = 'text', header } = table.data.definition[id] ?? {}
    const inner = header === undefined ? [] : (groups.get(header) ?? [])
    const text = [`${type} ${title}`, ...inner.map((block) => block.hash())].join('\0')
    const countWords = () => {
      const words = countWordsInTexts([title])
      for (const block of inner) addWordCounts(words, block.words())
      return words
    }
    return createRowOrColumn(id, 'column', text, countWords, textIds)
  })
}

function listRows(
  table: Table,
  groups: CellGroups,
  columns: readonly RowOrColumn[],
  textIds: TextIds | undefined,
): RowOrColumn[] {
  return rowOrder(table).map((id) => {
    const cells = columns.map((column) => {
      const fragment = cellFragmentName(table, id, column.id)
      const cellBlocks = fragment === undefined ? undefined : groups.get(fragment)
      return cellBlocks ?? canonicalJson(table.data.records[id]?.values[column.id] ?? null)
    })
    const textOf = (cell: (typeof cells)[number]) =>
      typeof cell === 'string' ? cell : cell.map((inner) => inner.hash()).join()
    const countWords = () => {
      const words = new Map<string, number>()
      for (const cell of cells) {
        if (typeof cell === 'string') addWordCounts(words, countWordsInTexts([cell]))
        else for (const inner of cell) addWordCounts(words, inner.words())
      }
      return words
    }
    return createRowOrColumn(id, 'row', cells.map(textOf).join('\0'), countWords, textIds)
  })
}

function addWordCounts(words: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [word, count] of more) words.set(word, (words.get(word) ?? 0) + count)
}

function countWordsInTexts(texts: readonly string[]): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of texts.flatMap(splitWords)) if (word.trim() !== '') words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

function assignNames(
  before: readonly RowOrColumn[],
  after: readonly RowOrColumn[],
  positionPattern: RegExp,
  prefix: string,
): void {
  const pairItems = (a: RowOrColumn, b: RowOrColumn) => {
    a.partner = b
    b.partner = a
  }
  const previousById = new Map(before.map((one) => [one.id, one]))
  const uniqueNames = new UniqueNames(previousById.keys())
  for (const one of after) {
    if (positionPattern.test(one.id)) continue
    one.name = one.id
    uniqueNames.reserve(one.id)
    const same = previousById.get(one.id)
    if (same) pairItems(same, one)
  }
  const isMatchable = ({ name, partner }: RowOrColumn) => name === undefined || partner !== undefined
  if (before.length > 0) matchLists(before, after.filter(isMatchable), pairItems)
  let previousId = ''
  for (const one of after) {
    if (one.partner) previousId = one.partner.id
    one.name ??= one.partner?.id ?? uniqueNames.assign(`${prefix}${hashText(`${one.text}\0${previousId}`)}`)
  }
}
