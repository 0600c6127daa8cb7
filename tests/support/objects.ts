import { createHash } from 'node:crypto'
import { canonical } from '../../src/content/revision/canonical.ts'
import type { Objects, StoredObject } from '../../src/content/revision/objects.ts'

/** Objects in memory, which counts what is read and written. */
export class MemoryObjects implements Objects {
  readonly stored = new Map<string, string>()
  reads = 0
  writes = 0

  read(hashes: readonly string[]): Promise<StoredObject[]> {
    this.reads += hashes.length
    return Promise.resolve(
      hashes.map((hash) => {
        const text = this.stored.get(hash)
        if (text === undefined) throw new Error(`There is no object ${hash}`)
        return JSON.parse(text) as StoredObject
      }),
    )
  }

  write(object: StoredObject): string {
    this.writes++
    const text = canonical(object)
    const hash = createHash('sha256').update(text).digest('hex')
    this.stored.set(hash, text)
    return hash
  }
}
