import type { SpecObject } from './spec.ts'

// Large documents are not parsed as a whole: parsing 12 MB blocks the event loop for about 100 ms and needs several times as much memory.
// Instead, the positions of paths and components are found once, and each of them is parsed when it is read.

/** Position of a value in the bytes of a JSON document, and of its fields if they are parsed separately. */
export interface DocumentPart {
  start: number
  end: number
  fields?: ReadonlyMap<string, DocumentPart>
}

/** Depth of the objects that are parsed separately, by the field of the document. */
const separateDepths: ReadonlyMap<string, number> = new Map([
  ['paths', 1],
  ['webhooks', 1],
  ['x-webhooks', 1],
  ['components', 2],
])

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Finds the parts of a valid JSON document that are parsed separately. Yields after each of them, so that the caller can let other work
 * run.
 */
export function* indexDocument(bytes: Uint8Array): Generator<void, DocumentPart> {
  const start = skipSpace(bytes, 0)
  return yield* indexValue(bytes, start, (name) => separateDepths.get(name) ?? 0)
}

function* indexValue(
  bytes: Uint8Array,
  start: number,
  depthOf: ((name: string) => number) | undefined,
): Generator<void, DocumentPart> {
  if (!depthOf || bytes[start] !== openBrace) return { start, end: skipValue(bytes, start) }
  const fields = new Map<string, DocumentPart>()
  let at = skipSpace(bytes, start + 1)
  while (at < bytes.length && bytes[at] === quote) {
    const nameEnd = skipString(bytes, at)
    const name = parseRange(bytes, at, nameEnd) as string
    at = skipSpace(bytes, nameEnd)
    if (bytes[at] === colon) at = skipSpace(bytes, at + 1)
    const depth = depthOf(name)
    const part = yield* indexValue(bytes, at, depth > 0 ? () => depth - 1 : undefined)
    fields.set(name, part)
    yield
    at = skipSpace(bytes, part.end)
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1)
  }
  return { start, end: at + 1, fields }
}

/** Returns the document as an object whose parts are parsed when they are read. */
export function openDocument(bytes: Uint8Array, part: DocumentPart): SpecObject {
  const value = readPart(bytes, part)
  return typeof value === 'object' && value !== null ? (value as SpecObject) : {}
}

function readPart(bytes: Uint8Array, { start, end, fields }: DocumentPart): unknown {
  if (!fields) return parseRange(bytes, start, end)
  const object: Record<string, unknown> = {}
  for (const [name, part] of fields) {
    const define = (descriptor: PropertyDescriptor) =>
      Object.defineProperty(object, name, { ...descriptor, enumerable: true, configurable: true })
    define({
      get: () => {
        const value = readPart(bytes, part)
        // The same value is returned each time, because computed values are cached by identity.
        define({ value })
        return value
      },
    })
  }
  return object
}

const decoder = new TextDecoder()

const parseRange = (bytes: Uint8Array, start: number, end: number): unknown =>
  JSON.parse(decoder.decode(bytes.subarray(start, end)))

/** Returns the number of parts. */
export function countParts({ fields }: DocumentPart): number {
  let count = 1
  for (const part of fields?.values() ?? []) count += countParts(part)
  return count
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

/** Returns the position after a string. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at + 1
}

/** Returns the position after a value. */
function skipValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === quote) return skipString(bytes, start)
  let at = start
  if (first !== openBrace && first !== openBracket) {
    while (at < bytes.length && !isEndOfScalar(bytes[at])) at++
    return at
  }
  let depth = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = skipString(bytes, at) - 1
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return at
}

const isEndOfScalar = (byte: number | undefined): boolean =>
  byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)
