import { setCacheMemory, clearCaches, defaultCacheMemory } from '../../src/kernel/cache.ts'

// Runs before each test file. Files share a process and its modules, and no file may depend on the caches that another one left.
clearCaches()
setCacheMemory(defaultCacheMemory)
