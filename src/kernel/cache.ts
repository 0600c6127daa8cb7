import { stringSize } from './heap-size.ts'
import { LruCache } from './lru-cache.ts'

/** Share of the cache memory of each cache, in percent. */
const shares = {
  /** Parsed content objects: roots, sequences and listings, and separately all others. */
  'content structure': 13,
  'content documents': 8,
  /** Parts of imported documents, for the jobs after an import. */
  'document extracts': 6,
  /** Replies of published sites, with their compressed variants. */
  'site replies': 20,
  'site visitors': 3,
  pictures: 10,
  'published content': 6,
  /** JSON of pages and lists of pages sent by the API. */
  'content replies': 4,
  /** Rows looked up by requests, such as tokens, spaces and members. */
  'look-ups': 4,
  'search previews': 6,
  'code colours': 5,
  formulas: 4,
  'site structures': 2,
  'site settings': 1,
  'files shown': 1,
  'social cards': 1,
  'api reference': 1,
  'generated pages': 1,
  /** OpenAPI documents as bytes, with the positions of their parts. */
  'openapi documents': 5,
} as const
export type CacheName = keyof typeof shares

export const defaultCacheMemory = 256 * 1024 ** 2

/** Size in bytes of an entry besides its key and value: the slot in the map and the object around the value. */
const entryOverhead = 120

let memory: number = defaultCacheMemory

/** Caches of this process that were not garbage-collected, by name. */
const caches = new Map<CacheName, Set<WeakRef<Cache<unknown>>>>()

/** Sets the maximum size in bytes of all caches of this process together. */
export function setCacheMemory(bytes: number): void {
  memory = bytes
}

/** Returns the maximum size of a cache in bytes. */
export function cacheLimit(name: CacheName): number {
  return (memory * shares[name]) / 100
}

/** LRU cache limited by the size of its entries in memory, which gets a share of the memory for all caches. */
export class Cache<Value> extends LruCache<Value> {
  constructor(name: CacheName, sizeOf: (value: Value) => number) {
    super(
      () => cacheLimit(name),
      (value, key) => sizeOf(value) + stringSize(key) + entryOverhead,
    )
    const instances = caches.get(name) ?? new Set()
    instances.add(new WeakRef(this as Cache<unknown>))
    caches.set(name, instances)
  }
}

/** Clears all caches of this process. */
export function clearCaches(): void {
  for (const references of caches.values()) {
    for (const reference of references) reference.deref()?.clear()
  }
}

export interface CacheUsage {
  name: CacheName
  bytes: number
  limit: number
  entries: number
}

/** Returns the size and limit of each cache. */
export function listCacheUsage(): CacheUsage[] {
  return [...caches].map(([name, references]) => {
    const usage = { name, bytes: 0, limit: cacheLimit(name), entries: 0 }
    for (const reference of references) {
      const cache = reference.deref()
      if (!cache) references.delete(reference)
      usage.bytes += cache?.weight ?? 0
      usage.entries += cache?.size ?? 0
    }
    return usage
  })
}
