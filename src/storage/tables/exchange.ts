import type { Flag } from './values.ts'

/** The repository that a space is in step with. */
export interface GitConnectionsTable {
  organization_id: string
  space_id: string
  id: string
  /** Without credentials. */
  url: string
  /** Sealed. */
  credentials: string | null
  ref: string
  /** The folder of the repository that the content is in; empty at the top. */
  directory: string
  tree_url: string | null
  commit_url: string | null
  provider: 'github' | 'gitlab' | null
  cache_id: string | null
  commit_message: string | null
  imports_after_push: Flag
  exports_after_merge: Flag
  /** Sealed. */
  webhook_secret: string | null
  /** The state that the repository and the space last had in common. */
  synced_revision_id: string | null
  /** A state that was on its way to the repository; whether it arrived, the repository tells. */
  pushing_revision_id: string | null
  /** A state of the repository that waits in a change request, as it contradicts the space. */
  conflict_revision_id: string | null
  conflict_change_request_id: string | null
  /** The time of the newest event that was dealt with. */
  newest_event_at: string | null
  /** Who has connected it, in whose name webhooks act. */
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
  /** Sealed, and only until it has ended. */
  credentials: string | null
  /** When what it follows happened: operations are carried out in this order. */
  event_at: string
  created_by: string | null
  created_at: string
  started_at: string | null
  ended_at: string | null
  /** How often it was begun. */
  attempts: number
  done: number
  total: number
  /** What kind of failure it was, where that matters. */
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
