import { expect, test } from 'vitest'
import { createIdGenerator, newId, randomText } from '../../src/kernel/ids.ts'

test('ids are unique, sort by creation time and are URL-safe', () => {
  const ids = Array.from({ length: 10_000 }, () => newId())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.filter((id) => !/^[a-zA-Z0-9_-]+$/.test(id))).toEqual([])
  expect(ids.filter((id) => id.length !== 24)).toEqual([])
  // Front ends use ids in CSS selectors, where a name cannot start with a digit.
  expect(ids.filter((id) => !/^[a-z]/.test(id))).toEqual([])
  // Ids of former versions start with a digit and must sort first.
  expect('1zzzzzzzzzzzzzzzzzzzzzzz' < (ids[0] ?? '')).toBe(true)
})

test('ids keep their order when the clock stops or moves back', () => {
  const times = [1000, 1000, 1001, 999, 500, 1001, 1002]
  const make = createIdGenerator(() => times.shift() ?? 2000)
  const ids = Array.from({ length: 100 }, make)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids keep their order when the ids of a millisecond are exhausted', () => {
  const make = createIdGenerator(
    () => 1000,
    (length) => 'z'.repeat(length),
  )
  const ids = Array.from({ length: 5 }, make)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the next id cannot be guessed', () => {
  const make = createIdGenerator(() => 1000)
  const tails = Array.from({ length: 1000 }, () => make().slice(-9))
  expect(new Set(tails).size).toBe(tails.length)
  expect(new Set(Array.from({ length: 1000 }, () => randomText(9))).size).toBe(1000)
})
