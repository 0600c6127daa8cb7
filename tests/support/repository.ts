import { createHash } from 'node:crypto'
import type { ContentRef, Document } from '../../src/content/document/nodes.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { type References, verbatimReferences, printStableDestination } from '../../src/content/markdown/references.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { isExpression } from '../../src/content/expression/index.ts'
import { type FileChange, exportRepository } from '../../src/content/repository/export.ts'
import { type ListedContent, importRepository } from '../../src/content/repository/import.ts'
import type { FileUrlMapping } from '../../src/content/repository/references.ts'
import type { RepositoryProblem } from '../../src/content/repository/source.ts'
import { Draft, type PageBody } from '../../src/content/revision/draft.ts'
import { emptyRoot, readObject, readObjects } from '../../src/content/revision/objects.ts'
import { readSequence } from '../../src/content/revision/sequence.ts'
import {
  type LocatedPage,
  type PageNode,
  findPageByPath,
  openTree,
  pathOfPage,
  readPageNodes,
} from '../../src/content/revision/tree.ts'
import { MemoryFolder } from './folder.ts'
import { CountingObjects } from './objects.ts'

/** File contents by path; null for files to remove. */
export type Files = Record<string, string | null>

let ids = 0
let clock = Date.UTC(2026, 0, 1)

/** Content that is synchronized with a folder: changes of one are imported into or exported to the other. */
export class SyncedRepository {
  readonly objects: CountingObjects
  readonly fileUrls: FileUrlMapping | undefined
  folder: MemoryFolder
  /** Content of the last import or export. */
  content: ListedContent
  problems: RepositoryProblem[] = []
  /** Number of texts that the last import has read. */
  readCount = 0

  constructor(objects = new CountingObjects(), folder = new MemoryFolder({}), fileUrls?: FileUrlMapping) {
    this.objects = objects
    this.folder = folder
    this.fileUrls = fileUrls
    this.content = { root: objects.write(emptyRoot) }
  }

  /** Imports a folder. */
  static async fromFiles(
    files: Record<string, string>,
    { fileUrls }: { fileUrls?: FileUrlMapping } = {},
  ): Promise<SyncedRepository> {
    const repository = new SyncedRepository(new CountingObjects(), new MemoryFolder(files), fileUrls)
    await repository.import()
    return repository
  }

  async import(before = this.content.listing === undefined ? undefined : this.content): Promise<void> {
    this.folder.readPaths = []
    const imported = await importRepository(this.objects, this.folder, {
      before,
      newId: () => `id${ids++}`,
      now: this.#now(),
      fileUrls: this.fileUrls,
    })
    this.content = { root: imported.root, listing: imported.listing }
    this.problems = imported.problems
    this.readCount = imported.read
  }

  /** Changes files and imports them. */
  async write(files: Files): Promise<void> {
    this.changeFiles(files)
    await this.import()
  }

  changeFiles(files: Files): void {
    const contents = new Map(this.folder.contents)
    for (const [path, text] of Object.entries(files)) {
      if (text === null) contents.delete(path)
      else contents.set(path, text)
    }
    this.folder = new MemoryFolder(contents)
  }

  /** Renames files and imports them. */
  async rename(paths: Record<string, string>): Promise<void> {
    const contents = new Map(this.folder.contents)
    const moved = Object.entries(paths).map(([from, to]) => [to, contents.get(from) ?? ''] as const)
    for (const from of Object.keys(paths)) contents.delete(from)
    for (const [to, text] of moved) contents.set(to, text)
    this.folder = new MemoryFolder(contents)
    await this.import()
  }

  /** Returns the root after a change that is not exported yet. */
  async draft(change: (draft: Draft) => Promise<unknown>, root = this.content.root): Promise<string> {
    const draft = new Draft(await openTree(this.objects, root))
    await change(draft)
    return draft.commit()
  }

  /** Changes the content and exports it. */
  async edit(change: (draft: Draft) => Promise<unknown>): Promise<Files> {
    return this.export(await this.draft(change))
  }

