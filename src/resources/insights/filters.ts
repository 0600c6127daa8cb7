import { type RawBuilder, sql } from 'kysely'
import type { Comparison, CountColumn, InsightsFilter } from '../../contract/insights.ts'
import { timestamp } from '../../kernel/time.ts'
import { numberExpressions, textExpressions } from './columns.ts'
import { normalizeEventUrl, normalizeReferrer, serializeLinkTarget } from './texts.ts'

type CountFilter = Extract<InsightsFilter, { column: CountColumn }>

/** Whether a filter applies to the counts of groups rather than to single events. */
export function isCountFilter(filter: InsightsFilter): filter is CountFilter {
  return filter.column === 'eventsCount' || filter.column === 'sessionsCount' || filter.column === 'visitorsCount'
}

export function matchesCountFilter({ operator, values }: CountFilter, count: number): boolean {
  const [limit = 0] = values
  switch (operator) {
    case 'in':
      return values.includes(count)
    case 'notIn':
      return !values.includes(count)
    case 'greaterThan':
      return count > limit
    case 'greaterThanOrEqual':
      return count >= limit
    case 'lessThan':
      return count < limit
    case 'lessThanOrEqual':
      return count <= limit
  }
}

const comparisonSigns: Record<Comparison, RawBuilder<unknown>> = {
  greaterThan: sql`>`,
  greaterThanOrEqual: sql`>=`,
  lessThan: sql`<`,
  lessThanOrEqual: sql`<=`,
}

/** Returns the SQL condition of a filter of single events. */
export function toSqlCondition(filter: Exclude<InsightsFilter, CountFilter>): RawBuilder<unknown> {
  switch (filter.column) {
    case 'datetime':
      return comparisonCondition(
        sql.ref('occurred_at'),
        filter.operator,
        filter.values.map((value) => timestamp(Date.parse(value))),
      )
    case 'dayOfWeek':
    case 'hourOfDay':
    case 'eventAskResponseRating':
    case 'eventSearchResultCount':
      return comparisonCondition(numberExpressions[filter.column], filter.operator, filter.values)
    case 'page': {
      const pages = filter.values.map((value) =>
        value === null
          ? sql`page_id is null`
          : sql`(space_id = ${value.space} and ${value.page === null ? sql`page_id is null` : sql`page_id = ${value.page}`})`,
      )
      if (pages.length === 0) return constantCondition(filter.operator === 'notIn')
      // The condition is null for events without a space, which counts as false.
      const isListed = sql`coalesce(${sql.join(pages, sql` or `)}, false)`
      return filter.operator === 'in' ? isListed : sql`not ${isListed}`
    }
    case 'eventLinkTargetValue':
      return inCondition(
        sql.ref('link_target'),
        filter.operator,
        filter.values.map((value) => value && serializeLinkTarget(value)),
      )
    case 'visitorAuthenticated':
      return inCondition(
        sql.ref('authenticated'),
        filter.operator,
        filter.values.map((value) => (value === null ? null : Number(value))),
      )
    default: {
      const { column } = filter
      return inCondition(
        textExpressions[column],
        filter.operator,
        filter.values.map((value) => normalizeText(column, value)),
      )
    }
  }
}

/** Normalizes a value like the stored ones; an empty string becomes null. */
function normalizeText(column: string, value: string | null): string | null {
  if (!value) return null
  if (column === 'url') return normalizeEventUrl(value)
  return column === 'referrer' ? normalizeReferrer(value) : value
}

function comparisonCondition(
  expression: RawBuilder<unknown>,
  operator: 'in' | 'notIn' | Comparison,
  values: readonly (string | number)[],
): RawBuilder<unknown> {
  if (operator === 'in' || operator === 'notIn') return inCondition(expression, operator, values)
  return sql`${expression} ${comparisonSigns[operator]} ${values[0]}`
}

/** Returns the condition that an expression is in a list or not. Null is a value like others: it is in a list only if listed. */
function inCondition(
  expression: RawBuilder<unknown>,
  operator: 'in' | 'notIn',
  values: readonly (string | number | null)[],
): RawBuilder<unknown> {
  const given = values.filter((value) => value !== null)
  const hasNull = given.length < values.length
  const isListed = given.length === 0 ? constantCondition(false) : sql`${expression} in (${sql.join(given)})`
  if (operator === 'in') return hasNull ? sql`(${expression} is null or ${isListed})` : isListed
  return hasNull
    ? sql`(${expression} is not null and not ${isListed})`
    : sql`(${expression} is null or not ${isListed})`
}

function constantCondition(value: boolean): RawBuilder<unknown> {
  return value ? sql`(1 = 1)` : sql`(1 = 0)`
}
