import { stringSize } from './heap-size.ts'
import { LruCache } from './recent.ts'

/** How the memory for caches is divided, in hundredths. */
const shares = {
  /** Parsed objects of content: those that lead to others, and documents. */
  'content structure': 14,
  'content documents': 14,
  /** Replies of published sites, with their compressed forms. */
  'site replies': 23,
  'site visitors': 3,
  pictures: 11,
  'published content': 6,
  /** Texts of pages and lists of pages that the API has sent. */
  'content replies': 4,
  /** Rows that requests look up, such as tokens, spaces and members. */
  'look-ups': 4,
  'search previews': 6,
  'code colours': 5,
  formulas: 4,
  'site structures': 2,
  'site settings': 1,
  'files shown': 1,
  'social cards': 1,
  'api reference': 1,
} as const
export type CacheName = keyof typeof shares

export const defaultCacheMemory = 256 * 1024 ** 2

/** What an entry takes beside its key and value: its place in a map and the object around the value. */
const entryOverhead = 120

let memory: number = defaultCacheMemory

/** All caches of this process that are still in use. */
const caches = new Map<CacheName, Set<WeakRef<Cache<unknown>>>>()

/** Sets how many bytes all caches of this process may take together. */
export function setCacheMemory(bytes: number): void {
  memory = bytes
}

/** How many bytes a cache may take. */
export function cacheLimit(name: CacheName): number {
  return (memory * shares[name]) / 100
}

/** What was used lately, bounded by the bytes that it takes in memory; each has a share of the memory for all caches. */
export class Cache<Value> extends LruCache<Value> {
  constructor(name: CacheName, sizeOf: (value: Value) => number) {
    super(
      () => cacheLimit(name),
      (value, key) => sizeOf(value) + stringSize(key) + entryOverhead,
    )
    const known = caches.get(name) ?? new Set()
    known.add(new WeakRef(this as Cache<unknown>))
    caches.set(name, known)
  }
}

/** Empties all caches of this process. */
export function clearCaches(): void {
  for (const references of caches.values()) {
    for (const reference of references) reference.deref()?.clear()
  }
}

export interface CacheUse {
  name: CacheName
  bytes: number
  limit: number
  entries: number
}

/** How much each cache holds. */
export function cacheUses(): CacheUse[] {
  return [...caches].map(([name, references]) => {
    const use = { name, bytes: 0, limit: cacheLimit(name), entries: 0 }
    for (const reference of references) {
      const cache = reference.deref()
      if (!cache) references.delete(reference)
      use.bytes += cache?.weight ?? 0
      use.entries += cache?.size ?? 0
    }
    return use
  })
}
