import type { Template } from './request.ts'

/** How a programming language writes values. */
export interface LiteralSyntax {
  text: (text: string) => string
  null: string
  true: string
  false: string
  /** Brackets of lists and maps. */
  list: readonly [string, string]
  map: readonly [string, string]
  /** Literal of an empty map, if it is not the brackets. */
  emptyMap?: string
  /** Writes the key of a map with the characters after it. */
  key: (name: string) => string
}

/** Maximum length of a list or map on one line. */
const maxLineLength = 56

/** Prints a JSON value as a literal of a language. */
export function printLiteral(value: unknown, syntax: LiteralSyntax, indent = '', step = '  '): string {
  if (typeof value === 'string') return syntax.text(value)
  if (value === null || value === undefined) return syntax.null
  if (typeof value === 'boolean') return value ? syntax.true : syntax.false
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + step
  const isList = Array.isArray(value)
  const entries = isList
    ? value.map((one) => printLiteral(one, syntax, inner, step))
    : Object.entries(value).map(([key, one]) => syntax.key(key) + printLiteral(one, syntax, inner, step))
  const [open, close] = isList ? syntax.list : syntax.map
  if (entries.length === 0) return !isList && syntax.emptyMap !== undefined ? syntax.emptyMap : open + close
  const line = entries.join(', ')
  if (line.length + indent.length <= maxLineLength && !line.includes('\n'))
    return open === '{' ? `{ ${line} }` : `${open}${line}${close}`
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`
}

/** Quotes a text for languages with the escapes of JSON. */
export const quoteDouble = (text: string): string => JSON.stringify(text)

/** Quotes a text with single quotes, and with the escapes of JSON for control characters. */
export const quoteSingle = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Prints a template as texts and variables that are joined by an operator. */
export function joinTemplate(
  template: Template,
  quote: (text: string) => string,
  readVariable: (name: string) => string,
  operator: string,
): string {
  return joinTexts(template)
    .map((part) => (typeof part === 'string' ? quote(part) : readVariable(part.variable)))
    .join(` ${operator} `)
}

/** Joins neighbouring texts. */
function joinTexts(template: Template): Template {
  return template.reduce<Template>((joined, part) => {
    const last = joined.at(-1)
    return typeof part === 'string' && typeof last === 'string'
      ? [...joined.slice(0, -1), last + part]
      : [...joined, part]
  }, [])
}
