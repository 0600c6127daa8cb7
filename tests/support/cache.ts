import { onTestFinished } from 'vitest'
import { type CacheName, cacheLimit, defaultCacheMemory, setCacheMemory } from '../../src/kernel/cache.ts'

/** Limits the size of a cache in bytes until the test ends. */
export function limitCacheForTest(name: CacheName, bytes: number): void {
  setCacheMemory(defaultCacheMemory)
  onTestFinished(() => setCacheMemory(defaultCacheMemory))
  setCacheMemory((defaultCacheMemory * bytes) / cacheLimit(name))
}
