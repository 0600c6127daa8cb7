import type { Block, InlineNode } from '../content/document/nodes.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { PageFootnotes } from './html-footnotes.ts'
import type { TabSets } from './html-tabs.ts'
import type { WebElement, WebNode } from './html-tree.ts'

/** Context of a page for the readers of its elements. */
export interface PageContext {
  addresses: PageAddresses
  footnotes: PageFootnotes
  tabs: TabSets
  /** Number of headings per slug so far. */
  slugs: Map<string, number>
}

/** Reader for the children of an element. */
export interface NodeReader {
  page: PageContext
  /** Number of blocks around the current position. */
  depth: number
  readBlocks(nodes: readonly WebNode[]): Block[]
  readInlines(nodes: readonly WebNode[]): InlineNode[]
}

/** Reads an element as blocks; undefined if the reader does not support it. */
export type BlockReader = (element: WebElement, reader: NodeReader) => Block[] | undefined
