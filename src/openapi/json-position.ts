// `JSON.parse` reports no positions on some versions of Node.js, and none of values. These functions run only for problems.

interface JsonToken {
  offset: number
  text: string
}

// oxlint-disable-next-line no-control-regex
const stringPattern = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/.source
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.source
const tokenPattern = new RegExp(`[ \\t\\r\\n]+|[[\\]{},:]|${stringPattern}|${numberPattern}|true|false|null`, 'y')

/** Yields the tokens of JSON without whitespace, until the first text that is not a token. */
function* readTokens(text: string): Generator<JsonToken, void> {
  let offset = 0
  while (offset < text.length) {
    tokenPattern.lastIndex = offset
    const match = tokenPattern.exec(text)
    if (!match) {
      yield { offset, text: '' }
      return
    }
    if (!/^[ \t\r\n]/.test(match[0])) yield { offset, text: match[0] }
    offset = tokenPattern.lastIndex
  }
}

/** One open list or object of a document. */
interface Level {
  isObject: boolean
  /** Key of the current value. */
  key: string
  index: number
}

type Expected = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'separator'

interface JsonEvent {
  offset: number
  /** Open lists and objects around the value that begins here; undefined at a syntax error. */
  levels: readonly Level[] | undefined
}

/** Yields the start of each value, and then the position of the first syntax error, if any. */
function* readValues(text: string): Generator<JsonEvent, void> {
  const levels: Level[] = []
  let expected: Expected = 'value'
  for (const { offset, text: token } of readTokens(text)) {
    const level = levels.at(-1)
    const error = { offset, levels: undefined }
    switch (expected) {
      case 'colon':
        if (token !== ':') return yield error
        expected = 'value'
        continue
      case 'separator':
        if (!level) return yield error
        if (token === (level.isObject ? '}' : ']')) levels.pop()
        else if (token === ',') {
          level.index++
          expected = level.isObject ? 'key' : 'value'
        } else return yield error
        continue
      case 'firstKey':
      case 'key':
        if (token === '}' && expected === 'firstKey') {
          levels.pop()
          expected = 'separator'
        } else if (token.startsWith('"') && level) {
          level.key = JSON.parse(token) as string
          expected = 'colon'
        } else return yield error
        continue
      case 'firstValue':
      case 'value': {
        if (token === ']' && expected === 'firstValue') {
          levels.pop()
          expected = 'separator'
          continue
        }
        if (token === '' || ']}:,'.includes(token)) return yield error
        yield { offset, levels }
        if (token === '{' || token === '[') levels.push({ isObject: token === '{', key: '', index: 0 })
        expected = token === '{' ? 'firstKey' : token === '[' ? 'firstValue' : 'separator'
      }
    }
  }
  if (levels.length > 0 || expected !== 'separator') yield { offset: text.length, levels: undefined }
}

/** Returns the offset of the first syntax error or of the first value that is nested deeper; undefined if there is none. */
export function findJsonError(text: string, maxDepth: number): { offset: number; isTooDeep: boolean } | undefined {
  for (const { offset, levels } of readValues(text)) {
    if (!levels) return { offset, isTooDeep: false }
    if (levels.length > maxDepth) return { offset, isTooDeep: true }
  }
  return undefined
}

/** A key on the way to one of the values that are searched. */
interface SearchedKey {
  inner: Map<string, SearchedKey>
  offset: number | undefined
}

const createKey = (): SearchedKey => ({ inner: new Map(), offset: undefined })

/** Returns the offset of each value, or of the closest value around it. The text is read once for all of them. */
function findJsonValues(text: string, paths: readonly (readonly string[])[]): number[] {
  const root = createKey()
  const chains = paths.map((keys) => {
    const chain = [root]
    for (const key of keys) {
      const { inner } = chain.at(-1) as SearchedKey
      const next = inner.get(key) ?? createKey()
      inner.set(key, next)
      chain.push(next)
    }
    return chain
  })
  const missing = new Set(chains.map((chain) => chain.at(-1)))
  /** The searched keys on the way to the current value, by depth. */
  const current: (SearchedKey | undefined)[] = []
  for (const { offset, levels } of readValues(text)) {
    if (!levels || missing.size === 0) break
    const level = levels.at(-1)
    const found = level ? current[levels.length - 1]?.inner.get(level.isObject ? level.key : String(level.index)) : root
    current[levels.length] = found
    if (!found) continue
    found.offset ??= offset
    missing.delete(found)
  }
  return chains.map((chain) => chain.findLast((key) => key.offset !== undefined)?.offset ?? 0)
}

/** Returns the lines of values, each counted from 1, or those of the closest values around them. */
export const findJsonLines = (text: string, paths: readonly (readonly string[])[]): number[] =>
  findLines(text, findJsonValues(text, paths))

/** Returns the line of each offset, counted from 1. */
export function findLines(text: string, offsets: readonly number[]): number[] {
  const lines = new Map<number, number>()
  let line = 1
  let end = text.indexOf('\n')
  for (const offset of [...new Set(offsets)].sort((one, other) => one - other)) {
    for (; end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line++
    lines.set(offset, line)
  }
  return offsets.map((offset) => lines.get(offset) as number)
}
