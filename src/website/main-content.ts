import {
  type DomNode,
  type WebElement,
  ancestorsOf,
  descendants,
  elementsIn,
  find,
  hasRole,
  isElement,
  isNamed,
  parseDocument,
  treeOf,
} from './html-tree.ts'
import { isDropped } from './html-dropped.ts'

// Main content of pages whose generator is unknown.

/** Maximum number of tags and entities for content extraction, which visits many nodes repeatedly and would take too long. */
const maxNodes = 12_000

/** Minimum share of the text; if less is extracted, content was lost. */
const minShare = 0.6
const minWords = 40

/** Finds the main content of a page whose generator is unknown. */
export async function findContent(document: DomNode, page: WebElement, html: string, url: string): Promise<WebElement> {
  const marked = find(page, isNamed('main')) ?? onlyArticle(page) ?? find(page, hasRole('main'))
  const place = marked ?? find(page, isNamed('body')) ?? page
  const plain = marked ?? withoutAround(place)
  const found = await extracted(document, page, html, url)
  const [most, has] = [wordsIn(plain), found ? wordsIn(found) : 0]
  const best = found && has >= minWords && has >= most * (marked ? minShare : minShare / 2) ? found : plain
  return marked ? best : aroundTitle(best)
}

/** Maximum number of ancestors of the title that are checked. */
const maxLevels = 8

/** Returns the smallest element around the title that contains most of the text. */
function aroundTitle(place: WebElement): WebElement {
  const title = find(place, isNamed('h1'))
  const most = title ? wordsIn(place) : 0
  const parts = title ? ancestorsOf(title, maxLevels) : []
  return parts.find((part) => part.name !== 'header' && wordsIn(part) >= most * minShare) ?? place
}

function onlyArticle(page: WebElement): WebElement | undefined {
  const articles = Array.from(descendants(page)).filter(isNamed('article'))
  return articles.length === 1 ? articles[0] : undefined
}

/** Removes navigation, headers, footers and sidebars from a page without a marked main content. */
function withoutAround(place: WebElement): WebElement {
  const isAround = isNamed('nav', 'header', 'footer', 'aside')
  const children = place.children.filter((node) => !isElement(node) || !isAround(node) || hasTitleOnly(node))
  return { ...place, children }
}

/** Whether an element is a header with a title and without navigation, which belongs to the content. */
const hasTitleOnly = (element: WebElement) =>
  element.name === 'header' && find(element, isNamed('h1')) !== undefined && !find(element, isNamed('nav', 'ul'))

/** Returns the number of characters of content in an element. */
function wordsIn(place: WebElement): number {
  const count = (element: WebElement): number =>
    element.children.reduce(
      (sum, node) => sum + (isElement(node) ? (isDropped(node) ? 0 : count(node)) : node.trim().length),
      0,
    )
  return count(place)
}

type Extractor = new (document: DomNode, options: Readonly<Record<string, unknown>>) => { parse(): { content: string } }

async function extracted(
  document: DomNode,
  page: WebElement,
  html: string,
  url: string,
): Promise<WebElement | undefined> {
  const [only] = elementsIn(page)
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
    return treeOf(await parseDocument(`<html><body>${content}</body></html>`))
  } catch {
    // If the library fails, the page is used as it is.
    return undefined
  }
}
