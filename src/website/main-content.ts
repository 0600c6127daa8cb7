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

// Sites that nobody knows: what stands in the middle of them.

/** The search for content looks at many nodes again and again; on pages with more tags and entities it would take too long. */
const maxNodes = 12_000

/** Below this share of the words, content was lost. */
const minShare = 0.6
const minWords = 40

/** Where the content of a page stands that no generator is known of. */
export async function findContent(document: DomNode, page: WebElement, html: string, url: string): Promise<WebElement> {
  const marked = find(page, isNamed('main')) ?? onlyArticle(page) ?? find(page, hasRole('main'))
  const place = marked ?? find(page, isNamed('body')) ?? page
  const plain = marked ?? withoutAround(place)
  const found = await extracted(document, page, html, url)
  const [most, has] = [wordsIn(plain), found ? wordsIn(found) : 0]
  const best = found && has >= minWords && has >= most * (marked ? minShare : minShare / 2) ? found : plain
  return marked ? best : aroundTitle(best)
}

/** How far above its title the content of a page may end. */
const maxLevels = 8

/** The smallest part around the title of a page that holds most of what it says. */
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

type Extractor = new (document: DomNode, options: Readonly<Record<string, unknown>>) => { parse(): { content: string } }

async function extracted(
  document: DomNode,
  page: WebElement,
  html: string,
  url: string,
): Promise<WebElement | undefined> {
  const [only] = elementsIn(page)
  // It expects a whole document, and files of a few paragraphs are none.
  if (only?.name !== 'html' || html.split(/[<&]/, maxNodes).length === maxNodes) return undefined
  // What its types say of the module is true for one of the two kinds of modules only.
  const Defuddle = (await import('defuddle')).default as unknown as Extractor
  try {
    const { content } = new Defuddle(document, {
      url,
      // It is to find the content and to change nothing in it: short lists are no noise in documentation.
      standardize: false,
      removeLowScoring: false,
      removeContentPatterns: false,
      removeSmallImages: false,
    }).parse()
    return treeOf(await parseDocument(`<html><body>${content}</body></html>`))
  } catch {
    // A page that it cannot read is read as it is.
    return undefined
  }
}
