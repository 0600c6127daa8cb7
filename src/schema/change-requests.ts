import type { Generated } from 'kysely'

export interface ChangeRequestsTable {
  organization_id: string
  id: string
  space_id: string
  number: number
  status: 'draft' | 'open' | 'archived' | 'merged'
  subject: string
  description: string | null
  links: string
  revision_id: string
  revision_initial_id: string
  revision_merged_ancestor_id: string | null
  revision_merged_id: string | null
  comments_open: number
  conflicts_open: number
  /** JSON list of the blocks in which updates combined the texts of both sides. */
  combined: Generated<string>
  created_by: string
  created_at: string
  updated_at: string
  merged_by: string | null
  merged_at: string | null
}

export interface ChangeRequestContributorsTable {
  organization_id: string
  change_request_id: string
  user_id: string
  action: 'edit' | 'comment'
  count: number
  updated_at: string
}

export interface ChangeRequestReviewsTable {
  organization_id: string
  id: string
  change_request_id: string
  revision_id: string
  reviewer_id: string
  requested_by: string | null
  status: 'approved' | 'changes-requested'
  created_at: string
  updated_at: string
}

/** Users whose review was requested and is still missing. */
export interface ChangeRequestReviewersTable {
  organization_id: string
  change_request_id: string
  user_id: string
  revision_id: string
  requested_by: string
  created_at: string
}

export interface ChangeRequestConflictsTable {
  organization_id: string
  id: string
  change_request_id: string
  /** Identifies the subject of the conflict, so that there is at most one conflict about it. */
  name: string
  body: string
  resolution: 'base' | 'ours' | 'theirs' | 'own' | null
  resolved_by: string | null
  resolved_at: string | null
  /** ID of the revision of the change request to which the resolution was applied. */
  resolved_from: string | null
  created_at: string
}
