/** Which content of a space can be searched. */
export interface SearchStatesTable {
  organization_id: string
  space_id: string
  /** How rows were made: those of another time are made anew. */
  format: number
  /** The root that all rows are of; null before there are any. */
  root_hash: string | null
  /** The root that rows are being made of. */
  pending_hash: string | null
  /** Pages up to this one are of that root already. */
  pending_after: string
}

/** A part of a page that can be searched. Its words lie beside it in a form of the engine's own. */
export interface SearchSectionsTable {
  organization_id: string
  space_id: string
  page_id: string
  part: number
  /** The hash of the document that it is from; empty when the page has none. */
  document: string
  /** Where in the page it begins; null for the beginning of the page. */
  anchor: string | null
  heading: string
  body: string
  /** What must hold for a reader to see it, besides what must hold for the page. */
  conditions: string
}

/** Which pages say what a reusable content says. */
export interface SearchReusesTable {
  organization_id: string
  space_id: string
  page_id: string
  reusable_content_id: string
}
