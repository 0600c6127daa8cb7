// `JSON.parse` reports no positions on some versions of Node.js, and none of values. These functions run only for problems.

interface JsonToken {
  offset: number
  text: string
}

// oxlint-disable-next-line no-control-regex
const stringPattern = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/.source
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.source
const tokenPattern = new RegExp(`[ \\t\\r\\n]+|[[\\]{},:]|${stringPattern}|${numberPattern}|true|false|null`, 'y')

/** Yields the tokens of JSON without whitespace, until the first text that is no token. */
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

/** Returns the offset of the first syntax error; undefined if there is none. */
export function findJsonError(text: string): number | undefined {
  for (const { offset, levels } of readValues(text)) if (!levels) return offset
  return undefined
}

/** Returns the offset of a value, or of the closest value around it. */
export function findJsonValue(text: string, keys: readonly string[]): number {
  let found = 0
  let depth = -1
  for (const { offset, levels } of readValues(text)) {
    if (!levels || levels.length > keys.length || levels.length <= depth) continue
    const isAround = levels.every(({ isObject, key, index }, level) => (isObject ? key : String(index)) === keys[level])
    if (isAround) [found, depth] = [offset, levels.length]
    if (depth === keys.length) break
  }
  return found
}

/** Returns the line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line++
  return line
}
