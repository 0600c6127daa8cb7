import type { ListQuery, Page } from '../contract/shared.ts'
import { invalid } from './errors.ts'

/** Where a list goes on: the sort keys of the last item that was sent. */
export type Cursor = readonly string[]

function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/**
 * The keys to go on after, or undefined on the first page; `length` is how many keys the list sorts by, and `fits`
 * tells keys that are no plain texts from those of another list.
 */
export function decodeCursor(
  page: string | undefined,
  length: number,
  fits: (keys: Cursor) => boolean = () => true,
): Cursor | undefined {
  if (page === undefined) return undefined
  try {
    const keys: unknown = JSON.parse(Buffer.from(page, 'base64url').toString())
    const areTexts = Array.isArray(keys) && keys.every(isStorableText)
    if (areTexts && keys.length === length && fits(keys)) return keys
  } catch {
    // Not JSON: as wrong as any other text that no list has handed out.
  }
  throw invalid('query.page', 'is not a valid cursor of this list')
}

/** PostgreSQL rejects U+0000 in a text, and no key that a list has sent contains half a surrogate pair. */
function isStorableText(key: unknown): key is string {
  return typeof key === 'string' && !key.includes('\0') && key.isWellFormed()
}

/** Makes the reply of a list from up to `limit + 1` rows; the one too many only tells that there is more. */
export function toPage<Row, Item>(
  rows: Row[],
  { limit }: Pick<ListQuery, 'limit'>,
  count: number,
  keysOf: (row: Row) => Cursor,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    ...(last && { next: { page: encodeCursor(keysOf(last)) } }),
    count,
    items: shown.map(present),
  }
}
