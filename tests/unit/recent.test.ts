import { expect, test } from 'vitest'
import { LruCache } from '../../src/kernel/lru-cache.ts'
import { expectLinear } from '../support/growth.ts'

test('evicts the least recently used entry', () => {
  const recent = new LruCache<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3])
})

test('keeps an entry of a large cache that is used while others are added', () => {
  const recent = new LruCache<number>(100)
  recent.set('used', 0)
  recent.set('unused', 0)
  for (let index = 0; index < 1000; index++) {
    recent.set(`other ${index}`, index)
    expect(recent.get('used')).toBe(0)
  }
  expect([recent.size, recent.has('unused')]).toEqual([100, false])
})

test('evicts entries from a large cache in the same time as from a small one', async () => {
  await expectLinear(10_000, (size) => {
    const recent = new LruCache<number>(size)
    for (let index = 0; index < 2 * size; index++) recent.set(`key ${index}`, index)
    expect([recent.size, recent.has(`key ${size - 1}`), recent.has(`key ${size}`)]).toEqual([size, false, true])
  })
})

test('is empty after it was cleared, and then evicts in the order of new entries', () => {
  const recent = new LruCache<number>(2)
  for (const key of ['a', 'b']) recent.set(key, 1)
  recent.clear()
  expect([recent.size, recent.weight, recent.get('a')]).toEqual([0, 0, undefined])
  for (const key of ['b', 'c', 'd']) recent.set(key, 2)
  expect([recent.has('b'), recent.get('c'), recent.get('d')]).toEqual([false, 2, 2])
})

test('counts the weight of entries, and keeps none that exceeds the capacity', () => {
  const recent = new LruCache<string>(10, (text) => text.length)
  for (const key of ['a', 'b', 'c']) recent.set(key, '123')
  recent.set('d', '1234567')
  expect(['a', 'b', 'c', 'd'].filter((key) => recent.has(key))).toEqual(['c', 'd'])
  recent.set('e', '12345678901')
  expect(['a', 'b', 'c', 'd', 'e'].filter((key) => recent.has(key))).toEqual([])
})

test('frees the capacity of replaced and deleted entries', () => {
  const recent = new LruCache<string>(10, (text) => text.length)
  recent.set('a', '12345678')
  recent.set('a', '12')
  recent.set('b', '12345678')
  expect([recent.get('a'), recent.get('b')]).toEqual(['12', '12345678'])
  recent.delete('b')
  recent.delete('b')
  recent.set('c', '12345678')
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual(['12', undefined, '12345678'])
})

test('getOr computes a value once, and undefined is stored like any other value', () => {
  const recent = new LruCache<string | undefined>(5)
  let made = 0
  const make = () => `made ${++made}`
  expect([recent.getOrCreate('a', make), recent.getOrCreate('a', make)]).toEqual(['made 1', 'made 1'])
  recent.set('b', undefined)
  expect([recent.has('b'), recent.get('b'), recent.has('c')]).toEqual([true, undefined, false])
})
