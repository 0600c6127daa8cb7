import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { unreachable } from '../../kernel/errors.ts'
import { type Comparison, type Filter, type Presence, withinElement } from '../../scim/filter.ts'

/** Returns the condition of a comparison or presence test; undefined if no index serves it. */
export type TranslateTerm = (term: Comparison | Presence) => RawBuilder<SqlBool> | undefined

/** Condition that all rows which match a filter fulfill; if it is exact, no other rows do. */
export interface SqlFilter {
  condition: RawBuilder<SqlBool>
  isExact: boolean
}

/**
 * Translates as much of a filter to SQL as possible; undefined if nothing can be translated. Conditions of terms must be
 * true or false and never null, so that they can be negated.
 */
export function toSqlFilter(filter: Filter, translate: TranslateTerm): SqlFilter | undefined {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.filters.map((part) => toSqlFilter(part, translate))
      const known = parts.filter((part) => part !== undefined)
      if (known.length === 0) return undefined
      return combine(known, sql` and `, known.length === parts.length)
    }
    case 'or': {
      const parts = filter.filters.map((part) => toSqlFilter(part, translate))
      const known = parts.filter((part) => part !== undefined)
      return known.length === parts.length ? combine(known, sql` or `, true) : undefined
    }
    case 'not': {
      const inner = toSqlFilter(filter.filter, translate)
      return inner?.isExact ? { condition: sql<SqlBool>`not (${inner.condition})`, isExact: true } : undefined
    }
    case 'element': {
      // A resource may have an element that does not match next to one that does.
      if (hasNegation(filter.filter)) return undefined
      const inner = toSqlFilter(filter.filter, (term) => translate(withinElement(filter.path, term)))
      return inner && { ...inner, isExact: inner.isExact && filter.filter.kind === 'compare' }
    }
    case 'compare':
    case 'present': {
      const condition = translate(filter)
      return condition && { condition, isExact: true }
    }
    default:
      return unreachable(filter)
  }
}

function hasNegation(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(hasNegation)
  return filter.kind === 'not' || (filter.kind === 'compare' && filter.operator === 'ne')
}

function combine(parts: readonly SqlFilter[], operator: RawBuilder<unknown>, areAllKnown: boolean): SqlFilter {
  const conditions = parts.map(({ condition }) => sql`(${condition})`)
  return {
    condition: sql<SqlBool>`(${sql.join(conditions, operator)})`,
    isExact: areAllKnown && parts.every(({ isExact }) => isExact),
  }
}
