import type { z } from 'zod'
import type { Operation } from '../contract/kit.ts'
import type { ErrorDetail } from '../contract/errors.ts'
import { invalid, invalidFields } from '../kernel/errors.ts'
import type { Sent } from '../kernel/context.ts'
import { parseText } from './json-parser.ts'

/** The parts of a request as they arrived. */
export interface RawInput {
  params: Record<string, string>
  query: Record<string, string[]>
  body: unknown
  /** How many values the JSON of the body has. */
  values?: number
  sent: Sent
}

/** Checks a request against its operation; a wrong one fails with every wrong field named. */
export function validate(operation: Operation, raw: Omit<RawInput, 'sent'>) {
  return {
    params: raw.params,
    query: operation.query ? check(operation.query, flatten(raw.query), 'query') : undefined,
    body: operation.body ? check(operation.body, raw.body, 'body', raw.values) : undefined,
  }
}

/** A key that is given once is a text, a repeated one a list. */
function flatten(query: Record<string, string[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  )
}

/** With more values than this, only the first fault is reported: each takes longer to describe than many right values to check. */
const fullyReported = 2000
/** Maximum number of faults in a reply. */
const maxFaults = 100

function check(schema: z.ZodType, value: unknown, part: string, values = 0): unknown {
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: values > fullyReported }
  const parsed = schema.safeParse(value, context)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.slice(0, maxFaults).flatMap((issue) => describe(issue, part, value))
  throw invalidFields(details)
}

function describe(issue: z.core.$ZodIssue, part: string, value: unknown): ErrorDetail[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // Of a union, only the variant that came closest is told.
    const given = valueAt(value, issue.path)
    const closest = issue.errors.reduce((best, issues) => (isCloser(issues, best, given) ? issues : best))
    if (depth(closest) > 0) {
      return closest.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, part, value))
    }
  }
  return [{ path: [part, ...issue.path].join('.'), message: lowerFirst(issue.message) }]
}

/** Closer is what is of the right kind, then what misses fewer fields, then what got further into the value. */
function isCloser(issues: z.core.$ZodIssue[], best: z.core.$ZodIssue[], given: unknown): boolean {
  const isRightKind = Number(depth(issues) > 0) - Number(depth(best) > 0)
  return (isRightKind || missing(best, given) - missing(issues, given) || depth(issues) - depth(best)) > 0
}

function depth(issues: z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}

function missing(issues: z.core.$ZodIssue[], given: unknown): number {
  return issues.filter((issue) => valueAt(given, issue.path) === undefined).length
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Parses the JSON in a field of a form. */
export function parseForm(text: string, field: string): unknown {
  const value = new URLSearchParams(text).get(field)
  if (value === null) throw invalid('body', `must contain the form field \`${field}\``)
  return parseText(value)
}

/** Refuses U+0000 in the path and the query too. */
export function refuseNul(raw: RawInput): void {
  for (const [name, value] of Object.entries(raw.params)) {
    if (value.includes('\0')) throw invalid(`path.${name}`, 'must not contain the character U+0000')
  }
  for (const [name, values] of Object.entries(raw.query)) {
    if (values.some((value) => value.includes('\0')))
      throw invalid(`query.${name}`, 'must not contain the character U+0000')
  }
}
