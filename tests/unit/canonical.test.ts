import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/content/document/canonical-json.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

test('serializes equal values identically, independent of the order of keys', () => {
  const value = { b: [1, { y: null, x: true }], a: 'text', '10': 1, '9': 2 }
  const shuffled = { '9': 2, a: 'text', '10': 1, b: [1, { x: true, y: null }] }
  expect(canonicalJson(value)).toBe(canonicalJson(shuffled))
  expect(JSON.parse(canonicalJson(value))).toEqual(value)
  expect(canonicalJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}')
})

test('omits keys with an undefined value', () => {
  expect(canonicalJson({ a: 1, b: undefined, c: { d: undefined } })).toBe('{"a":1,"c":{}}')
})

test('serializes different values differently', () => {
  const values = [
    null,
    0,
    '',
    '0',
    false,
    [],
    {},
    [[]],
    [null],
    { a: null },
    { a: {} },
    ['a', 'b'],
    ['b', 'a'],
    '\u00e9',
    'e\u0301',
  ]
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length)
})

test('keeps keys such as __proto__ and constructor', () => {
  const text = '{"__proto__":{"a":1},"constructor":2}'
  expect(canonicalJson(JSON.parse(text))).toBe(text)
})

test('generated values survive a round trip, and shuffled keys give the same text', () => {
  const chance = seededRandom(3)
  for (let step = 0; step < 300; step++) {
    const value = generate(chance, 4)
    const text = canonicalJson(value)
    expect(JSON.parse(text)).toEqual(value)
    expect(canonicalJson(shuffle(chance, value))).toBe(text)
  }
})

type Value = null | boolean | number | string | Value[] | { [key: string]: Value }

function generate(chance: () => number, depth: number): Value {
  const leaves: Value[] = [null, true, false, randomInteger(chance, -1000, 1000), chance(), 'ключ "\\\n', '']
  if (depth === 0 || chance() < 0.3) return leaves[randomInteger(chance, 0, leaves.length - 1)] as Value
  const length = randomInteger(chance, 0, 5)
  const items = Array.from({ length }, () => generate(chance, depth - 1))
  if (chance() < 0.4) return items
  return Object.fromEntries(items.map((item) => [String.fromCharCode(randomInteger(chance, 0x30, 0x17f)), item]))
}

function shuffle(chance: () => number, value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => shuffle(chance, item))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, item]) => ({ key, item, place: chance() }))
  return Object.fromEntries(
    entries.sort((a, b) => a.place - b.place).map(({ key, item }) => [key, shuffle(chance, item)]),
  )
}
