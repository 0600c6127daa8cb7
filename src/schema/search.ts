import type { Generated } from 'kysely'

/** Root of a space up to which derived rows are updated. */
export interface DerivationStatesTable {
  organization_id: string
  space_id: string
  /** Version of the computation; rows of another version are computed again. */
  format: number
  /** Root to which all rows belong; null before the first update. */
  root_hash: string | null
  /** Root to which rows are being updated. */
  pending_hash: string | null
  /** Last page ID whose rows already belong to the pending root. */
  pending_after: string
}

export interface SearchStatesTable extends DerivationStatesTable {
  /** Last word of the vocabulary that was checked for whether pages still contain it. */
  vocabulary_cursor: Generated<string>
}

/** Section of a page that can be searched. Its words are stored in an index that is specific to the database engine. */
export interface SearchSectionsTable {
  organization_id: string
  space_id: string
  page_id: string
  part: number
  /** Hash of the document of the page; empty if the page has none. */
  document: string
  /** Anchor of its heading; null for the start of the page. */
  anchor: string | null
  heading: string
  body: string
  /** JSON list of the conditions for seeing it, in addition to those of the page. */
  conditions: string
}

/** Pages that include a reusable content, or that use a variable of the space or a specification. */
export interface SearchReusesTable {
  organization_id: string
  space_id: string
  page_id: string
  reusable_content_id: string
}

/** Words of the pages of a space. Some words that no page contains any more remain until they are checked. */
export interface SearchVocabularyTable {
  organization_id: string
  word: string
  space_id: string
  /** Letters of the word in the opposite order. */
  reversed: string
}
