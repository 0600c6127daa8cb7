import { expect, test } from 'vitest'
import { keyBetween } from '../../src/kernel/position.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

test('keyBetween returns a key strictly between its neighbors at any index', () => {
  const chance = seededRandom(7)
  const keys: string[] = []
  for (let step = 0; step < 3000; step++) {
    const index = randomInteger(chance, 0, keys.length)
    const key = keyBetween(keys[index - 1] ?? null, keys[index] ?? null)
    expect(key).toMatch(/^[0-9a-z]*[1-9a-z]$/)
    keys.splice(index, 0, key)
  }
  for (const [index, key] of keys.entries()) if (index > 0) expect(key > (keys[index - 1] as string)).toBe(true)
})

test('keyBetween always finds a key between two neighbors', () => {
  const [low, high] = ['000001', '000002']
  for (const narrow of ['from below', 'from above', 'in turns'] as const) {
    let [before, after] = [low, high]
    for (let step = 0; step < 300; step++) {
      const key = keyBetween(before, after)
      expect(before < key && key < after).toBe(true)
      if (narrow === 'from above' || (narrow === 'in turns' && step % 2 === 0)) after = key
      else before = key
    }
  }
})

test('keys remain short after 10,000 appends, and a key can still be inserted before the first', () => {
  let last: string | null = null
  let longest = 0
  for (let step = 0; step < 10_000; step++) {
    const key: string = keyBetween(last, null)
    if (last !== null) expect(key > last).toBe(true)
    longest = Math.max(longest, key.length)
    last = key
  }
  expect(longest).toBeLessThanOrEqual(7)
  expect(keyBetween(null, keyBetween(null, null)) < keyBetween(null, null)).toBe(true)
})

test('keyBetween finds keys after the largest key of the default length', () => {
  let last = 'zzzzzz'
  for (let step = 0; step < 10; step++) {
    const key = keyBetween(last, null)
    expect(key > last).toBe(true)
    last = key
  }
})

test('keyBetween rejects neighbors in the wrong order', () => {
  expect(() => keyBetween('b', 'a')).toThrow('No key lies between b and a')
  expect(() => keyBetween('a', 'a')).toThrow('No key lies between a and a')
})
