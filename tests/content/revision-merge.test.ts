import { describe, expect, test } from 'vitest'
import type { Document } from '../../src/content/document/nodes.ts'
import { type Conflict, nameOfConflict } from '../../src/content/revision/conflict.ts'
import type { Draft, PageBody } from '../../src/content/revision/draft.ts'
import { mergeTrees } from '../../src/content/revision/merge.ts'
import { resolveConflicts } from '../../src/content/revision/resolve-conflicts.ts'
import { findPageByPath, openTree } from '../../src/content/revision/tree.ts'
import { type PageNames, Trees, createBody, insertPage, textDocument } from '../support/trees.ts'

type Change = (draft: Draft) => Promise<unknown>

/** The result of merging two changes to one tree. */
class Story {
  readonly trees = new Trees()
  base = ''
  theirs = ''
  root = ''
  conflicts: Conflict[] = []

  static async of(names: PageNames, ours: Change, theirs: Change): Promise<Story> {
    const story = new Story()
    return story.merge(await story.trees.create(names), ours, theirs)
  }

  async merge(base: string, ours: Change, theirs: Change): Promise<Story> {
    this.base = base
    const hashes = { base, ours: await this.trees.edit(base, ours), theirs: await this.trees.edit(base, theirs) }
    const { root, conflicts } = await mergeTrees(this.trees.objects, hashes)
    this.root = root
    this.theirs = hashes.theirs
    this.conflicts = conflicts
    expect(await this.trees.findFaults(root)).toEqual([])
    return this
  }

  get told(): string[] {
    return this.conflicts.map(nameOfConflict)
  }

  names(): Promise<PageNames> {
    return this.trees.names(this.root)
  }

  /** Resolves all conflicts with a side and returns the root. */
  resolved(side: 'base' | 'theirs' = 'theirs'): Promise<string> {
    return this.decided(this.conflicts, side)
  }

  /** Resolves some conflicts with a side and returns the root. */
  async decided(conflicts: readonly Conflict[], side: 'base' | 'theirs' = 'theirs', from = this.root): Promise<string> {
    const stored = JSON.parse(JSON.stringify(conflicts)) as Conflict[]
    const { objects } = this.trees
    const trees = { ours: await openTree(objects, from), theirs: await openTree(objects, this.theirs) }
    const root = await resolveConflicts(trees, stored, side)
    expect(await this.trees.findFaults(root)).toEqual([])
    return root
  }

  async namesResolved(side?: 'base' | 'theirs'): Promise<PageNames> {
    return this.trees.names(await this.resolved(side))
  }

  async slugs(): Promise<Record<string, string>> {
    return Object.fromEntries([...(await this.trees.pages(this.root))].map(([id, { entry }]) => [id, entry.slug]))
  }

  async titles(root = this.root): Promise<Record<string, string>> {
    return Object.fromEntries([...(await this.trees.pages(root))].map(([id, { page }]) => [id, page.title]))
  }
}

const retitle = (id: string, title: string): Change => set(id, { title })

const remove =
  (id: string): Change =>
  (draft) =>
    draft.deletePage(id)

const move =
  (id: string, into: string | null, at?: number): Change =>
  (draft) =>
    draft.movePage(id, { into, at })

const add =
  (id: string, into: string | null, slug = id): Change =>
  (draft) =>
    draft.insertPage({ id, type: 'document', slug, body: createBody(id) }, { into })

const rename =
  (id: string, slug: string): Change =>
  (draft) =>
    draft.renamePage(id, slug)

const set =
  (id: string, fields: Partial<PageBody>): Change =>
  (draft) =>
    draft.updatePage(id, (body) => ({ ...body, ...fields }))

const both =
  (...changes: Change[]): Change =>
  async (draft) => {
    for (const change of changes) await change(draft)
  }

