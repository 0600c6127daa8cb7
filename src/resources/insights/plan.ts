import type { InsightsAggregation, InsightsColumn, InsightsColumnName } from '../../contract/insights.ts'
import { invalid } from '../../kernel/errors.ts'
import { type Dimension, type Figure, dimensionOf, figures, isFigure } from './columns.ts'

/** A column of the reply. */
export type Planned = { column: InsightsColumnName } & (
  | { kind: 'figure'; figure: Figure }
  /** `at` is the index of its first value among the values of a group. */
  | { kind: 'dimension'; dimension: Dimension; at: number }
)

export interface Plan {
  shown: Planned[]
  /** Columns to group by, in the order of the values of a group. */
  dimensions: Dimension[]
  order: { by: Planned; direction: 'asc' | 'desc' }
}

/** Plans the columns that events are grouped by and the columns of the reply. */
export function planAggregation({ select, groupBy, order }: InsightsAggregation): Plan {
  const grouping = new Grouping()
  const groups = groupBy.map((column, index) => {
    if (isFigure(column.column)) throw invalid(`body.groupBy.${index}.column`, 'cannot be used for grouping')
    return grouping.add(column)
  })
  const selected = (select.length > 0 ? select : [eventsCount]).map((column) => grouping.add(column))
  // Counts cannot be distinguished without the values that they are grouped by.
  const shown = [...new Set(groups)].filter((group) => !selected.includes(group)).concat(selected)
  return { shown, dimensions: grouping.dimensions, order: order ? orderBy(grouping, order) : usualOrder(shown) }
}

const eventsCount: InsightsColumn = { column: 'eventsCount' }

/** The columns that events are grouped by so far. */
class Grouping {
  readonly dimensions: Dimension[] = []
  readonly #planned: { interval: InsightsColumn['interval']; planned: Planned }[] = []

  /** Returns the planned column for a column; a time without an interval matches any time that is grouped by already. */
  find({ column, interval }: InsightsColumn): Planned | undefined {
    return this.#planned.find(
      (known) =>
        known.planned.column === column &&
        (column !== 'datetime' || interval === undefined || known.interval === interval),
    )?.planned
  }

  add(asked: InsightsColumn): Planned {
    const { column, interval } = asked
    if (isFigure(column)) return { column, kind: 'figure', figure: figures[column] }
    const known = this.find(asked)
    if (known) return known
    const dimension = dimensionOf(column, interval)
    const at = this.dimensions.reduce((sum, { parts }) => sum + parts.length, 0)
    const planned: Planned = { column, kind: 'dimension', dimension, at }
    this.dimensions.push(dimension)
    this.#planned.push({ interval, planned })
    return planned
  }
}

function orderBy(grouping: Grouping, { by, direction }: NonNullable<InsightsAggregation['order']>): Plan['order'] {
  const planned = isFigure(by.column) ? grouping.add(by) : grouping.find(by)
  if (!planned) throw invalid('body.order.by', 'must be selected, used for grouping, or a count')
  return { by: planned, direction }
}

/** Returns the default order: by time, else by count in descending order. */
function usualOrder(shown: readonly Planned[]): Plan['order'] {
  const time = shown.find(({ column }) => column === 'datetime')
  const figure = shown.find(({ kind }) => kind === 'figure')
  if (!time && figure) return { by: figure, direction: 'desc' }
  return { by: time ?? (shown[0] as Planned), direction: 'asc' }
}
