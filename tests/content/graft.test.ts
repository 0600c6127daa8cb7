import { expect, test } from 'vitest'
import { graftTree } from '../../src/content/repository/graft.ts'
import { importRepository } from '../../src/content/repository/import.ts'
import { readObject, readObjects } from '../../src/content/revision/objects.ts'
import { readSequence } from '../../src/content/revision/sequence.ts'
import {
  type PageNode,
  type Tree,
  findPage,
  findPageByPath,
  openTree,
  pathOfPage,
  readPageNodes,
} from '../../src/content/revision/tree.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'

const now = '2026-01-01T00:00:00.000Z'

/** Creates functions that import trees from files, with a common prefix for the ids of a tree, and join them. */
function workshop() {
  const objects = new CountingObjects()
  const make = async (name: string, files: Record<string, string>): Promise<Tree> => {
    let count = 0
    const newId = () => `${name}${String(count++).padStart(4, '0')}`
    const { root } = await importRepository(objects, new MemoryFolder(files), { newId, now })
    return openTree(objects, root)
  }
  const join = async (target: Tree, added: Tree, into: string | null = null) =>
    openTree(objects, await graftTree(target, added, { into }))
  return { objects, make, join }
}

const outline = async ({ objects, root }: Tree): Promise<string[]> => {
  const lines: string[] = []
  const note = (nodes: readonly PageNode[], above: string): void => {
    for (const { entry, children } of nodes) {
      lines.push(`${above}${entry.slug} ${entry.type}`)
      note(children, `${above}${entry.slug}/`)
    }
  }
  note(await readPageNodes(objects, root.pages), '')
  return lines
}

const idAt = async (tree: Tree, path: string) => (await findPageByPath(tree, path))?.entry.id

test('appends pages at the top level, keeps their ids and content and makes their slugs unique', async () => {
  const { make, join } = workshop()
  const target = await make('a', { 'README.md': '# Home', 'guide.md': '# Guide' })
  const added = await make('b', {
    'SUMMARY.md': '* [Guide](guide.md)\n  * [Deep](deep.md)\n\n## Group\n\n* [X](x.md)\n',
    'guide.md': '# Other guide',
    'deep.md': '# Deep',
    'x.md': '# X',
  })
  const joined = await join(target, added)
  expect(await outline(joined)).toEqual([
    'readme document',
    'guide document',
    'guide-1 document',
    'guide-1/deep document',
    'group group',
    'group/x document',
  ])
  expect(await idAt(joined, 'guide-1/deep')).toBe(await idAt(added, 'guide/deep'))
  const deep = await findPage(joined, (await idAt(added, 'guide/deep')) ?? '')
  const before = await findPage(added, (await idAt(added, 'guide/deep')) ?? '')
  expect(deep?.page).toEqual(before?.page)
})

test('converts groups to pages below a parent page and keeps old paths below it', async () => {
  const { make, join } = workshop()
  const target = await make('a', { 'README.md': '# Home', 'parent.md': '# Parent' })
  const added = await make('b', {
    '.gitbook.yaml': 'redirects:\n  old/place: sub/x.md\n',
    'SUMMARY.md': '## Group\n\n* [X](sub/x.md)\n',
    'sub/x.md': '# X',
  })
  const parent = (await idAt(target, 'parent')) ?? ''
  const joined = await join(target, added, parent)
  expect(await outline(joined)).toEqual([
    'readme document',
    'parent document',
    'parent/group document',
    'parent/group/x document',
  ])
  const x = await findPageByPath(joined, 'parent/old/place')
  expect(x && pathOfPage(x)).toBe('parent/group/x')
  expect(await idAt(joined, 'parent/sub/x')).toBe(x?.entry.id)
})

test('adds files, reusable content, tags and variables without replacing existing ones', async () => {
  const { objects, make, join } = workshop()
  const target = await make('a', {
    'README.md': '# Home',
    '.gitbook/vars.yaml': 'product: Ours\nversion: 1\n',
    '.gitbook/tags.yaml': '- tag: beta\n  label: Our beta\n',
  })
  const added = await make('b', {
    'page.md': '# Page\n\n![](.gitbook/assets/a.png)\n\n{% include ".gitbook/includes/note.md" %}',
    '.gitbook/assets/a.png': 'picture',
    '.gitbook/includes/note.md': 'Mind the gap',
    '.gitbook/vars.yaml': 'product: Theirs\ncity: Bern\n',
    '.gitbook/tags.yaml': '- tag: beta\n  label: Their beta\n- tag: new\n  label: New\n',
  })
  const { root } = await join(target, added)
  expect(root.variables).toEqual({ product: 'Ours', version: 1, city: 'Bern' })
  expect(root.tags).toMatchObject({ beta: { label: 'Our beta' }, new: { label: 'New' } })
  expect(await readSequence(objects, root.files)).toEqual(await readSequence(objects, added.root.files))
  const reused = await readSequence(objects, root.reusableContents)
  expect(
    await readObjects(
      objects,
      'reusable-content',
      reused.map(({ hash }) => hash),
    ),
  ).toMatchObject([{ title: 'note' }])
})

test('can be repeated and writes few objects for a large target', async () => {
  const { objects, make, join } = workshop()
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`page-${index}.md`, `# Page ${index}`]))
  const target = await make('a', files)
  const added = await make('b', { 'new.md': '# New' })
  objects.writes = 0
  const joined = await join(target, added)
  expect(objects.writes).toBeLessThan(20)
  const again = await join(joined, await make('c', { 'new.md': '# New' }))
  expect((await outline(again)).slice(-2)).toEqual(['new document', 'new-1 document'])
  expect(
    (await readObject(objects, 'root', await graftTree(again, await make('d', {}), { into: null }))).pages,
  ).toEqual(again.root.pages)
})

const nestedFile = (depth: number) => `${Array.from({ length: depth }, (_, level) => `l${level}`).join('/')}/README.md`

test('writes objects in proportion to the added content', async () => {
  const { objects, make, join } = workshop()
  const deep = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [nestedFile(index + 1), '# Level']))
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`w/page-${index}.md`, '# Same']))
  const target = await make('a', { 'README.md': '# Home' })
  const added = await make('b', { ...deep, ...wide })
  objects.writes = 0
  const joined = await join(target, added)
  expect(objects.writes).toBeLessThan(1300)
  expect((await outline(joined)).length).toBe(1 + 100 + 1001)
})
