import { textOfBlocks } from '../content/document/text.ts'
import { printPage } from '../content/markdown/print.ts'
import { verbatimReferences } from '../content/markdown/references.ts'
import { PageAddresses, withoutFragment } from './page-addresses.ts'
import { generators } from './generators/generators.ts'
import { PageFootnotes } from './html-footnotes.ts'
import { TabSets } from './html-tabs.ts'
import { readWebDocument } from './html-to-blocks.ts'
import { parseHtmlDocument, toElementTree } from './html-tree.ts'
import { findMainContent } from './main-content.ts'
import { findNavigation, collectLinks } from './navigation.ts'
import type { WebPage } from './page.ts'
import { distinctDescription, readHtmlMetadata, titleWithoutSite } from './page-metadata.ts'
import { extractTitle } from './page-title.ts'

/** Reads a page of any website; unknown elements become text, and no content of a page is an error. */
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
