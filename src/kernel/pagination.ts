import type { ListQuery, Paginated } from '../contract/shared.ts'
import { invalid } from './errors.ts'

/** Sort keys of the last item of a page of results, after which the next page starts. */
export type Cursor = readonly string[]

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/**
 * Decodes a cursor; returns undefined for the first page and fails for a cursor of another list. `length` is the number
 * of sort keys of the list, and `isValid` validates keys that are not arbitrary strings.
 */
export function decodeCursor(
  page: string | undefined,
  length: number,
  isValid: (keys: Cursor) => boolean = () => true,
): Cursor | undefined {
  if (page === undefined) return undefined
  try {
    const keys: unknown = JSON.parse(Buffer.from(page, 'base64url').toString())
    const areStrings = Array.isArray(keys) && keys.every(isStorableText)
    if (areStrings && keys.length === length && isValid(keys)) return keys
  } catch {
    // Text that is not JSON is refused below, like any other invalid cursor.
  }
  throw invalid('query.page', 'is not a valid cursor of this list')
}

/** Whether a key can be part of a cursor: PostgreSQL rejects U+0000, and keys of rows contain no lone surrogates. */
function isStorableText(key: unknown): key is string {
  return typeof key === 'string' && !key.includes('\0') && key.isWellFormed()
}

/** Builds a page of results from up to `limit + 1` rows; the extra row only shows that there is a next page. */
export function toPage<Row, Item>(
  rows: Row[],
  query: Pick<ListQuery, 'limit'>,
  count: number,
  keysOf: (row: Row) => Cursor,
  present: (row: Row) => Item,
): Paginated<Item> {
  const { items, ...page } = toUncountedPage(rows, query, keysOf, present)
  return { ...page, count, items }
}

/** Builds a page of a list that is too long to count. */
export function toUncountedPage<Row, Item>(
  rows: Row[],
  { limit }: Pick<ListQuery, 'limit'>,
  keysOf: (row: Row) => Cursor,
  present: (row: Row) => Item,
): Omit<Paginated<Item>, 'count'> {
  const pageRows = rows.slice(0, limit)
  const last = rows.length > limit ? pageRows.at(-1) : undefined
  return {
    ...(last && { next: { page: encodeCursor(keysOf(last)) } }),
    items: pageRows.map(present),
  }
}
