import { type SummaryEntry, type SummaryItem, printSummary } from '../content/markdown/summary.ts'
import { folderOf, pagePathOf } from '../content/repository/paths.ts'
import type { WebNavigationItem } from './page.ts'

export interface ListedFile {
  path: string
  title: string
}

export interface SummaryInput {
  navigation: readonly WebNavigationItem[]
  /** Files in reading order. */
  files: readonly ListedFile[]
  fileOfAddress: (url: string) => ListedFile | undefined
  /** Whether a URL is outside of the scope of the import. */
  isElsewhere: (url: string) => boolean
}

type Item = SummaryItem & { children: SummaryItem[] }

/** Maximum length of a link title. */
const maxLinkTitle = 100

/** Prints the table of contents: the items of the navigation whose pages were read, then the remaining pages. */
export function siteSummary(input: SummaryInput): string {
  const items = new Map<string, Item>()
  const entries = input.navigation.flatMap((item): SummaryEntry[] => {
    const listed = listedItems(item, input, items)
    const [first] = listed
    const isHeading = listed.length === 1 && first?.type === 'empty'
    return isHeading ? [{ type: 'group', line: 0, title: first.title, children: first.children }] : listed
  })
  for (const file of input.files) {
    if (items.has(file.path)) continue
    const item = itemOf(file, file.title)
    if (file.path === 'README.md') entries.unshift(item)
    else addBelow(item, file.path, items, entries)
    items.set(file.path, item)
  }
  return printSummary(entries)
}

/** Converts a navigation item: to an item with its children, only to its children, or to nothing. */
function listedItems(item: WebNavigationItem, input: SummaryInput, items: Map<string, Item>): SummaryItem[] {
  const file = item.url === undefined ? undefined : input.fileOfAddress(item.url)
  if (file && !items.has(file.path)) {
    const listed = itemOf(file, item.title)
    // Set before the children are converted, as they may contain the same page again.
    items.set(file.path, listed)
    for (const child of item.children) listed.children.push(...listedItems(child, input, items))
    return [listed]
  }
  const children = item.children.flatMap((child) => listedItems(child, input, items))
  if (!file && item.url !== undefined && input.isElsewhere(item.url)) {
    return [{ type: 'link', line: 0, title: item.title || item.url, destination: item.url, children: [] }, ...children]
  }
  if (children.length === 0 || file) return children
  return [{ type: 'empty', line: 0, title: item.title || 'Untitled', children }]
}

function itemOf({ path, title }: ListedFile, listedTitle: string): Item {
  const hasOwn = listedTitle !== '' && listedTitle !== title && listedTitle.length <= maxLinkTitle
  return { type: 'page', line: 0, title, path, children: [], ...(hasOwn && { linkTitle: listedTitle }) }
}

/** Adds an item below the page with the longest path that is a prefix of its path. */
function addBelow(item: Item, path: string, items: ReadonlyMap<string, Item>, top: SummaryEntry[]): void {
  for (let folder = folderOf(pagePathOf(path)); folder !== ''; folder = folderOf(folder)) {
    const around = items.get(`${folder}/README.md`)
    if (around) {
      around.children.push(item)
      return
    }
  }
  top.push(item)
}
