import { findProperty, formatAttributePath, resolveAttributePath } from './attribute-path.ts'
import { ScimError } from './errors.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './parse-filter.ts'
import { type AttributeSelection, parseSelection } from './select-attributes.ts'

/** Maximum number of resources of a page. */
export const maxPageSize = 500
const defaultPageSize = 100

/** Parameters of a list (RFC 7644, section 3.4.2). */
export interface ListRequest {
  filter: Filter | undefined
  /** Number of matching resources before the page. */
  offset: number
  limit: number
  /** Attribute to sort by, in lower case. */
  sortBy: string | undefined
  direction: 'asc' | 'desc'
  selection: AttributeSelection
}

/** Reads the parameters of a list from the query of a GET request. */
export function parseListQuery(query: (name: string) => string | undefined): ListRequest {
  return toListRequest(query)
}

/** Reads the parameters of a list from the body of a `.search` request. */
export function parseSearchBody(body: unknown): ListRequest {
  if (typeof body !== 'object' || body === null) throw new ScimError('invalidSyntax', 'body: must be an object')
  return toListRequest((name) => {
    const value = findProperty(body, name.toLowerCase()) ?? undefined
    if (value === undefined) return undefined
    if (Array.isArray(value) && value.every(isText)) return value.join(',')
    if (!isText(value)) throw new ScimError('invalidValue', `${name}: is invalid`)
    return String(value)
  })
}

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number'

function toListRequest(get: (name: string) => string | undefined): ListRequest {
  const [filter, sortBy, sortOrder] = [get('filter'), get('sortBy'), get('sortOrder')?.toLowerCase()]
  if (sortOrder !== undefined && sortOrder !== 'ascending' && sortOrder !== 'descending') {
    throw new ScimError('invalidValue', 'sortOrder: must be ascending or descending')
  }
  return {
    filter: filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter),
    offset: Math.max(0, parseInteger('startIndex', get('startIndex'), 1) - 1),
    limit: Math.min(maxPageSize, Math.max(0, parseInteger('count', get('count'), defaultPageSize))),
    sortBy: sortBy ? formatAttributePath(resolveAttributePath(sortBy)) : undefined,
    direction: sortOrder === 'descending' ? 'desc' : 'asc',
    selection: parseSelection(get),
  }
}

function parseInteger(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError('invalidValue', `${name}: must be a whole number`)
  return Number(text)
}

/** Returns a page of resources in the envelope of SCIM. */
export function presentList(resources: readonly unknown[], totalResults: number, offset: number) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
