import { createYielder } from '../kernel/event-loop.ts'
import { AppError, invalid } from '../kernel/errors.ts'
import { maxStepBytes } from './json-meter.ts'

/** Texts up to this size are parsed at once. */
const maxSingleStepBytes = 4 * maxStepBytes

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Parses the JSON text of a body, a large one in steps between which other requests are served. `large` has the offsets
 * of all arrays and objects that are longer than a step. Returns undefined for an empty text.
 */
export async function parseJson(bytes: Buffer, largeOffsets: ReadonlySet<number>): Promise<unknown> {
  const start = skipSpace(bytes, bytes.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0)
  if (start === bytes.length) return undefined
  if (bytes.length <= maxSingleStepBytes || !largeOffsets.has(start))
    return parseJsonText(bytes.toString('utf8', start))
  const parser = new IncrementalJsonParser(bytes, largeOffsets, start)
  const value = await parser.parse()
  if (skipSpace(bytes, parser.offset) < bytes.length) throw createMalformedError(parser.offset)
  return value
}

const byteOrderMark = Buffer.from('\ufeff')

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isSpace(bytes[at])) at++
  return at
}

const createMalformedError = (at: number) => new AppError('invalid', `The body is not valid JSON at byte ${at}`)

/** A range of small values in a large array or object, which ends at a large value, a comma or the closing bracket. */
interface ValueRun {
  end: number
  stop: 'comma' | 'large' | 'close'
  /** Offset of the last string on this level: in an object, the name of the large value that follows. */
  lastStringStart: number
}

/** Parses a long array or object: ranges of small values by `JSON.parse`, and large values recursively. */
class IncrementalJsonParser {
  readonly #bytes: Buffer
  readonly #largeOffsets: ReadonlySet<number>
  readonly #yieldIfDue = createYielder()
  offset: number

  constructor(bytes: Buffer, largeOffsets: ReadonlySet<number>, start: number) {
    this.#bytes = bytes
    this.#largeOffsets = largeOffsets
    this.offset = start
  }

  async parse(): Promise<unknown> {
    const isList = this.#bytes[this.offset++] === openList
    const list: unknown[] = []
    const object: Record<string, unknown> = {}
    const close = isList ? closeList : closeObject
    // After a comma another value must follow.
    let expectsValue = false
    for (;;) {
      const { end, stop, lastStringStart } = this.#findNextRun()
      const text = this.#bytes.toString('utf8', this.offset, end)
      const isBlank = text.trim() === ''
      if (isBlank && (stop === 'comma' || (stop === 'close' && expectsValue))) throw createMalformedError(end)
      if (stop === 'close' && this.#bytes[end] !== close) throw createMalformedError(end)
      if (isList) this.#addItems(list, text, isBlank, stop, end)
      else if (!isBlank) addFields(object, parseJsonText(`{${text}${stop === 'large' ? 'null' : ''}}`) as object)
      else if (stop === 'large') throw createMalformedError(end)
      this.offset = end
      await this.#yieldIfDue()
      if (stop === 'large') {
        const value = await this.parse()
        if (isList) list.push(value)
        else setField(object, this.#readNameAt(lastStringStart), value)
        this.offset = skipSpace(this.#bytes, this.offset)
      }
      const byte = this.#bytes[this.offset++]
      if (byte === close) return isList ? list : object
      if (byte !== comma) throw createMalformedError(this.offset - 1)
      expectsValue = true
    }
  }

  #addItems(list: unknown[], text: string, isBlank: boolean, stop: ValueRun['stop'], end: number): void {
    if (isBlank) return
    const items = stop === 'large' ? text.trimEnd() : text
    if (stop === 'large' && !items.endsWith(',')) throw createMalformedError(end)
    for (const item of parseJsonText(`[${stop === 'large' ? items.slice(0, -1) : items}]`) as unknown[]) list.push(item)
    if (stop === 'large' && items.trim() === ',') throw createMalformedError(end)
  }

  #findNextRun(): ValueRun {
    const bytes = this.#bytes
    let depth = 0
    let lastStringStart = -1
    for (let at = this.offset; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === quote) {
        if (depth === 0) lastStringStart = at
        at = findStringEnd(bytes, at)
      } else if (byte === openList || byte === openObject) {
        if (depth === 0 && this.#largeOffsets.has(at)) return { end: at, stop: 'large', lastStringStart }
        depth++
      } else if (byte === closeList || byte === closeObject) {
        if (depth === 0) return { end: at, stop: 'close', lastStringStart }
        depth--
      } else if (byte === comma && depth === 0 && at - this.offset > maxStepBytes)
        return { end: at, stop: 'comma', lastStringStart }
    }
    throw createMalformedError(bytes.length)
  }

  /** Returns the property name before a large value. */
  #readNameAt(start: number): string {
    const end = findStringEnd(this.#bytes, start) + 1
    if (this.#bytes[skipSpace(this.#bytes, end)] !== colon) throw createMalformedError(end)
    return parseJsonText(this.#bytes.toString('utf8', start, end)) as string
  }
}

/** Returns the offset of the closing quote of a string. */
function findStringEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  throw createMalformedError(bytes.length)
}

function addFields(object: Record<string, unknown>, more: object): void {
  for (const [name, value] of Object.entries(more)) setField(object, name, value)
}

function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  // An assignment to this name would change the prototype.
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Parses a JSON text at once. */
export function parseJsonText(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid', `The body is not valid JSON: ${(error as Error).message}`)
  }
  // Without escapes, a valid UTF-8 text contains no character that databases reject.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) rejectUnstorable(value)
  return value
}

/** Rejects U+0000 and unpaired surrogates, which databases do not store. */
function rejectUnstorable(body: unknown): void {
  const stack = [body]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value === 'string') rejectUnstorableText(value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        rejectUnstorableText(key)
        stack.push(inner)
      }
    }
  }
}

function rejectUnstorableText(text: string): void {
  if (text.includes('\0')) throw invalid('body', 'must not contain the character U+0000')
  if (!text.isWellFormed()) throw invalid('body', 'must not contain an unpaired surrogate')
}