  /** Exports content into the folder; returns the changed files. */
  async export(after: string): Promise<Files> {
    const before = this.content.listing === undefined ? undefined : this.content
    const exported = await exportRepository(this.objects, {
      before,
      after,
      isTaken: (path) => this.folder.contents.has(path),
      fileUrls: this.fileUrls,
    })
    const { folder, oids } = this.folder.applyChanges(exported.changes)
    this.folder = folder
    this.content = { root: after, listing: await exported.list(oids) }
    return Object.fromEntries(
      exported.changes.map((change: FileChange) => [change.path, folder.contents.get(change.path) ?? null]),
    )
  }

  async tree() {
    return openTree(this.objects, this.content.root)
  }

  async pages(root = this.content.root): Promise<PageNode[]> {
    return readPageNodes(this.objects, (await openTree(this.objects, root)).root.pages)
  }

  async getPage(path: string): Promise<LocatedPage> {
    const found = await findPageByPath(await this.tree(), path)
    if (!found) throw new Error(`Page ${path} was not found`)
    return found
  }

  async findPath(path: string): Promise<string | undefined> {
    const found = await findPageByPath(await this.tree(), path)
    return found && pathOfPage(found)
  }

  async getPageId(path: string): Promise<string> {
    return (await this.getPage(path)).entry.id
  }

  /** Returns the pages as lines `slug "Title"`, with their type if they are not documents, indented by depth. */
  async outline(root?: string): Promise<string[]> {
    const names = await this.readReferences(root)
    const lines = (nodes: readonly PageNode[], indent: string): string[] =>
      nodes.flatMap(({ entry, page, children }) => {
        const kind = entry.type === 'document' ? '' : `${entry.type} `
        const target = page.target ? ` -> ${names.print(page.target)}` : ''
        const empty = entry.type === 'document' && page.document === undefined ? ' (empty)' : ''
        const line = `${indent}${kind}${entry.slug} "${page.title}"${target}${empty}`
        return [line, ...lines(children, `${indent}  `)]
      })
    return lines(await this.pages(root), '')
  }

  /** Returns references that print paths of pages, names of files and titles of reusable contents. */
  async readReferences(root = this.content.root, slugIn = (slug: string) => slug): Promise<References> {
    const tree = await openTree(this.objects, root)
    const known = new Map<string, string>()
    const note = (nodes: readonly PageNode[], above: string): void => {
      for (const { entry, children } of nodes) {
        const path = above + slugIn(entry.slug)
        known.set(entry.id, `page:${path}`)
        note(children, `${path}/`)
      }
    }
    note(await readPageNodes(this.objects, tree.root.pages), '')
    for (const { id, name } of await this.files(root)) known.set(id, `file:${slugIn(name)}`)
    for (const { id, title } of await this.listReusableContents(root)) known.set(id, `content:${title}`)
    const print = (reference: ContentRef): string => {
      const id =
        reference.kind === 'file'
          ? reference.file
          : reference.kind === 'reusable-content'
            ? reference.reusableContent
            : 'page' in reference
              ? reference.page
              : undefined
      if (reference.kind === 'url' && !/^[a-z]+:/.test(reference.url)) return `broken:${reference.url}`
      const name = id === undefined ? undefined : known.get(id)
      if (name === undefined)
        return id === undefined ? printStableDestination(reference) : `broken:${printStableDestination(reference)}`
      return reference.kind === 'anchor' ? `${name}#${reference.anchor}` : name
    }
    return { ...verbatimReferences, print }
  }

  async files(root = this.content.root) {
    const tree = await openTree(this.objects, root)
    const entries = await readSequence(this.objects, tree.root.files)
    const files = await readObjects(
      this.objects,
      'file',
      entries.map(({ hash }) => hash),
    )
    return files.map(({ name, blob }, index) => ({ id: entries[index]?.id ?? '', name, blob }))
  }

  async listReusableContents(root = this.content.root) {
    const tree = await openTree(this.objects, root)
    const entries = await readSequence(this.objects, tree.root.reusableContents)
    const contents = await readObjects(
      this.objects,
      'reusable-content',
      entries.map(({ hash }) => hash),
    )
    return contents.map(({ title, document }, index) => ({ id: entries[index]?.id ?? '', title, document }))
  }

  /** Returns the body of a page in Markdown, with references as `names` prints them. */
  async readMarkdown(path: string): Promise<string> {
    return this.print((await this.getPage(path)).page.document, await this.readReferences())
  }

  async print(hash: string | undefined, names: References): Promise<string> {
    if (hash === undefined) return ''
    return printPage({ document: await this.document(hash) }, names).trim()
  }

