import { type TreePage, childrenOf, findAncestors } from './page-rows.ts'

/** Target of a drop: beside another page, or below it as its last child. */
export interface DropTarget {
  page: string
  position: 'before' | 'after' | 'inside'
}

/** Position of a page: its parent, null for the top level, and its index among the siblings without the page itself. */
export interface TreePosition {
  into: string | null
  at: number
}

const canHaveChildren = (page: TreePage): boolean => page.type === 'document' || page.type === 'group'

/** Returns the position for a drop; undefined if the page cannot be there. */
export function toPosition(pages: readonly TreePage[], moved: TreePage, target: DropTarget): TreePosition | undefined {
  const ancestors = findAncestors(pages, target.page)
  // A page cannot be below itself, and groups are only at the top level.
  if (!ancestors || target.page === moved.id || ancestors.includes(moved.id)) return undefined
  const parentId = target.position === 'inside' ? target.page : (ancestors.at(-1) ?? null)
  if (moved.type === 'group' && parentId !== null) return undefined
  const parent = parentId === null ? undefined : findPage(pages, parentId)
  if (parent && !canHaveChildren(parent)) return undefined
  const siblings = (parent ? childrenOf(parent) : pages).filter(({ id }) => id !== moved.id)
  if (target.position === 'inside') return { into: parentId, at: siblings.length }
  const at = siblings.findIndex(({ id }) => id === target.page)
  return { into: parentId, at: target.position === 'before' ? at : at + 1 }
}

/** Returns the position after moving a page with the keyboard; undefined if it cannot move further. */
export function toNeighborPosition(
  pages: readonly TreePage[],
  moved: TreePage,
  direction: 'up' | 'down' | 'in' | 'out',
): TreePosition | undefined {
  const parentId = findAncestors(pages, moved.id)?.at(-1)
  const siblings = parentId === undefined ? pages : childrenOf(findPage(pages, parentId) as TreePage)
  const at = siblings.findIndex(({ id }) => id === moved.id)
  const [previous, next] = [siblings[at - 1], siblings[at + 1]]
  if (direction === 'up') return previous && toPosition(pages, moved, { page: previous.id, position: 'before' })
  if (direction === 'down') return next && toPosition(pages, moved, { page: next.id, position: 'after' })
  if (direction === 'in') return previous && toPosition(pages, moved, { page: previous.id, position: 'inside' })
  return parentId === undefined ? undefined : toPosition(pages, moved, { page: parentId, position: 'after' })
}

/** Returns a page of a tree. */
export function findPage(pages: readonly TreePage[], id: string): TreePage | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : findPage(childrenOf(page), id)
    if (found) return found
  }
  return undefined
}

type Pages = readonly TreePage[]

const mapPages = (pages: Pages, change: (page: TreePage) => TreePage): Pages =>
  pages.map((page) => change(page.pages ? ({ ...page, pages: mapPages(page.pages, change) } as TreePage) : page))

/** Returns a tree without a page and those below it. */
export const withoutPage = (pages: Pages, removed: TreePage): Pages =>
  pages.flatMap((page) =>
    page.id === removed.id
      ? []
      : [page.pages ? ({ ...page, pages: withoutPage(page.pages, removed) } as TreePage) : page],
  )

/** Returns a tree with changed fields of a page. */
export const withChangedPage = (pages: Pages, { id }: TreePage, fields: { title?: string; hidden?: boolean }): Pages =>
  mapPages(pages, (page) => (page.id === id ? { ...page, ...fields } : page))

/** Returns a tree with a page at another position. */
export function withMovedPage(pages: Pages, moved: TreePage, { into, at }: TreePosition): Pages {
  const page = findPage(pages, moved.id)
  const rest = withoutPage(pages, moved)
  if (!page || (into !== null && !findPage(rest, into))) return pages
  if (into === null) return rest.toSpliced(at, 0, page)
  return mapPages(rest, (one) => (one.id === into ? { ...one, pages: childrenOf(one).toSpliced(at, 0, page) } : one))
}
