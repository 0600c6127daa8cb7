import type { WebNavigationItem, WebPage } from './page.ts'
import { addressesIn, keyOfAddress } from './scope.ts'

/** Sorts pages in the order of the navigation, then by URL; the start page is first if it is not in the navigation. */
export function inReadingOrder(
  pages: readonly WebPage[],
  navigation: readonly WebNavigationItem[],
  urlOfKey: ReadonlyMap<string, string>,
): WebPage[] {
  const [start, ...others] = pages
  const places = new Map<string, number>()
  for (const address of addressesIn(navigation)) {
    const url = urlOfKey.get(keyOfAddress(address))
    if (url !== undefined && !places.has(url)) places.set(url, places.size)
  }
  if (start && !places.has(start.url)) places.set(start.url, -1)
  const placeOf = ({ url }: WebPage) => places.get(url) ?? Infinity
  return (start ? [start, ...others] : []).sort((a, b) => {
    const [one, other] = [placeOf(a), placeOf(b)]
    return one === other ? (a.url < b.url ? -1 : 1) : one - other
  })
}

/** Number of pages from which a shared description is considered that of the site. */
const fewPages = 3

/** Removes descriptions that several pages share; the start page keeps its description. */
export function withOwnDescriptions([start, ...others]: readonly WebPage[]): WebPage[] {
  const counts = new Map<string, number>()
  for (const { description } of others)
    if (description !== undefined) counts.set(description, (counts.get(description) ?? 0) + 1)
  const own = others.map(({ description = '', ...page }): WebPage =>
    description === '' || (counts.get(description) ?? 0) >= fewPages ? page : { ...page, description },
  )
  return start ? [start, ...own] : own
}
