import type { Objects, PageEntry } from './objects.ts'
import { type Sequence, readSequence } from './sequence.ts'

/** A list of sibling pages that can be changed. */
export class PageList {
  #ids: string[]
  /** Removed ids that are still in `#ids`: finding and removing each one separately would take quadratic time. */
  readonly #removed = new Set<string>()
  readonly #entries: Map<string, PageEntry>
  /** Number of pages by slug. */
  readonly #slugCounts = new Map<string, number>()

  constructor(entries: readonly PageEntry[]) {
    this.#ids = entries.map(({ id }) => id)
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]))
    for (const { slug } of entries) this.#adjustSlugCount(slug, 1)
  }

  static async read(objects: Objects, stored: Sequence<PageEntry>): Promise<PageList> {
    return new PageList(await readSequence(objects, stored))
  }

  get ids(): readonly string[] {
    this.#applyRemovals()
    return this.#ids
  }

  entries(): PageEntry[] {
    return this.ids.map((id) => this.#entries.get(id) as PageEntry)
  }

  find(id: string): PageEntry | undefined {
    return this.#entries.get(id)
  }

  /** Inserts a page at an index, or at the end if there is none. */
  insert(entry: PageEntry, at?: number): void {
    if (at !== undefined || this.#removed.has(entry.id)) this.#applyRemovals()
    this.#ids.splice(at ?? this.#ids.length, 0, entry.id)
    this.#entries.set(entry.id, entry)
    this.#adjustSlugCount(entry.slug, 1)
  }

  remove(id: string): void {
    this.#removed.add(id)
    this.#adjustSlugCount(this.#entries.get(id)?.slug, -1)
    this.#entries.delete(id)
  }

  rename(id: string, slug: string): void {
    const entry = this.#entries.get(id) as PageEntry
    this.#adjustSlugCount(entry.slug, -1)
    this.#adjustSlugCount(slug, 1)
    this.#entries.set(id, { ...entry, slug })
  }

  /** Reorders the pages; pages that are not in `ids` follow the others. */
  reorder(ids: readonly string[]): void {
    const orderedIds = new Set(ids)
    this.#ids = [...ids.filter((id) => this.#entries.has(id)), ...this.ids.filter((id) => !orderedIds.has(id))]
  }

  hasSlug(slug: string, except?: string): boolean {
    const ownCount = except !== undefined && this.#entries.get(except)?.slug === slug ? 1 : 0
    return (this.#slugCounts.get(slug) ?? 0) > ownCount
  }

  #applyRemovals(): void {
    if (this.#removed.size === 0) return
    this.#ids = this.#ids.filter((id) => !this.#removed.has(id))
    this.#removed.clear()
  }

  #adjustSlugCount(slug: string | undefined, change: 1 | -1): void {
    if (slug !== undefined) this.#slugCounts.set(slug, (this.#slugCounts.get(slug) ?? 0) + change)
  }
}
