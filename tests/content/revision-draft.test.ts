import { describe, expect, test } from 'vitest'
import type { Draft } from '../../src/content/revision/draft.ts'
import { TreeError } from '../../src/content/revision/tree-error.ts'
import { iterateReachableHashes } from '../../src/content/revision/reachable-objects.ts'
import { findPage, findPageByPath, openTree, pathOfPage } from '../../src/content/revision/tree.ts'
import { TreeEditor, Trees, createBody, insertPage } from '../support/trees.ts'

/** Returns the id of the page at a path. */
async function pageAt(trees: Trees, root: string, path: string): Promise<string | undefined> {
  return (await findPageByPath(await openTree(trees.objects, root), path))?.entry.id
}

const pageWith = (id: string, slug: string) => ({ id, type: 'document' as const, slug, body: createBody(id) })

describe('a draft', () => {
  test('commits valid trees after random edits', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const trees = new Trees()
      const editor = new TreeEditor(trees, 'word', seed)
      let root = await editor.createTree(10)
      for (let round = 0; round < 3; round++) {
        root = await editor.change(root, 10)
        expect({ seed, faults: await trees.findFaults(root) }).toEqual({ seed, faults: [] })
      }
    }
  })

  test('commits the same root for the same content, in one or several commits and in another order', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: {}, c: {} }, d: {} })
    const steps: ((draft: Draft) => Promise<void>)[] = [
      (draft) => insertPage(draft, 'e', 'd'),
      (draft) => draft.updatePage('b', (body) => ({ ...body, title: 'other' })),
      (draft) => draft.movePage('c', { into: 'd', at: 0 }),
      async (draft) => draft.files.set('f', { name: 'f', contentType: 'text/plain', size: 1, blob: 'x' }),
    ]
    const atOnce = await trees.edit(base, async (draft) => {
      for (const step of steps) await step(draft)
    })
    const backwards = await trees.edit(base, async (draft) => {
      for (const step of steps.toReversed()) await step(draft)
    })
    let oneByOne = base
    for (const step of steps) oneByOne = await trees.edit(oneByOne, step)
    expect([backwards, oneByOne]).toEqual([atOnce, atOnce])
  })

  test('commits the original root if its edits cancel each other', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: {}, c: {} }, d: {} })
    const same = await trees.edit(base, async (draft) => {
      await insertPage(draft, 'e', 'b')
      await draft.movePage('c', { into: 'e' })
      await draft.movePage('c', { into: 'a' })
      await draft.deletePage('e')
      await draft.renamePage('d', 'other')
      await draft.renamePage('d', 'd')
      await draft.movePage('d', { into: null, at: 0 })
      await draft.movePage('d', { into: null, at: 1 })
    })
    expect(same).toBe(base)
  })

  test('changes the hashes of only the edited page and its ancestors', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: {} }, c: { d: {} } })
    const edited = await trees.edit(base, (draft) => draft.updatePage('b', (body) => ({ ...body, title: 'other' })))
    const [before, after] = [await trees.pages(base), await trees.pages(edited)]
    const changed = [...after].filter(([id, { entry }]) => before.get(id)?.entry.hash !== entry.hash)
    expect(changed.map(([id]) => id)).toEqual(['a', 'b'])
  })

  test('adds a number to a slug that is taken, and rejects renaming to one', async () => {
    const trees = new Trees()
    const root = await trees.edit(await trees.create({ a: { b: {} }, c: {} }), async (draft) => {
      await draft.insertPage(pageWith('d', 'b'), { into: null })
      await draft.movePage('d', { into: 'a' })
      await draft.insertPage(pageWith('e', 'a'), { into: null })
      await expect(draft.renamePage('e', 'c')).rejects.toThrow('already used')
    })
    const slugs = [...(await trees.pages(root))].map(([id, { entry }]) => [id, entry.slug])
    expect(Object.fromEntries(slugs)).toEqual({ a: 'a', b: 'b', d: 'b-1', c: 'c', e: 'a-1' })
  })

  test('swaps slugs that are renamed in one call', async () => {
    const trees = new Trees()
    const slugs = new Map([
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'd'],
    ])
    const root = await trees.edit(await trees.create({ a: {}, b: {}, c: {}, d: {} }), (draft) =>
      draft.renamePages(slugs),
    )
    const found = [...(await trees.pages(root)).values()].map(({ entry }) => entry.slug)
    expect(found).toEqual(['b', 'a', 'd-1', 'd'])
  })

  test('rejects a page with an existing id', async () => {
    const trees = new Trees()
    const draft = await trees.draft(await trees.create({ a: { b: {} } }))
    await expect(insertPage(draft, 'b', null)).rejects.toThrow(TreeError)
  })

  test('rejects moving a page under itself and nesting over the depth limit', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: { c: {} } }, d: { e: {} } })
    const draft = await trees.draft(base, { maxDepth: 4 })
    for (const into of ['a', 'b', 'c']) await expect(draft.movePage('a', { into })).rejects.toThrow('under itself')
    await draft.movePage('e', { into: 'c' })
    await expect(insertPage(draft, 'f', 'e')).rejects.toThrow('at most 4 levels deep')
    await expect(draft.movePage('a', { into: 'd' })).rejects.toThrow('at most 4 levels deep')
    await draft.movePage('b', { into: null })
    await expect(draft.movePage('b', { into: 'e' })).rejects.toThrow('under itself')
    await draft.movePage('b', { into: 'd' })
    expect(await trees.names(await draft.commit())).toEqual({ a: {}, d: { b: { c: { e: {} } } } })
  })

  test('deletes a page with its descendants, but not pages moved out of it', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: { c: {}, d: {} } }, e: {} })
    const root = await trees.edit(base, async (draft) => {
      await draft.movePage('d', { into: 'e' })
      expect(await draft.deletePage('a')).toEqual(['a', 'b', 'c'])
      expect(await draft.findPage('c')).toBeUndefined()
    })
    expect(await trees.names(root)).toEqual({ e: { d: {} } })
    expect(await trees.findFaults(root)).toEqual([])
  })
})

