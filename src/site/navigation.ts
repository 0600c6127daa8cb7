import type { PageEntry, PageObject } from '../content/revision/objects.ts'
import { readObjects } from '../content/revision/objects.ts'
import { type Sequence, readSequence } from '../content/revision/sequence.ts'
import type { Tree } from '../content/revision/tree.ts'
import { seesPages } from '../publishing/pages.ts'
import type { Viewpoint } from '../publishing/visibility.ts'

/** A page in the navigation. Only what stands on the way to the page that is read has those below it. */
export interface NavigationItem {
  entry: PageEntry
  page: PageObject
  path: string
  hasMore: boolean
  children: readonly NavigationItem[]
}

/** The navigation as a reader of a page sees it: a branch at a time, so that it stays light in large spaces. */
export async function readNavigation(
  tree: Tree,
  viewpoint: Viewpoint,
  open: ReadonlySet<string>,
): Promise<NavigationItem[]> {
  const read = async (pages: Sequence<PageEntry>, above: string): Promise<NavigationItem[]> => {
    const items: NavigationItem[] = []
    for (const { entry, page } of await listed(tree, viewpoint, pages)) {
      const path = above === '' ? entry.slug : `${above}/${entry.slug}`
      // Groups are headings, whose pages always show.
      const isOpen = open.has(entry.id) || entry.type === 'group'
      const children = isOpen ? await read(page.pages, path) : []
      items.push({ entry, page, path, hasMore: entry.levels !== undefined, children })
    }
    return items
  }
  return read(tree.root.pages, '')
}

/** The pages of a list that the navigation shows. */
export async function listed(tree: Tree, viewpoint: Viewpoint, pages: Sequence<PageEntry>) {
  const entries = await readSequence(tree.objects, pages)
  const found = await readObjects(
    tree.objects,
    'page',
    entries.map(({ hash }) => hash),
  )
  return entries
    .map((entry, index) => ({ entry, page: found[index] as PageObject }))
    .filter(({ page }) => page.hidden !== true && seesPages(viewpoint, [page], tree.root.variables))
}

export interface Neighbours {
  previous: NavigationItem | undefined
  next: NavigationItem | undefined
}

/** What comes before and after a page where one reads on; pages in branches that are not open are read first. */
export async function readNeighbours(
  tree: Tree,
  viewpoint: Viewpoint,
  navigation: readonly NavigationItem[],
  pageId: string,
): Promise<Neighbours> {
  const flat = [...walk(navigation)]
  const at = flat.findIndex(({ entry }) => entry.id === pageId)
  if (at < 0) return { previous: undefined, next: undefined }
  const self = flat[at] as NavigationItem
  const isRead = ({ entry }: NavigationItem) => entry.type === 'document'
  const before = flat.slice(0, at).findLast(isRead)
  const previous =
    before && !self.path.startsWith(`${before.path}/`) ? await lastWithin(tree, viewpoint, before) : before
  const [child] = self.children.length > 0 ? [] : await childrenOf(tree, viewpoint, self)
  return { previous, next: child ?? flat.slice(at + 1).find(isRead) }
}

export function* walk(items: readonly NavigationItem[]): Iterable<NavigationItem> {
  for (const item of items) {
    yield item
    yield* walk(item.children)
  }
}

async function childrenOf(tree: Tree, viewpoint: Viewpoint, item: NavigationItem): Promise<NavigationItem[]> {
  if (!item.hasMore) return []
  const below = await listed(tree, viewpoint, item.page.pages)
  return below
    .filter(({ entry }) => entry.type === 'document')
    .map(({ entry, page }) => ({
      entry,
      page,
      path: `${item.path}/${entry.slug}`,
      hasMore: entry.levels !== undefined,
      children: [],
    }))
}

async function lastWithin(tree: Tree, viewpoint: Viewpoint, item: NavigationItem): Promise<NavigationItem> {
  const last = (await childrenOf(tree, viewpoint, item)).at(-1)
  return last ? lastWithin(tree, viewpoint, last) : item
}
