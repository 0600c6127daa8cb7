import { type MergedValue, type Side, mergeFields, mergeNames, mergeValue } from './merge-fields.ts'
import { mergeOrder, mapPredecessors } from './merge-order.ts'
import type { Block, ColumnDefinition, Fragment, Table, TableData, TableRecord, TableView } from './nodes.ts'
import { isEqualContent } from './block-groups.ts'
import { cellFragmentName, columnOrder, headerFragmentName, orderIndexAt, rowOrder } from './tables.ts'

/** Part of a table that both sides changed differently. */
export interface ConflictingPart extends Record<Side, unknown> {
  /** Path of the part, such as `rows/ID`, `columns/ID/title` or `cells/ROW/COLUMN`. */
  part: string
}

export interface MergedTable {
  value: Table
  conflictingParts: ConflictingPart[]
}

/** Merges rows, columns and values; conflicting parts are those of one side. The blocks in cells are merged separately. */
export function mergeTable(base: Table | undefined, ours: Table, theirs: Table, prefer: Side): MergedTable {
  return new TableMerger(base, ours, theirs, prefer).merge()
}

const alwaysFalse = () => false

class TableMerger {
  readonly #base: Table | undefined
  readonly #ours: Table
  readonly #theirs: Table
  readonly #prefer: Side
  readonly #conflictingParts: ConflictingPart[] = []

  constructor(base: Table | undefined, ours: Table, theirs: Table, prefer: Side) {
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#prefer = prefer
  }

