import type { Generated } from 'kysely'
import type { LiveEventKind } from '../contract/live-events.ts'
import type { Flag } from './values.ts'

/** Change that connected clients are notified of. Rows are inserted and, after about an hour, deleted, but never updated. */
export interface LiveEventsTable {
  number: Generated<number>
  organization_id: string
  /** Space that a reader must be able to view; null if every member who is not a guest gets the event. */
  space_id: string | null
  /** The only user who gets the event; null for all who may see it. */
  user_id: string | null
  kind: LiveEventKind
  /** JSON that readers get. It contains IDs only. */
  data: string
  created_at: string
}

/** Where a user is at the moment, in one tab of a browser or one program. */
export interface PresenceTable {
  /** ID of the API token or session. */
  credential_id: string
  tab: string
  user_id: string
  organization_id: string
  space_id: string
  page_id: string | null
  change_request_id: string | null
  /** Key of the block with the cursor. */
  block_key: string | null
  editing: Flag
  /** When the user arrived or moved. */
  updated_at: string
  expires_at: string
}
