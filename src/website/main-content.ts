import {
  type DomNode,
  type WebElement,
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

// Sites that nobody knows: what stands in the middle of them.

/** The search for content compares elements with each other; on pages with more of them it would take too long. */
const maxElements = 20_000
const maxHtml = 1_000_000

/** Below this share of the words, content was lost. */
const minShare = 0.6
const minWords = 40

/** Where the content of a page stands that no generator is known of. */
export async function findContent(document: DomNode, page: WebElement, html: string, url: string): Promise<WebElement> {
  const marked = find(page, isNamed('main')) ?? onlyArticle(page) ?? find(page, hasRole('main'))
  const place = marked ?? find(page, isNamed('body')) ?? page
  const plain = marked ?? withoutAround(place)
  const found = await extracted(document, page, html, url)
  if (!found) return plain
  const [most, has] = [wordsIn(plain), wordsIn(found)]
  return has >= minWords && has >= most * (marked ? minShare : minShare / 2) ? found : plain
}

function onlyArticle(page: WebElement): WebElement | undefined {
  const articles = Array.from(descendants(page)).filter(isNamed('article'))
  return articles.length === 1 ? articles[0] : undefined
}

/** A page without what stands around its content, where nothing says what is in the middle. */
function withoutAround(place: WebElement): WebElement {
  const isAround = isNamed('nav', 'header', 'footer', 'aside')
  const children = place.children.filter((node) => !isElement(node) || !isAround(node) || hasTitleOnly(node))
  return { ...place, children }
}

/** A header that names the page and leads nowhere else belongs to it. */
const hasTitleOnly = (element: WebElement) =>
  element.name === 'header' && find(element, isNamed('h1')) !== undefined && !find(element, isNamed('nav', 'ul'))

/** How many characters of content an element shows. */
function wordsIn(place: WebElement): number {
  const count = (element: WebElement): number =>
    element.children.reduce(
      (sum, node) => sum + (isElement(node) ? (isDropped(node) ? 0 : count(node)) : node.trim().length),
      0,
    )
  return count(place)
}

async function extracted(
  document: DomNode,
  page: WebElement,
  html: string,
  url: string,
): Promise<WebElement | undefined> {
  const [only] = elementsIn(page)
  // It expects a whole document, and files of a few paragraphs are none.
  if (only?.name !== 'html' || html.length > maxHtml || Array.from(descendants(page)).length > maxElements)
    return undefined
  const { default: Defuddle } = await import('defuddle')
  try {
    const { content } = new Defuddle(document as unknown as ConstructorParameters<typeof Defuddle>[0], {
      url,
      standardize: false,
      removeImages: false,
    }).parse()
    return treeOf(await parseDocument(`<html><body>${content}</body></html>`))
  } catch {
    // A page that it cannot read is read as it is.
    return undefined
  }
}
