import { type RawBuilder, sql } from 'kysely'
import type { Comparison, CountColumn, InsightsFilter } from '../../contract/insights.ts'
import { timestamp } from '../../kernel/time.ts'
import { numberExpressions, textExpressions } from './columns.ts'
import { plainAddress, plainReferrer, targetText } from './texts.ts'

type CountFilter = Extract<InsightsFilter, { column: CountColumn }>

/** Whether a filter applies to the counts of groups rather than to single events. */
export function isCountFilter(filter: InsightsFilter): filter is CountFilter {
  return filter.column === 'eventsCount' || filter.column === 'sessionsCount' || filter.column === 'visitorsCount'
}

export function passes({ operator, values }: CountFilter, count: number): boolean {
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
export function conditionOf(filter: Exclude<InsightsFilter, CountFilter>): RawBuilder<unknown> {
  switch (filter.column) {
    case 'datetime':
      return ordered(
        sql.ref('occurred_at'),
        filter.operator,
        filter.values.map((value) => timestamp(Date.parse(value))),
      )
    case 'dayOfWeek':
    case 'hourOfDay':
    case 'eventAskResponseRating':
      return ordered(numberExpressions[filter.column], filter.operator, filter.values)
    case 'page': {
      const pages = filter.values.map((value) =>
        value === null
          ? sql`page_id is null`
          : sql`(space_id = ${value.space} and ${value.page === null ? sql`page_id is null` : sql`page_id = ${value.page}`})`,
      )
      if (pages.length === 0) return always(filter.operator === 'notIn')
      // The condition is null for events without a space, which counts as false.
      const isOne = sql`coalesce(${sql.join(pages, sql` or `)}, false)`
      return filter.operator === 'in' ? isOne : sql`not ${isOne}`
    }
    case 'eventLinkTargetValue':
      return among(
        sql.ref('link_target'),
        filter.operator,
        filter.values.map((value) => value && targetText(value)),
      )
    case 'visitorAuthenticated':
      return among(
        sql.ref('authenticated'),
        filter.operator,
        filter.values.map((value) => (value === null ? null : Number(value))),
      )
    default: {
      const { column } = filter
      return among(
        textExpressions[column],
        filter.operator,
        filter.values.map((value) => normalText(column, value)),
      )
    }
  }
}

/** Normalizes a value like the stored ones; an empty string becomes null. */
function normalText(column: string, value: string | null): string | null {
  if (!value) return null
  if (column === 'url') return plainAddress(value)
  return column === 'referrer' ? plainReferrer(value) : value
}

function ordered(
  expression: RawBuilder<unknown>,
  operator: 'in' | 'notIn' | Comparison,
  values: readonly (string | number)[],
): RawBuilder<unknown> {
  if (operator === 'in' || operator === 'notIn') return among(expression, operator, values)
  return sql`${expression} ${comparisonSigns[operator]} ${values[0]}`
}

/** Returns the condition that an expression is in a list or not. Null is a value like others: it is in a list only if listed. */
function among(
  expression: RawBuilder<unknown>,
  operator: 'in' | 'notIn',
  values: readonly (string | number | null)[],
): RawBuilder<unknown> {
  const given = values.filter((value) => value !== null)
  const hasNull = given.length < values.length
  const isOne = given.length === 0 ? always(false) : sql`${expression} in (${sql.join(given)})`
  if (operator === 'in') return hasNull ? sql`(${expression} is null or ${isOne})` : isOne
  return hasNull ? sql`(${expression} is not null and not ${isOne})` : sql`(${expression} is null or not ${isOne})`
}

function always(value: boolean): RawBuilder<unknown> {
  return value ? sql`(1 = 1)` : sql`(1 = 0)`
}