describe('removing a page', () => {
  test('in ours conflicts with a change in theirs; resolving with theirs restores the changed page', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, remove('a'), retitle('b', 'new words'))
    expect(story.told).toEqual(['page:a:existence'])
    expect(await story.names()).toEqual({ c: {} })
    expect(await story.namesResolved()).toEqual({ c: {}, a: { b: {} } })
    expect((await story.titles(await story.resolved()))['b']).toBe('new words')
  })

  test('in theirs conflicts with a change in ours; the page remains until it is resolved with theirs', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, retitle('b', 'new words'), remove('a'))
    expect(story.told).toEqual(['page:a:existence'])
    expect(await story.names()).toEqual({ a: { b: {} }, c: {} })
    expect((await story.titles())['b']).toBe('new words')
    expect(await story.namesResolved()).toEqual({ c: {} })
  })

  test('does not conflict if the other side did not change the page or removed it too', async () => {
    for (const [ours, theirs] of [
      [remove('a'), retitle('c', 'other')],
      [retitle('c', 'other'), remove('a')],
      [remove('a'), remove('b')],
      [remove('b'), remove('a')],
      [remove('a'), remove('a')],
    ] as const) {
      const story = await Story.of({ a: { b: {} }, c: {} }, ours, both(theirs, add('d', 'c')))
      expect(story.told).toEqual([])
      expect(await story.names()).toEqual({ c: { d: {} } })
    }
  })

  test('in ours keeps a page that theirs added below it', async () => {
    const story = await Story.of({ a: {}, c: {} }, remove('a'), add('new', 'a'))
    expect(story.told).toEqual(['page:a:existence'])
    expect(await story.names()).toEqual({ c: {}, new: {} })
    expect(await story.namesResolved()).toEqual({ c: {}, a: { new: {} } })
  })

  test('in theirs keeps a page that ours added below it', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, add('new', 'b'), remove('a'))
    expect(story.told).toEqual(['page:a:existence'])
    expect(await story.names()).toEqual({ a: { b: { new: {} } }, c: {} })
    expect(await story.namesResolved()).toEqual({ c: {}, new: {} })
  })

  test('in ours keeps a page that theirs moved into it and ours edited', async () => {
    const story = await Story.of({ a: {}, m: { n: {} } }, both(remove('a'), retitle('n', 'new words')), move('m', 'a'))
    expect(story.told).toEqual(['page:a:existence', 'page:m:place'])
    expect(await story.names()).toEqual({ m: { n: {} } })
    expect((await story.titles())['n']).toBe('new words')
    expect(await story.namesResolved()).toEqual({ a: { m: { n: {} } } })
  })

  test('in theirs conflicts with each page that ours moved into it and theirs removed too', async () => {
    const ours = both(move('m', 'a'), retitle('a', 'mine'))
    const story = await Story.of({ a: {}, m: {} }, ours, both(remove('a'), remove('m')))
    expect(story.told).toEqual(['page:a:existence', 'page:m:existence'])
    expect(await story.names()).toEqual({ a: { m: {} } })
    expect(await story.namesResolved()).toEqual({})
  })

  test('in theirs keeps a page below it that both sides moved to different places', async () => {
    const story = await Story.of({ a: { b: {}, x: {} }, c: {} }, move('b', 'x'), both(move('b', 'c'), remove('a')))
    expect(await story.names()).toEqual({ a: { x: { b: {} } }, c: {} })
    expect(await story.namesResolved()).toEqual({ c: { b: {} } })
  })

  test('in theirs keeps a page that ours moved into it and theirs edited', async () => {
    const ours = both(move('m', 'a'), retitle('a', 'mine'))
    const story = await Story.of({ a: {}, m: { n: {} } }, ours, both(remove('a'), retitle('n', 'new words')))
    expect(story.told).toEqual(['page:a:existence'])
    expect(await story.names()).toEqual({ a: { m: { n: {} } } })
    const resolved = await story.resolved()
    expect(await story.trees.names(resolved)).toEqual({ m: { n: {} } })
    expect((await story.titles(resolved))['n']).toBe('new words')
  })

  test('in ours conflicts with moving a page out of it in theirs', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, remove('a'), move('b', 'c'))
    expect(story.told).toEqual(['page:b:existence'])
    expect(await story.names()).toEqual({ c: {} })
    expect(await story.namesResolved()).toEqual({ c: { b: {} } })
  })

  test('in theirs conflicts with moving a page out of it in ours', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, move('b', 'c'), remove('a'))
    expect(story.told).toEqual(['page:b:existence'])
    expect(await story.names()).toEqual({ c: { b: {} } })
    expect(await story.namesResolved()).toEqual({ c: {} })
  })

  test('makes its slug available for another page', async () => {
    const ours = both(move('b', null), remove('a'), remove('c'), add('new', null, 'a'))
    const story = await Story.of({ a: { b: {} }, c: {} }, ours, add('d', null))
    expect(story.told).toEqual([])
    expect(await story.slugs()).toEqual({ b: 'b', new: 'a', d: 'd' })
  })
})

