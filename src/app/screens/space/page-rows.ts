import type { TableOfContentsPage } from '../../../contract/revision.ts'

export type TreePage = TableOfContentsPage

/** An entry of a tree. */
export interface TreeNode {
  id: string
  title: string
  pages?: readonly TreeNode[] | undefined
}

/** A page in the navigation, or an entry of another tree. */
export interface PageRow<Page extends TreeNode = TreePage> {
  page: Page
  depth: number
  parent: string | undefined
  hasChildren: boolean
  /** Position among the siblings, starting with 1, and their number. */
  position: number
  siblings: number
}

/** Returns the pages below a page. */
export const childrenOf = <Page extends TreeNode>(page: Page): readonly Page[] => (page.pages ?? []) as readonly Page[]

/** Returns the visible rows of a tree, without the pages below closed ones. */
export function toPageRows<Page extends TreeNode>(
  pages: readonly Page[],
  isOpen: (id: string) => boolean,
): PageRow<Page>[] {
  const rows: PageRow<Page>[] = []
  const add = (list: readonly Page[], depth: number, parent: string | undefined) => {
    for (const [index, page] of list.entries()) {
      const children = childrenOf(page)
      rows.push({
        page,
        depth,
        parent,
        hasChildren: children.length > 0,
        position: index + 1,
        siblings: list.length,
      })
      if (children.length > 0 && isOpen(page.id)) add(children, depth + 1, page.id)
    }
  }
  add(pages, 0, undefined)
  return rows
}

/** Returns the IDs of the pages above a page. */
export function findAncestors(pages: readonly TreePage[], id: string): string[] | undefined {
  for (const page of pages) {
    if (page.id === id) return []
    const below = findAncestors(childrenOf(page), id)
    if (below) return [page.id, ...below]
  }
  return undefined
}

/** Returns the first page with content. */
export function findFirstPage(pages: readonly TreePage[]): TreePage | undefined {
  for (const page of pages) {
    const found = page.type === 'document' ? page : findFirstPage(childrenOf(page))
    if (found) return found
  }
  return undefined
}
