import { Cache, cacheLimit } from '../../kernel/cache.ts'
import { stringSize } from '../../kernel/heap-size.ts'

/** Texts of replies about content, by everything that they depend on: content never changes, so they do not expire. */
const texts = new Cache<string>('content replies', stringSize)

/** A larger text would push too many others out of the cache. */
const longestText = () => cacheLimit('content replies') / 8

export const cachedText = (key: string): string | undefined => texts.get(key)

export function cacheText(key: string, text: string): void {
  if (stringSize(text) <= longestText()) texts.set(key, text)
}

/** Passes the pieces of a text on, and caches the whole text unless it is too long. */
export async function* cachingPieces(key: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let collected: string[] | undefined = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > longestText()) collected = undefined
    else collected?.push(piece)
    yield piece
  }
  if (collected) cacheText(key, collected.join(''))
}
