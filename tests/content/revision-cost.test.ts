import { beforeAll, expect, test } from 'vitest'
import { diffTrees } from '../../src/content/revision/diff.ts'
import type { Draft } from '../../src/content/revision/draft.ts'
import { mergeTrees } from '../../src/content/revision/merge.ts'
import { findPageByPath, openTree } from '../../src/content/revision/tree.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { Trees, createBody, insertPage } from '../support/trees.ts'

/** A tree in which each page has up to thirty children. */
class Nested {
  readonly trees = new Trees()
  readonly count: number
  base = ''

  constructor(count: number) {
    this.count = count
  }

  get last(): string {
    return `p${this.count - 1}`
  }

  async build(): Promise<void> {
    this.base = await this.trees.edit(this.trees.empty, async (draft) => {
      for (let index = 0; index < this.count; index++) {
        await insertPage(draft, `p${index}`, index < 30 ? null : `p${Math.floor(index / 30) - 1}`)
      }
    })
  }

  /** Returns the number of objects that are read and written. */
  async costOf(work: () => Promise<unknown>): Promise<number> {
    const { objects } = this.trees
    objects.reads = objects.writes = 0
    await work()
    return objects.reads + objects.writes
  }
}

const [few, many] = [new Nested(200), new Nested(20_000)]

beforeAll(async () => {
  await few.build()
  await many.build()
})

/** Expects a similar cost in a tree a hundred times as large, which may have one or two more levels. */
async function expectBounded(work: (nested: Nested) => Promise<() => Promise<unknown>>): Promise<void> {
  const [small, large] = [await few.costOf(await work(few)), await many.costOf(await work(many))]
  expect(large).toBeLessThanOrEqual(2.5 * small)
  expect(large).toBeLessThan(100)
}

const retitle = (draft: Draft, id: string) => draft.updatePage(id, (body) => ({ ...body, title: 'other' }))

test.each<[string, (draft: Draft, nested: Nested) => Promise<unknown>]>([
  ['to change a page', (draft, { last }) => retitle(draft, last)],
  ['to insert one', (draft, { last }) => insertPage(draft, 'new', last)],
  ['to move one', (draft, { last }) => draft.movePage(last, { into: 'p3' })],
  ['to move one with many below', (draft) => draft.movePage('p1', { into: 'p20' })],
  ['to remove one', (draft, { last }) => draft.deletePage(last)],
])('the cost %s does not depend on the number of pages', async (_, change) => {
  await expectBounded(async (nested) => () => nested.trees.edit(nested.base, (draft) => change(draft, nested)))
})

test('the cost of a diff does not depend on the number of pages', async () => {
  await expectBounded(async ({ trees, base, last }) => {
    const edited = await trees.edit(base, async (draft) => {
      await retitle(draft, last)
      await draft.movePage('p0', { into: 'p25' })
    })
    return async () => {
      const { pages } = await diffTrees(await openTree(trees.objects, base), await openTree(trees.objects, edited))
      expect(pages.map(({ id }) => id).sort()).toEqual(['p0', last].sort())
    }
  })
})

test('the cost of a merge does not depend on the number of pages', async () => {
  await expectBounded(async ({ trees, base, last }) => {
    const ours = await trees.edit(base, (draft) => retitle(draft, last))
    const theirs = await trees.edit(base, async (draft) => {
      await retitle(draft, 'p40')
      await draft.deletePage('p4')
      for (let index = 0; index < 50; index++) await insertPage(draft, `new${index}`, 'p40')
    })
    const hashes = { base, ours, theirs }
    return async () => expect((await mergeTrees(trees.objects, hashes)).conflicts).toEqual([])
  })
})

// Quadratic time would exceed the test timeout.
test('inserts and deletes 3000 sibling pages within the test timeout', async () => {
  const trees = new Trees()
  const chance = seededRandom(5)
  const count = 3000
  const root = await trees.edit(trees.empty, async (draft) => {
    for (let index = 0; index < count; index++) {
      const place = { into: null, at: randomInteger(chance, 0, index) }
      await draft.insertPage({ id: `p${index}`, type: 'document', slug: 'same', body: createBody('x') }, place)
    }
  })
  const emptied = await trees.edit(root, async (draft) => {
    for (let index = 0; index < count; index++) await draft.deletePage(`p${index}`)
  })
  expect(await trees.names(emptied)).toEqual({})
})

test('a long path of equal slugs is resolved with a limited number of reads', async () => {
  const trees = new Trees()
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
  let root = await trees.edit(trees.empty, async (draft) => {
    for (const name of names) await insertPage(draft, name, null)
  })
  // Every page has been a child of every other page with the slug x.
  for (const into of names) {
    for (const name of names.filter((one) => one !== into)) {
      root = await trees.edit(root, async (draft) => {
        await draft.movePage(name, { into })
        await draft.renamePage(name, 'x')
      })
      root = await trees.edit(root, async (draft) => {
        await draft.movePage(name, { into: null })
        await draft.renamePage(name, name)
      })
    }
  }
  const tree = await openTree(trees.objects, root)
  trees.objects.reads = 0
  expect(await findPageByPath(tree, 'x/'.repeat(2000))).toBeUndefined()
  expect(trees.objects.reads).toBeLessThan(5000)
})
