import type { InsightsAggregation, InsightsColumn, InsightsColumnName } from '../../contract/insights.ts'
import { invalid } from '../../kernel/errors.ts'
import { type Dimension, type Figure, createDimension, figures, isFigureColumn } from './columns.ts'

/** A column of the reply. */
export type PlannedColumn = { column: InsightsColumnName } & (
  | { kind: 'figure'; figure: Figure }
  /** `at` is the index of its first value among the values of a group. */
  | { kind: 'dimension'; dimension: Dimension; at: number }
)

export interface AggregationPlan {
  columns: PlannedColumn[]
  /** Columns to group by, in the order of the values of a group. */
  dimensions: Dimension[]
  order: { by: PlannedColumn; direction: 'asc' | 'desc' }
}

/** Plans the columns that events are grouped by and the columns of the reply. */
export function planAggregation({ select, groupBy, order }: InsightsAggregation): AggregationPlan {
  const grouping = new Grouping()
  const groups = groupBy.map((column, index) => {
    if (isFigureColumn(column.column)) throw invalid(`body.groupBy.${index}.column`, 'cannot be used for grouping')
    return grouping.add(column)
  })
  const selected = (select.length > 0 ? select : [eventsCount]).map((column) => grouping.add(column))
  // Counts cannot be distinguished without the values that they are grouped by.
  const columns = [...new Set(groups)].filter((group) => !selected.includes(group)).concat(selected)
  return {
    columns,
    dimensions: grouping.dimensions,
    order: order ? resolveOrder(grouping, order) : defaultOrder(columns),
  }
}

const eventsCount: InsightsColumn = { column: 'eventsCount' }

/** The columns that events are grouped by so far. */
class Grouping {
  readonly dimensions: Dimension[] = []
  readonly #planned: { interval: InsightsColumn['interval']; planned: PlannedColumn }[] = []

  /** Returns the planned column for a column; a time without an interval matches any time that is grouped by already. */
  find({ column, interval }: InsightsColumn): PlannedColumn | undefined {
    return this.#planned.find(
      (known) =>
        known.planned.column === column &&
        (column !== 'datetime' || interval === undefined || known.interval === interval),
    )?.planned
  }

  add(requested: InsightsColumn): PlannedColumn {
    const { column, interval } = requested
    if (isFigureColumn(column)) return { column, kind: 'figure', figure: figures[column] }
    const known = this.find(requested)
    if (known) return known
    const dimension = createDimension(column, interval)
    const at = this.dimensions.reduce((sum, { parts }) => sum + parts.length, 0)
    const planned: PlannedColumn = { column, kind: 'dimension', dimension, at }
    this.dimensions.push(dimension)
    this.#planned.push({ interval, planned })
    return planned
  }
}

function resolveOrder(
  grouping: Grouping,
  { by, direction }: NonNullable<InsightsAggregation['order']>,
): AggregationPlan['order'] {
  const planned = isFigureColumn(by.column) ? grouping.add(by) : grouping.find(by)
  if (!planned) throw invalid('body.order.by', 'must be selected, used for grouping, or a count')
  return { by: planned, direction }
}

/** Returns the default order: by time, else by count in descending order. */
function defaultOrder(columns: readonly PlannedColumn[]): AggregationPlan['order'] {
  const time = columns.find(({ column }) => column === 'datetime')
  const figure = columns.find(({ kind }) => kind === 'figure')
  if (!time && figure) return { by: figure, direction: 'desc' }
  return { by: time ?? (columns[0] as PlannedColumn), direction: 'asc' }
}
