import type { LineagePage } from '../../content/revision/lineages.ts'
import { type PageEntry, type PageObject, readObjects } from '../../content/revision/objects.ts'
import { type Sequence, readSequence } from '../../content/revision/sequence.ts'
import type { SpaceView } from '../view.ts'

/** Page in the navigation. Only ancestors of the current page, and groups, contain their children. */
export interface NavigationItem extends LineagePage {
  path: readonly string[]
  hasMore: boolean
  children: readonly NavigationEntry[]
}

/** Omitted pages of a long list. Their number is not shown, because some may not be visible to the visitor. */
export interface NavigationGap {
  isGap: true
}

export type NavigationEntry = NavigationItem | NavigationGap

/** Number of pages that the navigation shows before and after the current one in a long list. */
const pagesAroundCurrent = 100

/** Reads the navigation for a page: only open branches, so that it is small in large spaces. */
export async function readSiteNavigation(space: SpaceView, openIds: readonly string[]): Promise<NavigationEntry[]> {
  const read = async (
    pages: Sequence<PageEntry>,
    above: readonly string[],
    depth: number,
  ): Promise<NavigationEntry[]> => {
    const { shown, hasGapBefore, hasGapAfter } = await readListedPages(space, pages, (entries) =>
      entries.findIndex(({ id }) => id === openIds[depth]),
    )
    const items: NavigationEntry[] = []
    if (hasGapBefore) items.push({ isGap: true })
    for (const { entry, page, hasMore } of shown.filter(isNotEmptyGroup)) {
      const path = [...above, entry.slug]
      // Groups are headings, whose pages are always shown.
      const isOpen = openIds[depth] === entry.id || entry.type === 'group'
      const children = isOpen && hasMore ? await read(page.pages, path, depth + 1) : []
      items.push({ entry, page, path, hasMore, children })
    }
    if (hasGapAfter) items.push({ isGap: true })
    return items
  }
  return read(space.tree.root.pages, [], 0)
}

/** Reads the children of a page, or the top-level pages, for an expanded branch of the navigation. */
export async function readBranch(space: SpaceView, lineage: readonly LineagePage[]): Promise<NavigationItem[]> {
  const path = lineage.map(({ entry }) => entry.slug)
  const pages = lineage.at(-1)?.page.pages ?? space.tree.root.pages
  const shown = await addHasMore(space, (await space.readVisiblePages(pages)).filter(isListed))
  return shown.filter(isNotEmptyGroup).map((one) => ({ ...one, path: [...path, one.entry.slug], children: [] }))
}

/** Whether an entry is shown: a group without visible pages is not. */
const isNotEmptyGroup = ({ entry, hasMore }: LineagePage & { hasMore: boolean }): boolean =>
  entry.type !== 'group' || hasMore

/** Whether a page is listed; computed pages have no content yet. */
const isListed = ({ entry, page }: LineagePage): boolean => page.hidden !== true && entry.type !== 'computed'

/** Returns the pages of a list that the navigation shows: in a long list, those around the given position. */
async function readListedPages(
  space: SpaceView,
  pages: Sequence<PageEntry>,
  findIndex: (entries: readonly PageEntry[]) => number,
) {
  const entries = await readSequence(space.tree.objects, pages)
  const isLong = entries.length > 3 * pagesAroundCurrent
  const at = findIndex(entries)
  const from = isLong ? Math.max(0, Math.min(at - pagesAroundCurrent, entries.length - 2 * pagesAroundCurrent)) : 0
  const shownEntries = isLong ? entries.slice(from, from + 2 * pagesAroundCurrent + 1) : entries
  const hashes = shownEntries.map(({ hash }) => hash)
  const found = await readObjects(space.tree.objects, 'page', hashes)
  const shown = shownEntries
    .map((entry, index) => ({ entry, page: found[index] as PageObject }))
    .filter((one) => isListed(one) && space.canSee(one.page))
  return {
    shown: await addHasMore(space, shown),
    hasGapBefore: from > 0,
    hasGapAfter: from + shownEntries.length < entries.length,
  }
}

/** Adds to each page whether the navigation would show something below it. */
async function addHasMore(
  space: SpaceView,
  pages: readonly LineagePage[],
): Promise<(LineagePage & { hasMore: boolean })[]> {
  const { objects } = space.tree
  const isShown = (one: LineagePage) => isListed(one) && space.canSee(one.page)
  const lists = await Promise.all(
    pages.map(async ({ entry, page }) => (entry.levels === undefined ? [] : await readSequence(objects, page.pages))),
  )
  // The first child is nearly always shown, so the first children are read in one batch.
  const firstHashes = lists.flatMap(([first]) => first?.hash ?? [])
  const pagesByHash = new Map(
    (await readObjects(objects, 'page', firstHashes)).map((page, index) => [firstHashes[index], page]),
  )
  return Promise.all(
    pages.map(async (one, index) => {
      const [entry] = lists[index] ?? []
      const page = pagesByHash.get(entry?.hash)
      const hasMore =
        entry !== undefined &&
        page !== undefined &&
        (isShown({ entry, page }) || (await space.readVisiblePages(one.page.pages)).some(isListed))
      return { ...one, hasMore }
    }),
  )
}

export interface Neighbours {
  previous: NavigationItem | undefined
  next: NavigationItem | undefined
}

/** Returns the previous and the next page in reading order; also reads closed branches of the navigation where needed. */
export async function readNeighbours(
  space: SpaceView,
  navigation: readonly NavigationEntry[],
  pageId: string,
): Promise<Neighbours> {
  const flat = [...walkNavigation(navigation)]
  const at = flat.findIndex(({ entry }) => entry.id === pageId)
  if (at < 0) return { previous: undefined, next: undefined }
  const self = flat[at] as NavigationItem
  const isDocument = ({ entry }: NavigationItem) => entry.type === 'document'
  const preceding = flat.slice(0, at).findLast(isDocument)
  const isAncestor = preceding !== undefined && preceding.path.every((step, index) => self.path[index] === step)
  const previous = preceding && !isAncestor ? await findLastDescendant(space, preceding) : preceding
  const [child] = self.children.length > 0 ? [] : await readChildDocuments(space, self, () => 0)
  return { previous, next: child ?? flat.slice(at + 1).find(isDocument) }
}

export function* walkNavigation(entries: readonly NavigationEntry[]): Iterable<NavigationItem> {
  for (const item of entries) {
    if ('isGap' in item) continue
    yield item
    yield* walkNavigation(item.children)
  }
}

async function readChildDocuments(
  space: SpaceView,
  item: NavigationItem,
  findIndex: Parameters<typeof readListedPages>[2],
): Promise<NavigationItem[]> {
  if (!item.hasMore) return []
  const { shown } = await readListedPages(space, item.page.pages, findIndex)
  return shown
    .filter(({ entry }) => entry.type === 'document')
    .map((one) => ({ ...one, path: [...item.path, one.entry.slug], children: [] }))
}

async function findLastDescendant(space: SpaceView, item: NavigationItem): Promise<NavigationItem> {
  const last = (await readChildDocuments(space, item, (entries) => entries.length - 1)).at(-1)
  return last ? findLastDescendant(space, last) : item
}
