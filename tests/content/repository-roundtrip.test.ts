import { describe, expect, test } from 'vitest'
import { mergeTrees } from '../../src/content/revision/merge.ts'
import type { PageNode } from '../../src/content/revision/tree.ts'
import type { Draft, PageBody } from '../../src/content/revision/draft.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { SyncedRepository, withoutLinkTitle } from '../support/repository.ts'

const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'haven',
  'inlet',
  'jetty',
  'karst',
  'ledge',
]

/** Generates random folders and edits. */
class Chance {
  readonly next: () => number
  #made = 0

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  up(to: number): number {
    return randomInteger(this.next, 0, to)
  }

  isIn(percent: number): boolean {
    return this.next() * 100 < percent
  }

  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.up(items.length - 1)]
  }

  word(): string {
    return this.one(words) as string
  }

  /** Returns a unique sentence. */
  sentence(): string {
    return `The ${this.word()} ${this.word()} of ${this.word()} number ${this.#made++}.`
  }

  title(): string {
    const text = `${this.word()} ${this.word()}`
    return this.one([
      text,
      text,
      `${text} & co`,
      `*${text}*`,
      `What is [${text}]?`,
      `${text} ${this.#made++}`,
    ]) as string
  }

  folder(): Record<string, string> {
    const files: Record<string, string> = {}
    const folders = ['', 'guide/', 'guide/deep/', 'api reference/', 'Größe/']
    const paths = new Set<string>()
    paths.add('README.md')
    for (let count = randomInteger(this.next, 3, 9); count > 0; count--) {
      const folder = this.one(folders) as string
      const name = this.isIn(25) && folder !== '' ? 'README' : this.isIn(15) ? `${this.word()} (1)` : this.word()
      paths.add(`${folder}${name}.md`)
    }
    const assets = ['.gitbook/assets/plan.png', '.gitbook/assets/a plan (1).png', 'guide/local.png']
    const includes = ['.gitbook/includes/note.md', '.gitbook/includes/warning.md']
    for (const asset of assets) if (this.isIn(70)) files[asset] = `bytes of ${asset} ${this.up(9)}`
    const targets = [...paths, ...assets, 'nowhere.md']
    for (const path of paths) files[path] = this.page(path, targets, includes)
    for (const include of includes) {
      if (this.isIn(60)) files[include] = `---\ntitle: ${this.word()}\n---\n\n${this.paragraph(include, targets)}\n`
    }
    if (this.isIn(80)) files['SUMMARY.md'] = this.summary([...paths])
    if (this.isIn(40)) files['.gitbook/vars.yaml'] = `# ours\ncolour: ${this.word()}\ncount: ${this.up(9)}\n`
    if (this.isIn(30)) files['.gitbook.yaml'] = `redirects:\n  old/way: ${this.one([...paths])}\n`
    if (this.isIn(30)) files['src/code.ts'] = 'export {}\n'
    return files
  }

  summary(paths: readonly string[]): string {
    const lines = ['# Table of contents', '']
    let depth = 0
    let isFirst = true
    for (const path of paths) {
      if (this.isIn(15)) {
        lines.push('', `## ${this.title().replaceAll(/[*[\]]/g, '')}`, '')
        isFirst = true
      }
      depth = isFirst ? 0 : randomInteger(this.next, 0, Math.min(depth + 1, 3))
      const bullet = `${'  '.repeat(depth)}${this.one(['*', '*', '-'])} `
      const to = /[ (]/.test(path) ? `<${path}>` : path
      if (this.isIn(6)) lines.push(`${bullet}${this.word()}`)
      else if (this.isIn(5)) lines.push(`${bullet}[${this.word()}](https://example.com/${this.word()})`)
      else if (this.isIn(4)) lines.push(`${bullet}[${this.word()}](gone/${this.word()}.md)`)
      else lines.push(`${bullet}[${this.word()} ${this.word()}](${to}${this.isIn(10) ? ' "Short"' : ''})`)
      isFirst = false
      if (this.isIn(5)) {
        lines.push('', '***', '')
        isFirst = true
      }
    }
    return `${lines.join('\n')}\n`
  }

  page(path: string, targets: readonly string[], includes: readonly string[]): string {
    const parts: string[] = []
    if (this.isIn(25)) parts.push(`---\n# kept\ndescription: ${this.word()}\nowner: ${this.word()}\n---`)
    if (this.isIn(85)) parts.push(`# ${this.title().replaceAll(/[*[\]]/g, '')}`)
    for (let count = this.up(4); count > 0; count--) {
      if (this.isIn(15)) parts.push(`{% include "${relative(path, this.one(includes) as string)}" %}`)
      else if (this.isIn(20)) parts.push(`- one ${this.word()}\n- two`)
      else parts.push(this.paragraph(path, targets))
    }
    const newline = this.isIn(10) ? '\r\n' : '\n'
    return `${parts.join('\n\n')}${this.isIn(90) ? '\n' : ''}`.replaceAll('\n', newline)
  }

  paragraph(path: string, targets: readonly string[]): string {
    const to = relative(path, this.one(targets) as string)
    const link = this.isIn(50) ? encodeURI(to).replaceAll(/[()]/g, '\\$&') : `<${to}>`
    const start = this.sentence()
    return this.isIn(50) ? `${start} See [${this.word()}](${link}).` : `${start} *Soft*\nwrap.`
  }

  async edit(repository: SyncedRepository, draft: Draft, root: string): Promise<void> {
    const nodes = flat(await repository.pages(root))
    const open = async (wanted: (node: PageNode) => boolean): Promise<string | undefined> => {
      const found: string[] = []
      for (const node of nodes) if (wanted(node) && (await draft.findPage(node.entry.id))) found.push(node.entry.id)
      return this.one(found)
    }
    const any = await open(() => true)
    const document = await open(({ entry }) => entry.type === 'document')
    const holder = await open(({ entry }) => entry.type === 'document' || entry.type === 'group')
    const into = this.isIn(40) ? null : (holder ?? null)
    const at = this.isIn(50) ? this.up(3) : undefined
    const target = await open(({ page }) => page.document !== undefined)
    const text = target ? `${this.sentence()} See [that](/pages/${target}).` : this.sentence()
    const id = `new${this.#made++}-${root.slice(0, 6)}`
    const kind = this.up(17)
    if (kind === 0) {
      const title = this.title()
      await draft.insertPage(
        { id, type: 'document', slug: slug(title), body: repository.body(title, text) },
        { into, at },
      )
    } else if (kind === 1) {
      const title = this.title()
      await draft.insertPage({ id, type: 'group', slug: slug(title), body: repository.body(title) }, { into: null, at })
    } else if (kind === 2) {
      const to = target && this.isIn(50) ? ({ kind: 'page', page: target } as const) : url(this.word())
      await draft.insertPage(
        { id, type: 'link', slug: id, body: repository.body(this.title(), undefined, { target: to }) },
        { into, at },
      )
    } else if (kind === 3 && any) {
      const removed = await Promise.all([any, ...(await draft.descendantIds(any))].map((one) => draft.getPage(one)))
      if (!removed.some((one) => one.slug === 'readme')) await draft.deletePage(any)
    } else if ((kind === 4 || kind === 5) && any) {
      const { type } = await draft.getPage(any)
      if (into !== any && !(into !== null && (await draft.isDescendantOf(into, any))))
        await draft.movePage(any, { into: type === 'group' ? null : into, at: at ?? 0 })
    } else if (kind === 6 && document && (await draft.getPage(document)).slug !== 'readme') {
      await draft.renamePage(
        document,
        await draft.findFreeSlug((await draft.getPage(document)).parent, `${this.word()}-x`),
      )
    } else if (kind === 7 && any) {
      const title = this.title()
      await draft.updatePage(any, (body) => ({ ...body, title }))
    } else if (kind === 8 && document) {
      const description = this.isIn(30) ? undefined : this.sentence()
      await draft.updatePage(document, (body) => {
        const { description: _, ...rest } = body
        return { ...rest, ...(description !== undefined && { description }) }
      })
    } else if (kind === 9 && document) {
      await draft.updatePage(document, emptied)
    } else if (kind === 10) {
      draft.setVariables({ ...draft.variables, [this.word()]: this.sentence() })
    } else if (kind === 11) {
      draft.setTags({ ...draft.tags, [this.word()]: { label: this.word() } })
    } else if (kind === 12) {
      const body = repository.writeDocument(text)
      const known = this.one(await repository.listReusableContents(root))
      const title = this.isIn(50) && known ? known.title : this.word()
      draft.reusableContents.set(known && this.isIn(60) ? known.id : id, { title, document: body })
    } else if (kind === 13) {
      const known = this.one((await repository.files(root)).filter((file) => file.name !== 'local.png'))
      const name = known && this.isIn(50) ? known.name : `${this.word()}.png`
      const file = { name, contentType: 'image/png', size: 3, blob: repository.blob(this.sentence()) }
      draft.files.set(known && this.isIn(60) ? known.id : id, file)
    } else if (kind >= 14 && kind <= 16 && document) {
      const { title } = (await draft.getPage(document)).body
      const linkTitle = this.one([this.title(), `${this.sentence()} `.repeat(2).trim(), title, undefined])
      await draft.updatePage(document, (body) => ({
        ...withoutLinkTitle(body),
        ...(linkTitle !== undefined && { linkTitle }),
      }))
    } else if (document) await repository.append(draft, document, text)
  }

  change(contents: ReadonlyMap<string, string>): Record<string, string | null> {
    const pages = [...contents.keys()].filter((path) => path.endsWith('.md') && !/^(?:SUMMARY|README)\.md$/.test(path))
    const path = this.one(pages)
    if (path === undefined) return {}
    const text = contents.get(path) ?? ''
    const summary = contents.get('SUMMARY.md')
    const lines = summary?.split('\n') ?? []
    switch (this.up(6)) {
      case 0:
        return { [path]: null }
      case 1: {
        const to = `${this.one(['', 'guide/', 'other/'])}${this.word()}-${this.#made++}.md`
        const follows = this.isIn(70) && summary !== undefined
        return { [path]: null, [to]: text, ...(follows && { 'SUMMARY.md': summary.replace(path, to) }) }
      }
      case 2: {
        const added = `${this.word()}-${this.#made++}.md`
        const listed = summary !== undefined && { 'SUMMARY.md': `${summary}* [Added](${added})\n` }
        return { [added]: this.page(added, pages, []), ...listed }
      }
      case 3: {
        if (summary === undefined) return {}
        lines.splice(this.up(lines.length), 0, ...lines.splice(this.up(lines.length), 1))
        return { 'SUMMARY.md': lines.join('\n') }
      }
      default:
        return { [path]: `${text}\n\n${this.sentence()}\n` }
    }
  }
}

