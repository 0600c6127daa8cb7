import { createExample } from './example.ts'
import type { MediaTypeContent, OperationParameter, ResolvedOperation } from './resolve-operation.ts'

/** A sample request. */
export interface ExampleRequest {
  operation: ResolvedOperation
  /** Required query parameters. */
  query: readonly { name: string; value: string }[]
  body: { mediaType: string; value: unknown } | undefined
}

/** Maximum length of an example. */
const maxJsonLength = 16 * 1024

/** Formats a value as indented JSON. */
export function formatJson(value: unknown): string {
  try {
    const text = JSON.stringify(value, null, 2) ?? ''
    return text.length > maxJsonLength ? `${text.slice(0, maxJsonLength)}…` : text
  } catch {
    // The value is nested too deep for JSON.stringify.
    return ''
  }
}

export function createExampleRequest(operation: ResolvedOperation): ExampleRequest {
  const { spec, parameters, body } = operation
  const requiredParameters = parameters.filter(({ location, isRequired }) => location === 'query' && isRequired)
  const content = body && preferJson(body.contents)
  const value = content && getContentExample(operation, content, 'request')
  return {
    operation,
    query: requiredParameters.map((one) => ({
      name: one.name,
      value: formatValue(one.example ?? createExample(spec, one.schema, 'request')),
    })),
    body: content && (body.isRequired || !isEmpty(value)) ? { mediaType: content.mediaType, value } : undefined,
  }
}

/** Returns an example of a body: the one in the document, else one generated from the schema. */
export function getContentExample(
  { spec }: ResolvedOperation,
  { example, schema }: MediaTypeContent,
  purpose: 'request' | 'reply',
): unknown {
  return example === undefined ? createExample(spec, schema, purpose) : example
}

export const preferJson = (contents: readonly MediaTypeContent[]): MediaTypeContent | undefined =>
  contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0]

export const isJson = (mediaType: string): boolean => /\bjson\b/i.test(mediaType)

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value))

/** Returns a curl command; values to fill in are shell variables. */
export function curlSample({ operation, query, body }: ExampleRequest): string {
  const { method, path, server, isSecured, parameters } = operation
  const search = query.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  const address = server + withVariables(path, parameters) + (search === '' ? '' : `?${search}`)
  const lines = [
    method === 'GET' ? `curl "${address}"` : `curl -X ${method.replace(/[^A-Z]/g, '')} "${address}"`,
    ...(isSecured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body
      ? [`-H ${quoteForShell(`Content-Type: ${body.mediaType}`)}`, `-d ${quoteForShell(formatValue(body.value))}`]
      : []),
  ]
  return lines.join(' \\\n  ')
}

/** Replaces path parameters with shell variables and quotes the rest. */
function withVariables(path: string, parameters: readonly OperationParameter[]): string {
  const names = new Set(parameters.filter(({ location }) => location === 'path').map(({ name }) => name))
  return path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      const name = part.slice(1, -1)
      return part.startsWith('{') && names.has(name) ? `$${toShellVariable(name)}` : part.replace(/["$\\`]/g, '\\$&')
    })
    .join('')
}

const toShellVariable = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toUpperCase()

/** Quotes a text for a shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
