const digits = 'abcdefghijklmnopqrstuvwxyz234567'

/** A name of twelve letters and digits for a text: the same for the same text, and hardly ever for another. */
export function hashOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit, 0x5f356495)
    two ^= two >>> 15
  }
  return half(mixed(one ^ Math.imul(two, 0x9e3779b1))) + half(mixed(two ^ Math.imul(one, 0x85ebca6b)))
}

function mixed(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

function half(value: number): string {
  let text = ''
  for (let shift = 0; shift < 30; shift += 5) text += digits[(value >>> shift) & 31]
  return text
}

/** Names that differ from all in use. */
export class UniqueNames {
  readonly #taken: Set<string>
  readonly #ordinals = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  keep(name: string): void {
    this.#taken.add(name)
  }

  /** The name itself, or with the first number behind it that makes it new. */
  make(name: string): string {
    let [ordinal, found] = [this.#ordinals.get(name) ?? 1, name]
    if (ordinal > 1) found = `${name}-${ordinal}`
    while (this.#taken.has(found)) found = `${name}-${++ordinal}`
    this.#ordinals.set(name, ordinal)
    this.#taken.add(found)
    return found
  }
}
