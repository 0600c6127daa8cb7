import { describe, expect, test } from 'vitest'
import { type PageChange, type TreeDiff, changedFields, diffTrees } from '../../src/content/revision/diff.ts'
import { openTree } from '../../src/content/revision/tree.ts'
import { type PageInTree, TreeEditor, Trees, createBody, insertPage, describeOwnPage } from '../support/trees.ts'

async function diff(trees: Trees, before: string, after: string): Promise<TreeDiff> {
  return diffTrees(await openTree(trees.objects, before), await openTree(trees.objects, after))
}

/** Returns a short description of each changed page by id. */
const told = ({ pages }: TreeDiff): Record<string, string> =>
  Object.fromEntries(pages.map((change) => [change.id, wordFor(change)]))

function wordFor({ before, after, isReordered }: PageChange): string {
  if (!before) return 'came'
  if (!after) return 'went'
  const moved = before.parent !== after.parent ? ['moved'] : isReordered ? ['reordered'] : []
  return [...moved, ...changedFields(before, after)].join(' ')
}

const sides = (change: { before: unknown; after: unknown }) => [change.before !== undefined, change.after !== undefined]

type Model = Map<string, { parent: string | null; own: string }>

const modelOf = (pages: ReadonlyMap<string, PageInTree>): Model =>
  new Map([...pages].map(([id, page]) => [id, { parent: page.parent, own: describeOwnPage(page) }]))

function applied(model: Model, changes: readonly PageChange[]): Model {
  const result = new Map(model)
  for (const { id, after } of changes) {
    if (after) result.set(id, { parent: after.parent, own: describeOwnPage(after) })
    else result.delete(id)
  }
  return result
}

describe('the diff of two trees', () => {
  test('transforms the first tree into the second when it is applied', async () => {
    for (let seed = 1; seed <= 70; seed++) {
      const trees = new Trees()
      const editor = new TreeEditor(trees, 'word', seed)
      const before = await editor.createTree(3 + (seed % 10))
      const after = await editor.change(before, 1 + (seed % 15))
      const changes = await diff(trees, before, after)
      const [old, now] = [await trees.pages(before), await trees.pages(after)]
      const sorted = (model: Model) => [...model].sort(([a], [b]) => (a < b ? -1 : 1))
      expect({ seed, pages: sorted(applied(modelOf(old), changes.pages)) }).toEqual({
        seed,
        pages: sorted(modelOf(now)),
      })
      expect({ seed, ids: new Set(changes.pages.map(({ id }) => id)).size }).toEqual({
        seed,
        ids: changes.pages.length,
      })

      for (const { id, before: was, after: is } of changes.pages) {
        expect({ seed, id, was: was !== undefined, is: is !== undefined }).toEqual({
          seed,
          id,
          was: old.has(id),
          is: now.has(id),
        })
      }
      // Pages that are not reported as reordered must be in the same order as before.
      const silent = (pages: ReadonlyMap<string, PageInTree>, parent: string | null) =>
        [...pages.values()]
          .filter((page) => page.parent === parent && now.get(page.entry.id)?.parent === parent)
          .map(({ entry }) => entry.id)
          .filter(
            (id) => old.get(id)?.parent === parent && !changes.pages.some((one) => one.id === id && one.isReordered),
          )
      for (const parent of [null, ...now.keys()]) {
        expect({ seed, parent, silent: silent(now, parent) }).toEqual({ seed, parent, silent: silent(old, parent) })
      }
    }
  })

  test('is empty for equal trees', async () => {
    const trees = new Trees()
    const root = await new TreeEditor(trees, 'word', 1).createTree(20)
    expect(await diff(trees, root, root)).toEqual({
      pages: [],
      files: [],
      reusableContents: [],
      variables: [],
      tags: [],
    })
  })

  test('reports a parent and a child that change places as moved', async () => {
    const trees = new Trees()
    const before = await trees.create({ a: { b: { c: {} } } })
    const after = await trees.edit(before, async (draft) => {
      await draft.movePage('b', { into: null })
      await draft.movePage('a', { into: 'c' })
      await insertPage(draft, 'new', 'a')
    })
    expect(await trees.names(after)).toEqual({ b: { c: { a: { new: {} } } } })
    expect(told(await diff(trees, before, after))).toEqual({ a: 'moved', b: 'moved', new: 'came' })
  })

  test('reports a page that left a removed page for a new one as moved', async () => {
    const trees = new Trees()
    const before = await trees.create({ a: { b: {}, c: {} }, d: {} })
    const after = await trees.edit(before, async (draft) => {
      await insertPage(draft, 'new', 'd')
      await draft.movePage('b', { into: 'new' })
      await draft.deletePage('a')
    })
    expect(told(await diff(trees, before, after))).toEqual({ a: 'went', b: 'moved', c: 'went', new: 'came' })
  })

  test('reports the smallest number of reordered pages', async () => {
    const trees = new Trees()
    const before = await trees.create({ a: {}, b: {}, c: {}, d: {}, e: {} })
    const order = async (...ids: string[]) =>
      told(await diff(trees, before, await trees.edit(before, (draft) => draft.reorder(null, ids))))
    expect(await order('e', 'a', 'b', 'c', 'd')).toEqual({ e: 'reordered' })
    expect(await order('b', 'c', 'd', 'a', 'e')).toEqual({ a: 'reordered' })
    expect(Object.keys(await order('d', 'e', 'a', 'b', 'c')).sort()).toEqual(['d', 'e'])
  })

  test('reports the changed fields of a page, but no pages around it', async () => {
    const trees = new Trees()
    const before = await trees.create({ a: { b: { c: {} } } })
    const after = await trees.edit(before, async (draft) => {
      await draft.updatePage('c', (body) => ({ ...createBody('other'), updatedAt: body.updatedAt, emoji: '1f600' }))
      await draft.renamePage('b', 'b2')
    })
    expect(told(await diff(trees, before, after))).toEqual({ b: 'slug', c: 'title emoji' })
  })

  test('reports files and reusable contents by id, and variables and tags by name', async () => {
    const trees = new Trees()
    const document = trees.objects.write({ kind: 'document', document: { object: 'document', data: {}, nodes: [] } })
    const file = { name: 'f', contentType: 'text/plain', size: 1, blob: 'x' }
    const before = await trees.edit(trees.empty, async (draft) => {
      draft.files.set('f1', file)
      draft.files.set('f2', file)
      draft.reusableContents.set('r1', { title: 'r', document })
      draft.setVariables({ a: 1, b: true })
      draft.setTags({ x: { label: 'X' } })
    })
    const after = await trees.edit(before, async (draft) => {
      draft.files.set('f1', { ...file, name: 'other' })
      draft.files.set('f2', null)
      draft.reusableContents.set('r2', { title: 'r', document })
      draft.setVariables({ a: '1', b: true, constructor: 'c' })
      draft.setTags({ x: { label: 'X', color: 'red' } })
    })
    const found = await diff(trees, before, after)
    expect(found.files.map((change) => [change.id, ...sides(change)])).toEqual([
      ['f1', true, true],
      ['f2', true, false],
    ])
    expect(found.reusableContents.map((change) => [change.id, ...sides(change)])).toEqual([['r2', false, true]])
    expect(found.variables).toEqual([
      { name: 'a', before: 1, after: '1' },
      { name: 'constructor', before: undefined, after: 'c' },
    ])
    expect(found.tags).toEqual([{ name: 'x', before: { label: 'X' }, after: { label: 'X', color: 'red' } }])
  })
})
