import { randomInteger } from './random.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Chance = () => number

/** Placeholder for lists that are nested deeper than a recursive function can process. */
const deepNesting = '@abyss@'
const deepNestingJson = '['.repeat(20_000) + ']'.repeat(20_000)

const hostileTexts = [
  '',
  ' ',
  'x'.repeat(129),
  'ü'.repeat(70_000),
  '\0',
  'a\ud800',
  '\udfffz',
  '👩‍👩‍👧'.repeat(20),
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  'toString',
  'dосs',
  'ｄｏｃｓ',
  'DOCS',
  'docs\u202e',
  'v',
  'null',
  'true',
  '-1',
  '1e999',
  "'; drop table sites; --",
  'javascript:alert(1)',
  'https://',
  'https://user:secret@[::1]:99999/',
  'https://xn--/',
  'visitor.claims['.repeat(200),
  '('.repeat(1000),
  '2026-13-45T99:99:99Z',
  '#12345',
]

/** Returns a value that clients do not send by accident. */
function hostileValue(chance: Chance, foreignIds: readonly string[]): Json {
  const pick = <T>(list: readonly T[]) => list[randomInteger(chance, 0, list.length - 1)] as T
  switch (randomInteger(chance, 0, 9)) {
    case 0:
      return null
    case 1:
      return pick([true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31) - 1])
    case 2:
      return pick<Json>([[], {}, [[]], [null], { length: 3 }, Object.fromEntries([['__proto__', { isAdmin: true }]])])
    case 3:
      return chance() < 0.1 ? Array.from({ length: 10_000 }, (_, index) => `item ${index}`) : deepNesting
    case 4:
    case 5:
      return pick(foreignIds)
    default:
      return pick(hostileTexts)
  }
}

/** Returns a copy of a body with one invalid value. */
function mutateBody(body: Json, chance: Chance, foreignIds: readonly string[]): Json {
  const copy = structuredClone(body)
  const slots = findSlots(copy)
  if (slots.length === 0 || chance() < 0.05) return hostileValue(chance, foreignIds)
  const { holder, key } = slots[randomInteger(chance, 0, slots.length - 1)] as JsonSlot
  const entries = holder as Record<string, Json>
  const value = entries[key] as Json
  const way = chance()
  if (way < 0.1) delete entries[key]
  else if (way < 0.15) Object.defineProperty(entries, '__proto__', { value, enumerable: true })
  else if (way < 0.25 && Array.isArray(value)) entries[key] = [...value, ...value]
  else entries[key] = hostileValue(chance, foreignIds)
  return copy
}

interface JsonSlot {
  holder: object
  key: string
}

function findSlots(value: Json): JsonSlot[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...findSlots(inner)])
}

/** Returns a serialized body; some are invalid JSON. */
export function hostileBody(body: Json, chance: Chance, foreignIds: readonly string[]): string {
  const way = chance()
  if (way < 0.02) return '{"title":'
  if (way < 0.04) return deepNestingJson
  return JSON.stringify(mutateBody(body, chance, foreignIds)).replaceAll(`"${deepNesting}"`, deepNestingJson)
}

/** Returns an encoded path segment. */
export function hostileSegment(chance: Chance, foreignIds: readonly string[]): string {
  const way = chance()
  if (way < 0.5) return foreignIds[randomInteger(chance, 0, foreignIds.length - 1)] as string
  if (way < 0.6) return ['%00', '%zz', '%ed%a0%80', '%ff', '%2F', '%E2%80%AE'][randomInteger(chance, 0, 5)] as string
  const text = hostileTexts[randomInteger(chance, 0, hostileTexts.length - 1)] as string
  return encodeURIComponent(text.slice(0, 2000).toWellFormed()) || '%20'
}
