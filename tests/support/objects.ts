import type { StoredObject } from '../../src/content/revision/objects.ts'
import { MemoryObjects as Plain } from '../../src/storage/memory-objects.ts'

/** Object store in memory that counts reads and writes. */
export class CountingObjects extends Plain {
  reads = 0
  writes = 0

  get stored(): Map<string, string> {
    return this.texts
  }

  override read(hashes: readonly string[]): Promise<StoredObject[]> {
    this.reads += hashes.length
    return super.read(hashes)
  }

  override writeCanonical(json: string): string {
    this.writes++
    return super.writeCanonical(json)
  }
}
