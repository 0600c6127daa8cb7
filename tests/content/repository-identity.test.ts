import { describe, expect, test } from 'vitest'
import { SyncedRepository } from '../support/repository.ts'

const sentences = (word: string) =>
  Array.from({ length: 8 }, (_, index) => `The ${word} sentence number ${index}.`).join('\n\n')
const page = (title: string, text = sentences(title)) => `# ${title}\n\n${text}\n`

/** Returns the keys of the blocks of a page. */
async function keys(repository: SyncedRepository, path: string): Promise<(string | undefined)[]> {
  const { document } = (await repository.getPage(path)).page
  return (await repository.document(document ?? '')).nodes.map(({ key }) => key)
}

const home = { 'README.md': page('Home') }

describe('a page keeps its id and block keys', () => {
  test('when its text is edited, without reading other files', async () => {
    const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A'), 'b.md': page('B') })
    const [id, before] = [await repository.getPageId('a'), await keys(repository, 'a')]
    await repository.write({ 'a.md': page('A', `New.\n\n${sentences('A')}`) })
    expect(await repository.getPageId('a')).toBe(id)
    expect((await keys(repository, 'a')).slice(1)).toEqual(before)
    expect(repository.folder.readPaths).toEqual(['a.md'])
    expect(repository.readCount).toBe(1)
  })

  test('when its file is renamed, with and without a table of contents', async () => {
    for (const summary of [{}, { 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n' }] as Record<string, string>[]) {
      const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A'), ...summary })
      const [id, before] = [await repository.getPageId('a'), await keys(repository, 'a')]
      if ('SUMMARY.md' in summary) repository.changeFiles({ 'SUMMARY.md': '* [Home](README.md)\n* [A](other.md)\n' })
      await repository.rename({ 'a.md': 'other.md' })
      expect(await repository.getPageId('other')).toBe(id)
      expect(await repository.getPageId('a')).toBe(id)
      expect(await keys(repository, 'other')).toEqual(before)
    }
  })

  test('when its folder is moved, and links between the moved files remain valid', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...home,
      'guide/README.md': page('Guide'),
      'guide/a.md': page('A', '[b](b.md) [home](../README.md)'),
      'guide/b.md': page('B'),
    })
    const ids = await Promise.all(['guide', 'guide/a', 'guide/b'].map((path) => repository.getPageId(path)))
    await repository.rename({
      'guide/README.md': 'docs/guide/README.md',
      'guide/a.md': 'docs/guide/a.md',
      'guide/b.md': 'docs/guide/b.md',
    })
    const moved = ['docs/guide', 'docs/guide/a', 'docs/guide/b']
    expect(await Promise.all(moved.map((path) => repository.getPageId(path)))).toEqual(ids)
    expect(await repository.readMarkdown('docs/guide/a')).toBe('[b](page:docs/guide/b) [home](broken:../README.md)')
    expect(repository.folder.readPaths).toEqual([])
  })

  test('when its file becomes the README of a folder, and the reverse', async () => {
    const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A') })
    const id = await repository.getPageId('a')
    repository.changeFiles({ 'a.md': null, 'a/README.md': page('A', 'Quite another text.'), 'a/b.md': page('B') })
    await repository.import()
    expect(await repository.getPageId('a')).toBe(id)
    repository.changeFiles({ 'a/README.md': null, 'a/b.md': null, 'a.md': page('A', 'And another one.') })
    await repository.import()
    expect(await repository.getPageId('a')).toBe(id)
  })

  test('when its file is renamed and edited at once', async () => {
    const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A'), 'c.md': page('C') })
    const [id, before] = [await repository.getPageId('a'), await keys(repository, 'a')]
    await repository.write({ 'a.md': null, 'b.md': page('Renamed', `${sentences('A')}\n\nMore.`), 'c2.md': page('C2') })
    expect(await repository.getPageId('b')).toBe(id)
    expect((await keys(repository, 'b')).slice(0, before.length)).toEqual(before)
  })

  test('by the path of its file when two files are swapped', async () => {
    const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A'), 'b.md': page('B') })
    const [a, b] = [await repository.getPageId('a'), await repository.getPageId('b')]
    await repository.rename({ 'a.md': 'b.md', 'b.md': 'a.md' })
    expect([await repository.getPageId('a'), await repository.getPageId('b')]).toEqual([a, b])
    expect(await repository.outline()).toEqual(['readme "Home"', 'a "B"', 'b "A"'])
  })

  test('when its group is renamed, it moves to another group, or its title changes', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...home,
      'a.md': 'Text.\n',
      'SUMMARY.md': '* [Home](README.md)\n\n## One\n\n* [A](a.md)\n\n## Two\n\n* [Out](https://example.com)\n',
    })
    const [one, two, a, out] = [
      await repository.getPageId('one'),
      await repository.getPageId('two'),
      await repository.getPageId('one/a'),
      (await repository.pages())[2]?.children[0]?.entry.id,
    ]
    await repository.write({
      'SUMMARY.md': '* [Home](README.md)\n\n## First\n\n* [A](a.md)\n\n## Two\n\n* [Elsewhere](https://example.com)\n',
    })
    expect(await repository.getPageId('first')).toBe(one)
    expect(await repository.getPageId('one/a')).toBe(a)
    expect((await repository.pages())[2]?.children[0]?.entry.id).toBe(out)
    await repository.write({
      'SUMMARY.md': '* [Home](README.md)\n\n## First\n\n## Two\n\n* [Elsewhere](https://example.com)\n* [B](a.md)\n',
    })
    expect(await repository.getPageId('two/a')).toBe(a)
    expect((await repository.getPage('two/a')).page.title).toBe('B')
    expect(await repository.getPageId('two')).toBe(two)
    expect(await repository.getPageId('first')).toBe(one)
    expect(await repository.getPageId('first/a')).toBe(a)
    expect(repository.folder.readPaths).toEqual(['SUMMARY.md'])
  })

  test('when it is empty, a link or computed, and another page is added', async () => {
    const computed = '```yaml\n  type: builtin:openapi\n  dependencies: {}\n  ```'
    const summary = `* [Home](README.md)\n* Chapter\n  * [Out](https://example.com)\n* ${computed}\n`
    const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A'), 'SUMMARY.md': summary })
    const idsOf = async () =>
      (await repository.pages()).flatMap(({ entry, children }) => [
        entry.id,
        ...children.map((child) => child.entry.id),
      ])
    const before = await idsOf()
    await repository.write({ 'SUMMARY.md': `${summary}* [A](a.md)\n` })
    expect((await idsOf()).slice(0, before.length)).toEqual(before)
  })

  test('when its file is added or removed', async () => {
    const summary = { 'SUMMARY.md': '* [Home](README.md)\n* [Soon](soon.md)\n* Later\n' }
    const repository = await SyncedRepository.fromFiles({ ...home, ...summary })
    const [soon, later] = [await repository.getPageId('soon'), await repository.getPageId('later')]
    await repository.write({ 'soon.md': page('Soon') })
    expect(await repository.getPageId('soon')).toBe(soon)
    expect(await repository.readMarkdown('soon')).toContain('The Soon sentence')
    await repository.write({ 'soon.md': null })
    expect(await repository.getPageId('soon')).toBe(soon)
    expect(await repository.outline()).toContain('soon "Soon" (empty)')
    await repository.write({
      'later.md': page('Later'),
      'SUMMARY.md': '* [Home](README.md)\n* [Soon](soon.md)\n* [Later](later.md)\n',
    })
    expect(await repository.getPageId('later')).toBe(later)
    expect(await repository.readMarkdown('later')).toContain('The Later sentence')
    await repository.write({ 'README.md': page('Home', 'Edited.') })
    expect(await repository.readMarkdown('later')).toContain('The Later sentence')
  })
})

