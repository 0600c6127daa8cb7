import { describe, expect, test } from 'vitest'
import {
  diffSorted,
  emptySequence,
  findInSorted,
  readSortedRange,
  readSequence,
  updateSorted,
  writeSequence,
} from '../../src/content/revision/sequence.ts'
import { readDifferingEntries, rewriteSequence } from '../../src/content/revision/sequence-changes.ts'
import { CountingObjects } from '../support/objects.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

interface Entry {
  id: string
  hash: string
}

const entry = (id: string, hash = 'x'): Entry => ({ id, hash })
const byId = (a: Entry, b: Entry) => (a.id < b.id ? -1 : 1)
const same = (a: Entry, b: Entry) => a.hash === b.hash
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => entry(`p${String(index).padStart(6, '0')}`))

/** Returns the number of objects read and written to change, compare and find one entry. */
async function costOf(count: number): Promise<number> {
  const objects = new CountingObjects()
  const before = writeSequence(objects, numbered(count))
  objects.reads = objects.writes = 0
  const after = await updateSorted(objects, before, new Map([['p000050x', entry('p000050x')]]))
  await diffSorted(objects, before, after, same)
  await findInSorted(objects, after, ['p000050x'])
  return objects.reads + objects.writes
}

describe('a sequence', () => {
  test.each([0, 1, 64, 65, 1000, 20_000])('of %i entries is read in order', async (count) => {
    const objects = new CountingObjects()
    const entries = numbered(count)
    expect(await readSequence(objects, writeSequence(objects, entries))).toEqual(entries)
  })

  test('has the same nodes for the same entries, independent of its updates', async () => {
    const random = seededRandom(7)
    const objects = new CountingObjects()
    for (let round = 0; round < 40; round++) {
      const entries = new Map<string, Entry>()
      let sequence = writeSequence<Entry>(objects, [])
      for (let step = 0; step < 8; step++) {
        const changes = new Map<string, Entry | null>()
        for (let change = randomInteger(random, 0, randomInteger(random, 0, 300)); change >= 0; change--) {
          const known = [...entries.keys()]
          const removes = known.length > 0 && random() < [0.1, 0.9][round % 2]!
          const id = removes ? known[randomInteger(random, 0, known.length - 1)]! : `k${randomInteger(random, 0, 5000)}`
          changes.set(id, removes ? null : entry(id, String(random())))
        }
        for (const [id, value] of changes) {
          if (value) entries.set(id, value)
          else entries.delete(id)
        }
        sequence = await updateSorted(objects, sequence, changes)
        expect(sequence).toEqual(writeSequence(objects, [...entries.values()].sort(byId)))
      }
    }
  })

  test('finds only existing entries by id', async () => {
    const objects = new CountingObjects()
    const sequence = writeSequence(objects, numbered(5000))
    const found = await findInSorted(objects, sequence, ['p000000', 'p004999', 'p002500', 'p0025', 'a', 'z'])
    expect([...found.keys()].sort()).toEqual(['p000000', 'p002500', 'p004999'])
  })

  test('returns a range after an id', async () => {
    const objects = new CountingObjects()
    const entries = numbered(3000)
    const sequence = writeSequence(objects, entries)
    expect(await readSortedRange(objects, sequence, undefined, 3)).toEqual(entries.slice(0, 3))
    expect(await readSortedRange(objects, sequence, 'p001499', 100)).toEqual(entries.slice(1500, 1600))
    expect(await readSortedRange(objects, sequence, 'p0014990', 1)).toEqual([entries[1500]])
    expect(await readSortedRange(objects, sequence, 'p002998', 100)).toEqual([entries[2999]])
    expect(await readSortedRange(objects, sequence, 'p9', 100)).toEqual([])
  })

  test('returns its differences from another sequence', async () => {
    const random = seededRandom(11)
    const objects = new CountingObjects()
    for (const count of [10, 70, 3000]) {
      const entries = numbered(count)
      const changes = new Map<string, Entry | null>()
      for (let change = 0; change < 6; change++) {
        const { id } = entries[randomInteger(random, 0, count - 1)]!
        changes.set(id, random() < 0.5 ? null : entry(id, 'edited'))
      }
      changes.set('q', entry('q'))
      const before = writeSequence(objects, entries)
      const after = await updateSorted(objects, before, changes)
      const told = await diffSorted(objects, before, after, same)
      expect(told.map(({ id, after: now }) => [id, now?.hash ?? null])).toEqual(
        [...changes].map(([id, now]) => [id, now?.hash ?? null]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
      )
    }
    expect(await diffSorted(objects, emptySequence, emptySequence, same)).toEqual([])
  })

  test('is changed and compared at a cost that hardly depends on its length', async () => {
    expect(await costOf(100_000)).toBeLessThan(4 * (await costOf(1000)))
  })

  test('in any order has the same nodes after a rewrite as when it is written from scratch', async () => {
    const random = seededRandom(13)
    const objects = new CountingObjects()
    for (const count of [0, 3, 60, 70, 400, 3000]) {
      let entries = numbered(count)
      let sequence = writeSequence(objects, entries)
      for (let step = 0; step < 30; step++) {
        entries = changed(entries, random)
        sequence = await rewriteSequence(objects, sequence, entries)
        expect(sequence).toEqual(writeSequence(objects, entries))
      }
    }
  })

  test('of 20,000 unsorted entries is rewritten with fewer than 12 writes', async () => {
    const objects = new CountingObjects()
    const entries = numbered(20_000)
    const before = writeSequence(objects, entries)
    const variants = [
      entries.with(7000, entry('p007000', 'edited')),
      entries.toSpliced(7000, 0, entry('new')),
      entries.toSpliced(7000, 1),
      [...entries.slice(1), entry('p000000')],
    ]
    for (const variant of variants) {
      objects.writes = 0
      await rewriteSequence(objects, before, variant)
      expect(objects.writes).toBeLessThan(12)
    }
  })

  test('returns the entries between the common prefix and suffix with another sequence', async () => {
    const random = seededRandom(17)
    const objects = new CountingObjects()
    for (let round = 0; round < 60; round++) {
      const entries = numbered([0, 5, 64, 66, 500, 5000][round % 6]!)
      const others = changed(entries, random)
      const sequences = [writeSequence(objects, entries), writeSequence(objects, others)] as const
      const { before, after } = await readDifferingEntries(objects, ...sequences)
      const start = entries.findIndex((one, index) => !isEqual(one, others[index]))
      const shared = start < 0 ? Math.min(entries.length, others.length) : start
      expect([...entries.slice(0, shared), ...before]).toEqual(entries.slice(0, shared + before.length))
      expect([...others.slice(0, shared), ...after]).toEqual(others.slice(0, shared + after.length))
      expect(entries.slice(shared + before.length)).toEqual(others.slice(shared + after.length))
      for (const end of [0, -1]) if (before.length > 0) expect(before.at(end)).not.toEqual(after.at(end))
    }
  })

  test('of 20,000 entries is compared with fewer than 12 reads', async () => {
    const objects = new CountingObjects()
    const entries = numbered(20_000)
    const before = writeSequence(objects, entries)
    const after = writeSequence(objects, entries.with(7000, entry('p007000', 'edited')))
    objects.reads = 0
    const differing = await readDifferingEntries(objects, before, after)
    expect(differing).toEqual({ before: [entry('p007000')], after: [entry('p007000', 'edited')] })
    expect(objects.reads).toBeLessThan(12)
  })
})

const isEqual = (a: Entry, b: Entry | undefined) => a.id === b?.id && a.hash === b.hash

/** Edits, removes, adds and moves random entries. */
function changed(entries: readonly Entry[], random: () => number): Entry[] {
  const result = [...entries]
  for (let change = randomInteger(random, 1, 4); change > 0; change--) {
    const at = randomInteger(random, 0, result.length)
    const [taken] = random() < 0.7 ? result.splice(at, 1) : []
    if (taken && random() < 0.3) continue
    const put = taken && random() < 0.5 ? taken : entry(taken?.id ?? `n${random()}`, String(random()))
    result.splice(random() < 0.5 ? at : randomInteger(random, 0, result.length), 0, put)
  }
  return result
}
