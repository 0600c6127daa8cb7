import { textOfBlocks } from '../content/document/text.ts'
import { printPage } from '../content/markdown/print.ts'
import { verbatimReferences } from '../content/markdown/references.ts'
import { PageAddresses, withoutFragment } from './page-addresses.ts'
import { generators } from './generators/generators.ts'
import { PageFootnotes } from './html-footnotes.ts'
import { TabSets } from './html-tabs.ts'
import { readWebDocument } from './html-to-blocks.ts'
import {
  parseHtmlDocument,
  toElementTree,
  type WebElement,
  descendants,
  findElement,
  hasTagName,
  collapseWhitespace,
  nodeText,
  findElements,
  isElement,
} from './html-tree.ts'
import { findMainContent } from './main-content.ts'
import { findNavigation, collectLinks } from './navigation.ts'
import type { WebPage } from './page.ts'
import { isBadge, isNonContent, isPermalink } from './html-non-content.ts'

/** Reads a page of any website; unknown elements become text, and no content causes an error. */
export async function readWebPage(html: string, url: string): Promise<WebPage> {
  const document = await parseHtmlDocument(html)
  const page = toElementTree(document)
  const metadata = readHtmlMetadata(page)
  const addresses = new PageAddresses(url, metadata.base)
  const generator = generators.find(({ matches }) => matches(page, metadata.generator))
  const content = generator?.findMainContent(page) ?? (await findMainContent(document, page, html, url))
  const links = collectLinks(page, addresses)
  const generatorNavigation = generator?.readNavigation(page, addresses) ?? []
  const navigation =
    generatorNavigation.length > 0 ? generatorNavigation : findNavigation(page, content, url, addresses)
  const canonical = addresses.resolvePage(metadata.canonical)

  const title = extractTitle(content, page) || titleWithoutSite(metadata)
  const context = {
    addresses,
    footnotes: new PageFootnotes(content),
    tabs: new TabSets(content),
    slugs: new Map<string, number>(),
  }
  const pageDocument = readWebDocument(content.children, context)
  const description = distinctDescription(metadata.description, textOfBlocks(pageDocument.nodes.slice(0, 20), ' '))
  return {
    url: withoutFragment(url),
    title,
    ...(description !== undefined && { description }),
    markdown: pageDocument.nodes.length === 0 ? '' : printPage({ document: pageDocument }, verbatimReferences),
    ...(canonical !== undefined && { canonical }),
    links,
    navigation,
    ...(generator && { generator: generator.name }),
    ...(generator?.isListing?.(page) && { isListing: true as const }),
  }
}

interface HtmlMetadata {
  /** Content of the `generator` meta tag. */
  generator: string
  title: string | undefined
  siteName: string | undefined
  description: string | undefined
  canonical: string | undefined
  base: string | undefined
}

function readHtmlMetadata(page: WebElement): HtmlMetadata {
  const values = new Map<string, string>()
  let canonical: string | undefined
  let base: string | undefined
  for (const { name, attributes } of descendants(page)) {
    const { name: key, property, content, rel, href } = attributes
    const meta = name === 'meta' ? (property ?? key)?.toLowerCase() : undefined
    if (meta !== undefined && content !== undefined && !values.has(meta)) values.set(meta, collapseWhitespace(content))
    if (name === 'link' && rel === 'canonical') canonical ??= href
    if (name === 'base') base ??= href
  }
  const title = findElement(page, hasTagName('title'))
  return {
    generator: values.get('generator') ?? '',
    title: values.get('og:title') || (title && nodeText(title)),
    siteName: values.get('og:site_name') || values.get('application-name'),
    description: values.get('description') || values.get('og:description'),
    canonical,
    base,
  }
}

const separator = /\s+[|–—·•»:-]+\s+/g

/** Returns the document title without the name of the site. */
function titleWithoutSite({ title = '', siteName }: HtmlMetadata): string {
  const [last] = Array.from(title.matchAll(separator)).slice(-1)
  if (!last) return title
  const after = title.slice(last.index + last[0].length)
  const before = title.slice(0, last.index)
  if (siteName === undefined) return before || title
  return after.toLowerCase() === siteName.toLowerCase() || siteName.toLowerCase().startsWith(after.toLowerCase())
    ? before || title
    : title
}

const normalizeText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the description, unless it only repeats the first words of the text. */
function distinctDescription(description: string | undefined, text: string): string | undefined {
  if (description === undefined || description === '') return undefined
  const normalized = normalizeText(description)
  return normalized === '' || normalizeText(text.slice(0, description.length * 3 + 500)).startsWith(normalized)
    ? undefined
    : description
}

const isHeading = hasTagName('h1')

/** Returns the visible title of a page and removes it from the content. */
function extractTitle(content: WebElement, page: WebElement): string {
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
