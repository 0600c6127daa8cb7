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
import { DraftItems } from './draft-items.ts'
import { PageList } from './page-list.ts'
import { TreeError, createTooDeepError, maxPageDepth } from './tree-error.ts'
import { type Tree, toFormerPath } from './tree.ts'

/** A page without its position and without the pages below it. */
export type PageBody = Omit<PageObject, 'kind' | 'pages'>

export interface DraftPage {
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
interface ChildPages {
  stored: Sequence<PageEntry>
  /** Number of levels of pages in the stored list. */
  levels: number
  /** Whether a page of the stored list, or one below it, has computed content. */
  hasComputed: boolean
  /** The list, after it was read. */
  list: PageList | undefined
  /** Ids of the pages in it that have changed. */
  changed: Set<string>
  /** Whether pages were added, removed or reordered. */
  isRearranged: boolean
}

/** A written list of pages. */
interface WrittenList {
  pages: Sequence<PageEntry>
  levels: number
  hasComputed: boolean
}

interface WorkingPage extends ChildPages {
  id: string
  type: PageType
  slug: string
  parent: string | null
  body: PageBody
}

/** A callback that long operations call repeatedly: it may yield to the event loop, and it may throw to cancel the operation. */
export type Yielder = () => Promise<void>

interface DraftOptions {
  maxDepth?: number
  yieldIfDue?: Yielder | undefined
}

/** Changes to a tree: reads the objects that it needs and writes new objects on commit. */
export class Draft {
  readonly files: DraftItems<'file'>
  readonly reusableContents: DraftItems<'reusable-content'>
  readonly #tree: Tree
  readonly #maxDepth: number
  readonly #yieldIfDue: Yielder | undefined
  readonly #objects: Objects
  readonly #topLevel: ChildPages
  readonly #pages = new Map<string, WorkingPage>()
  /** Parents and slugs of the opened pages in the stored tree. */
  readonly #storedPositions = new Map<string, { parent: string | null; slug: string }>()
  readonly #changedParents = new Map<string, string | null | undefined>()
  readonly #formerPaths = new Map<string, FormerPath | null>()
  readonly #redirects = new Map<string, Redirect | null>()
  #variables: Variables
  #tags: Root['tags']

  constructor(tree: Tree, { maxDepth = maxPageDepth, yieldIfDue }: DraftOptions = {}) {
    this.#maxDepth = maxDepth
    this.#yieldIfDue = yieldIfDue
    this.#tree = tree
    this.#objects = tree.objects
    this.#topLevel = createChildPages(tree.root.pages, { hasComputed: tree.root.hasComputed })
    this.files = new DraftItems('file', tree.objects, tree.root.files)
    this.reusableContents = new DraftItems('reusable-content', tree.objects, tree.root.reusableContents)
    this.#variables = tree.root.variables
    this.#tags = tree.root.tags
  }

  async findPage(id: string): Promise<DraftPage | undefined> {
    return this.#find(id)
  }

  async getPage(id: string, field = 'page'): Promise<DraftPage> {
    return this.#get(id, field)
  }

