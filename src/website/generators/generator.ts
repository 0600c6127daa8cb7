import type { WebElement } from '../html-tree.ts'
import type { WebGenerator, WebNavigationItem } from '../page.ts'
import type { PageAddresses } from '../addresses.ts'
import type { BlockReader } from '../reading.ts'

/** What we know of the pages that one generator of sites makes. */
export interface Generator {
  name: WebGenerator
  /** Whether a page was made by it; `meta` is what the page says of that itself. */
  made: (page: WebElement, meta: string) => boolean
  /** Where its pages have their content, the title perhaps elsewhere. */
  mainContent(page: WebElement): WebElement | undefined
  /** What its pages have for special things. */
  readBlock: BlockReader
  /** Whether a page only lists others, as it was made for readers who look for a word. */
  isListing?: (page: WebElement) => boolean
  navigation(page: WebElement, addresses: PageAddresses): WebNavigationItem[]
}