describe('moving a page', () => {
  test('to different parents conflicts, and the parent of ours is used', async () => {
    const story = await Story.of({ a: {}, b: {}, c: {} }, move('c', 'a'), move('c', 'b'))
    expect(story.conflicts).toEqual([{ on: 'page', page: 'c', about: 'place', base: null, ours: 'a', theirs: 'b' }])
    expect(await story.names()).toEqual({ a: { c: {} }, b: {} })
    expect(await story.namesResolved()).toEqual({ a: {}, b: { c: {} } })
    expect(await story.namesResolved('base')).toEqual({ a: {}, b: {}, c: {} })
  })

  test('keeps changes and added children of the other side', async () => {
    const story = await Story.of({ a: {}, c: {} }, move('c', 'a'), both(retitle('c', 'other'), add('d', 'c')))
    expect(story.told).toEqual([])
    expect(await story.names()).toEqual({ a: { c: { d: {} } } })
    expect((await story.titles())['c']).toBe('other')
  })

  test('below a page that the other side moved below it conflicts, and the move of ours is used', async () => {
    const story = await Story.of({ a: {}, b: {} }, move('a', 'b'), move('b', 'a'))
    expect(story.told).toEqual(['page:b:place'])
    expect(await story.names()).toEqual({ b: { a: {} } })
    expect(await story.namesResolved()).toEqual({ a: { b: {} } })
  })

  test('into a cycle of several pages conflicts', async () => {
    const ours = both(move('b', 'a2'), move('d', 'c2'))
    const theirs = both(move('c', 'b'), move('a', 'd'))
    const story = await Story.of({ a: { a2: {} }, b: {}, c: { c2: {} }, d: {} }, ours, theirs)
    expect(await story.names()).toEqual({ c: { c2: { d: { a: { a2: { b: {} } } } } } })
    expect(story.told).toEqual(['page:c:place'])
    expect((await story.trees.pages(await story.resolved())).get('c')?.parent).toBe('b')
  })

  test('below its former descendant is not a cycle', async () => {
    const ours = both(move('b', null), move('a', 'b'))
    const story = await Story.of({ a: { b: {} }, c: {} }, ours, retitle('c', 'other'))
    expect(story.told).toEqual([])
    expect(await story.names()).toEqual({ c: {}, b: { a: {} } })
  })

  test('adds a number to its slug only if the slug is taken below the new parent', async () => {
    const ours = both(move('x', 'b'), rename('x', 'y'))
    const theirs = both(add('new', 'a', 'y'), retitle('b', 'other'))
    const story = await Story.of({ a: { x: {} }, b: {} }, ours, theirs)
    expect(story.told).toEqual([])
    expect(await story.slugs()).toEqual({ a: 'a', new: 'y', b: 'b', x: 'y' })
    const taken = await Story.of({ a: { x: {} }, b: {} }, ours, add('new', 'b', 'y'))
    expect(taken.told).toEqual([])
    expect(await taken.slugs()).toEqual({ a: 'a', b: 'b', new: 'y', x: 'y-1' })
  })

  test('keeps the former paths of both sides', async () => {
    const story = await Story.of({ a: { b: {} }, c: {} }, rename('b', 'ours'), move('a', 'c'))
    const tree = await openTree(story.trees.objects, story.root)
    for (const path of ['a/b', 'a/ours', 'c/a/b', 'c/a/ours']) {
      expect((await findPageByPath(tree, path))?.entry.id).toBe('b')
    }
  })
})

