import { Cache, cacheLimit } from '../../kernel/cache.ts'
import { stringSize } from '../../kernel/heap-size.ts'

/** Cache of content replies, by everything they depend on. Content is immutable, so entries do not expire. */
const cache = new Cache<string>('content replies', stringSize)

/** Returns the maximum size of a cached text; a larger one would evict too many others. */
const maxCachedSize = () => cacheLimit('content replies') / 8

export const getCachedText = (key: string): string | undefined => cache.get(key)

export function cacheText(key: string, text: string): void {
  if (stringSize(text) <= maxCachedSize()) cache.set(key, text)
}

/** Yields the pieces of a text unchanged, and caches the whole text unless it is too long. */
export async function* cachePieces(key: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let collected: string[] | undefined = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > maxCachedSize()) collected = undefined
    else collected?.push(piece)
    yield piece
  }
  if (collected) cacheText(key, collected.join(''))
}
