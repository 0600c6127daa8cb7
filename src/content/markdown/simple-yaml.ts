import { Pair, Scalar, YAMLMap } from 'yaml'

// Most front matter consists of a few keys with texts, which this parser reads in a tenth of the time that the YAML parser takes.

const keyLine = /^([A-Za-z][\w-]{0,60}):(?: +(\S.*))?$/
const foldedLine = /^ {2}(\S(?:.*\S)?)$/
/** Pattern of an unquoted text; any other value is left to the YAML parser. */
const plainTextPattern = /^[A-Za-z](?:.*[^\s:])?$/
const integer = /^(?:0|[1-9]\d{0,8})$/
const keyword = /^(?:null|true|false)$/i
/** Characters that have a meaning in YAML, or that its parser treats as whitespace. */
// oxlint-disable-next-line no-control-regex
const unusualCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u2028\u2029\ufeff]/

/**
 * Parses YAML in which each key is at the start of a line and has a text of one line, a folded text (`>-`), an integer, a boolean
 * or no value. Returns undefined for all other YAML. The nodes have no positions.
 */
export function parseSimpleYaml(source: string): YAMLMap | undefined {
  if (unusualCharacters.test(source)) return undefined
  const map = new YAMLMap()
  const lines = source.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (let index = 0; index < lines.length; index++) {
    const [, key, written] = keyLine.exec(lines[index] as string) ?? []
    if (key === undefined || keyword.test(key)) return undefined
    if (written === '>-') {
      const parts: string[] = []
      for (let part = readFoldedLine(lines, index + 1); part !== undefined; part = readFoldedLine(lines, index + 1)) {
        parts.push(part)
        index++
      }
      if (parts.length === 0) return undefined
      map.items.push(new Pair(new Scalar(key), new Scalar(parts.join(' '))))
      continue
    }
    const value = parseValue(written?.trimEnd() ?? '')
    if (!value) return undefined
    map.items.push(new Pair(new Scalar(key), value))
  }
  return map.items.length === 0 ? undefined : map
}

function readFoldedLine(lines: readonly string[], index: number): string | undefined {
  return foldedLine.exec(lines[index] ?? '')?.[1]
}

function parseValue(text: string): Scalar | undefined {
  if (text === '') return new Scalar(null)
  if (integer.test(text)) return withSource(new Scalar(Number(text)), text)
  if (text === 'true' || text === 'false') return withSource(new Scalar(text === 'true'), text)
  if (!plainTextPattern.test(text) || keyword.test(text) || text.includes(': ') || text.includes(' #')) return undefined
  return new Scalar(text)
}

function withSource(scalar: Scalar, source: string): Scalar {
  scalar.source = source
  return scalar
}
