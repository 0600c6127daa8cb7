import { uniqueSlug } from '../markdown/slug.ts'
import {
  type FileObject,
  type FormerPath,
  type NamedEntry,
  type Objects,
  type PageEntry,
  type PageObject,
  type PageType,
  type ParentEntry,
  type ReusableContentObject,
  type Root,
  type TagDefinition,
  type Variables,
  readObject,
  readObjects,
} from './objects.ts'
import { type Sequence, emptySequence, findInSorted, readSequence, updateSorted, writeSequence } from './sequence.ts'
import { type Tree, lineageOf } from './tree.ts'

/** Pages nest no deeper, so that every path stays short enough to be an address. */
export const maxPageDepth = 50

/** What cannot be done to a tree, in words for whoever asked for it. */
export class TreeError extends Error {
  /** The part of the request that is wrong. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.name = 'TreeError'
    this.field = field
  }
}

/** A page without its place and without those below it. */
export type PageBody = Omit<PageObject, 'kind' | 'pages'>

export interface OpenPage {
  readonly id: string
  readonly type: PageType
  readonly slug: string
  readonly parent: string | null
  readonly body: PageBody
}

export interface Place {
  /** The page or group to stand in; null is the top. */
  into: string | null
  /** Which of the pages there it becomes; without it, the last one. */
  at?: number | undefined
}

/** A list of pages that is being worked on. */
interface Folder {
  stored: Sequence<PageEntry>
  /** Once it is read. */
  children: PageEntry[] | undefined
  /** The ids of the pages in it that have changed. */
  changed: Set<string>
  isReordered: boolean
}

interface WorkingPage extends Folder {
  id: string
  type: PageType
  slug: string
  parent: string | null
  body: PageBody
  isNew: boolean
}

/** A tree that is being changed: it reads what it needs, and at the end writes what is new. */
export class Draft {
  readonly #tree: Tree
  readonly #maxDepth: number
  readonly #objects: Objects
  readonly #top: Folder
  readonly #pages = new Map<string, WorkingPage>()
  readonly #parents = new Map<string, string | null | undefined>()
  readonly #files = new Map<string, NamedEntry | null>()
  readonly #reusableContents = new Map<string, NamedEntry | null>()
  readonly #formerPaths = new Map<string, FormerPath | null>()
  #variables: Variables
  #tags: Root['tags']

  constructor(tree: Tree, { maxDepth = maxPageDepth } = {}) {
    this.#maxDepth = maxDepth
    this.#tree = tree
    this.#objects = tree.objects
    this.#top = folderOf(tree.root.pages)
    this.#variables = tree.root.variables
    this.#tags = tree.root.tags
  }

  // Pages

  async findPage(id: string): Promise<OpenPage | undefined> {
    return this.#find(id)
  }

  async getPage(id: string, field = 'page'): Promise<OpenPage> {
    return this.#get(id, field)
  }

