import { urlKeyFromString } from './crawl-scope.ts'
import type { WebNavigationItem } from './page.ts'

interface Item {
  title: string
  url?: string
  children: Item[]
}

const maxItems = 20_000
const maxDepth = 20

/**
 * Navigation of a site, merged from its pages: many show only their own part, or collapse the others. New items are inserted
 * after the items that precede them.
 */
export class SiteNavigation {
  readonly items: Item[] = []
  readonly #itemsByKey = new Map<string, Item>()
  /** Cache of keys: every page repeats nearly the same URLs, and computing keys takes time. */
  readonly #keyCache = new Map<string, string>()
  #itemCount = 0

  add(navigation: readonly WebNavigationItem[]): void {
    this.#merge(this.items, navigation, 0)
  }

  #merge(target: Item[], items: readonly WebNavigationItem[], depth: number): void {
    if (depth === maxDepth || items.length === 0) return
    const headings = headingsByTitle(target)
    const existing = items.map((item) => this.#find(item, headings))
    if (existing.includes(undefined)) this.#insertNew(target, items, existing)
    for (const [index, item] of items.entries()) {
      const node = existing[index]
      if (node) this.#merge(node.children, item.children, depth + 1)
    }
  }

  /** Inserts unknown items after the known items that precede them, or at the start if there are none. */
  #insertNew(target: Item[], items: readonly WebNavigationItem[], existing: (Item | undefined)[]): void {
    const present = new Set(target)
    const first = existing.find((one) => one !== undefined && present.has(one))
    const before: Item[] = []
    const after = new Map<Item, Item[]>()
    let added = first ? before : target
    for (const [index, item] of items.entries()) {
      const found = existing[index] ?? this.#findByUrl(item.url)
      const node = found ?? this.#createItem(item)
      if (!node) break
      existing[index] = node
      if (!found) added.push(node)
      else if (present.has(found)) {
        added = after.get(found) ?? []
        after.set(found, added)
      }
    }
    const merged = target.flatMap((one) => [...(one === first ? before : []), one, ...(after.get(one) ?? [])])
    for (const [index, one] of merged.entries()) target[index] = one
  }

  #find(item: WebNavigationItem, headings: Map<string, Item[]>): Item | undefined {
    return item.url === undefined ? headings.get(item.title)?.shift() : this.#findByUrl(item.url)
  }

  #findByUrl(url: string | undefined): Item | undefined {
    return url === undefined ? undefined : this.#itemsByKey.get(this.#cachedKeyOf(url))
  }

  #createItem({ title, url }: WebNavigationItem): Item | undefined {
    if (++this.#itemCount > maxItems) return undefined
    if (url === undefined) return { title, children: [] }
    const item: Item = { title, url, children: [] }
    this.#itemsByKey.set(this.#cachedKeyOf(url), item)
    return item
  }

  #cachedKeyOf(url: string): string {
    const cached = this.#keyCache.get(url)
    if (cached !== undefined) return cached
    const key = urlKeyFromString(url)
    if (this.#keyCache.size < maxItems) this.#keyCache.set(url, key)
    return key
  }
}

/** Returns headings by title; of several with the same title, each is matched once. */
function headingsByTitle(items: readonly Item[]): Map<string, Item[]> {
  const headings = new Map<string, Item[]>()
  for (const item of items) {
    if (item.url !== undefined) continue
    const same = headings.get(item.title)
    if (same) same.push(item)
    else headings.set(item.title, [item])
  }
  return headings
}
