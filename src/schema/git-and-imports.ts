import type { Flag } from './values.ts'

/** Repository with which a space is synchronized. */
export interface GitConnectionsTable {
  organization_id: string
  space_id: string
  id: string
  /** URL without credentials. */
  url: string
  /** Encrypted. */
  credentials: string | null
  ref: string
  /** Folder of the repository that contains the content; empty for the root folder. */
  directory: string
  tree_url: string | null
  commit_url: string | null
  provider: 'github' | 'gitlab' | null
  cache_id: string | null
  commit_message: string | null
  imports_after_push: Flag
  exports_after_merge: Flag
  /** Encrypted. */
  webhook_secret: string | null
  /** ID of the last revision that the repository and the space had in common. */
  synced_revision_id: string | null
  /** ID of a revision whose push was started; the state of the repository shows whether it succeeded. */
  pushing_revision_id: string | null
  /** ID of a revision with a state of the repository that conflicts with the space and is in a change request. */
  conflict_revision_id: string | null
  conflict_change_request_id: string | null
  /** Time of the newest event that was processed. */
  newest_event_at: string | null
  /** User who connected the repository; webhooks act as this user. */
  created_by: string | null
  created_at: string
  updated_at: string
}

export interface GitOperationsTable {
  organization_id: string
  id: string
  space_id: string
  direction: 'import' | 'export'
  state: 'queued' | 'running' | 'success' | 'failure' | 'timeout'
  request: string
  /** Encrypted, and deleted when the operation ends. */
  credentials: string | null
  /** Time of the event; operations run in the order of their events. */
  event_at: string
  created_by: string | null
  created_at: string
  started_at: string | null
  ended_at: string | null
  attempts: number
  done: number
  total: number
  /** Kind of failure, if replies distinguish it. */
  failure: 'credentials' | null
  error: string | null
  commit_id: string | null
  revision_id: string | null
  change_request_id: string | null
  warnings: string
  warning_count: number
}

/** Imports of websites, files and archives. */
export interface ImportRunsTable {
  organization_id: string
  id: string
  space_id: string
  change_request_id: string | null
  page_id: string | null
  source: string
  status: 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled'
  reason: string | null
  revision_id: string | null
  done: number
  total: number
  pages: string
  warnings: string
  warning_count: number
  created_by: string | null
  created_at: string
  updated_at: string
  started_at: string | null
  completed_at: string | null
}