describe('the order of pages', () => {
  const five = { a: {}, b: {}, c: {}, d: {}, e: {} }

  test('combines the moves of both sides', async () => {
    const story = await Story.of(five, move('a', null, 2), move('b', null, 4))
    expect(story.told).toEqual([])
    expect(Object.keys(await story.names())).toEqual(['c', 'a', 'd', 'e', 'b'])
  })

  test('follows ours if both sides moved the same page, and the page has a conflict', async () => {
    const story = await Story.of(five, move('a', null, 2), both(move('a', null, 4), move('e', null, 0)))
    expect(Object.keys(await story.names())).toEqual(['e', 'b', 'c', 'a', 'd'])
    const after = { base: null, ours: 'c', theirs: 'd' }
    expect(story.conflicts).toMatchObject([{ about: 'place', page: 'a', after }])
    expect(Object.keys(await story.namesResolved())).toEqual(['e', 'b', 'c', 'd', 'a'])
  })

  test('contains the new pages of both sides at their positions', async () => {
    const story = await Story.of(
      five,
      (draft) => insertPage(draft, 'ours', null, 1),
      (draft) => insertPage(draft, 'theirs', null, 4),
    )
    expect(Object.keys(await story.names())).toEqual(['a', 'ours', 'b', 'c', 'd', 'theirs', 'e'])
  })
})

describe('page content', () => {
  test('is merged field by field, with a conflict on a field that both sides changed', async () => {
    const ours = set('a', { title: 'mine', layout: { outline: false }, description: 'both' })
    const theirs = set('a', { title: 'yours', layout: { cover: false }, description: 'both', emoji: '1f600' })
    const story = await Story.of({ a: {} }, ours, theirs)
    expect(story.conflicts).toEqual([
      { on: 'page', page: 'a', about: 'field', field: 'title', base: 'a', ours: 'mine', theirs: 'yours' },
    ])
    const page = (root: string) => story.trees.pages(root).then((pages) => pages.get('a')?.page)
    const merged = { layout: { outline: false, cover: false }, description: 'both', emoji: '1f600' }
    expect(await page(story.root)).toMatchObject({ title: 'mine', ...merged })
    expect(await page(await story.resolved())).toMatchObject({ title: 'yours', ...merged })
  })

  test('is merged block by block in documents, with a conflict on a block that both sides changed', async () => {
    const story = new Story()
    const put =
      (document: Document): Change =>
      (draft) =>
        draft.updatePage('a', (body) => ({ ...body, document: story.trees.write(document) }))
    const document = textDocument('one', 'two', 'three')
    const say = (...texts: string[]): Document => ({
      ...document,
      nodes: textDocument(...texts).nodes.map((block, index) => ({ ...block, key: document.nodes[index]?.key ?? '' })),
    })
    const base = await story.trees.edit(await story.trees.create({ a: {} }), put(document))
    await story.merge(base, put(say('mine', 'my words', 'three')), put(say('one', 'your words', 'yours')))
    expect(story.told).toEqual([`page:a:block:${document.nodes[1]?.key}`])
    const words = await story.trees.words(story.root)
    expect(['mine', 'my', 'yours'].filter((word) => !words.has(word))).toEqual([])
    const resolved = await story.trees.words(await story.resolved())
    expect(['mine', 'your', 'yours'].filter((word) => !resolved.has(word))).toEqual([])
    expect(resolved.has('my')).toBe(false)
  })
})

describe('both sides add', () => {
  test('pages with the same slug, and the page of ours gets a number', async () => {
    const story = await Story.of({ a: {} }, add('mine', 'a', 'new'), add('yours', 'a', 'new'))
    expect(story.told).toEqual([])
    expect(await story.slugs()).toEqual({ a: 'a', mine: 'new-1', yours: 'new' })
  })

  test('the same page, with conflicts where it differs', async () => {
    const ours = both(add('same', 'a'), retitle('same', 'mine'))
    const story = await Story.of({ a: {}, b: {} }, ours, add('same', 'b'))
    expect(story.told).toEqual(['page:same:place', 'page:same:field:title'])
    expect(await story.names()).toEqual({ a: { same: {} }, b: {} })
    expect(await story.namesResolved()).toEqual({ a: {}, b: { same: {} } })
  })
})

const file = (name: string, blob = 'bytes') => ({ name, contentType: 'text/plain', size: 1, blob })

