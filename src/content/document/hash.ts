const digits = 'abcdefghijklmnopqrstuvwxyz234567'
/** Two base-32 digits for each 10-bit number; the digit of the lower five bits is first. */
const digitPairs = Array.from({ length: 1024 }, (_, bits) => `${digits.charAt(bits & 31)}${digits.charAt(bits >>> 5)}`)

/** Returns a hash of twelve letters and digits: equal for equal texts, and almost certainly different for others. */
export function hashText(text: string): string {
  const hasher = new Hasher()
  hasher.add(text)
  return hasher.finish()
}

/** Hashes a text that is given in parts, without joining them. */
export class Hasher {
  #one = 0x811c9dc5
  #two = 0x41c6ce57

  add(text: string): void {
    let [one, two] = [this.#one, this.#two]
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      one = Math.imul(one ^ unit, 0x01000193)
      two = Math.imul(two ^ unit, 0x5f356495)
      two ^= two >>> 15
    }
    this.#one = one
    this.#two = two
  }

  /** Adds a text as JSON. */
  addJson(text: string): void {
    if (escapable.test(text)) return this.add(JSON.stringify(text))
    this.add('"')
    this.add(text)
    this.add('"')
  }

  finish(): string {
    const [one, two] = [this.#one, this.#two]
    return encodeBits(mixBits(one ^ Math.imul(two, 0x9e3779b1))) + encodeBits(mixBits(two ^ Math.imul(one, 0x85ebca6b)))
  }
}

/** Characters that JSON may escape. */
// oxlint-disable-next-line no-control-regex
const escapable = /[\u0000-\u001f"\\\ud800-\udfff]/

function mixBits(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

function encodeBits(value: number): string {
  return `${digitPairs[value & 1023]}${digitPairs[(value >>> 10) & 1023]}${digitPairs[(value >>> 20) & 1023]}`
}

/** Creates names that are not in use. */
export class UniqueNames {
  readonly #taken: Set<string>
  readonly #ordinals = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  reserve(name: string): void {
    this.#taken.add(name)
  }

  /** Returns the name itself, or the name with the first numeric suffix that is not in use. */
  assign(name: string): string {
    let [ordinal, found] = [this.#ordinals.get(name) ?? 1, name]
    if (ordinal > 1) found = `${name}-${ordinal}`
    while (this.#taken.has(found)) found = `${name}-${++ordinal}`
    if (ordinal > 1) this.#ordinals.set(name, ordinal)
    this.#taken.add(found)
    return found
  }
}
