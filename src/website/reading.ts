import type { Block, InlineNode } from '../content/document/nodes.ts'
import type { PageAddresses } from './addresses.ts'
import type { Notes } from './html-footnotes.ts'
import type { TabSets } from './html-tabs.ts'
import type { WebElement, WebNode } from './html-tree.ts'

/** What the readers of all elements of one page know of it. */
export interface PageContext {
  addresses: PageAddresses
  notes: Notes
  tabs: TabSets
  /** How often each slug stands for a heading already. */
  slugs: Map<string, number>
}

/** Reads what stands inside an element. */
export interface Reading {
  page: PageContext
  /** How many blocks stand around what is read. */
  depth: number
  blocks(nodes: readonly WebNode[]): Block[]
  inlines(nodes: readonly WebNode[]): InlineNode[]
}

/** The blocks of an element; undefined when it is none that this reader knows. */
export type BlockReader = (element: WebElement, reading: Reading) => Block[] | undefined
