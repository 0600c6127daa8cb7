import { expect, test } from 'vitest'
import { JsonMeter, maxJsonDepth } from '../../src/http/json-meter.ts'
import { parseJson } from '../../src/http/json-parser.ts'
import { emptyObjects, manyKeys, nestedLists } from '../support/hostile-requests.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

/** Parses a text as a body that arrives in chunks of `portion` bytes. */
function parse(text: string, { portion = 65_536, values = 300_000 } = {}): Promise<unknown> {
  const bytes = Buffer.from(text)
  const meter = new JsonMeter(values)
  for (let at = 0; at < bytes.length; at += portion) meter.add(bytes.subarray(at, at + portion))
  return parseJson(bytes, meter.largeOffsets)
}

type Chance = () => number
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const names = ['a', '__proto__', '1', 'é"\\', 'toString', '']

function madeUp(chance: Chance, depth: number): Json {
  const kind = randomInteger(chance, 0, depth > 5 ? 4 : 7)
  if (kind === 0) return null
  if (kind === 1) return chance() < 0.5
  if (kind === 2) return randomInteger(chance, -1000, 1000) / 8
  if (kind <= 4) return '\\"{[,:]} é\n'.repeat(randomInteger(chance, 0, chance() < 0.01 ? 9000 : 20))
  const items = Array.from({ length: randomInteger(chance, 0, 12) }, () => madeUp(chance, depth + 1))
  if (kind === 5) return items
  const object: { [name: string]: Json } = {}
  for (const [index, value] of items.entries()) {
    const name = `${names[index % names.length]}${index < names.length ? '' : index}`
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return object
}

test('parses large JSON incrementally to the same value as JSON.parse', async () => {
  const chance = seededRandom(7)
  let longest = 0
  for (let round = 0; round < 3; round++) {
    const value = Array.from({ length: 60 }, () => madeUp(chance, 0))
    for (const text of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      `\ufeff {"all" : ${JSON.stringify(value)} }`,
    ]) {
      longest = Math.max(longest, text.length)
      const parsed = await parse(text, { portion: randomInteger(chance, 1000, 70_000) })
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text.replace('\ufeff', ''))))
    }
  }
  expect(longest).toBeGreaterThan(300_000)
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})

test('rejects large malformed JSON', async () => {
  const large = JSON.stringify('x'.repeat(300_000))
  const list = `[${large}]`
  const malformed = [
    `[${list},]`,
    `[,${list}]`,
    `[${list} ${list}]`,
    `[1 ${list}]`,
    `[${list}`,
    `[${list}}`,
    `[${list}]]`,
    `[${list}] x`,
    `{"a":${list},}`,
    `{${list}}`,
    `{"a" ${list}}`,
    `{"a":1 "b":${list}}`,
    `{"a"::${list}}`,
    `{,"a":${list}}`,
    `{a:${list}}`,
    `{"a":${list}]`,
    `["${'x'.repeat(300_000)}`,
    `[${'1,'.repeat(150_000)}]`,
    `[${'1,'.repeat(140_000)},1]`,
    `{"a":[${large},"\\u0000"]}`,
    `[${large},"\\ud800"]`,
  ]
  for (const text of malformed) {
    await expect(parse(text), text.slice(0, 10) + text.slice(-10)).rejects.toMatchObject({ code: 'invalid' })
  }
})

/** Returns the error code of a text that arrives in chunks, and the number of bytes accepted before it. */
function refusal(text: string, values: number) {
  const meter = new JsonMeter(values)
  const bytes = Buffer.from(text)
  let taken = 0
  try {
    for (; taken < bytes.length; taken += 1000) meter.add(bytes.subarray(taken, taken + 1000))
  } catch (error) {
    return { code: (error as { code: string }).code, taken }
  }
  return undefined
}

test('rejects JSON with too many values or too much nesting while it arrives', () => {
  for (const hostile of [emptyObjects(1_000_000), manyKeys(1_000_000)]) {
    expect(refusal(hostile, 10_000)).toMatchObject({ code: 'tooLarge' })
    expect(refusal(hostile, 10_000)?.taken).toBeLessThan(200_000)
    expect(refusal(hostile, 1_000_000)).toBeUndefined()
  }
  expect(refusal(nestedLists(1_000_000), 1_000_000)).toEqual({ code: 'invalid', taken: 0 })
  expect(refusal(nestedLists(2 * (maxJsonDepth - 1)), 1000)).toBeUndefined()
  expect(refusal(JSON.stringify('x'.repeat(9_000_000)), 10)).toMatchObject({ code: 'tooLarge' })
  // Brackets and commas inside strings do not count.
  expect(refusal(JSON.stringify('[{,"\\'.repeat(10_000)), 10)).toBeUndefined()
})
