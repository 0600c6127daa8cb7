import type { PageInLine } from '../../content/revision/lineages.ts'
import { type PageEntry, type PageObject, readObjects } from '../../content/revision/objects.ts'
import { type Sequence, readSequence } from '../../content/revision/sequence.ts'
import type { SpaceView } from '../view.ts'

/** Page in the navigation. Only ancestors of the current page, and groups, contain their children. */
export interface NavigationItem extends PageInLine {
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
const reach = 100

/** Reads the navigation for a page: only open branches, so that it is small in large spaces. */
export async function readNavigation(space: SpaceView, open: readonly string[]): Promise<NavigationEntry[]> {
  const read = async (
    pages: Sequence<PageEntry>,
    above: readonly string[],
    depth: number,
  ): Promise<NavigationEntry[]> => {
    const { shown, isCutBefore, isCutBehind } = await listed(space, pages, (entries) =>
      entries.findIndex(({ id }) => id === open[depth]),
    )
    const items: NavigationEntry[] = []
    if (isCutBefore) items.push({ isGap: true })
    for (const { entry, page, hasMore } of shown.filter(isWorthShowing)) {
      const path = [...above, entry.slug]
      // Groups are headings, whose pages are always shown.
      const isOpen = open[depth] === entry.id || entry.type === 'group'
      const children = isOpen && hasMore ? await read(page.pages, path, depth + 1) : []
      items.push({ entry, page, path, hasMore, children })
    }
    if (isCutBehind) items.push({ isGap: true })
    return items
  }
  return read(space.tree.root.pages, [], 0)
}

/** Reads the children of a page, or the top-level pages, for an expanded branch of the navigation. */
export async function readBranch(space: SpaceView, lineage: readonly PageInLine[]): Promise<NavigationItem[]> {
  const path = lineage.map(({ entry }) => entry.slug)
  const pages = lineage.at(-1)?.page.pages ?? space.tree.root.pages
  const shown = await withMore(space, (await space.seenIn(pages)).filter(isListed))
  return shown.filter(isWorthShowing).map((one) => ({ ...one, path: [...path, one.entry.slug], children: [] }))
}

/** Whether an entry is shown: a group without visible pages is not. */
const isWorthShowing = ({ entry, hasMore }: PageInLine & { hasMore: boolean }): boolean =>
  entry.type !== 'group' || hasMore

/** Whether a page is listed; computed pages have no content yet. */
const isListed = ({ entry, page }: PageInLine): boolean => page.hidden !== true && entry.type !== 'computed'

/** Returns the pages of a list that the navigation shows: in a long list, those around the given position. */
async function listed(space: SpaceView, pages: Sequence<PageEntry>, find: (entries: readonly PageEntry[]) => number) {
  const entries = await readSequence(space.tree.objects, pages)
  const isLong = entries.length > 3 * reach
  const at = find(entries)
  const from = isLong ? Math.max(0, Math.min(at - reach, entries.length - 2 * reach)) : 0
  const within = isLong ? entries.slice(from, from + 2 * reach + 1) : entries
  const hashes = within.map(({ hash }) => hash)
  const found = await readObjects(space.tree.objects, 'page', hashes)
  const shown = within
    .map((entry, index) => ({ entry, page: found[index] as PageObject }))
    .filter((one) => isListed(one) && space.sees(one.page))
  return {
    shown: await withMore(space, shown),
    isCutBefore: from > 0,
    isCutBehind: from + within.length < entries.length,
  }
}

/** Adds to each page whether the navigation would show something below it. */
async function withMore(
  space: SpaceView,
  pages: readonly PageInLine[],
): Promise<(PageInLine & { hasMore: boolean })[]> {
  const { objects } = space.tree
  const isShown = (one: PageInLine) => isListed(one) && space.sees(one.page)
  const lists = await Promise.all(
    pages.map(async ({ entry, page }) => (entry.levels === undefined ? [] : await readSequence(objects, page.pages))),
  )
  // The first child is nearly always shown, so the first children are read in one batch.
  const firsts = lists.flatMap(([first]) => first?.hash ?? [])
  const read = new Map((await readObjects(objects, 'page', firsts)).map((page, index) => [firsts[index], page]))
  return Promise.all(
    pages.map(async (one, index) => {
      const [entry] = lists[index] ?? []
      const page = read.get(entry?.hash)
      const hasMore =
        entry !== undefined &&
        page !== undefined &&
        (isShown({ entry, page }) || (await space.seenIn(one.page.pages)).some(isListed))
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
  const flat = [...walk(navigation)]
  const at = flat.findIndex(({ entry }) => entry.id === pageId)
  if (at < 0) return { previous: undefined, next: undefined }
  const self = flat[at] as NavigationItem
  const isRead = ({ entry }: NavigationItem) => entry.type === 'document'
  const before = flat.slice(0, at).findLast(isRead)
  const isAbove = before !== undefined && before.path.every((step, index) => self.path[index] === step)
  const previous = before && !isAbove ? await lastWithin(space, before) : before
  const [child] = self.children.length > 0 ? [] : await childrenOf(space, self, () => 0)
  return { previous, next: child ?? flat.slice(at + 1).find(isRead) }
}

export function* walk(entries: readonly NavigationEntry[]): Iterable<NavigationItem> {
  for (const item of entries) {
    if ('isGap' in item) continue
    yield item
    yield* walk(item.children)
  }
}

async function childrenOf(
  space: SpaceView,
  item: NavigationItem,
  find: Parameters<typeof listed>[2],
): Promise<NavigationItem[]> {
  if (!item.hasMore) return []
  const { shown } = await listed(space, item.page.pages, find)
  return shown
    .filter(({ entry }) => entry.type === 'document')
    .map((one) => ({ ...one, path: [...item.path, one.entry.slug], children: [] }))
}

async function lastWithin(space: SpaceView, item: NavigationItem): Promise<NavigationItem> {
  const last = (await childrenOf(space, item, (entries) => entries.length - 1)).at(-1)
  return last ? lastWithin(space, last) : item
}
