import {
  type DomNode,
  type WebElement,
  ancestorsOf,
  descendants,
  childElements,
  findElement,
  hasRole,
  isElement,
  hasTagName,
  parseHtmlDocument,
  toElementTree,
} from './html-tree.ts'
import { isNonContent } from './html-non-content.ts'

// Main content of pages whose generator is unknown.

/** Maximum number of tags and entities for content extraction, which visits many nodes repeatedly and would take too long. */
const maxNodes = 12_000

/** Minimum share of the text; if less is extracted, content was lost. */
const minShare = 0.6
const minCharacters = 40

/** Finds the main content of a page whose generator is unknown. */
export async function findMainContent(
  document: DomNode,
  page: WebElement,
  html: string,
  url: string,
): Promise<WebElement> {
  const marked = findElement(page, hasTagName('main')) ?? findOnlyArticle(page) ?? findElement(page, hasRole('main'))
  const container = marked ?? findElement(page, hasTagName('body')) ?? page
  const fallback = marked ?? withoutPageChrome(container)
  const extractedContent = await extractContent(document, page, html, url)
  const [fallbackLength, extractedLength] = [
    countCharacters(fallback),
    extractedContent ? countCharacters(extractedContent) : 0,
  ]
  const best =
    extractedContent &&
    extractedLength >= minCharacters &&
    extractedLength >= fallbackLength * (marked ? minShare : minShare / 2)
      ? extractedContent
      : fallback
  return marked ? best : findAroundTitle(best)
}

/** Maximum number of ancestors of the title that are checked. */
const maxLevels = 8

/** Returns the smallest element around the title that contains most of the text. */
function findAroundTitle(container: WebElement): WebElement {
  const title = findElement(container, hasTagName('h1'))
  const totalLength = title ? countCharacters(container) : 0
  const parts = title ? ancestorsOf(title, maxLevels) : []
  return parts.find((part) => part.name !== 'header' && countCharacters(part) >= totalLength * minShare) ?? container
}

function findOnlyArticle(page: WebElement): WebElement | undefined {
  const articles = Array.from(descendants(page)).filter(hasTagName('article'))
  return articles.length === 1 ? articles[0] : undefined
}

/** Removes navigation, headers, footers and sidebars from a page without a marked main content. */
function withoutPageChrome(container: WebElement): WebElement {
  const isPageChrome = hasTagName('nav', 'header', 'footer', 'aside')
  const children = container.children.filter((node) => !isElement(node) || !isPageChrome(node) || hasTitleOnly(node))
  return { ...container, children }
}

/** Whether an element is a header with a title and without navigation, which belongs to the content. */
const hasTitleOnly = (element: WebElement) =>
  element.name === 'header' &&
  findElement(element, hasTagName('h1')) !== undefined &&
  !findElement(element, hasTagName('nav', 'ul'))

/** Returns the number of characters of content in an element. */
function countCharacters(container: WebElement): number {
  const count = (element: WebElement): number =>
    element.children.reduce(
      (sum, node) => sum + (isElement(node) ? (isNonContent(node) ? 0 : count(node)) : node.trim().length),
      0,
    )
  return count(container)
}

type Extractor = new (document: DomNode, options: Readonly<Record<string, unknown>>) => { parse(): { content: string } }

async function extractContent(
  document: DomNode,
  page: WebElement,
  html: string,
  url: string,
): Promise<WebElement | undefined> {
  const [only] = childElements(page)
  // The library expects a complete document; files with only a few paragraphs are not.
  if (only?.name !== 'html' || html.split(/[<&]/, maxNodes).length === maxNodes) return undefined
  // The types of the module are only correct for one of the two module formats.
  const Defuddle = (await import('defuddle')).default as unknown as Extractor
  try {
    const { content } = new Defuddle(document, {
      url,
      // The library only finds the content and must not change it: short lists are not noise in documentation.
      standardize: false,
      removeLowScoring: false,
      removeContentPatterns: false,
      removeSmallImages: false,
    }).parse()
    return toElementTree(await parseHtmlDocument(`<html><body>${content}</body></html>`))
  } catch {
    // If the library fails, the page is used as it is.
    return undefined
  }
}
