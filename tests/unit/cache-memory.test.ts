import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import type { StoredObject } from '../../src/content/revision/objects.ts'
import { Cache, cacheLimit, listCacheUsage } from '../../src/kernel/cache.ts'
import { estimateHeapSize, stringSize } from '../../src/kernel/heap-size.ts'
import { ObjectCache } from '../../src/storage/object-cache.ts'
import { limitCacheForTest } from '../support/cache.ts'
import { collectGarbage } from '../support/garbage.ts'

function heapUsed(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Documents of the manual, as the database stores them. */
const manual = new URL('../../docs', import.meta.url).pathname
const bodies = readdirSync(manual, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => {
    const options = { references: verbatimReferences, isExpression: () => true }
    const { document } = parsePage(readFileSync(join(manual, path), 'utf8'), options)
    return JSON.stringify({ kind: 'document', document })
  })
const parse = (index: number) => JSON.parse(bodies[index % bodies.length] as string) as StoredObject

describe('heapSizeOf', () => {
  test.each<[string, (index: number) => unknown]>([
    ['documents', parse],
    ['texts of one byte a character', (index) => JSON.parse(JSON.stringify('a'.repeat(20_000 + index)))],
    ['texts of two bytes a character', (index) => JSON.parse(JSON.stringify('語'.repeat(10_000 + index)))],
    ['maps of ids', (index) => JSON.parse(JSON.stringify(ids(index)))],
  ])('is close to the measured memory: %s', (_, make) => {
    // A first run, so that memory allocated only once is not counted.
    for (let index = 0; index < bodies.length; index++) make(index)
    const values: unknown[] = Array.from({ length: 1000 })
    const before = heapUsed()
    for (let index = 0; index < values.length; index++) values[index] = make(index)
    const taken = heapUsed() - before
    const estimated = values.reduce((sum: number, value) => sum + estimateHeapSize(value), 0)
    expect(estimated / taken).toBeGreaterThan(0.8)
    expect(estimated / taken).toBeLessThan(1.3)
  })
})

const ids = (seed: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    id: `${seed}-${index}-`.padEnd(24, 'x'),
    hash: 'f'.repeat(64),
    size: index,
  }))

describe('caches', () => {
  test('do not exceed their memory limit', () => {
    const limit = 16 * 1024 ** 2
    limitCacheForTest('content documents', limit)
    for (let index = 0; index < bodies.length; index++) parse(index)
    const before = heapUsed()
    const cache = new ObjectCache()
    for (let index = 0; index < 4000; index++) cache.put(`organization/${index}`, parse(index))
    const taken = heapUsed() - before
    expect(cache.get('organization/3999')).toBeDefined()
    expect(cache.get('organization/0')).toBeUndefined()
    expect(taken).toBeGreaterThan(limit * 0.7)
    expect(taken).toBeLessThan(limit * 1.3)
  })

  test('report their limit and use, and do not keep a value larger than the limit', () => {
    limitCacheForTest('social cards', 1000)
    const cache = new Cache<string>('social cards', stringSize)
    cache.set('one', 'a'.repeat(100))
    const use = listCacheUsage().find(({ name }) => name === 'social cards')
    expect(use).toMatchObject({ limit: cacheLimit('social cards'), bytes: expect.any(Number) })
    expect(use?.bytes).toBeGreaterThan(100)
    cache.set('two', 'b'.repeat(900))
    expect([cache.has('one'), cache.has('two')]).toEqual([false, false])
  })
})