test('a removed file and a dissimilar added file are different pages', async () => {
  const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A') })
  const id = await repository.getPageId('a')
  await repository.write({ 'a.md': null, 'b.md': page('B') })
  expect(await repository.getPageId('b')).not.toBe(id)
  expect(await repository.findPath('a')).toBeUndefined()
})

test('a copied file is a new page, and the original keeps its id', async () => {
  const repository = await SyncedRepository.fromFiles({ ...home, 'a.md': page('A') })
  const id = await repository.getPageId('a')
  await repository.write({ 'b.md': page('A') })
  expect(await repository.getPageId('a')).toBe(id)
  expect(await repository.getPageId('b')).not.toBe(id)
})

test('a listed page keeps its id if its file is renamed without updating the table of contents', async () => {
  const repository = await SyncedRepository.fromFiles({
    ...home,
    'a.md': page('A'),
    'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n',
  })
  const id = await repository.getPageId('a')
  await repository.rename({ 'a.md': 'b.md' })
  expect(await repository.getPageId('a')).toBe(id)
  await repository.write({ 'SUMMARY.md': '* [Home](README.md)\n* [A](b.md)\n* [Old](a.md)\n' })
  expect(await repository.outline()).toEqual(['readme "Home"', 'b "A"', 'a "Old" (empty)'])
})

