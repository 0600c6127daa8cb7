import type { StoredObject } from '../content/revision/objects.ts'
import { Recent } from '../kernel/recent.ts'

/**
 * Immutable objects that were read lately, up to a size in characters of their texts. They never go stale.
 * What leads to the others has a shelf of its own: the texts of many pages never push out the way to them.
 */
export class ObjectCache {
  readonly #structure: Shelf
  readonly #content: Shelf

  constructor(capacity: number) {
    this.#structure = new Shelf(capacity / 2)
    this.#content = new Shelf(capacity / 2)
  }

  get(key: string): StoredObject | undefined {
    return this.#structure.get(key) ?? this.#content.get(key)
  }

  put(key: string, object: StoredObject, size: number): void {
    const isStructure = object.kind === 'root' || object.kind === 'sequence' || object.kind === 'listing'
    ;(isStructure ? this.#structure : this.#content).put(key, object, size)
  }
}

class Shelf {
  readonly #capacity: number
  readonly #entries: Recent<{ object: StoredObject; size: number }>

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#entries = new Recent(capacity, ({ size }) => size)
  }

  get(key: string): StoredObject | undefined {
    return this.#entries.get(key)?.object
  }

  put(key: string, object: StoredObject, size: number): void {
    // One that takes much of the room would drop too many others.
    if (this.#entries.has(key) || size > this.#capacity / 8) return
    this.#entries.set(key, { object, size })
  }
}
