import type { WebElement } from '../html-tree.ts'
import type { WebGenerator, WebNavigationItem } from '../page.ts'
import type { PageAddresses } from '../page-addresses.ts'
import type { BlockReader } from '../node-reader.ts'

/** Parser for the pages of a site generator. */
export interface SiteGenerator {
  name: WebGenerator
  /** Whether the generator made a page; `meta` is the content of its `generator` meta tag. */
  matches: (page: WebElement, meta: string) => boolean
  /** Returns the main content of a page; the title may be elsewhere. */
  findMainContent(page: WebElement): WebElement | undefined
  /** Reads generator-specific blocks. */
  readBlock: BlockReader
  /** Whether a page only lists other pages, such as a tag page. */
  isListing?: (page: WebElement) => boolean
  readNavigation(page: WebElement, addresses: PageAddresses): WebNavigationItem[]
}
