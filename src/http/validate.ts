import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import type { ErrorDetail } from '../contract/errors.ts'
import { invalid, invalidFields } from '../kernel/errors.ts'
import type { RawRequest } from '../kernel/context.ts'
import { parseJsonText } from './json-parser.ts'

/** The parts of a request before validation. */
export interface RawInput {
  params: Record<string, string>
  query: Record<string, string[]>
  body: unknown
  /** How many values the JSON of the body has. */
  valueCount?: number
  rawRequest: RawRequest
}

/** Validates a request against its operation; the error lists every invalid field. */
export function validateRequest(operation: Operation, raw: Omit<RawInput, 'rawRequest'>) {
  return {
    params: raw.params,
    query: operation.query ? parseOrThrow(operation.query, flattenQuery(raw.query), 'query') : undefined,
    body: operation.body ? parseOrThrow(operation.body, raw.body, 'body', raw.valueCount) : undefined,
  }
}

/** Converts query parameters: one that occurs once is a string, a repeated one an array. */
function flattenQuery(query: Record<string, string[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  )
}

/** With more values than this, only the first error is reported, because describing errors is slow. */
const maxValuesForAllErrors = 2000
/** Maximum number of errors in a reply. */
const maxErrors = 100

function parseOrThrow(schema: z.ZodType, value: unknown, part: string, valueCount = 0): unknown {
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: valueCount > maxValuesForAllErrors }
  const parsed = schema.safeParse(value, context)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.slice(0, maxErrors).flatMap((issue) => describeIssue(issue, part, value))
  throw invalidFields(details)
}

function describeIssue(issue: z.core.$ZodIssue, part: string, value: unknown): ErrorDetail[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // Of a union, only the errors of the closest variant are reported.
    const given = valueAt(value, issue.path)
    const closest = issue.errors.reduce((best, issues) => (isCloser(issues, best, given) ? issues : best))
    if (maxPathLength(closest) > 0) {
      return closest.flatMap((inner) => describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, part, value))
    }
  }
  return [{ path: [part, ...issue.path].join('.'), message: lowerFirst(issue.message) }]
}

/** Whether a variant is closer: it has the right kind, then fewer missing fields, then errors deeper in the value. */
function isCloser(issues: z.core.$ZodIssue[], best: z.core.$ZodIssue[], given: unknown): boolean {
  const isRightKind = Number(maxPathLength(issues) > 0) - Number(maxPathLength(best) > 0)
  return (
    (isRightKind ||
      countMissing(best, given) - countMissing(issues, given) ||
      maxPathLength(issues) - maxPathLength(best)) > 0
  )
}

function maxPathLength(issues: z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}

function countMissing(issues: z.core.$ZodIssue[], given: unknown): number {
  return issues.filter((issue) => valueAt(given, issue.path) === undefined).length
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Parses the JSON in a field of a form. */
export function parseFormField(text: string, field: string): unknown {
  const value = new URLSearchParams(text).get(field)
  if (value === null) throw invalid('body', `must contain the form field \`${field}\``)
  return parseJsonText(value)
}

/** Rejects U+0000 in the path and the query. */
export function rejectNul(raw: RawInput): void {
  for (const [name, value] of Object.entries(raw.params)) {
    if (value.includes('\0')) throw invalid(`path.${name}`, 'must not contain the character U+0000')
  }
  for (const [name, values] of Object.entries(raw.query)) {
    if (values.some((value) => value.includes('\0')))
      throw invalid(`query.${name}`, 'must not contain the character U+0000')
  }
}
