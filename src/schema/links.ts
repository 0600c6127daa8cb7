import type { DerivationStatesTable } from './search.ts'

/** Roots up to which the links of spaces are stored. */
export type LinkStatesTable = DerivationStatesTable

/** Status of a link target within its space, regardless of who may see the space. */
export type StoredLinkStatus = 'ok' | 'broken'

/** Links of one page or reusable content of a space's head to one target. */
export interface LinksTable {
  organization_id: string
  space_id: string
  /** Page or reusable content that contains the links. */
  source: string
  /** Key of the target, including its anchor. */
  target: string
  /** Key of the target without its anchor. */
  subject: string
  /** JSON list of the keys of the first blocks that contain the link. */
  nodes: string
}

/** Target that links of a space's head refer to. */
export interface LinkTargetsTable {
  organization_id: string
  space_id: string
  target: string
  subject: string
  /** Space or collection that the target is in or is; empty if it is in none, or in none of the organization. */
  container: string
  status: StoredLinkStatus
  /** Number of pages and reusable contents of the space that link to the target. */
  uses: number
  /** The target as JSON. */
  body: string
}

/** Number of link targets of a space by container and status. */
export interface LinkCountsTable {
  organization_id: string
  space_id: string
  container: string
  status: StoredLinkStatus
  count: number
}