/** Removes the document of a page. */
function emptied(body: PageBody): PageBody {
  const { document: _, ...rest } = body
  return rest
}

const url = (word: string) => ({ kind: 'url', url: `https://example.com/${word}` }) as const
const slug = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

function flat(nodes: readonly PageNode[]): PageNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)])
}

function relative(from: string, to: string): string {
  const start = from.split('/').slice(0, -1)
  return [...start.map(() => '..'), to].join('/')
}

/** Removes files outside the assets folder, which a fresh import skips if no page refers to them. */
const withoutLoose = <Described extends { files: string[] }>(described: Described): Described => ({
  ...described,
  files: described.files.filter((file) => !file.startsWith('local')),
})

async function randomEdits(chance: Chance, repository: SyncedRepository, root: string): Promise<string> {
  return repository.draft(async (draft) => {
    for (let count = randomInteger(chance.next, 1, 4); count > 0; count--) await chance.edit(repository, draft, root)
  }, root)
}

describe('after random edits', () => {
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

  test.each(seeds)('the exported folder has the same content (%i)', async (seed) => {
    const chance = new Chance(seed)
    const repository = await SyncedRepository.fromFiles(chance.folder())
    for (let round = 0; round < 3; round++) {
      const root = await randomEdits(chance, repository, repository.content.root)
      const untouched = new Map(repository.folder.contents)
      const changed = await repository.export(root)
      for (const [path, text] of untouched)
        if (!(path in changed)) expect(repository.folder.contents.get(path)).toBe(text)
      const wanted = await repository.describe()
      expect(await repository.export(root)).toEqual({})

      // An import that compares with the stored listing changes nothing and reads no files.
      const { content } = repository
      await repository.import()
      expect(await repository.describe()).toEqual(wanted)
      expect(repository.content.root).toBe(content.root)
      expect(repository.folder.readPaths).toEqual([])

      // An import into an empty store gives the same content.
      const elsewhere = new SyncedRepository(new CountingObjects(), new MemoryFolder(repository.folder.contents))
      await elsewhere.import()
      expect(withoutLoose(await elsewhere.describe())).toEqual(withoutLoose(wanted))

      await repository.write(chance.change(repository.folder.contents))
      const fresh = new SyncedRepository(new CountingObjects(), repository.folder)
      await fresh.import()
      expect(withoutLoose(await repository.describe())).toEqual(withoutLoose(await fresh.describe()))
    }
  })
})

