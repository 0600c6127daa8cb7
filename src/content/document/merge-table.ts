import { type Merged, type Side, mergeFields, mergeNames, mergeValue } from './merge-fields.ts'
import { mergeOrder, predecessorsIn } from './merge-order.ts'
import type { Block, ColumnDefinition, Fragment, Table, TableData, TableRecord, TableView } from './nodes.ts'
import { isSame } from './parts.ts'
import { cellFragment, columnOrder, headerFragment, orderIndexAt, rowOrder } from './tables.ts'

/** Part of a table that both sides changed differently. */
export interface DisputedPart extends Record<Side, unknown> {
  /** Path of the part, such as `rows/ID`, `columns/ID/title` or `cells/ROW/COLUMN`. */
  part: string
}

export interface MergedTable {
  value: Table
  disputed: DisputedPart[]
}

/** Merges rows, columns and values; conflicting parts are those of one side. The blocks in cells are merged separately. */
export function mergeTable(base: Table | undefined, ours: Table, theirs: Table, prefer: Side): MergedTable {
  return new TableMerge(base, ours, theirs, prefer).merge()
}

const never = () => false

class TableMerge {
  readonly #base: Table | undefined
  readonly #ours: Table
  readonly #theirs: Table
  readonly #prefer: Side
  readonly #disputed: DisputedPart[] = []

  constructor(base: Table | undefined, ours: Table, theirs: Table, prefer: Side) {
    this.#base = base
    this.#ours = ours
    this.#theirs = theirs
    this.#prefer = prefer
  }

