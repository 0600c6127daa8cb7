import { keyOfAddress } from './scope.ts'
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
  readonly #ofAddress = new Map<string, Item>()
  /** Cache of keys: every page repeats nearly the same URLs, and computing keys takes time. */
  readonly #keys = new Map<string, string>()
  #size = 0

  add(navigation: readonly WebNavigationItem[]): void {
    this.#merge(this.items, navigation, 0)
  }

  #merge(into: Item[], items: readonly WebNavigationItem[], depth: number): void {
    if (depth === maxDepth || items.length === 0) return
    const headings = headingsIn(into)
    const known = items.map((item) => this.#find(item, headings))
    if (known.includes(undefined)) this.#place(into, items, known)
    for (const [index, item] of items.entries()) {
      const node = known[index]
      if (node) this.#merge(node.children, item.children, depth + 1)
    }
  }

  /** Inserts unknown items after the known items that precede them, or at the start if there are none. */
  #place(into: Item[], items: readonly WebNavigationItem[], known: (Item | undefined)[]): void {
    const present = new Set(into)
    const first = known.find((one) => one !== undefined && present.has(one))
    const ahead: Item[] = []
    const behind = new Map<Item, Item[]>()
    let added = first ? ahead : into
    for (const [index, item] of items.entries()) {
      const found = known[index] ?? this.#findAddress(item.url)
      const node = found ?? this.#make(item)
      if (!node) break
      known[index] = node
      if (!found) added.push(node)
      else if (present.has(found)) {
        added = behind.get(found) ?? []
        behind.set(found, added)
      }
    }
    const merged = into.flatMap((one) => [...(one === first ? ahead : []), one, ...(behind.get(one) ?? [])])
    for (const [index, one] of merged.entries()) into[index] = one
  }

  #find(item: WebNavigationItem, headings: Map<string, Item[]>): Item | undefined {
    return item.url === undefined ? headings.get(item.title)?.shift() : this.#findAddress(item.url)
  }

  #findAddress(url: string | undefined): Item | undefined {
    return url === undefined ? undefined : this.#ofAddress.get(this.#keyOf(url))
  }

  #make({ title, url }: WebNavigationItem): Item | undefined {
    if (++this.#size > maxItems) return undefined
    if (url === undefined) return { title, children: [] }
    const item: Item = { title, url, children: [] }
    this.#ofAddress.set(this.#keyOf(url), item)
    return item
  }

  #keyOf(url: string): string {
    const known = this.#keys.get(url)
    if (known !== undefined) return known
    const key = keyOfAddress(url)
    if (this.#keys.size < maxItems) this.#keys.set(url, key)
    return key
  }
}

/** Returns headings by title; of several with the same title, each is matched once. */
function headingsIn(items: readonly Item[]): Map<string, Item[]> {
  const headings = new Map<string, Item[]>()
  for (const item of items) {
    if (item.url !== undefined) continue
    const same = headings.get(item.title)
    if (same) same.push(item)
    else headings.set(item.title, [item])
  }
  return headings
}
