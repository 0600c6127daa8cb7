/** A page of any tree of pages. */
export interface OrderedPage {
  id: string
  title: string
  type: string
  pages?: readonly OrderedPage[] | undefined
}

/** Returns the pages with content before and after a page, in reading order. */
export function findNeighbors(
  pages: readonly OrderedPage[],
  id: string,
): { previous: OrderedPage | undefined; next: OrderedPage | undefined } {
  let previous: OrderedPage | undefined
  let isFound = false
  const stack = pages.toReversed()
  for (let page = stack.pop(); page; page = stack.pop()) {
    if (page.type === 'document') {
      if (isFound) return { previous, next: page }
      if (page.id === id) isFound = true
      else previous = page
    }
    stack.push(...(page.pages ?? []).toReversed())
  }
  return isFound ? { previous, next: undefined } : { previous: undefined, next: undefined }
}