test('files, reusable contents, variables and tags are merged by id or name', async () => {
  const story = new Story()
  const document = story.trees.write(textDocument('text'))
  const change =
    (name: string, blob: string, value: string): Change =>
    async (draft) => {
      draft.files.set('named', file(name))
      draft.files.set('both', name === 'mine' ? file(name) : file('f', blob))
      draft.reusableContents.set('r', { title: name, document })
      draft.setVariables({ ...draft.variables, shared: value, [name]: name })
      draft.setTags({
        ...draft.tags,
        x: { ...draft.tags['x'], label: name, ...(name === 'yours' && { color: 'red' }) },
      })
    }
  const base = await story.trees.edit(story.trees.empty, change('f', 'bytes', 'old'))
  await story.merge(base, change('mine', 'bytes', 'my value'), change('yours', 'other bytes', 'your value'))
  expect(story.told).toEqual(['file:named', 'reusable-content:r:field:title', 'variable:shared', 'tag:x'])
  const ours = await story.trees.draft(story.root)
  expect(await ours.files.find('both')).toMatchObject({ name: 'mine', blob: 'other bytes' })
  expect(ours.variables).toEqual({ f: 'f', mine: 'mine', yours: 'yours', shared: 'my value' })
  const theirs = await story.trees.draft(await story.resolved())
  expect(await theirs.files.find('named')).toMatchObject({ name: 'yours' })
  expect(await theirs.reusableContents.find('r')).toMatchObject({ title: 'yours' })
  expect(theirs.variables).toEqual({ f: 'f', mine: 'mine', yours: 'yours', shared: 'your value' })
  expect(theirs.tags).toEqual({ x: { label: 'yours', color: 'red' } })
})

const chain = (name: string, length: number): PageNames =>
  Array.from({ length }, (_, at) => `${name}${length - at}`).reduce<PageNames>((below, id) => ({ [id]: below }), {})

const grow: Change = async (draft) => {
  for (let at = 9; at <= 20; at++) await insertPage(draft, `b${at}`, `b${at - 1}`)
}

const some = (name: string) => Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${name}${at}`, at] as const))

describe('a merge that would have an invalid result', () => {
  test('conflicts on a page if the moves of both sides together exceed the depth limit', async () => {
    const names = { ...chain('a', 30), ...chain('b', 20), ...chain('c', 10) }
    const story = await Story.of(names, move('c1', 'b20'), move('b1', 'a25'))
    expect(story.told).toEqual(['page:b1:place'])
    expect(story.conflicts[0]).toMatchObject({ ours: null, theirs: 'a25', message: expect.stringContaining('50') })
    expect(await (await story.trees.draft(story.root)).findLineagesDeeperThan(50)).toEqual([])
  })

  test('conflicts on a page that ours moved too deep for the pages that theirs added below it', async () => {
    const names = { ...chain('a', 40), ...chain('b', 8) }
    const story = await Story.of(names, move('b1', 'a40'), grow)
    expect(story.told).toEqual(['page:b1:place'])
    expect(story.conflicts[0]).toMatchObject({ ours: 'a40', theirs: null })
    const pages = await story.trees.pages(await story.resolved())
    expect(pages.get('b1')?.parent).toBe(null)
    expect(pages.has('b20')).toBe(true)
  })

  test('conflicts on emoji and icon, of which a page has at most one', async () => {
    const story = await Story.of({ a: {} }, set('a', { emoji: '1f600' }), set('a', { icon: 'book' }))
    expect(story.told).toEqual(['page:a:field:icon'])
    const body = async (root: string) => (await story.trees.pages(root)).get('a')?.page
    expect(await body(story.root)).not.toHaveProperty('icon')
    const resolved = await body(await story.resolved())
    expect(resolved).toMatchObject({ icon: 'book' })
    expect(resolved).not.toHaveProperty('emoji')
  })

  test('conflicts on variables if both sides together exceed the limit of a page', async () => {
    const story = await Story.of({ a: {} }, set('a', { variables: some('o') }), set('a', { variables: some('t') }))
    expect(story.told).toEqual(['page:a:field:variables'])
    const variables = (await story.trees.pages(story.root)).get('a')?.page.variables
    expect(variables).toEqual(some('o'))
  })

  test('conflicts on a reference instead of combining its fields', async () => {
    const base = { kind: 'page', page: 'p' } as const
    const story = new Story()
    const root = await story.trees.edit(await story.trees.create({ a: {} }), set('a', { target: base }))
    await story.merge(
      root,
      set('a', { target: { kind: 'anchor', anchor: 's', page: 'p' } }),
      set('a', { target: { kind: 'page', page: 'q' } }),
    )
    expect(story.told).toEqual(['page:a:field:target'])
    expect((await story.trees.pages(story.root)).get('a')?.page.target).toEqual({
      kind: 'anchor',
      anchor: 's',
      page: 'p',
    })
  })
})