test('edits of the content and of the folder are both kept after a merge', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const chance = new Chance(seed + 10_000)
    const repository = await SyncedRepository.fromFiles(chance.folder())
    const base = repository.content.root
    const [mine, theirs] = flat(await repository.pages()).filter(({ page }) => page.document !== undefined)
    if (!mine || !theirs) continue
    const ours = await repository.draft((draft) => repository.append(draft, mine.entry.id, 'Said here.'), base)
    repository.changeFiles({ 'new-in-git.md': '# New in Git\n\nSaid there.\n' })
    const summary = repository.folder.contents.get('SUMMARY.md')
    if (summary !== undefined) repository.changeFiles({ 'SUMMARY.md': `${summary}* [New in Git](new-in-git.md)\n` })
    await repository.import()
    const merged = await mergeTrees(repository.objects, { base, ours, theirs: repository.content.root })
    expect(merged.conflicts).toEqual([])
    await repository.export(merged.root)
    const texts = [...repository.folder.contents.values()].join('\n')
    expect(texts).toContain('Said here.')
    expect(texts).toContain('Said there.')
    const elsewhere = new SyncedRepository(new CountingObjects(), repository.folder)
    await elsewhere.import()
    expect(await elsewhere.describe()).toEqual(await repository.describe())
  }
})
