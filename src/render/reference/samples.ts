import { exampleOf } from './example.ts'
import type { Content, Parameter, ResolvedOperation } from './operation-of.ts'

/** A sample request. */
export interface Example {
  operation: ResolvedOperation
  /** Required query parameters. */
  query: readonly { name: string; value: string }[]
  body: { mediaType: string; value: unknown } | undefined
}

/** Maximum length of an example. */
const maxText = 16 * 1024

/** Formats a value as indented JSON. */
export function jsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value, null, 2) ?? ''
    return text.length > maxText ? `${text.slice(0, maxText)}…` : text
  } catch {
    // The value is nested too deep for JSON.stringify.
    return ''
  }
}

export function exampleRequest(operation: ResolvedOperation): Example {
  const { spec, parameters, body } = operation
  const wanted = parameters.filter(({ place, isRequired }) => place === 'query' && isRequired)
  const content = body && jsonFirst(body.contents)
  const value = content && exampleIn(operation, content, 'request')
  return {
    operation,
    query: wanted.map((one) => ({
      name: one.name,
      value: textOf(one.example ?? exampleOf(spec, one.schema, 'request')),
    })),
    body: content && (body.isRequired || !isEmpty(value)) ? { mediaType: content.mediaType, value } : undefined,
  }
}

/** Returns an example of a body: the one in the document, else one generated from the schema. */
export function exampleIn(
  { spec }: ResolvedOperation,
  { example, schema }: Content,
  purpose: 'request' | 'reply',
): unknown {
  return example === undefined ? exampleOf(spec, schema, purpose) : example
}

export const jsonFirst = (contents: readonly Content[]): Content | undefined =>
  contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0]

export const isJson = (mediaType: string): boolean => /\bjson\b/i.test(mediaType)

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

/** Returns a curl command; values to fill in are shell variables. */
export function curlSample({ operation, query, body }: Example): string {
  const { method, path, server, isSecured, parameters } = operation
  const search = query.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  const address = server + withVariables(path, parameters) + (search === '' ? '' : `?${search}`)
  const lines = [
    method === 'GET' ? `curl "${address}"` : `curl -X ${method.replace(/[^A-Z]/g, '')} "${address}"`,
    ...(isSecured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `-d ${quoted(textOf(body.value))}`] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Replaces path parameters with shell variables and quotes the rest. */
function withVariables(path: string, parameters: readonly Parameter[]): string {
  const names = new Set(parameters.filter(({ place }) => place === 'path').map(({ name }) => name))
  return path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      const name = part.slice(1, -1)
      return part.startsWith('{') && names.has(name) ? `$${variableOf(name)}` : part.replace(/["$\\`]/g, '\\$&')
    })
    .join('')
}

const variableOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
