import { expect, test } from 'vitest'
import { keyBetween } from '../../src/kernel/position.ts'
import { between, seeded } from '../support/random.ts'

test('a key lies strictly between its neighbours, wherever it is put', () => {
  const chance = seeded(7)
  const keys: string[] = []
  for (let step = 0; step < 3000; step++) {
    const index = between(chance, 0, keys.length)
    const key = keyBetween(keys[index - 1] ?? null, keys[index] ?? null)
    expect(key).toMatch(/^[0-9a-z]*[1-9a-z]$/)
    keys.splice(index, 0, key)
  }
  for (const [index, key] of keys.entries()) if (index > 0) expect(key > (keys[index - 1] as string)).toBe(true)
})

test('there is always room at the same place', () => {
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

test('keys stay short when 10,000 are put at the end, and before the first there is room for more', () => {
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

test('a key after the last that counting reaches is still found', () => {
  let last = 'zzzzzz'
  for (let step = 0; step < 10; step++) {
    const key = keyBetween(last, null)
    expect(key > last).toBe(true)
    last = key
  }
})

test('neighbours in the wrong order have nothing between them', () => {
  expect(() => keyBetween('b', 'a')).toThrow('No key lies between b and a')
  expect(() => keyBetween('a', 'a')).toThrow('No key lies between a and a')
})
