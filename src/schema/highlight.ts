import type { DerivationStatesTable } from './search.ts'

/** Roots up to which the code of spaces is highlighted. */
export type HighlightStatesTable = DerivationStatesTable

/** Code block of a page of the head, as highlighted HTML. */
export interface HighlightedCodeTable {
  organization_id: string
  space_id: string
  page_id: string
  /** Hash of the language and the code. */
  key: string
  /** Null for code that cannot be highlighted. */
  html: string | null
}
