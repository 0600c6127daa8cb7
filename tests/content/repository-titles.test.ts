import { describe, expect, test } from 'vitest'
import type { PageBody } from '../../src/content/revision/draft.ts'
import { ListingDraft } from '../../src/content/repository/listing.ts'
import { readObject } from '../../src/content/revision/objects.ts'
import type { PageNode } from '../../src/content/revision/tree.ts'
import { SyncedRepository, withoutLinkTitle } from '../support/repository.ts'

const long = `How to ${'very '.repeat(30)}slowly install it`

const files = {
  'README.md': '# Home\n',
  'SUMMARY.md': `# Table of contents

* [Home](README.md)
* [Install on Linux](linux.md)
* [Install on a Mac](mac.md "Mac")
* [Same](same.md)
* [No heading](plain.md)
* [Front](front.md)
* [${long}](long.md)
* [Elsewhere](https://example.com "${long}")
`,
  'linux.md': '# Prerequisites\n\nText.\n',
  'mac.md': '# Prerequisites\n\nOther text.\n',
  'same.md': '# Same\n',
  'plain.md': 'Text without a heading.\n',
  'front.md': '---\ntitle: From the front matter\n---\n\nText.\n',
  'long.md': '# Install\n',
}

/** Returns the titles of all pages, followed by a colon and the link title if there is one. */
async function titles(repository: SyncedRepository): Promise<string[]> {
  const list = (nodes: readonly PageNode[]): string[] =>
    nodes.flatMap(({ page, children }) => [
      page.title + (page.linkTitle === undefined ? '' : `: ${page.linkTitle}`),
      ...list(children),
    ])
  return list(await repository.pages())
}

const edited = async (repository: SyncedRepository, path: string, change: Partial<PageBody>, removed?: 'linkTitle') => {
  const id = await repository.getPageId(path)
  return repository.edit((draft) =>
    draft.updatePage(id, (body) => {
      const { linkTitle, ...rest } = body
      return { ...rest, ...(removed === undefined && linkTitle !== undefined && { linkTitle }), ...change }
    }),
  )
}

const lineOf = (repository: SyncedRepository, file: string) =>
  repository.folder.contents
    .get('SUMMARY.md')
    ?.split('\n')
    .find((line) => line.includes(`(${file}`))

/** Returns the titles after a fresh import of the folder. */
const reread = async (repository: SyncedRepository) =>
  titles(await SyncedRepository.fromFiles(Object.fromEntries(repository.folder.contents)))

/** Creates a repository as an old version imported it: without a version, and without link titles from link texts. */
async function fromBefore(): Promise<SyncedRepository> {
  const repository = await SyncedRepository.fromFiles(files)
  const root = await repository.draft(async (draft) => {
    for (const path of ['linux', 'front', 'long']) {
      await draft.updatePage(await repository.getPageId(path), withoutLinkTitle)
    }
    const link = (await repository.pages()).at(-1)?.entry.id ?? ''
    await draft.updatePage(link, (body) => ({ ...body, linkTitle: long }))
  })
  const listing = await readObject(repository.objects, 'listing', repository.content.listing ?? '')
  const { version: _, ...earlier } = listing
  repository.content = { root, listing: repository.objects.write(earlier) }
  return repository
}

describe('titles of imported pages', () => {
  test('are the headings of files, and a different text in the table of contents is the link title', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    const all = await titles(repository)
    expect(all).toEqual([
      'Home',
      'Prerequisites: Install on Linux',
      'Prerequisites: Mac',
      'Same',
      'No heading',
      'From the front matter: Front',
      expect.stringMatching(/^Install: How to (very )+…$|^Install: How to (very )+[a-z]*…$/),
      expect.stringMatching(/^Elsewhere: How to /),
    ])
    for (const node of await repository.pages()) expect(node.page.linkTitle?.length ?? 0).toBeLessThanOrEqual(100)
    expect(await repository.export(repository.content.root)).toEqual({})
  })

  test('are only those of files if the table of contents is missing or does not list the first page', async () => {
    const { 'SUMMARY.md': _, ...withoutSummary } = files
    expect(await titles(await SyncedRepository.fromFiles(withoutSummary))).toContain('Prerequisites')
    const unlisted = await SyncedRepository.fromFiles({ ...files, 'SUMMARY.md': '* [Same](same.md)\n' })
    expect(await titles(unlisted)).toEqual(['Home', 'Same'])
  })

  test('are updated when the table of contents or a heading changes', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    await repository.write({ 'SUMMARY.md': files['SUMMARY.md'].replace('Install on Linux', 'Linux') })
    expect(await titles(repository)).toContain('Prerequisites: Linux')
    await repository.write({ 'SUMMARY.md': files['SUMMARY.md'].replace('Install on Linux', 'Prerequisites') })
    expect(await titles(repository)).toContain('Prerequisites')
    await repository.write({ 'linux.md': '# Install on Linux\n', 'SUMMARY.md': files['SUMMARY.md'] })
    expect((await repository.getPage('linux')).page).toMatchObject({ title: 'Install on Linux' })
    expect((await repository.getPage('linux')).page.linkTitle).toBeUndefined()
    await repository.write({ 'linux.md': '# Before you begin\n' })
    expect(await titles(repository)).toContain('Before you begin: Install on Linux')
  })
})

