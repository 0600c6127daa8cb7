import { describe, expect, test } from 'vitest'
import { ListingDraft } from '../../src/content/repository/listing.ts'
import { findPageByPath } from '../../src/content/revision/tree.ts'
import type { PageNode } from '../../src/content/revision/tree.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { SyncedRepository } from '../support/repository.ts'

type Item = {
  text: string
  depth: number
} & ({ file: string; quoted?: string } | { url: string } | { isGroup: true } | { isEmpty: true })

const names = ['setup', 'usage', 'limits', 'faq', 'billing']
const folders = ['', 'guide/', 'api/', 'guide/more/']
const labels = ['Setup', 'Usage', 'Prerequisites', 'Overview', 'Questions & answers']

/** A repository that is changed at random, commit by commit. */
class History {
  readonly files = new Map<string, string>()
  readonly #next: () => number
  #items: Item[] = []
  #made = 0
  /** Old paths of the files that the last commit renamed, by their new paths. */
  renamed = new Map<string, string>()

  constructor(seed: number) {
    this.#next = seededRandom(seed)
    this.files.set('README.md', '# Home\n')
    this.#items.push({ text: 'Home', depth: 0, file: 'README.md' })
    for (let count = randomInteger(this.#next, 4, 10); count > 0; count--) this.#add()
    this.#finish()
  }

  commit(): void {
    this.renamed = new Map()
    for (let count = randomInteger(this.#next, 1, 3); count > 0; count--) this.#change()
    this.#finish()
  }

  #change(): void {
    const pages = this.#items.filter((item) => 'file' in item && item.file !== 'README.md') as (Item & {
      file: string
    })[]
    const page = this.#one(pages)
    const item = this.#one(this.#items)
    switch (randomInteger(this.#next, 0, 13)) {
      case 0:
      case 1:
        return this.#add()
      case 2:
        if (page) this.#rename(page, `${this.#one(folders)}${this.#one(names)}.md`)
        return
      case 3:
        // A file becomes the README of a folder, or the reverse.
        if (page) this.#rename(page, turned(page.file))
        return
      case 4: {
        // Both files remain, and the table of contents lists the other one.
        if (!page || this.#isListed(turned(page.file))) return
        if (!this.files.has(turned(page.file))) this.files.set(turned(page.file), this.#page())
        page.file = turned(page.file)
        page.text = this.#one(labels) as string
        return
      }
      case 5:
        if (item) item.text = this.#one(labels) as string
        return
      case 6:
        if (page)
          this.files.set(page.file, (this.files.get(page.file) ?? '').replace(/^# .*/, `# ${this.#one(labels)}`))
        return
      case 7: {
        const [moved] = this.#items.splice(this.#at(1), 1)
        if (moved)
          this.#items.splice(this.#at(1), 0, {
            ...moved,
            depth: 'isGroup' in moved ? 0 : randomInteger(this.#next, 0, 2),
          })
        return
      }
      case 8:
        if (item && !('isGroup' in item)) item.depth = randomInteger(this.#next, 0, 2)
        return
      case 9: {
        if (!page) return
        this.#items.splice(this.#items.indexOf(page), 1)
        if (randomInteger(this.#next, 0, 1) === 1) this.files.delete(page.file)
        return
      }
      case 10:
        this.#items.splice(this.#at(1), 0, { text: this.#one(labels) as string, depth: 0, isGroup: true })
        return
      case 11:
        this.#items.splice(this.#at(1), 0, { text: this.#one(labels) as string, depth: 1, isEmpty: true })
        return
      case 12:
        this.#items.splice(this.#at(1), 0, { text: this.#one(labels) as string, depth: 1, url: 'https://example.com/' })
        return
      default: {
        const groups = this.#items.filter((one) => 'isGroup' in one)
        const group = this.#one(groups)
        if (group) this.#items.splice(this.#items.indexOf(group), 1)
      }
    }
  }

  #add(): void {
    const file = `${this.#one(folders)}${this.#one([...names, 'README'])}.md`
    if (this.#isListed(file)) return
    if (!this.files.has(file)) this.files.set(file, this.#page())
    const quoted = randomInteger(this.#next, 0, 5) === 0 ? { quoted: 'Short' } : {}
    const depth = randomInteger(this.#next, 0, 2)
    this.#items.splice(this.#at(1), 0, { text: this.#one(labels) as string, depth, file, ...quoted })
  }

  #rename(page: Item & { file: string }, to: string): void {
    const text = this.files.get(page.file)
    if (text === undefined || this.files.has(to) || this.#isListed(to) || this.renamed.has(page.file)) return
    this.files.delete(page.file)
    this.files.set(to, randomInteger(this.#next, 0, 1) === 0 ? text : `${text}\n${this.#sentence()}\n`)
    this.renamed.set(to, page.file)
    page.file = to
  }

  #isListed(file: string): boolean {
    return this.#items.some((item) => 'file' in item && item.file === file)
  }

  /** Creates a page with unique sentences, sometimes without a heading. */
  #page(): string {
    const heading = randomInteger(this.#next, 0, 5) === 0 ? '' : `# ${this.#one(labels)}\n\n`
    return heading + Array.from({ length: 8 }, () => `${this.#sentence()}\n`).join('\n')
  }

  #sentence(): string {
    return `Sentence ${this.#made++} is about ${this.#one(names)} and nothing else says this.`
  }

  #one<Value>(values: readonly Value[]): Value | undefined {
    return values[randomInteger(this.#next, 0, values.length - 1)]
  }

  #at(from: number): number {
    return randomInteger(this.#next, from, this.#items.length)
  }

  #finish(): void {
    let depth = -1
    const lines = this.#items.map((item) => {
      if ('isGroup' in item) {
        depth = -1
        return `\n## ${item.text}\n`
      }
      depth = Math.min(item.depth, depth + 1)
      const bullet = `${'  '.repeat(depth)}* `
      if ('isEmpty' in item) return bullet + item.text
      const to = 'url' in item ? item.url : item.file
      return `${bullet}[${item.text}](${to}${'quoted' in item ? ` "${item.quoted}"` : ''})`
    })
    this.files.set('SUMMARY.md', `# Table of contents\n\n${lines.join('\n')}\n`)
  }
}

const turned = (file: string) =>
  file.endsWith('/README.md') ? file.replace('/README.md', '.md') : file.replace(/\.md$/, '/README.md')

/** Returns the type, path, titles and target of all pages, in order. */
async function described(repository: SyncedRepository): Promise<string[]> {
  const list = (nodes: readonly PageNode[], above: string): string[] =>
    nodes.flatMap(({ entry, page, children }) => {
      const path = above + entry.slug
      const target = page.target?.kind === 'url' ? ` -> ${page.target.url}` : page.target ? ' -> page' : ''
      return [`${entry.type} ${path} "${page.title}" "${page.linkTitle ?? ''}"${target}`, ...list(children, `${path}/`)]
    })
  return list(await repository.pages(), '')
}

/** Returns the ids of pages by path. */
async function addresses(repository: SyncedRepository): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const note = (nodes: readonly PageNode[], above: string): void => {
    for (const { entry, children } of nodes) {
      if (entry.type !== 'link') found.set(above + entry.slug, entry.id)
      note(children, `${above}${entry.slug}/`)
    }
  }
  note(await repository.pages(), '')
  return found
}

async function idsOfFiles(repository: SyncedRepository): Promise<Map<string, string | undefined>> {
  const { storedFiles } = await ListingDraft.open(repository.objects, repository.content.listing)
  return new Map([...storedFiles].map(([path, { item }]) => [path, item]))
}

describe('successive imports', () => {
  const seeds = Array.from({ length: 16 }, (_, index) => index + 1)

  test.each(seeds)('give the same result as a fresh import, and keep ids and former paths (%i)', async (seed) => {
    const history = new History(seed)
    const repository = await SyncedRepository.fromFiles(Object.fromEntries(history.files))
    for (let commit = 0; commit < 12; commit++) {
      const before = { ids: await idsOfFiles(repository), addresses: await addresses(repository) }
      const filesBefore = new Set(history.files.keys())
      history.commit()
      repository.folder = new MemoryFolder(new Map(history.files))
      await repository.import()
      const fresh = new SyncedRepository(new CountingObjects(), new MemoryFolder(new Map(history.files)))
      await fresh.import()
      expect(await described(repository)).toEqual(await described(fresh))
      expect(await repository.export(repository.content.root)).toEqual({})

      const ids = await idsOfFiles(repository)
      for (const [to, from] of history.renamed) {
        // Git detects no rename if the old path still exists or the new path existed before.
        const former = history.files.has(from) || filesBefore.has(to) ? undefined : before.ids.get(from)
        if (former !== undefined && ids.has(to)) expect(ids.get(to), `${from} -> ${to}`).toBe(former)
      }
      const now = await addresses(repository)
      const present = new Set(now.values())
      const tree = await repository.tree()
      for (const [address, id] of before.addresses) {
        if (!present.has(id) || now.has(address)) continue
        // A path that several pages had may resolve to any of them.
        expect(await findPageByPath(tree, address), address).toBeDefined()
      }
    }
  })
})

const page = (title: string, text = title) =>
  `# ${title}\n\n${Array.from({ length: 6 }, (_, at) => `${text} sentence ${at}.`).join('\n\n')}\n`

describe('the path of a page', () => {
  test('is reused by the page that replaces it in the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      't.md': page('T'),
      't/README.md': page('Other'),
      'SUMMARY.md': '* [Home](README.md)\n* [T](t.md)\n',
    })
    await repository.write({ 'SUMMARY.md': '* [Home](README.md)\n* [Another](t/README.md)\n' })
    expect(await repository.outline()).toEqual(['readme "Home"', 't "Other"'])
  })

  test('loses its number when the other page with the same slug is removed', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'a/x.md': page('First'),
      'b/x.md': page('Second'),
      'SUMMARY.md': '* [Home](README.md)\n* [First](a/x.md)\n* [Second](b/x.md)\n',
    })
    const id = await repository.getPageId('x-1')
    await repository.write({ 'a/x.md': null, 'SUMMARY.md': '* [Home](README.md)\n* [Second](b/x.md)\n' })
    expect(await repository.getPageId('x')).toBe(id)
    expect(await repository.findPath('x-1')).toBe('x')
  })
})

const summaryIn = (group: string, guide = 'guide/') =>
  `* [Home](README.md)\n\n## ${group}\n\n* [Guide](${guide}README.md)\n  * [A](${guide}a.md)\n`

describe('a former path', () => {
  const files = {
    'README.md': '# Home\n',
    'guide/README.md': '# Guide\n\nAll about guides, in one line.\n',
    'guide/a.md': '# A\n\nThe first page, in one line of text.\n',
  }

  test('resolves to the page after its group is renamed, its folder moves or its parent changes', async () => {
    const repository = await SyncedRepository.fromFiles({ ...files, 'SUMMARY.md': summaryIn('Start') })
    const id = await repository.getPageId('start/guide/a')
    await repository.write({ 'SUMMARY.md': summaryIn('Begin') })
    expect(await repository.findPath('start/guide/a')).toBe('begin/guide/a')
    repository.changeFiles({ 'SUMMARY.md': summaryIn('Begin', 'manual/') })
    await repository.rename({ 'guide/README.md': 'manual/README.md', 'guide/a.md': 'manual/a.md' })
    for (const address of ['start/guide/a', 'begin/guide/a']) {
      expect(await repository.findPath(address)).toBe('begin/manual/a')
    }
    await repository.write({ 'SUMMARY.md': '* [Home](README.md)\n* [A](manual/a.md)\n* [Guide](manual/README.md)\n' })
    for (const address of ['start/guide/a', 'begin/guide/a', 'begin/manual/a']) {
      expect(await repository.findPath(address)).toBe('a')
    }
    expect(await repository.getPageId('a')).toBe(id)
  })
})

const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `Line ${from + at} of a long text.\n`).join('')

describe('a renamed file', () => {
  test('is matched by similar content, as in Git, rather than by a similar path', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': '# Home\n',
      'x.md': `# X\n\n${lines(0, 20)}`,
      'SUMMARY.md': '* [Home](README.md)\n* [X](x.md)\n',
    })
    const id = await repository.getPageId('x')
    await repository.write({
      'x.md': null,
      'y.md': `# Y\n\n${lines(0, 14)}${lines(100, 6)}`,
      'x/README.md': `# New\n\n${lines(200, 20)}`,
      'SUMMARY.md': '* [Home](README.md)\n* [Y](y.md)\n* [New](x/README.md)\n',
    })
    expect(await repository.getPageId('y')).toBe(id)
    expect(await repository.getPageId('x')).not.toBe(id)
  })

  test('is matched by the length of equal text, even if most of its lines occur in many files', async () => {
    const boilerplate = Array.from({ length: 30 }, (_, at) => `- item ${at}\n`).join('')
    const text = (name: string) => `# ${name}\n\n${boilerplate}\nAll about ${name}, at some length and in one line.\n`
    const all = Array.from({ length: 30 }, (_, at) => `page${at}`)
    const summary = (folder: string) =>
      `* [Home](README.md)\n${all.map((one) => `* [${one}](${folder}/${one}.md)\n`).join('')}`
    const repository = await SyncedRepository.fromFiles({
      'README.md': '# Home\n',
      'SUMMARY.md': summary('old'),
      ...Object.fromEntries(all.map((one) => [`old/${one}.md`, text(one)])),
    })
    const ids = await Promise.all(all.map((one) => repository.getPageId(one)))
    await repository.write({
      'SUMMARY.md': summary('new'),
      ...Object.fromEntries(all.map((one) => [`old/${one}.md`, null])),
      ...Object.fromEntries(all.map((one) => [`new/${one}.md`, `${text(one)}\nAnd more.\n`])),
    })
    expect(await Promise.all(all.map((one) => repository.getPageId(one)))).toEqual(ids)
  })
})
