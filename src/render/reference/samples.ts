import { exampleOf } from './example.ts'
import type { Content, Parameter, ResolvedOperation } from './operation-of.ts'

/** A request with values in it. */
export interface Example {
  operation: ResolvedOperation
  /** Parameters of the query that must be there. */
  query: readonly { name: string; value: string }[]
  body: { mediaType: string; value: unknown } | undefined
}

/** Longer examples are cut. */
const maxText = 16 * 1024

/** A value as JSON, for people to read. */
export function jsonText(value: unknown): string {
  try {
    const text = JSON.stringify(value, null, 2) ?? ''
    return text.length > maxText ? `${text.slice(0, maxText)}…` : text
  } catch {
    // Nested deeper than anything that could be shown.
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

/** An example of what is sent or replied: the one that is given, else one made from the schema. */
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

/** The request for a command line; what is to be filled in stands there as variables of the shell. */
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

/** The path with its parameters as variables; nothing else in it means anything to a shell. */
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

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