  merge(): MergedTable {
    const columns = this.#names('columns', columnOrder, isColumnChanged, ({ data }, id) => data.definition[id])
    const rows = this.#names('rows', rowOrder, isRowChanged, ({ data }, id) => data.records[id])
    const definition = Object.fromEntries(columns.map((id) => [id, this.#definition(id)]))
    const records = inOrder(rows.map((id) => [id, this.#record(id, columns)] as const))
    const rest = mergeFields<Partial<TableData>>(
      withoutLines(this.#base?.data),
      withoutLines(this.#ours.data),
      withoutLines(this.#theirs.data),
      (name, ...values) => this.#value(name, ...values),
    ).value
    const view = this.#view(new Set(columns))
    const data: TableData = { ...rest, view, definition, records }
    const table = { ...this.#ours, data }
    return { value: { ...table, fragments: this.#fragments(table, rows, columns) }, disputed: this.#disputed }
  }

  #value<T>(part: string, base: T | undefined, ours: T, theirs: T): Merged<T> {
    const merged = mergeValue(base, ours, theirs, { prefer: this.#prefer })
    if (merged.isConflict) this.#dispute(part, [base, ours, theirs])
    return merged
  }

  #dispute(part: string, [base = null, ours = null, theirs = null]: readonly unknown[]): void {
    this.#disputed.push({ part, base, ours, theirs })
  }

  #names(
    part: 'columns' | 'rows',
    orderOf: (table: Table) => string[],
    isChanged: (before: Table, side: Table, id: string) => boolean,
    read: (table: Table, id: string) => unknown,
  ): string[] {
    const base = this.#base ? orderOf(this.#base) : []
    const [ours, theirs] = [orderOf(this.#ours), orderOf(this.#theirs)]
    const changedBy = (side: Table) => (id: string) => this.#base !== undefined && isChanged(this.#base, side, id)
    const [isChangedByOurs, isChangedByTheirs] = [changedBy(this.#ours), changedBy(this.#theirs)]
    const { names, disputed } = mergeNames(base, ours, theirs, isChangedByOurs, isChangedByTheirs, this.#prefer)
    for (const id of disputed)
      this.#dispute(
        `${part}/${id}`,
        this.#sides((table) => read(table, id)),
      )
    const { order, disputed: moved } = mergeOrder(base, ours, theirs, (id) => names.has(id), this.#prefer)
    if (moved.length > 0) {
      const before = [base, ours, theirs].map(predecessorsIn)
      for (const id of moved) {
        this.#dispute(
          `${part}/${id}/position`,
          before.map((predecessors) => predecessors.get(id)),
        )
      }
    }
    return order
  }

  #definition(id: string): ColumnDefinition {
    const [base, ours, theirs] = this.#sides((table) => table.data.definition[id])
    if (!ours || !theirs) return this.#only(base, ours, theirs)
    const areFragments = [base, ours, theirs].every((side) => side?.header !== undefined)
    const others = mergeFields(base, ours, theirs, (name, ...values) => {
      if (isHeaderField(name) && !areFragments) return { value: undefined, isConflict: false }
      return this.#value(`columns/${id}/${name}`, ...values)
    }).value
    return areFragments ? others : { ...others, ...this.#header(id) }
  }

  /** Merges the header of a column that is not a fragment on all sides; the blocks in fragments are merged separately. */
  #header(id: string): Pick<ColumnDefinition, 'title' | 'header'> {
    const sides = this.#sides((table) => table.data.definition[id])
    const contents = this.#sides((table) => headerContent(table, id))
    const [base, ours, theirs] = contents
    const hasFragment = sides.some((side) => side?.header !== undefined)
    const { value } = this.#value(`columns/${id}/${hasFragment ? 'header' : 'title'}`, base, ours, theirs)
    const { title, header } = sides[contents.indexOf(value)] ?? { title: '' }
    return { title, ...(header !== undefined && { header }) }
  }

  #record(id: string, columns: readonly string[]): TableRecord {
    const [base, ours, theirs] = this.#sides((table) => table.data.records[id])
    if (!ours || !theirs) return this.#only(base, ours, theirs)
    const stays = new Set(columns)
    const values = mergeFields(base?.values, ours.values, theirs.values, (column, ...cells) =>
      this.#value(`cells/${id}/${column}`, ...cells),
    ).value
    const shown = Object.entries(values).filter(([column]) => stays.has(column))
    return { ...theirs, ...ours, values: Object.fromEntries(shown) }
  }

  #view(stays: ReadonlySet<string>): TableView {
    const [base, ours, theirs] = this.#sides((table) => table.data.view)
    if (!ours || !theirs || ours.type !== theirs.type)
      return this.#value('view', base, this.#ours.data.view, this.#theirs.data.view).value
    return mergeFields<TableView>(base, ours, theirs, (name, ...values) => {
      if (name === 'columns') return { value: this.#shown(stays), isConflict: false }
      if (name !== 'columnWidths' || !values[1] || !values[2]) return this.#value(`view/${name}`, ...values)
      const [old, our, their] = values as [object | undefined, object, object]
      return mergeFields(old, our, their, (column, ...widths) => this.#value(`view/${name}/${column}`, ...widths))
    }).value
  }

  /** Returns the value of the only side that still has it; the base value if the base is preferred. */
  #only<T>(base: T | undefined, ours: T | undefined, theirs: T | undefined): T {
    return ((this.#prefer === 'base' ? base : undefined) ?? ours ?? theirs) as T
  }

  #shown(stays: ReadonlySet<string>): string[] {
    const [base = [], ours, theirs] = this.#sides((table) => table.data.view.columns)
    const { names } = mergeNames(base, ours, theirs, never, never)
    return mergeOrder(base, ours, theirs, (id) => names.has(id) && stays.has(id)).order
  }

  /** Returns the fragments that headers and cells refer to, then those to which neither side refers. */
  #fragments(table: Table, rows: readonly string[], columns: readonly string[]): Fragment[] {
    const byName = new Map<string | undefined, Fragment>()
    for (const fragment of [...this.#theirs.fragments, ...this.#ours.fragments]) byName.set(fragment.fragment, fragment)
    const headers = columns.flatMap((column) => byName.get(headerFragment(table, column)) ?? [])
    const cells = rows.flatMap((row) =>
      columns.flatMap((column) => byName.get(cellFragment(table, row, column) ?? '') ?? []),
    )
    const used = [...headers, ...cells]
    const known = new Set([...used, ...referred(this.#ours), ...referred(this.#theirs)])
    return [
      ...used,
      ...[...this.#theirs.fragments, ...this.#ours.fragments].filter((one) => isLoose(one, known, byName)),
    ]
  }

  #sides<T>(read: (table: Table) => T): [T | undefined, T, T] {
    return [this.#base && read(this.#base), read(this.#ours), read(this.#theirs)]
  }
}

function isLoose(
  one: Fragment,
  known: ReadonlySet<Fragment>,
  byName: ReadonlyMap<string | undefined, Fragment>,
): boolean {
  return !known.has(one) && byName.get(one.fragment) === one
}

function referred(table: Table): Fragment[] {
  const byName = fragmentsByName(table)
  const columns = Object.keys(table.data.definition)
  const headers = columns.flatMap((column) => byName.get(headerFragment(table, column) ?? '') ?? [])
  const cells = Object.keys(table.data.records).flatMap((row) =>
    columns.flatMap((column) => byName.get(cellFragment(table, row, column) ?? '') ?? []),
  )
  return [...headers, ...cells]
}

function withoutLines(data: TableData): Partial<TableData>
function withoutLines(data: TableData | undefined): Partial<TableData> | undefined
function withoutLines(data: TableData | undefined): Partial<TableData> | undefined {
  if (!data) return undefined
  const { view: _, definition: __, records: ___, ...rest } = data
  return rest
}

/** Returns records in order; assigns new order indexes if they are not ascending. */
function inOrder(records: readonly (readonly [string, TableRecord])[]): TableData['records'] {
  const isAscending = records.every(
    ([, record], index) => index === 0 || (records[index - 1]?.[1].orderIndex ?? '') < record.orderIndex,
  )
  if (isAscending) return Object.fromEntries(records)
  return Object.fromEntries(records.map(([id, record], index) => [id, { ...record, orderIndex: orderIndexAt(index) }]))
}

const fragmentMaps = new WeakMap<Table, Map<string, Fragment>>()

function fragmentsByName(table: Table): Map<string, Fragment> {
  const known = fragmentMaps.get(table)
  if (known) return known
  const made = new Map(table.fragments.map((fragment) => [fragment.fragment ?? '', fragment]))
  fragmentMaps.set(table, made)
  return made
}

function isCellChanged(before: Table, side: Table, row: string, column: string): boolean {
  const name = cellFragment(side, row, column)
  const [value, nodes] = [side.data.records[row]?.values[column], fragmentNodes(side, name)]
  if (!before.data.records[row] || !before.data.definition[column])
    return name === undefined ? (value ?? null) !== null : nodes.length > 0
  return !isSame(before.data.records[row].values[column], value) || !isSame(fragmentNodes(before, name), nodes)
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
  const name = headerFragment(table, column)
  return name === undefined ? table.data.definition[column]?.title : fragmentNodes(table, name)
}

function isColumnChanged(before: Table, side: Table, column: string): boolean {
  if (!isSame(before.data.definition[column], side.data.definition[column])) return true
  if (!isSame(headerContent(before, column), headerContent(side, column))) return true
  return Object.keys(side.data.records).some((row) => isCellChanged(before, side, row, column))
}
