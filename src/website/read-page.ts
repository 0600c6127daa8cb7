import { textOfBlocks } from '../content/document/text.ts'
import { printPage } from '../content/markdown/print.ts'
import { verbatim } from '../content/markdown/references.ts'
import { PageAddresses, withoutFragment } from './addresses.ts'
import { generators } from './generators/generators.ts'
import { Notes } from './html-footnotes.ts'
import { TabSets } from './html-tabs.ts'
import { readDocument } from './html-to-blocks.ts'
import { parseDocument, treeOf } from './html-tree.ts'
import { findContent } from './main-content.ts'
import { findNavigation, linksOf } from './navigation.ts'
import type { WebPage } from './page.ts'
import { ownDescription, readMetadata, titleWithoutSite } from './page-metadata.ts'
import { takeTitle } from './page-title.ts'

/** Reads a page of any website; unknown elements become text, and no content of a page is an error. */
export async function readWebPage(html: string, url: string): Promise<WebPage> {
  const document = await parseDocument(html)
  const page = treeOf(document)
  const metadata = readMetadata(page)
  const addresses = new PageAddresses(url, metadata.base)
  const generator = generators.find(({ made }) => made(page, metadata.generator))
  const content = generator?.mainContent(page) ?? (await findContent(document, page, html, url))
  const links = linksOf(page, addresses)
  const own = generator?.navigation(page, addresses) ?? []
  const navigation = own.length > 0 ? own : findNavigation(page, content, url, addresses)
  const canonical = addresses.page(metadata.canonical)

  const title = takeTitle(content, page) || titleWithoutSite(metadata)
  const context = { addresses, notes: new Notes(content), tabs: new TabSets(content), slugs: new Map<string, number>() }
  const read = readDocument(content.children, context)
  const description = ownDescription(metadata.description, textOfBlocks(read.nodes.slice(0, 20), ' '))
  return {
    url: withoutFragment(url),
    title,
    ...(description !== undefined && { description }),
    markdown: read.nodes.length === 0 ? '' : printPage({ document: read }, verbatim),
    ...(canonical !== undefined && { canonical }),
    links,
    navigation,
    ...(generator && { generator: generator.name }),
    ...(generator?.isListing?.(page) && { isListing: true as const }),
  }
}
