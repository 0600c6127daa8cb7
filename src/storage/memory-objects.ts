import { createHash } from 'node:crypto'
import { canonicalJson } from '../content/document/canonical-json.ts'
import type { Objects, StoredObject } from '../content/revision/objects.ts'

/** Objects in memory. They are stored as JSON text, which takes a fraction of the memory of parsed values. */
export class MemoryObjects implements Objects {
  protected readonly texts = new Map<string, string>()

  async read(hashes: readonly string[]): Promise<StoredObject[]> {
    return hashes.map((hash) => {
      const text = this.texts.get(hash)
      if (text === undefined) throw new Error(`The object ${hash} is missing`)
      return JSON.parse(text) as StoredObject
    })
  }

  write(object: StoredObject): string {
    return this.writeCanonical(canonicalJson(object))
  }

  writeCanonical(text: string): string {
    const hash = createHash('sha256').update(text).digest('hex')
    this.texts.set(hash, text)
    return hash
  }
}
