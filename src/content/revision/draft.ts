import { uniqueSlug } from '../markdown/slug.ts'
import {
  type FormerPath,
  type Objects,
  type PageEntry,
  type PageObject,
  type PageType,
  type ParentEntry,
  type Redirect,
  type Root,
  type TagDefinition,
  type Variables,
  readObject,
  readObjects,
} from './objects.ts'
import { type Sequence, emptySequence, findInSorted, readSequence, updateSorted } from './sequence.ts'
import { rewriteSequence } from './sequence-changes.ts'
import { NamedEntries } from './named-entries.ts'
import { PageList } from './page-list.ts'
import { type Tree, formerPath } from './tree.ts'

/** Maximum depth of pages, which keeps every path short enough for a URL. */
export const maxPageDepth = 50

/** An invalid change of a tree, with a message for the user. */
export class TreeError extends Error {
  /** Field of the request that is invalid. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.name = 'TreeError'
    this.field = field
  }
}

/** A page without its position and without the pages below it. */
export type PageBody = Omit<PageObject, 'kind' | 'pages'>

export interface OpenPage {
  readonly id: string
  readonly type: PageType
  readonly slug: string
  readonly parent: string | null
  readonly body: PageBody
}

export interface PagePosition {
  /** Id of the parent; null is the top level. */
  into: string | null
  /** Index among the children of the parent; by default, the page becomes the last one. */
  at?: number | undefined
}

/** A list of pages, with its changes. */
interface Folder {
  stored: Sequence<PageEntry>
  /** Number of levels of pages in the stored list. */
  levels: number
  /** The list, after it was read. */
  list: PageList | undefined
  /** Ids of the pages in it that have changed. */
  changed: Set<string>
  /** Whether pages were added, removed or reordered. */
  isRearranged: boolean
}

/** A written list of pages. */
interface Closed {
  pages: Sequence<PageEntry>
  levels: number
}

interface WorkingPage extends Folder {
  id: string
  type: PageType
  slug: string
  parent: string | null
  body: PageBody
}

/** A callback that long operations call repeatedly: it may yield to the event loop, and it may throw to cancel the operation. */
export type Breathe = () => Promise<void>

interface DraftOptions {
  maxDepth?: number
  breathe?: Breathe | undefined
}

/** Changes to a tree: reads the objects that it needs and writes new objects on commit. */
export class Draft {
  readonly files: NamedEntries<'file'>
  readonly reusableContents: NamedEntries<'reusable-content'>
  readonly #tree: Tree
  readonly #maxDepth: number
  readonly #breathe: Breathe | undefined
  readonly #objects: Objects
  readonly #top: Folder
  readonly #pages = new Map<string, WorkingPage>()
  /** Parents and slugs of the opened pages in the stored tree. */
  readonly #stored = new Map<string, { parent: string | null; slug: string }>()
  readonly #parents = new Map<string, string | null | undefined>()
  readonly #formerPaths = new Map<string, FormerPath | null>()
  readonly #redirects = new Map<string, Redirect | null>()
  #variables: Variables
  #tags: Root['tags']

  constructor(tree: Tree, { maxDepth = maxPageDepth, breathe }: DraftOptions = {}) {
    this.#maxDepth = maxDepth
    this.#breathe = breathe
    this.#tree = tree
    this.#objects = tree.objects
    this.#top = folderOf(tree.root.pages)
    this.files = new NamedEntries('file', tree.objects, tree.root.files)
    this.reusableContents = new NamedEntries('reusable-content', tree.objects, tree.root.reusableContents)
    this.#variables = tree.root.variables
    this.#tags = tree.root.tags
  }

  async findPage(id: string): Promise<OpenPage | undefined> {
    return this.#find(id)
  }

  async getPage(id: string, field = 'page'): Promise<OpenPage> {
    return this.#get(id, field)
  }

