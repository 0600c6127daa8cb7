import { isBadge, isNonContent, isPermalink } from './html-non-content.ts'
import { type WebElement, findElements, findElement, isElement, hasTagName, collapseWhitespace } from './html-tree.ts'

const isHeading = hasTagName('h1')

/** Returns the visible title of a page and removes it from the content. */
export function extractTitle(content: WebElement, page: WebElement): string {
  const contentHeading = findElement(content, isHeading)
  if (contentHeading) {
    const title = visibleText(contentHeading)
    // An empty element remains, so that the indexes of its siblings do not change.
    contentHeading.name = 'span'
    contentHeading.children = []
    return title
  }
  const main = findElement(page, hasTagName('main')) ?? findElement(page, hasTagName('article'))
  const mainHeading = main && findElement(main, isHeading)
  if (mainHeading) return visibleText(mainHeading)
  // If there are several, one may be the name of the site.
  const [only, ...others] = findElements(page, isHeading)
  return only && others.length === 0 ? visibleText(only) : ''
}

function visibleText(heading: WebElement): string {
  const read = (element: WebElement): string =>
    element.children
      .map((node) =>
        !isElement(node)
          ? node
          : isNonContent(node) || isBadge(node) || (node.name === 'a' && isPermalink(node))
            ? ''
            : read(node),
      )
      .join('')
  return collapseWhitespace(read(heading))
}