describe('an edited title', () => {
  test('is written to the heading, and the table of contents keeps the link title', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    expect(await edited(repository, 'linux', { title: 'Before you begin' })).toEqual({
      'linux.md': '# Before you begin\n\nText.\n',
    })
    expect(await edited(repository, 'mac', { title: 'Requirements' })).toEqual({
      'mac.md': '# Requirements\n\nOther text.\n',
    })
    expect(await reread(repository)).toEqual(await titles(repository))
  })

  test('is written to the heading and the table of contents if both are equal', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    const changes = await edited(repository, 'same', { title: 'Alike' })
    expect(changes['same.md']).toBe('# Alike\n')
    expect(lineOf(repository, 'same.md')).toBe('* [Alike](same.md)')
    expect(await reread(repository)).toEqual(await titles(repository))
  })

  test('that equals the link title does not remove the link title', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    await edited(repository, 'linux', { title: 'Install on Linux' })
    expect(lineOf(repository, 'linux.md')).toBe('* [Install on Linux](linux.md "Install on Linux")')
    expect(await reread(repository)).toEqual(await titles(repository))
  })
})

describe('an edited link title', () => {
  test('changes only the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    for (const [file, line] of [
      ['linux', '* [New](linux.md)'],
      ['mac', '* [Install on a Mac](mac.md "New")'],
      ['same', '* [New](same.md)'],
      ['plain', '* [No heading](plain.md "New")'],
      ['front', '* [New](front.md)'],
      ['long', '* [New](long.md)'],
    ] as const) {
      expect(Object.keys(await edited(repository, file, { linkTitle: 'New' }))).toEqual(['SUMMARY.md'])
      expect(lineOf(repository, `${file}.md`)).toBe(line)
    }
    expect(lineOf(repository, 'https:')).toBe(`* [Elsewhere](https://example.com "${long}")`)
    expect(await reread(repository)).toEqual(await titles(repository))
  })

  test('is replaced by the title in the table of contents when it is removed', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    for (const file of ['linux', 'mac', 'front', 'long']) {
      expect(Object.keys(await edited(repository, file, {}, 'linkTitle'))).toEqual(['SUMMARY.md'])
    }
    expect(lineOf(repository, 'linux.md')).toBe('* [Prerequisites](linux.md)')
    expect(lineOf(repository, 'mac.md')).toBe('* [Prerequisites](mac.md)')
    expect(await reread(repository)).toEqual(await titles(repository))
  })

  test('creates a file for a page without a file', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...files,
      'SUMMARY.md': `${files['SUMMARY.md']}* Only a name\n`,
    })
    await edited(repository, 'only-a-name', { linkTitle: 'Name' })
    expect(repository.folder.contents.get('only-a-name.md')).toBe('# Only a name\n')
    expect(await reread(repository)).toEqual(await titles(repository))
  })

  test('is needed to replace a text over the length limit in the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles(files)
    await edited(repository, 'same', { title: 'Alike' })
    await edited(repository, 'long', { title: 'Install it' })
    expect(lineOf(repository, 'long.md')).toBe(`* [${long}](long.md)`)
    expect(repository.folder.contents.get('long.md')).toBe('# Install it\n')
  })
})

describe('content imported by an old version', () => {
  test('is updated once by the next import, from stored sources', async () => {
    const repository = await fromBefore()
    expect(await titles(repository)).toContain('Prerequisites')
    await repository.import()
    expect(await titles(repository)).toEqual(await titles(await SyncedRepository.fromFiles(files)))
    expect(repository.readCount).toBe(7)
    expect(repository.folder.readPaths).toEqual([])
    await repository.import()
    expect(repository.readCount).toBe(0)
  })

  test('keeps its table of contents when a page is edited before the next import', async () => {
    const repository = await fromBefore()
    expect(Object.keys(await edited(repository, 'linux', { title: 'Before you begin' }))).toEqual(['linux.md'])
    await edited(repository, 'same', { title: 'Alike' })
    expect(repository.folder.contents.get('SUMMARY.md')).toBe(files['SUMMARY.md'].replace('[Same]', '[Alike]'))
    const listing = await ListingDraft.open(repository.objects, repository.content.listing)
    expect(listing.stored.version).toBeUndefined()
    await repository.import()
    expect(await titles(repository)).toContain('Before you begin: Install on Linux')
  })
})
