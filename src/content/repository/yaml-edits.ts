import { type Pair, type YAMLMap, isNode, isScalar } from 'yaml'
import type { VariableValue } from '../revision/objects.ts'
import { printScalar, scalarText } from './yaml-text.ts'

/** A range of a text, and its replacement. */
export interface TextEdit {
  start: number
  end: number
  text: string
}

/** Applies edits that do not overlap; edits at the same offset are applied in the given order. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(source.slice(at, start), text)
    at = Math.max(at, end)
  }
  return parts.join('') + source.slice(at)
}

export const detectLineBreak = (source: string) => (/\r?\n/.exec(source)?.[0] === '\r\n' ? '\r\n' : '\n')

/** Replaces a value and keeps its style of quotes. */
export function replaceScalar(source: string, node: unknown, value: VariableValue): TextEdit {
  const [start, end] = rangeOf(node)
  const written = source.slice(start, end).trimEnd()
  return { start, end: start + written.length, text: printScalar(value, written) }
}

/** Returns the range of a node, up to the end of its value. */
function rangeOf(node: unknown): readonly [number, number] {
  const range = isNode(node) ? node.range : undefined
  return range ? [range[0], range[1]] : [0, 0]
}

export const lineStart = (source: string, at: number) => source.lastIndexOf('\n', at - 1) + 1

/** Returns the offset of the end of a line, including its line break. */
export function lineEnd(source: string, at: number): number {
  const newline = source.indexOf('\n', at)
  return newline === -1 ? source.length : newline + 1
}

/** Returns the edits that set values in a map, or remove them (undefined); undefined if the keys are not on separate lines. */
export function createMapEdits(
  source: string,
  map: YAMLMap,
  changes: ReadonlyMap<string, VariableValue | undefined>,
): TextEdit[] | undefined {
  if (map.flow || map.items.length === 0) return undefined
  const newline = detectLineBreak(source)
  const edits: TextEdit[] = []
  const editedNames = new Set<string>()
  for (const pair of map.items) {
    const name = scalarText(pair.key)
    if (name === undefined || !changes.has(name)) continue
    const value = changes.get(name)
    if (value !== undefined && editedNames.has(name)) continue
    editedNames.add(name)
    const edit = value === undefined ? removePair(source, pair) : setPair(source, pair, value)
    if (!edit) return undefined
    edits.push(edit)
  }
  const first = map.items[0] as Pair
  const end = lineEnd(source, findPairEnd(source, map.items.at(-1) as Pair))
  const [keyStart] = rangeOf(first.key)
  const indent = source
    .slice(lineStart(source, keyStart), keyStart)
    .replace(/^\ufeff/, '')
    .replace(/\S/g, ' ')
  for (const [name, value] of changes) {
    if (value === undefined || editedNames.has(name)) continue
    const text = `${indent}${printScalar(name)}: ${printScalar(value)}`
    // The last line of a text may have no line break.
    const endsWithNewline = end === 0 || source[end - 1] === '\n'
    edits.push({ start: end, end, text: endsWithNewline ? text + newline : newline + text })
  }
  return edits
}

function findPairEnd(source: string, { key, value }: Pair): number {
  const [start] = rangeOf(key)
  const end = Math.max(rangeOf(key)[1], rangeOf(value)[1])
  return start + source.slice(start, end).trimEnd().length
}

function removePair(source: string, pair: Pair): TextEdit | undefined {
  const [keyStart] = rangeOf(pair.key)
  const start = lineStart(source, keyStart)
  if (source.slice(start, keyStart).trim() !== '') return undefined
  return { start, end: lineEnd(source, findPairEnd(source, pair)), text: '' }
}

function setPair(source: string, pair: Pair, value: VariableValue): TextEdit | undefined {
  const [, keyEnd] = rangeOf(pair.key)
  const colon = source.indexOf(':', keyEnd)
  if (colon === -1 || source.slice(keyEnd, colon).trim() !== '') return undefined
  const end = Math.max(findPairEnd(source, pair), colon + 1)
  const [valueStart] = rangeOf(pair.value)
  const isOnOneLine = isScalar(pair.value) && valueStart > colon && !source.slice(colon, end).includes('\n')
  const blanks = isOnOneLine ? (/^[ \t]+/.exec(source.slice(colon + 1, end))?.[0] ?? ' ') : ' '
  const written = isOnOneLine ? source.slice(valueStart, end) : ''
  return { start: colon + 1, end, text: blanks + printScalar(value, written) }
}
