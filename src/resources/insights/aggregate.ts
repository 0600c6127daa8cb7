import type { InsightsAggregation, InsightsResult } from '../../contract/insights.ts'
import { invalid } from '../../kernel/errors.ts'
import { days, timestamp } from '../../kernel/time.ts'
import type { Db, SiteKey } from '../../schema/tables.ts'
import { type Figure, type SumName, figures, sums } from './columns.ts'
import { toSqlCondition, isCountFilter, matchesCountFilter } from './filters.ts'
import { type AggregationPlan, type PlannedColumn, planAggregation } from './plan.ts'
import * as store from './store.ts'

/** Maximum number of events counted by one statement unless one portion has more; other requests are served in between. */
const eventsPerStatement = 4000
/** Number of events above which a portion is counted by a separate statement. */
const largePortion = 1000

/** Maximum number of groups in memory. */
const maxGroups = 50_000

/** Sums over the events that have the same values. */
interface Group {
  values: readonly unknown[]
  sums: number[]
}

interface AggregationContext {
  db: Db
  site: SiteKey
  now: string
}

/** Counts the events of a site. */
export async function aggregateEvents(
  context: AggregationContext,
  query: InsightsAggregation,
): Promise<InsightsResult> {
  const plan = planAggregation(query)
  const countFilters = query.where.filter(isCountFilter)
  const needed = [...plan.columns, plan.order.by].flatMap((one) => (one.kind === 'figure' ? one.figure.sums : []))
  const filteredBy = countFilters.flatMap(({ column }) => figures[column].sums)
  const sumNames = [...new Set([...needed, ...filteredBy])]
  const groups = await collectGroups(context, query, plan, sumNames)

  const sumsOf = (figure: Figure, group: Group) => figure.sums.map((name) => group.sums[sumNames.indexOf(name)] ?? 0)
  const valuesOf = (one: PlannedColumn, group: Group) =>
    one.kind === 'figure' ? sumsOf(one.figure, group) : group.values.slice(one.at, one.at + one.dimension.parts.length)
  const selected = groups
    .filter((group) =>
      countFilters.every((filter) => matchesCountFilter(filter, sumsOf(figures[filter.column], group)[0] ?? 0)),
    )
    .sort(createComparator(plan.order, valuesOf))
    .slice(0, query.limit)
  return {
    columns: plan.columns.map((one) => ({
      column: one.column,
      values: selected.map((group) =>
        one.kind === 'figure'
          ? one.figure.present(sumsOf(one.figure, group))
          : one.dimension.present(valuesOf(one, group)),
      ),
    })),
  }
}

/** Counts events in batches of portions, so that other requests are served in between. */
async function collectGroups(
  { db, site, now }: AggregationContext,
  query: InsightsAggregation,
  { dimensions }: AggregationPlan,
  sumNames: readonly SumName[],
): Promise<Group[]> {
  const parts = dimensions.flatMap((dimension) => dimension.parts)
  const range = resolveRange(query.range, now)
  const countQuery = {
    site,
    ...range,
    conditions: query.where.flatMap((filter) => (isCountFilter(filter) ? [] : [toSqlCondition(filter)])),
    groups: parts,
    counts: sumNames.map((name) => sums[name]),
    limit: maxGroups + 1,
  }
  const groups = new Map<string, Group>()
  for (const portions of toBatches(await store.countByPortion(db, site, range, largePortion))) {
    for (const row of await store.countEvents(db, { ...countQuery, portions })) {
      const [values, counts] = [row.slice(0, parts.length), row.slice(parts.length).map(Number)]
      const key = JSON.stringify(values)
      const known = groups.get(key)
      if (known) known.sums = known.sums.map((sum, index) => sum + (counts[index] ?? 0))
      else groups.set(key, { values, sums: counts })
    }
    if (groups.size > maxGroups) {
      throw invalid('body.groupBy', `produces more than ${maxGroups} groups. Use a shorter period or fewer columns`)
    }
    await new Promise(setImmediate)
  }
  return [...groups.values()]
}

/** Combines portions into batches while they have few events together. */
function toBatches(counted: readonly { portion: number; count: number }[]): number[][] {
  const batches: number[][] = []
  let total = Infinity
  for (const { portion, count } of counted) {
    const size = count < largePortion ? count : Infinity
    total += size
    if (total > eventsPerStatement) {
      batches.push([])
      total = size
    }
    batches.at(-1)?.push(portion)
  }
  // Without grouping, the result has one group even if the site has no events in the period.
  return batches.length > 0 ? batches : [[0]]
}

const presetDays = { lastYear: 365, last3Months: 90, last30Days: 30, last7Days: 7, last24Hours: 1 }

function resolveRange(range: InsightsAggregation['range'], now: string): store.TimeRange {
  const [from, to] =
    typeof range === 'string'
      ? [Date.parse(now) - days(presetDays[range]), Date.parse(now) + 1]
      : [Date.parse(range.from), Date.parse(range.to)]
  if (from > to) throw invalid('body.range.to', 'must not be earlier than `from`')
  return { from: timestamp(from), to: timestamp(to) }
}

type ValuesOf = (one: PlannedColumn, group: Group) => readonly unknown[]

/** Returns a comparison of groups. Ratings are ordered by their total number; equal groups by the values they are grouped by. */
function createComparator(
  { by, direction }: AggregationPlan['order'],
  valuesOf: ValuesOf,
): (a: Group, b: Group) => number {
  const sign = direction === 'asc' ? 1 : -1
  const keysOf = (group: Group) => {
    const values = valuesOf(by, group)
    return by.kind === 'figure' ? [(values as number[]).reduce((sum, value) => sum + value, 0)] : values
  }
  return (a, b) => compareLists(keysOf(a), keysOf(b), sign) || compareLists(a.values, b.values, 1)
}

/** Compares two lists of values; null is last in both directions. */
function compareLists(a: readonly unknown[], b: readonly unknown[], sign: 1 | -1): number {
  for (let index = 0; index < a.length; index++) {
    const [left, right] = [a[index] as string | number | null, b[index] as string | number | null]
    if (left === right) continue
    if (left === null) return 1
    if (right === null) return -1
    return left < right ? -sign : sign
  }
  return 0
}