  async document(hash: string): Promise<Document> {
    return (await readObject(this.objects, 'document', hash)).document
  }

  /** Describes the whole content without ids, keys and times, and without the numbers that make slugs unique. */
  async describe(root = this.content.root) {
    const names = await this.readReferences(root, withoutNumbers)
    const tree = await openTree(this.objects, root)
    // A broken link contains the path or the id of its target.
    const textOf = async (document: string | undefined) =>
      (await this.print(document, names)).replaceAll(/<broken:[^>]*>|broken:[^)]*/g, 'broken:')
    const describePage = async ({ entry, page, children }: PageNode): Promise<unknown> => {
      const { kind: _, pages: __, createdAt: ___, updatedAt: ____, document, target, cover, ...fields } = page
      const { metaLinks, title, ...plain } = fields
      return {
        type: entry.type,
        ...((entry.type === 'document' || entry.type === 'group') && { slug: withoutNumbers(entry.slug) }),
        ...(entry.type !== 'computed' && { title }),
        ...plain,
        ...(target && { target: names.print(target) }),
        ...(cover?.ref && { cover: names.print(cover.ref) }),
        ...(metaLinks?.canonical && { canonical: names.print(metaLinks.canonical) }),
        text: await textOf(document),
        children: await Promise.all(children.map(describePage)),
      }
    }
    const contents = await Promise.all(
      (await this.listReusableContents(root)).map(async ({ title, document }) => ({
        title,
        text: await textOf(document),
      })),
    )
    return {
      pages: await Promise.all((await readPageNodes(this.objects, tree.root.pages)).map(describePage)),
      files: (await this.files(root)).map(({ name, blob }) => `${withoutNumbers(name)} ${blob}`).sort(),
      contents: contents.sort((a, b) => (a.title + a.text < b.title + b.text ? -1 : 1)),
      variables: tree.root.variables,
      tags: tree.root.tags,
    }
  }

  /** Creates a body with this text; links refer to targets by id: `/pages/<id>`. */
  body(title: string, markdown?: string, more: Partial<PageBody> = {}): PageBody {
    const now = this.#now()
    return {
      title,
      ...(markdown !== undefined && { document: this.writeDocument(markdown) }),
      createdAt: now,
      updatedAt: now,
      ...more,
    }
  }

  writeDocument(markdown: string): string {
    const { document } = parsePage(markdown, { references: verbatimReferences, isExpression })
    return this.objects.write({ kind: 'document', document: assignKeys(undefined, document) })
  }

  /** Appends text to a page. */
  async append(draft: Draft, id: string, markdown: string): Promise<void> {
    const { body } = await draft.getPage(id)
    const before = body.document === undefined ? undefined : await this.document(body.document)
    const { document } = parsePage(markdown, { references: verbatimReferences, isExpression })
    const nodes = [...(before?.nodes ?? []), ...document.nodes]
    const hash = this.objects.write({ kind: 'document', document: assignKeys(before, { ...document, nodes }) })
    await draft.updatePage(id, (old) => ({ ...old, document: hash, updatedAt: this.#now() }))
  }

  /** Stores bytes in the folder; returns their hash. */
  blob(text: string): string {
    const blob = createHash('sha256').update(text).digest('hex')
    this.folder.blobs.set(blob, text)
    return blob
  }

  /** Replaces some text in the body of a page. */
  async replaceText(draft: Draft, path: string, from: string | RegExp, to: string): Promise<void> {
    const { entry, page } = await this.getPage(path)
    const before = page.document === undefined ? undefined : await this.document(page.document)
    const markdown = before ? printPage({ document: before }, verbatimReferences) : ''
    const { document } = parsePage(markdown.replace(from, to), { references: verbatimReferences, isExpression })
    const hash = this.objects.write({ kind: 'document', document: assignKeys(before, document) })
    await draft.updatePage(entry.id, (body) => ({ ...body, document: hash, updatedAt: this.#now() }))
  }

  #now(): string {
    clock += 1000
    return new Date(clock).toISOString()
  }
}

const withoutNumbers = (slug: string) => slug.replace(/(?:-\d+| \(\d+\))+(?=$|\.\w+$)/, '')

export function withoutLinkTitle(body: PageBody): PageBody {
  const { linkTitle: _, ...rest } = body
  return rest
}
