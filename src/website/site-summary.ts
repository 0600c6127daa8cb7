import { type SummaryEntry, type SummaryItem, printSummary } from '../content/markdown/summary.ts'
import { folderOf, pagePathOf } from '../content/repository/paths.ts'
import type { WebNavigationItem } from './page.ts'

export interface PageFile {
  path: string
  title: string
}

export interface SummaryInput {
  navigation: readonly WebNavigationItem[]
  /** Files in reading order. */
  files: readonly PageFile[]
  fileOfAddress: (url: string) => PageFile | undefined
  /** Whether a URL is outside of the scope of the import. */
  isOutsideScope: (url: string) => boolean
}

type Item = SummaryItem & { children: SummaryItem[] }

/** Maximum length of a link title. */
const maxLinkTitle = 100

/** Prints the table of contents: the items of the navigation whose pages were read, then the remaining pages. */
export function printSiteSummary(input: SummaryInput): string {
  const items = new Map<string, Item>()
  const entries = input.navigation.flatMap((item): SummaryEntry[] => {
    const summaryItems = toSummaryItems(item, input, items)
    const [first] = summaryItems
    const isHeading = summaryItems.length === 1 && first?.type === 'empty'
    return isHeading ? [{ type: 'group', line: 0, title: first.title, children: first.children }] : summaryItems
  })
  for (const file of input.files) {
    if (items.has(file.path)) continue
    const item = toPageItem(file, file.title)
    if (file.path === 'README.md') entries.unshift(item)
    else addBelowParent(item, file.path, items, entries)
    items.set(file.path, item)
  }
  return printSummary(entries)
}

/** Converts a navigation item: to an item with its children, only to its children, or to nothing. */
function toSummaryItems(item: WebNavigationItem, input: SummaryInput, items: Map<string, Item>): SummaryItem[] {
  const file = item.url === undefined ? undefined : input.fileOfAddress(item.url)
  if (file && !items.has(file.path)) {
    const pageItem = toPageItem(file, item.title)
    // Set before the children are converted, as they may contain the same page again.
    items.set(file.path, pageItem)
    for (const child of item.children) pageItem.children.push(...toSummaryItems(child, input, items))
    return [pageItem]
  }
  const children = item.children.flatMap((child) => toSummaryItems(child, input, items))
  if (!file && item.url !== undefined && input.isOutsideScope(item.url)) {
    return [{ type: 'link', line: 0, title: item.title || item.url, destination: item.url, children: [] }, ...children]
  }
  if (children.length === 0 || file) return children
  return [{ type: 'empty', line: 0, title: item.title || 'Untitled', children }]
}

function toPageItem({ path, title }: PageFile, navigationTitle: string): Item {
  const hasLinkTitle = navigationTitle !== '' && navigationTitle !== title && navigationTitle.length <= maxLinkTitle
  return { type: 'page', line: 0, title, path, children: [], ...(hasLinkTitle && { linkTitle: navigationTitle }) }
}

/** Adds an item below the page with the longest path that is a prefix of its path. */
function addBelowParent(item: Item, path: string, items: ReadonlyMap<string, Item>, top: SummaryEntry[]): void {
  for (let folder = folderOf(pagePathOf(path)); folder !== ''; folder = folderOf(folder)) {
    const parent = items.get(`${folder}/README.md`)
    if (parent) {
      parent.children.push(item)
      return
    }
  }
  top.push(item)
}
