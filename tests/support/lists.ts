import type { Paginated } from '../../src/contract/shared.ts'

/** Follows a list from page to page and returns the items of each; every page must have the same count. */
export async function readAllPages<Item>(
  list: (page: string | undefined) => Promise<Paginated<Item>>,
): Promise<Item[][]> {
  const pages: Item[][] = []
  const counts = new Set<number>()
  let page: string | undefined
  do {
    const { items, next, count } = await list(page)
    pages.push(items)
    counts.add(count)
    page = next?.page
  } while (page !== undefined)
  const [count] = counts
  if (counts.size !== 1 || count !== pages.flat().length)
    throw new Error(`The pages tell ${[...counts].join(', ')} items, and hold ${pages.flat().length}`)
  return pages
}