describe('references to added and removed targets', () => {
  test('are resolved again from stored sources, without reading unchanged files', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...home,
      'a.md': page('A', '[b](b.md) ![p](.gitbook/assets/p.png)'),
      'c.md': page('C'),
    })
    expect(repository.problems).toHaveLength(2)
    await repository.write({ 'b.md': page('B'), '.gitbook/assets/p.png': 'bytes' })
    expect(repository.folder.readPaths).toEqual(['b.md', '.gitbook/assets/p.png'])
    expect(repository.readCount).toBe(2)
    expect(repository.problems).toEqual([])
    expect(await repository.readMarkdown('a')).toContain('[b](page:b)')
    expect(await repository.readMarkdown('a')).toContain('file:p.png')
    await repository.write({ 'b.md': null })
    expect(repository.folder.readPaths).toEqual([])
    expect(repository.problems).toMatchObject([{ file: 'a.md', line: 3, message: 'Broken link: b.md' }])
  })

  test('are broken while the table of contents does not list the page', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', '[a](a.md)'),
      'a.md': page('A'),
      'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n',
    })
    await repository.write({ 'SUMMARY.md': '* [Home](README.md)\n' })
    expect(await repository.outline()).toEqual(['readme "Home"'])
    expect(await repository.readMarkdown('readme')).toBe('[a](broken:a.md)')
    await repository.write({ 'SUMMARY.md': '* [Home](README.md)\n* [A](a.md)\n' })
    expect(await repository.readMarkdown('readme')).toBe('[a](page:a)')
  })
})

test('files and reusable contents keep their ids when they are renamed', async () => {
  const repository = await SyncedRepository.fromFiles({
    'README.md': page('Home', '![p](.gitbook/assets/p.png)\n\n{% include ".gitbook/includes/note.md" %}'),
    '.gitbook/assets/p.png': 'bytes',
    '.gitbook/includes/note.md': sentences('note'),
  })
  const [file] = await repository.files()
  const [content] = await repository.listReusableContents()
  await repository.write({
    'README.md': page('Home', '![p](.gitbook/assets/q.png)\n\n{% include ".gitbook/includes/remark.md" %}'),
    '.gitbook/assets/p.png': null,
    '.gitbook/assets/q.png': 'bytes',
    '.gitbook/includes/note.md': null,
    '.gitbook/includes/remark.md': `${sentences('note')}\n\nMore.\n`,
  })
  expect(await repository.files()).toMatchObject([{ id: file?.id, name: 'q.png' }])
  expect(await repository.listReusableContents()).toMatchObject([{ id: content?.id, title: 'remark' }])
})

test('pages that were never exported are matched by path, and their blocks by content', async () => {
  const repository = new SyncedRepository()
  const root = await repository.draft(async (draft) => {
    await draft.insertPage(
      { id: 'h', type: 'document', slug: 'start', body: repository.body('Start', 'Hello.') },
      { into: null },
    )
    await draft.insertPage({ id: 'g', type: 'group', slug: 'guides', body: repository.body('Guides') }, { into: null })
    await draft.insertPage(
      { id: 'a', type: 'document', slug: 'a', body: repository.body('A', 'One.\n\nTwo.') },
      { into: 'g' },
    )
    await draft.insertPage(
      { id: 'b', type: 'document', slug: 'b', body: repository.body('B', 'Child.') },
      { into: 'a' },
    )
    await draft.insertPage(
      { id: 'x', type: 'document', slug: 'x', body: repository.body('X', 'Gone.') },
      { into: null },
    )
  })
  repository.content = { root }
  const before = await keys(repository, 'guides/a')
  repository.changeFiles({
    'README.md': page('Start'),
    'guides/a/README.md': '# A\n\nOne.\n\nTwo and more.\n',
    'guides/a/b.md': page('B'),
    'SUMMARY.md': '* [Start](README.md)\n\n## Guides\n\n* [A](guides/a/README.md)\n  * [B](guides/a/b.md)\n',
  })
  await repository.import({ root })
  const flat = (await repository.pages()).flatMap(function ids({ entry, children }): string[] {
    return [entry.id, ...children.flatMap(ids)]
  })
  expect(flat).toEqual(['h', 'g', 'a', 'b'])
  expect(await keys(repository, 'guides/a')).toEqual(before)
})
