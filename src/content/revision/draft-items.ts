import { type ItemEntry, type ObjectOf, type Objects, readObject } from './objects.ts'
import { type Sequence, findInSorted, updateSorted } from './sequence.ts'

/** A map of files or reusable contents by id that can be changed. */
export class DraftItems<Kind extends 'file' | 'reusable-content'> {
  readonly #kind: Kind
  readonly #objects: Objects
  readonly #stored: Sequence<ItemEntry>
  readonly #changed = new Map<string, ItemEntry | null>()

  constructor(kind: Kind, objects: Objects, stored: Sequence<ItemEntry>) {
    this.#kind = kind
    this.#objects = objects
    this.#stored = stored
  }

  async findEntry(id: string): Promise<ItemEntry | undefined> {
    const changed = this.#changed.get(id)
    if (changed !== undefined) return changed ?? undefined
    return (await findInSorted(this.#objects, this.#stored, [id])).get(id)
  }

  async find(id: string): Promise<ObjectOf<Kind> | undefined> {
    const entry = await this.findEntry(id)
    return entry && readObject(this.#objects, this.#kind, entry.hash)
  }

  /** Sets the object with an id, or removes it (null). */
  set(id: string, value: Omit<ObjectOf<Kind>, 'kind'> | null): void {
    const hash = value && this.#objects.write({ ...value, kind: this.#kind } as ObjectOf<Kind>)
    this.#changed.set(id, hash === null ? null : { id, hash })
  }

  write(): Promise<Sequence<ItemEntry>> {
    return updateSorted(this.#objects, this.#stored, this.#changed)
  }
}
