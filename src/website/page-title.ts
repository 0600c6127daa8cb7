import { isBadge, isDropped, isPermalink } from './html-dropped.ts'
import { type WebElement, findAll, find, isElement, isNamed, oneLine } from './html-tree.ts'

const isHeading = isNamed('h1')

/** Returns the visible title of a page and removes it from the content. */
export function takeTitle(content: WebElement, page: WebElement): string {
  const inside = find(content, isHeading)
  if (inside) {
    const title = shownText(inside)
    // An empty element remains, so that the indexes of its siblings do not change.
    inside.name = 'span'
    inside.children = []
    return title
  }
  const middle = find(page, isNamed('main')) ?? find(page, isNamed('article'))
  const beside = middle && find(middle, isHeading)
  if (beside) return shownText(beside)
  // If there are several, one may be the name of the site.
  const [only, ...others] = findAll(page, isHeading)
  return only && others.length === 0 ? shownText(only) : ''
}

function shownText(heading: WebElement): string {
  const read = (element: WebElement): string =>
    element.children
      .map((node) =>
        !isElement(node)
          ? node
          : isDropped(node) || isBadge(node) || (node.name === 'a' && isPermalink(node))
            ? ''
            : read(node),
      )
      .join('')
  return oneLine(read(heading))
}
