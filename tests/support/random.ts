/** Creates a pseudorandom generator of numbers from 0 (inclusive) to 1 (exclusive), the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns an integer from `low` to `high`, both inclusive. */
export function randomInteger(chance: () => number, low: number, high: number): number {
  return low + Math.floor(chance() * (high - low + 1))
}
