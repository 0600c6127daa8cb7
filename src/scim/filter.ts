import type { AttributePath } from './attribute-path.ts'

export const comparisonOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

export type FilterValue = string | number | boolean | null

export interface Comparison {
  kind: 'compare'
  path: AttributePath
  operator: ComparisonOperator
  value: FilterValue
}

export interface Presence {
  kind: 'present'
  path: AttributePath
}

/** Condition on one element of a multi-valued attribute; the paths of its filter are those of the element. */
export interface ElementFilter {
  kind: 'element'
  path: AttributePath
  filter: Filter
}

/** Filter expression of RFC 7644, section 3.4.2.2. */
export type Filter =
  | { kind: 'and' | 'or'; filters: readonly Filter[] }
  | { kind: 'not'; filter: Filter }
  | ElementFilter
  | Comparison
  | Presence

/** Returns all comparisons and presence tests of a filter; those of elements with the path of their attribute. */
export function listFilterTerms(filter: Filter): (Comparison | Presence)[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(listFilterTerms)
    case 'not':
      return listFilterTerms(filter.filter)
    case 'element':
      return listFilterTerms(filter.filter).map((term) => withinElement(filter.path, term))
    default:
      return [filter]
  }
}

/** Returns a term about an element as a term about the resource that contains the element. */
export function withinElement<Term extends Comparison | Presence>({ attribute }: AttributePath, term: Term): Term {
  return { ...term, path: { attribute, subAttribute: term.path.attribute } }
}
