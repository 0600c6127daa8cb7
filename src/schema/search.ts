/** The root of a space that is indexed for search. */
export interface SearchStatesTable {
  organization_id: string
  space_id: string
  /** The version of the indexer; rows of another version are computed again. */
  format: number
  /** The root that all rows belong to; null before the first indexing. */
  root_hash: string | null
  /** The root that is being indexed. */
  pending_hash: string | null
  /** Pages up to this id belong to that root already. */
  pending_after: string
}

/** A section of a page that can be searched. Its words are stored in an index that is specific to the database. */
export interface SearchSectionsTable {
  organization_id: string
  space_id: string
  page_id: string
  part: number
  /** The hash of its document; empty when the page has none. */
  document: string
  /** The anchor of its heading; null for the start of the page. */
  anchor: string | null
  heading: string
  body: string
  /** The condition for seeing it, besides that of the page. */
  conditions: string
}

/** The pages that include a reusable content. */
export interface SearchReusesTable {
  organization_id: string
  space_id: string
  page_id: string
  reusable_content_id: string
}
