import { type SummaryEntry, type SummaryItem, printSummary } from '../content/markdown/summary.ts'
import { folderOf, pagePathOf } from '../content/repository/paths.ts'
import type { WebNavigationItem } from './page.ts'

export interface ListedFile {
  path: string
  title: string
}

export interface SummaryInput {
  navigation: readonly WebNavigationItem[]
  /** In the order of reading. */
  files: readonly ListedFile[]
  fileOfAddress: (url: string) => ListedFile | undefined
  /** Whether an address lies outside of what was to be imported. */
  isElsewhere: (url: string) => boolean
}

type Item = SummaryItem & { children: SummaryItem[] }

/** The longest short title that a page may have. */
const maxLinkTitle = 100

/** The table of contents: the navigation, as far as its pages were read, then the pages that are not in it. */
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

/** What becomes of an item: itself with what is below it, only that, or nothing. */
function listedItems(item: WebNavigationItem, input: SummaryInput, items: Map<string, Item>): SummaryItem[] {
  const file = item.url === undefined ? undefined : input.fileOfAddress(item.url)
  if (file && !items.has(file.path)) {
    const listed = itemOf(file, item.title)
    // Before what is below it, which may name it again.
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

/** A page stands below the nearest one whose address it continues. */
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
