import type { SearchStatesTable } from './search.ts'

/** Which content of a space has its code highlighted. */
export type HighlightStatesTable = SearchStatesTable

/** One code of a page of the head as markup. */
export interface HighlightedCodeTable {
  organization_id: string
  space_id: string
  page_id: string
  /** The hash of the language and the code. */
  key: string
  /** Null for code that cannot be highlighted. */
  html: string | null
}
