import type { SearchStatesTable } from './search.ts'

/** The root of a space whose code is highlighted. */
export type HighlightStatesTable = SearchStatesTable

/** A code block of a page of the head, as markup. */
export interface HighlightedCodeTable {
  organization_id: string
  space_id: string
  page_id: string
  /** The hash of the language and the code. */
  key: string
  /** Null for code that cannot be highlighted. */
  html: string | null
}