  /** The pages in a page or at the top, in order. */
  async children(id: string | null): Promise<readonly PageEntry[]> {
    const folder = id === null ? this.#top : await this.#get(id, 'page')
    return (await this.#childrenOf(folder)).map((entry) => this.#current(entry))
  }

  /** The slugs from the top down to the page. */
  async pathOf(id: string): Promise<string> {
    const page = await this.#get(id, 'page')
    return page.parent === null ? page.slug : `${await this.pathOf(page.parent)}/${page.slug}`
  }

  async insertPage(page: { id: string; type: PageType; slug: string; body: PageBody }, place: Place): Promise<void> {
    const folder = await this.#folderFor(place.into, page.type)
    const children = await this.#childrenOf(folder)
    const slug = await this.freeSlug(place.into, page.slug)
    const added: WorkingPage = { ...page, slug, ...folderOf(emptySequence), parent: place.into, isNew: true }
    this.#pages.set(page.id, added)
    this.#parents.set(page.id, place.into)
    this.#put(folder, children, added, place.at)
  }

  async updatePage(id: string, change: (body: PageBody) => PageBody): Promise<void> {
    const page = await this.#get(id, 'page')
    const body = change(page.body)
    if (body === page.body) return
    page.body = body
    this.#markChanged(page)
  }

  /** Gives a page another slug, which no page beside it may have. */
  async renamePage(id: string, slug: string): Promise<void> {
    const page = await this.#get(id, 'page')
    if (page.slug === slug) return
    if (await this.isSlugTaken(page.parent, slug, id)) {
      throw new TreeError('slug', `The slug ${slug} is taken by a page beside it`)
    }
    await this.#rememberPath(page)
    page.slug = slug
    this.#markChanged(page)
  }

  async isSlugTaken(parent: string | null, slug: string, except?: string): Promise<boolean> {
    const children = await this.children(parent)
    return children.some((entry) => entry.id !== except && entry.slug === slug)
  }

  /** A slug like the wanted one that no other page in the parent has. */
  async freeSlug(parent: string | null, wanted: string, except?: string): Promise<string> {
    const taken = new Set((await this.children(parent)).filter(({ id }) => id !== except).map(({ slug }) => slug))
    return uniqueSlug(wanted, (slug) => taken.has(slug))
  }

  async movePage(id: string, { into, at }: Place): Promise<void> {
    const page = await this.#get(id, 'page')
    const from = await this.#folderOf(page)
    if (into === page.parent) {
      if (at === undefined) return
      const children = await this.#childrenOf(from)
      const others = children.filter((entry) => entry.id !== id)
      if (children.findIndex((entry) => entry.id === id) === Math.min(at, others.length)) return
      this.#put(from, others, page, at)
      return
    }
    const target = await this.#folderFor(into, page.type)
    if (into !== null && (await this.#lineage(into)).includes(id)) {
      throw new TreeError('into', 'A page cannot stand under itself')
    }
    await this.#checkDepth(page, into)
    await this.#rememberPath(page)
    this.#takeOut(from, await this.#childrenOf(from), id)
    page.slug = await this.freeSlug(into, page.slug)
    page.parent = into
    this.#parents.set(id, into)
    this.#put(target, await this.#childrenOf(target), page, at)
  }

  /** Puts the pages of a page or of the top into another order; `ids` are all of them. */
  async reorder(parent: string | null, ids: readonly string[]): Promise<void> {
    const folder = parent === null ? this.#top : await this.#get(parent, 'page')
    const children = await this.#childrenOf(folder)
    if (children.every((entry, index) => entry.id === ids[index])) return
    const byId = new Map(children.map((entry) => [entry.id, entry]))
    folder.children = ids.flatMap((id) => byId.get(id) ?? [])
    this.#markReordered(folder)
  }

  /** Removes a page and all below it; returns their ids. */
  async deletePage(id: string): Promise<string[]> {
    const page = await this.#get(id, 'page')
    const folder = await this.#folderOf(page)
    this.#takeOut(folder, await this.#childrenOf(folder), id)
    const removed = [id]
    for await (const level of this.#levelsBelow(page)) removed.push(...level.map((entry) => entry.id))
    for (const one of removed) {
      this.#pages.delete(one)
      this.#parents.set(one, undefined)
    }
    return removed
  }

  // Files, reusable contents, variables, tags

  async findFile(id: string): Promise<FileObject | undefined> {
    const entry = await this.findFileEntry(id)
    return entry && readObject(this.#objects, 'file', entry.hash)
  }

  findFileEntry(id: string): Promise<NamedEntry | undefined> {
    return this.#findNamed(this.#files, this.#tree.root.files, id)
  }

  setFile(id: string, file: Omit<FileObject, 'kind'> | null): void {
    this.#files.set(id, file && { id, hash: this.#objects.write({ ...file, kind: 'file' }) })
  }

  findReusableContentEntry(id: string): Promise<NamedEntry | undefined> {
    return this.#findNamed(this.#reusableContents, this.#tree.root.reusableContents, id)
  }

  async findReusableContent(id: string): Promise<ReusableContentObject | undefined> {
    const entry = await this.findReusableContentEntry(id)
    return entry && readObject(this.#objects, 'reusable-content', entry.hash)
  }

  setReusableContent(id: string, content: Omit<ReusableContentObject, 'kind'> | null): void {
    const hash = content && this.#objects.write({ ...content, kind: 'reusable-content' })
    this.#reusableContents.set(id, hash === null ? null : { id, hash })
  }

  get variables(): Variables {
    return this.#variables
  }

  setVariables(variables: Variables): void {
    this.#variables = variables
  }

  get tags(): Readonly<Record<string, TagDefinition>> {
    return this.#tags
  }

  setTags(tags: Readonly<Record<string, TagDefinition>>): void {
    this.#tags = tags
  }

  /** Keeps a path leading to a page that no longer stands there. */
  keepFormerPath(path: string, page: string): void {
    this.#formerPaths.set(path, { id: path, page })
  }

  /** Writes what has changed and returns the hash of the new root. */
  async commit(): Promise<string> {
    const { root } = this.#tree
    const parents = new Map<string, ParentEntry | null>()
    for (const [id, parent] of this.#parents) parents.set(id, parent === undefined ? null : { id, parent })
    return this.#objects.write({
      kind: 'root',
      pages: this.#close(this.#top),
      parents: await updateSorted(this.#objects, root.parents, parents),
      files: await updateSorted(this.#objects, root.files, this.#files),
      reusableContents: await updateSorted(this.#objects, root.reusableContents, this.#reusableContents),
      formerPaths: await updateSorted(this.#objects, root.formerPaths, this.#formerPaths),
      variables: this.#variables,
      tags: this.#tags,
    })
  }

  #close(folder: Folder): Sequence<PageEntry> {
    if (!folder.children || (folder.changed.size === 0 && !folder.isReordered)) return folder.stored
    const entries = folder.children.map((entry) => {
      if (!folder.changed.has(entry.id)) return entry
      const page = this.#pages.get(entry.id) as WorkingPage
      const hash = this.#objects.write({ kind: 'page', ...page.body, pages: this.#close(page) })
      return { id: page.id, slug: page.slug, type: page.type, hash }
    })
    return writeSequence(this.#objects, entries)
  }

  // Finding the way

  async #find(id: string): Promise<WorkingPage | undefined> {
    const known = this.#pages.get(id)
    if (known) return known
    if (this.#parents.has(id)) return undefined
    const lineage = await lineageOf(this.#tree, id)
    if (!lineage) return undefined
    const parent = lineage.at(-2) ?? null
    const folder = parent === null ? this.#top : await this.#find(parent)
    const entry = folder && (await this.#childrenOf(folder)).find((one) => one.id === id)
    if (!entry) return undefined
    const { kind: _, pages, ...body } = await readObject(this.#objects, 'page', entry.hash)
    const page: WorkingPage = { ...entry, ...folderOf(pages), parent, body, isNew: false }
    this.#pages.set(id, page)
    return page
  }

  async #get(id: string, field: string): Promise<WorkingPage> {
    const page = await this.#find(id)
    if (!page) throw new TreeError(field, `There is no page ${id}`)
    return page
  }

  async #folderOf(page: WorkingPage): Promise<Folder> {
    return page.parent === null ? this.#top : this.#get(page.parent, 'into')
  }

  async #folderFor(into: string | null, type: PageType): Promise<Folder> {
    if (into === null) return this.#top
    const page = await this.#get(into, 'into')
    if (type === 'group') throw new TreeError('into', 'A group stands at the top')
    if (page.type === 'computed') throw new TreeError('into', 'Nothing stands under a computed page')
    if ((await this.#lineage(into)).length >= this.#maxDepth) {
      throw new TreeError('into', `Pages nest at most ${this.#maxDepth} deep`)
    }
    return page
  }

  async #checkDepth(page: WorkingPage, into: string | null): Promise<void> {
    let depth = (into === null ? 0 : (await this.#lineage(into)).length) + 1
    for await (const _ of this.#levelsBelow(page)) {
      if (++depth > this.#maxDepth) throw new TreeError('into', `Pages nest at most ${this.#maxDepth} deep`)
    }
  }

  /** The pages below one, level by level. */
  async *#levelsBelow(page: WorkingPage): AsyncGenerator<readonly PageEntry[]> {
    let level: readonly PageEntry[] = await this.#childrenOf(page)
    while (level.length > 0) {
      yield level
      const closed = level.filter(({ id }) => !this.#pages.has(id))
      const stored = await readObjects(
        this.#objects,
        'page',
        closed.map(({ hash }) => hash),
      )
      const storedLists = new Map(closed.map(({ id }, index) => [id, (stored[index] as PageObject).pages]))
      const lists = level.map(({ id }) => {
        const open = this.#pages.get(id)
        return open ? this.#childrenOf(open) : readSequence(this.#objects, storedLists.get(id) ?? emptySequence)
      })
      level = (await Promise.all(lists)).flat()
    }
  }

  async #lineage(id: string): Promise<string[]> {
    const page = await this.#get(id, 'page')
    return page.parent === null ? [id] : [...(await this.#lineage(page.parent)), id]
  }

  async #childrenOf(folder: Folder): Promise<PageEntry[]> {
    folder.children ??= [...(await readSequence(this.#objects, folder.stored))]
    return folder.children
  }

  /** An entry as it is now: a page that is open may have another slug. */
  #current(entry: PageEntry): PageEntry {
    const slug = this.#slugOf(entry)
    return slug === entry.slug ? entry : { ...entry, slug }
  }

  #slugOf(entry: PageEntry): string {
    return this.#pages.get(entry.id)?.slug ?? entry.slug
  }

  async #rememberPath(page: WorkingPage): Promise<void> {
    if (page.isNew) return
    const path = await this.pathOf(page.id)
    this.keepFormerPath(path, page.id)
  }

  async #findNamed(
    changed: ReadonlyMap<string, NamedEntry | null>,
    stored: Sequence<NamedEntry>,
    id: string,
  ): Promise<NamedEntry | undefined> {
    const entry = changed.get(id)
    if (entry !== undefined) return entry ?? undefined
    return (await findInSorted(this.#objects, stored, [id])).get(id)
  }

  // Changing lists

  #put(folder: Folder, children: readonly PageEntry[], page: WorkingPage, at: number | undefined): void {
    const entry = { id: page.id, slug: page.slug, type: page.type, hash: '' }
    folder.children = [...children.slice(0, at ?? children.length), entry, ...children.slice(at ?? children.length)]
    folder.isReordered = true
    this.#markChanged(page)
  }

  #takeOut(folder: Folder, children: readonly PageEntry[], id: string): void {
    folder.children = children.filter((entry) => entry.id !== id)
    folder.changed.delete(id)
    this.#markReordered(folder)
  }

  #markReordered(folder: Folder): void {
    folder.isReordered = true
    if ('id' in folder) this.#markChanged(folder as WorkingPage)
  }

  /** What is in a page is part of it: all above a changed page have changed too. */
  #markChanged(page: WorkingPage): void {
    for (let next: WorkingPage | undefined = page; next;) {
      const parent: WorkingPage | undefined = next.parent === null ? undefined : this.#pages.get(next.parent)
      ;(parent ?? this.#top).changed.add(next.id)
      next = parent
    }
  }
}

function folderOf(stored: Sequence<PageEntry>): Folder {
  return { stored, children: undefined, changed: new Set(), isReordered: false }
}