  /** Returns the children of a page, or the pages at the top level, in order. */
  async children(id: string | null): Promise<readonly PageEntry[]> {
    return (await this.#readListOf(id)).entries()
  }

  /** Returns the path of a page. */
  async pathOf(id: string): Promise<string> {
    const page = await this.#get(id, 'page')
    return page.parent === null ? page.slug : `${await this.pathOf(page.parent)}/${page.slug}`
  }

  /** Whether a page is below another one, at any depth. */
  async isDescendantOf(id: string, ancestor: string): Promise<boolean> {
    for (let next: string | null = id; next !== null;) {
      const parent: string | null = (await this.#find(next))?.parent ?? null
      if (parent === ancestor) return true
      next = parent
    }
    return false
  }

  async insertPage(
    page: { id: string; type: PageType; slug: string; body: PageBody },
    position: PagePosition,
  ): Promise<void> {
    const childPages = await this.#childPagesForInsert(position.into, page.type)
    if (await this.#find(page.id)) throw new TreeError('page', `A page with the id ${page.id} already exists`)
    const slug = await this.findFreeSlug(position.into, page.slug)
    const added: WorkingPage = { ...page, slug, ...createChildPages(emptySequence), parent: position.into }
    this.#pages.set(page.id, added)
    await this.#insertIntoList(childPages, added, position.at)
  }

  /**
   * Inserts pages that are stored already, with all pages below them; returns false, without a change, if a slug is taken.
   * `parents` are the parents of all inserted pages; those of the pages themselves are replaced.
   */
  async insertStoredPages(
    entries: readonly PageEntry[],
    parents: readonly ParentEntry[],
    { into, at }: PagePosition,
  ): Promise<boolean> {
    const childPages = await this.#childPagesOf(into)
    const list = await this.#readList(childPages)
    if (entries.some(({ slug }) => list.hasSlug(slug))) return false
    for (const [index, entry] of entries.entries()) list.insert(entry, at === undefined ? undefined : at + index)
    for (const { id, parent } of parents) this.#changedParents.set(id, parent ?? into)
    this.#markRearranged(childPages)
    return true
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
    for (const { page, slug } of renamed) await this.#rename(page, await this.findFreeSlug(page.parent, slug))
  }

  async isSlugTaken(parent: string | null, slug: string, except?: string): Promise<boolean> {
    return (await this.#readListOf(parent)).hasSlug(slug, except)
  }

  /** Returns the wanted slug, with a number if another page of the parent has it. */
  async findFreeSlug(parent: string | null, wanted: string, except?: string): Promise<string> {
    const list = await this.#readListOf(parent)
    return uniqueSlug(wanted, (slug) => list.hasSlug(slug, except))
  }

  async movePage(id: string, { into, at }: PagePosition): Promise<void> {
    const page = await this.#get(id, 'page')
    const from = await this.#childPagesOf(page.parent)
    const list = await this.#readList(from)
    if (into === page.parent) {
      if (at === undefined || list.ids.indexOf(id) === Math.min(at, list.ids.length - 1)) return
    } else {
      await this.#childPagesForInsert(into, page.type)
      if (into === id || (into !== null && (await this.isDescendantOf(into, id)))) {
        throw new TreeError('into', 'A page cannot be moved under itself')
      }
      await this.#checkDepth(page, into)
      page.slug = await this.findFreeSlug(into, page.slug)
    }
    this.#removeFromList(from, list, id)
    page.parent = into
    await this.#insertIntoList(await this.#childPagesOf(into), page, at)
  }

  /** Reorders the children of a page or the pages at the top level. */
  async reorder(parent: string | null, ids: readonly string[]): Promise<void> {
    const childPages = await this.#childPagesOf(parent)
    const list = await this.#readList(childPages)
    if (list.ids.every((id, index) => id === ids[index])) return
    list.reorder(ids)
    this.#markRearranged(childPages)
  }

  /** Removes a page and all pages below it; returns their ids. */
  async deletePage(id: string): Promise<string[]> {
    const page = await this.#get(id, 'page')
    const removed = [id, ...(await this.descendantIds(id))]
    const childPages = await this.#childPagesOf(page.parent)
    this.#removeFromList(childPages, await this.#readList(childPages), id)
    for (const one of removed) {
      this.#pages.delete(one)
      this.#changedParents.set(one, undefined)
    }
    return removed
  }

  /** Returns the ids of all pages below a page, parents first. */
  async descendantIds(id: string): Promise<string[]> {
    let level: readonly PageEntry[] = await this.children(id)
    const found: string[] = []
    while (level.length > 0) {
      for (const entry of level) found.push(entry.id)
      const unopened = level.filter((entry) => !this.#pages.has(entry.id) && entry.levels)
      const stored = await readObjects(
        this.#objects,
        'page',
        unopened.map(({ hash }) => hash),
      )
      const storedLists = new Map(unopened.map((entry, index) => [entry.id, (stored[index] as PageObject).pages]))
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
  async findLineagesDeeperThan(limit: number): Promise<string[][]> {
    const found: string[][] = []
    const pending: { childPages: ChildPages; ancestors: readonly string[] }[] = [
      { childPages: this.#topLevel, ancestors: [] },
    ]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { childPages, ancestors } = next
      for (const { id, levels = 0 } of (await this.#readList(childPages)).entries()) {
        const open = this.#pages.get(id)
        const depth = ancestors.length + 1 + (open ? await this.#countLevelsBelow(open) : levels)
        if (depth <= limit) continue
        const lineage = [...ancestors, id]
        const page = lineage.length > limit ? undefined : await this.#find(id)
        if (page) pending.push({ childPages: page, ancestors: lineage })
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
  addFormerPath(former: FormerPath): void {
    this.#formerPaths.set(former.id, former)
  }

  /** Sets the redirect of a path, or removes it (null). */
  setRedirect(path: string, redirect: Redirect | null): void {
    this.#redirects.set(path, redirect)
  }

  /** Writes all changes and returns the hash of the new root. */
  async commit(): Promise<string> {
    const { root } = this.#tree
    this.#addFormerPaths()
    const redirects = await updateSorted(this.#objects, root.redirects ?? emptySequence, this.#redirects)
    const parents = new Map<string, ParentEntry | null>()
    for (const [id, parent] of this.#changedParents) parents.set(id, parent === undefined ? null : { id, parent })
    const { pages, hasComputed } = await this.#writeList(this.#topLevel)
    return this.#objects.write({
      kind: 'root',
      pages,
      parents: await updateSorted(this.#objects, root.parents, parents),
      files: await this.files.write(),
      reusableContents: await this.reusableContents.write(),
      formerPaths: await updateSorted(this.#objects, root.formerPaths, this.#formerPaths),
      ...(redirects.entries.length > 0 && { redirects }),
      ...(hasComputed && { hasComputed }),
      variables: this.#variables,
      tags: this.#tags,
    })
  }

  async #writeList({ stored, levels, hasComputed, list, changed, isRearranged }: ChildPages): Promise<WrittenList> {
    if (!list || (changed.size === 0 && !isRearranged)) return { pages: stored, levels, hasComputed }
    const entries: PageEntry[] = []
    for (const entry of list.entries()) entries.push(changed.has(entry.id) ? await this.#writePage(entry.id) : entry)
    return {
      pages: await rewriteSequence(this.#objects, stored, entries),
      levels: countLevels(entries),
      hasComputed: entries.some(({ type, hasComputed: isSet = false }) => isSet || type === 'computed'),
    }
  }

  async #writePage(pageId: string): Promise<PageEntry> {
    await this.#yieldIfDue?.()
    const { id, slug, type, body, ...childPages } = this.#pages.get(pageId) as WorkingPage
    const { pages, levels, hasComputed } = await this.#writeList(childPages)
    const hash = this.#objects.write({ kind: 'page', ...body, pages })
    const isComputed = hasComputed || body.computed !== undefined
    return { id, slug, type, hash, ...(levels > 0 && { levels }), ...(isComputed && { hasComputed: true }) }
  }

  /**
   * Stores the former paths of pages that were moved or renamed: every step of them, because any ancestor may be deleted later.
   */
  #addFormerPaths(): void {
    for (const [id, stored] of this.#storedPositions) {
      const page = this.#pages.get(id)
      if (!page || (page.parent === stored.parent && page.slug === stored.slug)) continue
      for (let next: string | null = id; next !== null;) {
        const position = this.#storedPositions.get(next)
        if (!position) break
        this.addFormerPath(toFormerPath(position.parent, position.slug, next))
        next = position.parent
      }
    }
  }

  async #find(id: string): Promise<WorkingPage | undefined> {
    const opened = this.#pages.get(id)
    if (opened) return opened
    if (this.#changedParents.has(id)) return undefined
    const parentEntry = (await findInSorted(this.#objects, this.#tree.root.parents, [id])).get(id)
    if (!parentEntry) return undefined
    const { parent } = parentEntry
    const siblings = parent === null ? this.#topLevel : await this.#find(parent)
    const entry = siblings && (await this.#readList(siblings)).find(id)
    if (!entry) return undefined
    const { kind: _, pages, ...body } = await readObject(this.#objects, 'page', entry.hash)
    const { type, slug } = entry
    const childPages = createChildPages(pages, pages.entries.length > 0 ? entry : {})
    const page: WorkingPage = { id, type, slug, ...childPages, parent, body }
    this.#storedPositions.set(id, { parent, slug })
    this.#pages.set(id, page)
    return page
  }

  async #get(id: string, field: string): Promise<WorkingPage> {
    const page = await this.#find(id)
    if (!page) throw new TreeError(field, `Page ${id} was not found`)
    return page
  }

  async #childPagesOf(id: string | null): Promise<ChildPages> {
    return id === null ? this.#topLevel : this.#get(id, 'page')
  }

  async #readListOf(id: string | null): Promise<PageList> {
    return this.#readList(await this.#childPagesOf(id))
  }

  async #readList(childPages: ChildPages): Promise<PageList> {
    childPages.list ??= await PageList.read(this.#objects, childPages.stored)
    return childPages.list
  }

  /** Returns the list into which a page of a type may be inserted; throws if it may not be inserted there. */
  async #childPagesForInsert(into: string | null, type: PageType): Promise<ChildPages> {
    if (into === null) return this.#topLevel
    const page = await this.#get(into, 'into')
    if (type === 'group') throw new TreeError('into', 'A group can only be at the top level')
    if (page.type === 'computed' || page.type === 'link') {
      throw new TreeError('into', `A ${page.type} page cannot have child pages`)
    }
    if ((await this.#depthOf(into)) >= this.#maxDepth) throw createTooDeepError(this.#maxDepth)
    return page
  }

  async #checkDepth(page: WorkingPage, into: string | null): Promise<void> {
    if (this.#maxDepth === Infinity) return
    const depth = (await this.#depthOf(into)) + 1 + (await this.#countLevelsBelow(page))
    if (depth > this.#maxDepth) throw createTooDeepError(this.#maxDepth)
  }

  async #depthOf(id: string | null): Promise<number> {
    let depth = 0
    for (let next = id; next !== null; depth++) next = (await this.#get(next, 'page')).parent
    return depth
  }

  async #countLevelsBelow(page: WorkingPage): Promise<number> {
    if (!page.list) return page.levels
    let levels = 0
    for (const entry of page.list.entries()) {
      const open = this.#pages.get(entry.id)
      levels = Math.max(levels, 1 + (open ? await this.#countLevelsBelow(open) : (entry.levels ?? 0)))
    }
    return levels
  }

  async #insertIntoList(childPages: ChildPages, page: WorkingPage, at: number | undefined): Promise<void> {
    const { id, slug, type } = page
    const list = await this.#readList(childPages)
    list.insert({ id, slug, type, hash: '' }, at)
    childPages.isRearranged = true
    this.#changedParents.set(id, page.parent)
    this.#markChanged(page)
  }

  #removeFromList(childPages: ChildPages, list: PageList, id: string): void {
    list.remove(id)
    childPages.changed.delete(id)
    this.#markRearranged(childPages)
  }

  async #rename(page: WorkingPage, slug: string): Promise<void> {
    const list = await this.#readListOf(page.parent)
    list.rename(page.id, slug)
    page.slug = slug
    this.#markChanged(page)
  }

  #markRearranged(childPages: ChildPages): void {
    childPages.isRearranged = true
    if ('id' in childPages) this.#markChanged(childPages as WorkingPage)
  }

  /** Marks a page and all its ancestors as changed, because the hash of a page depends on the pages below it. */
  #markChanged(page: WorkingPage): void {
    for (let next: WorkingPage | undefined = page; next;) {
      const parent: WorkingPage | undefined = next.parent === null ? undefined : this.#pages.get(next.parent)
      ;(parent ?? this.#topLevel).changed.add(next.id)
      next = parent
    }
  }
}

function createChildPages(
  stored: Sequence<PageEntry>,
  { levels = 0, hasComputed = false }: Partial<Pick<ChildPages, 'levels' | 'hasComputed'>> = {},
): ChildPages {
  return { stored, levels, hasComputed, list: undefined, changed: new Set(), isRearranged: false }
}

function countLevels(entries: readonly PageEntry[]): number {
  return entries.reduce((max, { levels = 0 }) => Math.max(max, levels + 1), 0)
}