  /** Returns the children of a page, or the pages at the top level, in order. */
  async children(id: string | null): Promise<readonly PageEntry[]> {
    return (await this.#listAt(id)).entries()
  }

  /** Returns the path of a page. */
  async pathOf(id: string): Promise<string> {
    const page = await this.#get(id, 'page')
    return page.parent === null ? page.slug : `${await this.pathOf(page.parent)}/${page.slug}`
  }

  /** Whether a page is below another one, at any depth. */
  async isBelow(id: string, above: string): Promise<boolean> {
    for (let next: string | null = id; next !== null;) {
      const parent: string | null = (await this.#find(next))?.parent ?? null
      if (parent === above) return true
      next = parent
    }
    return false
  }

  async insertPage(
    page: { id: string; type: PageType; slug: string; body: PageBody },
    place: PagePosition,
  ): Promise<void> {
    const folder = await this.#folderFor(place.into, page.type)
    if (await this.#find(page.id)) throw new TreeError('page', `A page with the id ${page.id} already exists`)
    const slug = await this.freeSlug(place.into, page.slug)
    const added: WorkingPage = { ...page, slug, ...folderOf(emptySequence), parent: place.into }
    this.#pages.set(page.id, added)
    await this.#put(folder, added, place.at)
  }

  async updatePage(id: string, change: (body: PageBody) => PageBody): Promise<void> {
    const page = await this.#get(id, 'page')
    const body = change(page.body)
    if (body === page.body) return
    page.body = body
    this.#markChanged(page)
  }

  /** Changes the slug of a page; throws if a sibling has it. */
  async renamePage(id: string, slug: string): Promise<void> {
    const page = await this.#get(id, 'page')
    if (page.slug === slug) return
    if (await this.isSlugTaken(page.parent, slug, id)) {
      throw new TreeError('slug', `The slug ${slug} is already used by a sibling page`)
    }
    await this.#rename(page, slug)
  }

  /** Changes the slugs of pages at once, so that they can be swapped. A slug that a sibling keeps gets a number. */
  async renamePages(slugs: ReadonlyMap<string, string>): Promise<void> {
    const renamed: { page: WorkingPage; slug: string }[] = []
    for (const [id, slug] of slugs) {
      const page = await this.#find(id)
      if (page && page.slug !== slug) renamed.push({ page, slug })
    }
    for (const { page } of renamed) await this.#rename(page, '')
    for (const { page, slug } of renamed) await this.#rename(page, await this.freeSlug(page.parent, slug))
  }

  async isSlugTaken(parent: string | null, slug: string, except?: string): Promise<boolean> {
    return (await this.#listAt(parent)).hasSlug(slug, except)
  }

  /** Returns the wanted slug, with a number if another page of the parent has it. */
  async freeSlug(parent: string | null, wanted: string, except?: string): Promise<string> {
    const list = await this.#listAt(parent)
    return uniqueSlug(wanted, (slug) => list.hasSlug(slug, except))
  }

  async movePage(id: string, { into, at }: PagePosition): Promise<void> {
    const page = await this.#get(id, 'page')
    const from = await this.#folderAt(page.parent)
    const list = await this.#listOf(from)
    if (into === page.parent) {
      if (at === undefined || list.ids.indexOf(id) === Math.min(at, list.ids.length - 1)) return
    } else {
      await this.#folderFor(into, page.type)
      if (into === id || (into !== null && (await this.isBelow(into, id)))) {
        throw new TreeError('into', 'A page cannot be moved under itself')
      }
      await this.#checkDepth(page, into)
      page.slug = await this.freeSlug(into, page.slug)
    }
    this.#takeOut(from, list, id)
    page.parent = into
    await this.#put(await this.#folderAt(into), page, at)
  }

  /** Reorders the children of a page or the pages at the top level. */
  async reorder(parent: string | null, ids: readonly string[]): Promise<void> {
    const folder = await this.#folderAt(parent)
    const list = await this.#listOf(folder)
    if (list.ids.every((id, index) => id === ids[index])) return
    list.order(ids)
    this.#markRearranged(folder)
  }

  /** Removes a page and all pages below it; returns their ids. */
  async deletePage(id: string): Promise<string[]> {
    const page = await this.#get(id, 'page')
    const removed = [id, ...(await this.idsBelow(id))]
    const folder = await this.#folderAt(page.parent)
    this.#takeOut(folder, await this.#listOf(folder), id)
    for (const one of removed) {
      this.#pages.delete(one)
      this.#parents.set(one, undefined)
    }
    return removed
  }

  /** Returns the ids of all pages below a page, parents first. */
  async idsBelow(id: string): Promise<string[]> {
    let level: readonly PageEntry[] = await this.children(id)
    const found: string[] = []
    while (level.length > 0) {
      for (const entry of level) found.push(entry.id)
      const closed = level.filter((entry) => !this.#pages.has(entry.id) && entry.levels)
      const stored = await readObjects(
        this.#objects,
        'page',
        closed.map(({ hash }) => hash),
      )
      const storedLists = new Map(closed.map((entry, index) => [entry.id, (stored[index] as PageObject).pages]))
      const lists = level.map(async (entry): Promise<readonly PageEntry[]> => {
        const pages = storedLists.get(entry.id)
        if (pages) return readSequence(this.#objects, pages)
        return this.#pages.has(entry.id) ? this.children(entry.id) : []
      })
      level = (await Promise.all(lists)).flat()
    }
    return found
  }

  /** Returns the lineage of every page that is exactly one level deeper than a limit: the ids from the top level to the page. */
  async lineagesBeyond(limit: number): Promise<string[][]> {
    const found: string[][] = []
    const waiting: { folder: Folder; above: readonly string[] }[] = [{ folder: this.#top, above: [] }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { folder, above } = next
      for (const { id, levels = 0 } of (await this.#listOf(folder)).entries()) {
        const open = this.#pages.get(id)
        const depth = above.length + 1 + (open ? await this.#levelsBelow(open) : levels)
        if (depth <= limit) continue
        const lineage = [...above, id]
        const page = lineage.length > limit ? undefined : await this.#find(id)
        if (page) waiting.push({ folder: page, above: lineage })
        else found.push(lineage)
      }
    }
    return found
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

  /** Stores a former path of a page, by which the page is still found. */
  keepFormerPath(former: FormerPath): void {
    this.#formerPaths.set(former.id, former)
  }

  /** Sets the redirect of a path, or removes it (null). */
  setRedirect(path: string, redirect: Redirect | null): void {
    this.#redirects.set(path, redirect)
  }

  /** Writes all changes and returns the hash of the new root. */
  async commit(): Promise<string> {
    const { root } = this.#tree
    this.#rememberPaths()
    const redirects = await updateSorted(this.#objects, root.redirects ?? emptySequence, this.#redirects)
    const parents = new Map<string, ParentEntry | null>()
    for (const [id, parent] of this.#parents) parents.set(id, parent === undefined ? null : { id, parent })
    return this.#objects.write({
      kind: 'root',
      pages: (await this.#close(this.#top)).pages,
      parents: await updateSorted(this.#objects, root.parents, parents),
      files: await this.files.close(),
      reusableContents: await this.reusableContents.close(),
      formerPaths: await updateSorted(this.#objects, root.formerPaths, this.#formerPaths),
      ...(redirects.entries.length > 0 && { redirects }),
      variables: this.#variables,
      tags: this.#tags,
    })
  }

  async #close({ stored, levels, list, changed, isRearranged }: Folder): Promise<Closed> {
    if (!list || (changed.size === 0 && !isRearranged)) return { pages: stored, levels }
    const entries: PageEntry[] = []
    for (const entry of list.entries()) entries.push(changed.has(entry.id) ? await this.#closePage(entry.id) : entry)
    return { pages: await rewriteSequence(this.#objects, stored, entries), levels: levelsOf(entries) }
  }

  async #closePage(pageId: string): Promise<PageEntry> {
    await this.#breathe?.()
    const { id, slug, type, body, ...folder } = this.#pages.get(pageId) as WorkingPage
    const { pages, levels } = await this.#close(folder)
    const hash = this.#objects.write({ kind: 'page', ...body, pages })
    return { id, slug, type, hash, ...(levels > 0 && { levels }) }
  }

  /**
   * Stores the former paths of pages that were moved or renamed: every step of them, because any ancestor may be deleted later.
   */
  #rememberPaths(): void {
    for (const [id, stored] of this.#stored) {
      const page = this.#pages.get(id)
      if (!page || (page.parent === stored.parent && page.slug === stored.slug)) continue
      for (let next: string | null = id; next !== null;) {
        const place = this.#stored.get(next)
        if (!place) break
        this.keepFormerPath(formerPath(place.parent, place.slug, next))
        next = place.parent
      }
    }
  }

  async #find(id: string): Promise<WorkingPage | undefined> {
    const known = this.#pages.get(id)
    if (known) return known
    if (this.#parents.has(id)) return undefined
    const place = (await findInSorted(this.#objects, this.#tree.root.parents, [id])).get(id)
    if (!place) return undefined
    const { parent } = place
    const folder = parent === null ? this.#top : await this.#find(parent)
    const entry = folder && (await this.#listOf(folder)).find(id)
    if (!entry) return undefined
    const { kind: _, pages, ...body } = await readObject(this.#objects, 'page', entry.hash)
    const { type, slug, levels } = entry
    const page: WorkingPage = { id, type, slug, ...folderOf(pages, levels), parent, body }
    this.#stored.set(id, { parent, slug })
    this.#pages.set(id, page)
    return page
  }

  async #get(id: string, field: string): Promise<WorkingPage> {
    const page = await this.#find(id)
    if (!page) throw new TreeError(field, `Page ${id} was not found`)
    return page
  }

  async #folderAt(id: string | null): Promise<Folder> {
    return id === null ? this.#top : this.#get(id, 'page')
  }

  async #listAt(id: string | null): Promise<PageList> {
    return this.#listOf(await this.#folderAt(id))
  }

  async #listOf(folder: Folder): Promise<PageList> {
    folder.list ??= await PageList.read(this.#objects, folder.stored)
    return folder.list
  }

  /** Returns the list into which a page of a type may be inserted; throws if it may not be inserted there. */
  async #folderFor(into: string | null, type: PageType): Promise<Folder> {
    if (into === null) return this.#top
    const page = await this.#get(into, 'into')
    if (type === 'group') throw new TreeError('into', 'A group can only be at the top level')
    if (page.type === 'computed' || page.type === 'link') {
      throw new TreeError('into', `A ${page.type} page cannot have child pages`)
    }
    if ((await this.#depthOf(into)) >= this.#maxDepth) throw tooDeep(this.#maxDepth)
    return page
  }

  async #checkDepth(page: WorkingPage, into: string | null): Promise<void> {
    if (this.#maxDepth === Infinity) return
    const depth = (await this.#depthOf(into)) + 1 + (await this.#levelsBelow(page))
    if (depth > this.#maxDepth) throw tooDeep(this.#maxDepth)
  }

  async #depthOf(id: string | null): Promise<number> {
    let depth = 0
    for (let next = id; next !== null; depth++) next = (await this.#get(next, 'page')).parent
    return depth
  }

  async #levelsBelow(page: WorkingPage): Promise<number> {
    if (!page.list) return page.levels
    let levels = 0
    for (const entry of page.list.entries()) {
      const open = this.#pages.get(entry.id)
      levels = Math.max(levels, 1 + (open ? await this.#levelsBelow(open) : (entry.levels ?? 0)))
    }
    return levels
  }

  async #put(folder: Folder, page: WorkingPage, at: number | undefined): Promise<void> {
    const { id, slug, type } = page
    const list = await this.#listOf(folder)
    list.insert({ id, slug, type, hash: '' }, at)
    folder.isRearranged = true
    this.#parents.set(id, page.parent)
    this.#markChanged(page)
  }

  #takeOut(folder: Folder, list: PageList, id: string): void {
    list.remove(id)
    folder.changed.delete(id)
    this.#markRearranged(folder)
  }

  async #rename(page: WorkingPage, slug: string): Promise<void> {
    const list = await this.#listAt(page.parent)
    list.rename(page.id, slug)
    page.slug = slug
    this.#markChanged(page)
  }

  #markRearranged(folder: Folder): void {
    folder.isRearranged = true
    if ('id' in folder) this.#markChanged(folder as WorkingPage)
  }

  /** Marks a page and all its ancestors as changed, because the hash of a page depends on the pages below it. */
  #markChanged(page: WorkingPage): void {
    for (let next: WorkingPage | undefined = page; next;) {
      const parent: WorkingPage | undefined = next.parent === null ? undefined : this.#pages.get(next.parent)
      ;(parent ?? this.#top).changed.add(next.id)
      next = parent
    }
  }
}

export const tooDeep = (maxDepth: number) =>
  new TreeError('into', `Pages can be nested at most ${maxDepth} levels deep`)

function folderOf(stored: Sequence<PageEntry>, levels = 0): Folder {
  return { stored, levels, list: undefined, changed: new Set(), isRearranged: false }
}

function levelsOf(entries: readonly PageEntry[]): number {
  return entries.reduce((most, { levels = 0 }) => Math.max(most, levels + 1), 0)
}