  merge(): MergedTable {
    const columns = this.#mergeIds('columns', columnOrder, isColumnChanged, ({ data }, id) => data.definition[id])
    const rows = this.#mergeIds('rows', rowOrder, isRowChanged, ({ data }, id) => data.records[id])
    const definition = Object.fromEntries(columns.map((id) => [id, this.#mergeDefinition(id)]))
    const remainingColumns = new Set(columns)
    const records = toOrderedRecords(rows.map((id) => [id, this.#mergeRecord(id, remainingColumns)] as const))
    const rest = mergeFields<Partial<TableData>>(
      withoutRowsAndColumns(this.#base?.data),
      withoutRowsAndColumns(this.#ours.data),
      withoutRowsAndColumns(this.#theirs.data),
      (name, ...values) => this.#mergeValue(name, ...values),
    ).value
    const view = this.#mergeView(remainingColumns)
    const data: TableData = { ...rest, view, definition, records }
    const table = { ...this.#ours, data }
    return {
      value: { ...table, fragments: this.#collectFragments(table, rows, columns) },
      conflictingParts: this.#conflictingParts,
    }
  }

  #mergeValue<T>(part: string, base: T | undefined, ours: T, theirs: T): MergedValue<T> {
    const merged = mergeValue(base, ours, theirs, { prefer: this.#prefer })
    if (merged.isConflict) this.#addConflict(part, [base, ours, theirs])
    return merged
  }

  #addConflict(part: string, [base = null, ours = null, theirs = null]: readonly unknown[]): void {
    this.#conflictingParts.push({ part, base, ours, theirs })
  }

  #mergeIds(
    part: 'columns' | 'rows',
    orderOf: (table: Table) => string[],
    isChanged: (before: Table, side: Table, id: string) => boolean,
    read: (table: Table, id: string) => unknown,
  ): string[] {
    const base = this.#base ? orderOf(this.#base) : []
    const [ours, theirs] = [orderOf(this.#ours), orderOf(this.#theirs)]
    const changedBy = (side: Table) => (id: string) => this.#base !== undefined && isChanged(this.#base, side, id)
    const [isChangedByOurs, isChangedByTheirs] = [changedBy(this.#ours), changedBy(this.#theirs)]
    const { names, conflicts } = mergeNames(base, ours, theirs, isChangedByOurs, isChangedByTheirs, this.#prefer)
    for (const id of conflicts)
      this.#addConflict(
        `${part}/${id}`,
        this.#readSides((table) => read(table, id)),
      )
    const { order, conflicts: conflictingMoves } = mergeOrder(base, ours, theirs, (id) => names.has(id), this.#prefer)
    if (conflictingMoves.length > 0) {
      const before = [base, ours, theirs].map(mapPredecessors)
      for (const id of conflictingMoves) {
        this.#addConflict(
          `${part}/${id}/position`,
          before.map((predecessors) => predecessors.get(id)),
        )
      }
    }
    return order
  }

  #mergeDefinition(id: string): ColumnDefinition {
    const [base, ours, theirs] = this.#readSides((table) => table.data.definition[id])
    if (!ours || !theirs) return this.#pickRemaining(base, ours, theirs)
    const areFragments = [base, ours, theirs].every((side) => side?.header !== undefined)
    const others = mergeFields(base, ours, theirs, (name, ...values) => {
      if (isHeaderField(name) && !areFragments) return { value: undefined, isConflict: false }
      return this.#mergeValue(`columns/${id}/${name}`, ...values)
    }).value
    return areFragments ? others : { ...others, ...this.#mergeHeader(id) }
  }

  /** Merges the header of a column that is not a fragment on all sides; the blocks in fragments are merged separately. */
  #mergeHeader(id: string): Pick<ColumnDefinition, 'title' | 'header'> {
    const sides = this.#readSides((table) => table.data.definition[id])
    const contents = this.#readSides((table) => headerContent(table, id))
    const [base, ours, theirs] = contents
    const hasFragment = sides.some((side) => side?.header !== undefined)
    const { value } = this.#mergeValue(`columns/${id}/${hasFragment ? 'header' : 'title'}`, base, ours, theirs)
    const { title, header } = sides[contents.indexOf(value)] ?? { title: '' }
    return { title, ...(header !== undefined && { header }) }
  }

  #mergeRecord(id: string, remainingColumns: ReadonlySet<string>): TableRecord {
    const [base, ours, theirs] = this.#readSides((table) => table.data.records[id])
    if (!ours || !theirs) return this.#pickRemaining(base, ours, theirs)
    const values = mergeFields(base?.values, ours.values, theirs.values, (column, ...cells) =>
      this.#mergeValue(`cells/${id}/${column}`, ...cells),
    ).value
    const remainingValues = Object.entries(values).filter(([column]) => remainingColumns.has(column))
    return { ...theirs, ...ours, values: Object.fromEntries(remainingValues) }
  }

  #mergeView(remainingColumns: ReadonlySet<string>): TableView {
    const [base, ours, theirs] = this.#readSides((table) => table.data.view)
    if (!ours || !theirs || ours.type !== theirs.type)
      return this.#mergeValue('view', base, this.#ours.data.view, this.#theirs.data.view).value
    return mergeFields<TableView>(base, ours, theirs, (name, ...values) => {
      if (name === 'columns') return { value: this.#mergeShownColumns(remainingColumns), isConflict: false }
      if (name !== 'columnWidths' || !values[1] || !values[2]) return this.#mergeValue(`view/${name}`, ...values)
      const [old, our, their] = values as [object | undefined, object, object]
      return mergeFields(old, our, their, (column, ...widths) => this.#mergeValue(`view/${name}/${column}`, ...widths))
    }).value
  }

  /** Returns the value of the only side that still has it; the base value if the base is preferred. */
  #pickRemaining<T>(base: T | undefined, ours: T | undefined, theirs: T | undefined): T {
    return ((this.#prefer === 'base' ? base : undefined) ?? ours ?? theirs) as T
  }

  #mergeShownColumns(remainingColumns: ReadonlySet<string>): string[] {
    const [base = [], ours, theirs] = this.#readSides((table) => table.data.view.columns)
    const { names } = mergeNames(base, ours, theirs, alwaysFalse, alwaysFalse)
    return mergeOrder(base, ours, theirs, (id) => names.has(id) && remainingColumns.has(id)).order
  }

  /** Returns the fragments that headers and cells refer to, then those to which neither side refers. */
  #collectFragments(table: Table, rows: readonly string[], columns: readonly string[]): Fragment[] {
    const byName = new Map<string | undefined, Fragment>()
    for (const fragment of [...this.#theirs.fragments, ...this.#ours.fragments]) byName.set(fragment.fragment, fragment)
    const headers = columns.flatMap((column) => byName.get(headerFragmentName(table, column)) ?? [])
    const cells = rows.flatMap((row) =>
      columns.flatMap((column) => byName.get(cellFragmentName(table, row, column) ?? '') ?? []),
    )
    const usedFragments = [...headers, ...cells]
    const referencedFragments = new Set([
      ...usedFragments,
      ...findReferencedFragments(this.#ours),
      ...findReferencedFragments(this.#theirs),
    ])
    return [
      ...usedFragments,
      ...[...this.#theirs.fragments, ...this.#ours.fragments].filter((one) =>
        isUnreferenced(one, referencedFragments, byName),
      ),
    ]
  }

  #readSides<T>(read: (table: Table) => T): [T | undefined, T, T] {
    return [this.#base && read(this.#base), read(this.#ours), read(this.#theirs)]
  }
}

function isUnreferenced(
  one: Fragment,
  referencedFragments: ReadonlySet<Fragment>,
  byName: ReadonlyMap<string | undefined, Fragment>,
): boolean {
  return !referencedFragments.has(one) && byName.get(one.fragment) === one
}

function findReferencedFragments(table: Table): Fragment[] {
  const byName = fragmentsByName(table)
  const columns = Object.keys(table.data.definition)
  const headers = columns.flatMap((column) => byName.get(headerFragmentName(table, column) ?? '') ?? [])
  const cells = Object.keys(table.data.records).flatMap((row) =>
    columns.flatMap((column) => byName.get(cellFragmentName(table, row, column) ?? '') ?? []),
  )
  return [...headers, ...cells]
}

function withoutRowsAndColumns(data: TableData): Partial<TableData>
function withoutRowsAndColumns(data: TableData | undefined): Partial<TableData> | undefined
function withoutRowsAndColumns(data: TableData | undefined): Partial<TableData> | undefined {
  if (!data) return undefined
  const { view: _, definition: __, records: ___, ...rest } = data
  return rest
}

/** Returns records in order; assigns new order indexes if they are not ascending. */
function toOrderedRecords(records: readonly (readonly [string, TableRecord])[]): TableData['records'] {
  const isAscending = records.every(
    ([, record], index) => index === 0 || (records[index - 1]?.[1].orderIndex ?? '') < record.orderIndex,
  )
  if (isAscending) return Object.fromEntries(records)
  return Object.fromEntries(records.map(([id, record], index) => [id, { ...record, orderIndex: orderIndexAt(index) }]))
}

const fragmentCache = new WeakMap<Table, Map<string, Fragment>>()

function fragmentsByName(table: Table): Map<string, Fragment> {
  const cached = fragmentCache.get(table)
  if (cached) return cached
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment ?? '', fragment]))
  fragmentCache.set(table, fragments)
  return fragments
}

function isCellChanged(before: Table, side: Table, row: string, column: string): boolean {
  const name = cellFragmentName(side, row, column)
  const [value, nodes] = [side.data.records[row]?.values[column], fragmentNodes(side, name)]
  if (!before.data.records[row] || !before.data.definition[column])
    return name === undefined ? (value ?? null) !== null : nodes.length > 0
  return (
    !isEqualContent(before.data.records[row].values[column], value) ||
    !isEqualContent(fragmentNodes(before, name), nodes)
  )
}

function fragmentNodes(table: Table, name: string | undefined): readonly Block[] {
  return (name !== undefined && fragmentsByName(table).get(name)?.nodes) || []
}

function isRowChanged(before: Table, side: Table, row: string): boolean {
  return Object.keys(side.data.definition).some((column) => isCellChanged(before, side, row, column))
}

const isHeaderField = (name: string) => name === 'title' || name === 'header'

/** Returns the content of a header: a text or blocks. */
function headerContent(table: Table, column: string): string | readonly Block[] | undefined {
  const name = headerFragmentName(table, column)
  return name === undefined ? table.data.definition[column]?.title : fragmentNodes(table, name)
}

function isColumnChanged(before: Table, side: Table, column: string): boolean {
  if (!isEqualContent(before.data.definition[column], side.data.definition[column])) return true
  if (!isEqualContent(headerContent(before, column), headerContent(side, column))) return true
  return Object.keys(side.data.records).some((row) => isCellChanged(before, side, row, column))
}
