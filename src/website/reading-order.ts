import type { WebNavigationItem, WebPage } from './page.ts'
import { navigationUrls, urlKeyFromString } from './crawl-scope.ts'

/** Sorts pages in the order of the navigation, then by URL; the start page is first if it is not in the navigation. */
export function sortByNavigation(
  pages: readonly WebPage[],
  navigation: readonly WebNavigationItem[],
  urlOfKey: ReadonlyMap<string, string>,
): WebPage[] {
  const [start, ...others] = pages
  const positions = new Map<string, number>()
  for (const address of navigationUrls(navigation)) {
    const url = urlOfKey.get(urlKeyFromString(address))
    if (url !== undefined && !positions.has(url)) positions.set(url, positions.size)
  }
  if (start && !positions.has(start.url)) positions.set(start.url, -1)
  const positionOf = ({ url }: WebPage) => positions.get(url) ?? Infinity
  return (start ? [start, ...others] : []).sort((a, b) => {
    const [one, other] = [positionOf(a), positionOf(b)]
    return one === other ? (a.url < b.url ? -1 : 1) : one - other
  })
}

/** Number of pages from which a shared description is considered that of the site. */
const sharedDescriptionThreshold = 3

/** Removes descriptions that several pages share; the start page keeps its description. */
export function removeSharedDescriptions([start, ...others]: readonly WebPage[]): WebPage[] {
  const counts = new Map<string, number>()
  for (const { description } of others)
    if (description !== undefined) counts.set(description, (counts.get(description) ?? 0) + 1)
  const cleaned = others.map(({ description = '', ...page }): WebPage =>
    description === '' || (counts.get(description) ?? 0) >= sharedDescriptionThreshold
      ? page
      : { ...page, description },
  )
  return start ? [start, ...cleaned] : cleaned
}
