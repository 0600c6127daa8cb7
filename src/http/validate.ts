import type { z } from 'zod'
import type { Operation } from '../contract/kit.ts'
import type { ErrorDetail } from '../contract/errors.ts'
import { AppError, invalid, invalidFields } from '../kernel/errors.ts'
import type { Sent } from '../kernel/context.ts'

/** The parts of a request as they arrived. */
export interface RawInput {
  params: Record<string, string>
  query: Record<string, string[]>
  body: unknown
  sent: Sent
}

/** Checks a request against its operation; a wrong one fails with every wrong field named. */
export function validate(operation: Operation, raw: Omit<RawInput, 'sent'>) {
  return {
    params: raw.params,
    query: operation.query ? check(operation.query, flatten(raw.query), 'query') : undefined,
    body: operation.body ? check(operation.body, raw.body, 'body') : undefined,
  }
}

/** A key that is given once is a text, a repeated one a list. */
function flatten(query: Record<string, string[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  )
}

function check(schema: z.ZodType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.flatMap((issue) => describe(issue, part, value))
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

/** Parses a JSON body. An empty one counts as `{}`, as clients send it for optional bodies. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid', `The body is not valid JSON: ${(error as Error).message}`)
  }
  // Only escapes can bring what no database stores.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(value)
  return value
}

/** Databases store neither U+0000 nor half of a character that takes two units. */
function refuseUnstorable(body: unknown): void {
  const waiting = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') refuseUnstorableText(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        refuseUnstorableText(key)
        waiting.push(inner)
      }
    }
  }
}

function refuseUnstorableText(text: string): void {
  if (text.includes('\0')) throw invalid('body', 'must not hold the character U+0000')
  if (!text.isWellFormed()) throw invalid('body', 'must not hold half a surrogate pair')
}

/** Refuses U+0000 in the path and the query too. */
export function refuseNul(raw: RawInput): void {
  for (const [name, value] of Object.entries(raw.params)) {
    if (value.includes('\0')) throw invalid(`path.${name}`, 'must not hold the character U+0000')
  }
  for (const [name, values] of Object.entries(raw.query)) {
    if (values.some((value) => value.includes('\0')))
      throw invalid(`query.${name}`, 'must not hold the character U+0000')
  }
}
