import type { StoredObject } from '../content/revision/objects.ts'
import { Cache, type CacheName, cacheLimit } from '../kernel/cache.ts'
import { estimateHeapSize } from '../kernel/heap-size.ts'

/**
 * Cache of immutable objects, which never become stale. Objects that refer to others have a separate cache, so that the
 * documents of many pages never evict them.
 */
export class ObjectCache {
  readonly #structure = new Cache<SizedObject>('content structure', ({ size }) => size)
  readonly #content = new Cache<SizedObject>('content documents', ({ size }) => size)

  get(key: string): StoredObject | undefined {
    return (this.#structure.get(key) ?? this.#content.get(key))?.object
  }

  put(key: string, object: StoredObject): void {
    const isStructure = object.kind === 'root' || object.kind === 'sequence' || object.kind === 'listing'
    const name: CacheName = isStructure ? 'content structure' : 'content documents'
    const cache = isStructure ? this.#structure : this.#content
    if (cache.has(key)) return
    const size = estimateHeapSize(object)
    // A very large object would evict too many others.
    if (size <= cacheLimit(name) / 8) cache.set(key, { object, size })
  }
}

interface SizedObject {
  object: StoredObject
  size: number
}
