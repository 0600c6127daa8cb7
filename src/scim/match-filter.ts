import { unreachable } from '../kernel/errors.ts'
import { type AttributePath, findProperty } from './attribute-path.ts'
import { ScimError } from './errors.ts'
import type { Comparison, ComparisonOperator, Filter, FilterValue } from './filter.ts'

/** Whether a resource, or an element of a multi-valued attribute, matches a filter. */
export function matchesFilter(filter: Filter, resource: object): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, resource))
    case 'or':
      return filter.filters.some((part) => matchesFilter(part, resource))
    case 'not':
      return !matchesFilter(filter.filter, resource)
    case 'element':
      return toList(findProperty(resource, filter.path.attribute)).some(
        (element) => isObject(element) && matchesFilter(filter.filter, element),
      )
    case 'present':
      return findValues(resource, filter.path).length > 0
    case 'compare':
      return matchesComparison(filter, resource)
    default:
      return unreachable(filter)
  }
}

function matchesComparison(comparison: Comparison, resource: object): boolean {
  const { path, operator, value } = comparison
  const values = findValues(resource, path)
  if (operator === 'ne') return !matchesComparison({ ...comparison, operator: 'eq' }, resource)
  if (value === null) {
    if (operator !== 'eq') throw new ScimError('invalidFilter', `${operator} cannot be used with null`)
    return values.length === 0
  }
  return values.some((actual) => compare(normalize(actual, path), operator, normalize(value, path)))
}

/** Returns the values of an attribute; a complex one without a sub-attribute is represented by its `value`. */
function findValues(resource: object, { attribute, subAttribute }: AttributePath): FilterValue[] {
  return toList(findProperty(resource, attribute))
    .map((value) => (isObject(value) ? findProperty(value, subAttribute ?? 'value') : value))
    .filter((value): value is FilterValue => isPrimitive(value) && value !== '')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPrimitive = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** Attributes whose values are compared with upper and lower case. */
const exactAttributes = new Set(['id', 'externalid'])

/** Normalizes a value for comparisons: times to numbers, other strings to lower case. */
function normalize(value: FilterValue, { attribute, subAttribute }: AttributePath): FilterValue {
  if (typeof value !== 'string') return value
  const isTime = attribute === 'meta' && (subAttribute === 'created' || subAttribute === 'lastmodified')
  const time = isTime ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  return exactAttributes.has(attribute) ? value : value.toLowerCase()
}

function compare(actual: FilterValue, operator: ComparisonOperator, expected: FilterValue): boolean {
  if (typeof actual === 'boolean') return compareBoolean(actual, operator, expected)
  if (actual === null || expected === null || typeof actual !== typeof expected) return false
  switch (operator) {
    case 'eq':
      return actual === expected
    case 'ne':
      return actual !== expected
    case 'co':
      return String(actual).includes(String(expected))
    case 'sw':
      return String(actual).startsWith(String(expected))
    case 'ew':
      return String(actual).endsWith(String(expected))
    case 'gt':
      return actual > expected
    case 'ge':
      return actual >= expected
    case 'lt':
      return actual < expected
    case 'le':
      return actual <= expected
    default:
      return unreachable(operator)
  }
}

function compareBoolean(actual: boolean, operator: ComparisonOperator, expected: FilterValue): boolean {
  if (operator !== 'eq') throw new ScimError('invalidFilter', `${operator} cannot be used with a boolean attribute`)
  return String(actual) === String(expected).toLowerCase()
}