describe('a former path', () => {
  test('resolves to the page after moves and renames of it and its ancestors', async () => {
    const trees = new Trees()
    let root = await trees.create({ a: { b: { c: {} } }, d: {} })
    const edit = async (change: (draft: Draft) => Promise<unknown>) => (root = await trees.edit(root, change))
    await edit((draft) => draft.renamePage('a', 'a2'))
    await edit((draft) => draft.renamePage('b', 'b2'))
    await edit((draft) => draft.renamePage('a', 'a3'))
    await edit((draft) => draft.movePage('c', { into: 'd' }))
    for (const path of ['a/b/c', 'a2/b/c', 'a2/b2/c', 'a3/b2/c', 'd/c', 'A/B/C']) {
      expect([path, await pageAt(trees, root, path)]).toEqual([path, 'c'])
    }
    expect(await pageAt(trees, root, 'a/b')).toBe('b')
    expect(await pageAt(trees, root, 'a/c')).toBeUndefined()
  })

  test('resolves to the page after its former parent is deleted', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: { c: {} } }, d: {} })
    const moved = await trees.edit(base, (draft) => draft.movePage('c', { into: 'd' }))
    const root = await trees.edit(moved, (draft) => draft.deletePage('a'))
    expect(await pageAt(trees, root, 'a/b/c')).toBe('c')
    expect(await pageAt(trees, root, 'a/b')).toBeUndefined()
  })

  test('resolves to the page that has the path now, and below it to children of the former page', async () => {
    const trees = new Trees()
    const base = await trees.create({ a: { b: {} }, d: {} })
    const root = await trees.edit(base, async (draft) => {
      await draft.movePage('a', { into: 'd' })
      await draft.insertPage({ id: 'new', type: 'document', slug: 'a', body: createBody('new') }, { into: null })
    })
    expect(await pageAt(trees, root, 'a')).toBe('new')
    expect(await pageAt(trees, root, 'a/b')).toBe('b')
  })

  test('resolves after random edits as long as the page exists', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const trees = new Trees()
      const editor = new TreeEditor(trees, 'word', seed)
      let root = await editor.createTree(8)
      const owners = new Map<string, string>()
      for (let round = 0; round < 4; round++) {
        const pages = await trees.pages(root)
        const tree = await openTree(trees.objects, root)
        for (const id of pages.keys()) {
          const located = await findPage(tree, id)
          if (located) owners.set(pathOfPage(located), id)
        }
        root = await editor.change(root, 5)
      }
      const [pages, tree] = [await trees.pages(root), await openTree(trees.objects, root)]
      for (const [path, owner] of owners) {
        const found = await findPageByPath(tree, path)
        if (!pages.has(owner) || found?.entry.id === owner) continue
        // Another page has or had this path later.
        expect({ seed, path, found: found !== undefined }).toEqual({ seed, path, found: true })
      }
    }
  })
})

test('reachableFrom returns every object of a tree exactly once', async () => {
  const trees = new Trees()
  const editor = new TreeEditor(trees, 'word', 3)
  const root = await editor.change(await editor.createTree(200), 20)
  const reached: string[] = []
  for await (const some of iterateReachableHashes(trees.objects, [root, root])) reached.push(...some)
  expect(new Set(reached).size).toBe(reached.length)
  const copy = new Trees()
  for (const hash of reached) copy.objects.stored.set(hash, trees.objects.stored.get(hash) as string)
  expect(await copy.words(root)).toEqual(await trees.words(root))
  expect(await copy.findFaults(root)).toEqual([])
})
