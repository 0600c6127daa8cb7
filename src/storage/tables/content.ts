import type { Generated } from 'kysely'
import type { EditMode, Language, SpaceVisibility } from '../../contract/space.ts'
import type { Flag, ResolvedLevel, StoredLevel } from './values.ts'

export interface CollectionsTable {
  organization_id: string
  id: string
  parent_id: string | null
  title: string
  description: string | null
  default_level: StoredLevel
  resolved_level: ResolvedLevel
  position: string
  created_at: string
  updated_at: string
}

export interface SpacesTable {
  organization_id: string
  id: string
  parent_id: string | null
  title: string
  emoji: string
  icon: string | null
  visibility: SpaceVisibility
  edit_mode: EditMode
  language: Language | null
  default_level: StoredLevel
  resolved_level: ResolvedLevel
  position: string
  revision_id: string
  merge_rules: string
  comments_open: number
  change_requests: number
  change_requests_open: number
  change_requests_draft: number
  created_at: string
  updated_at: string
  deleted_at: string | null
  /** What is told of its repository. */
  git_sync: string | null
}

export interface RevisionsTable {
  organization_id: string
  id: string
  space_id: string
  parents: string
  root_hash: string
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  created_by: string | null
  created_at: string
  /** The change request that it is a state of; null for a state of the space itself. */
  change_request_id: string | null
  /** The change request that a merge took in. */
  merged_from_id: string | null
  /** Which files the content came from or went to, or those that an earlier state did. */
  listing_hash: string | null
  /** The root that lies in these files: its own, or that of the earlier state. */
  listed_root_hash: string | null
  /** The commit that it came from or went to. */
  git: string | null
  /** Whether it was never the content of the space, nor of a change request: a state of the repository. */
  is_aside: Generated<Flag>
}

export interface ObjectsTable {
  organization_id: string
  hash: string
  body: string
  /** When it was last written, whether it was there or not. */
  written_at: string
  /** The bytes that a file consists of. */
  blob: string | null
}

/** Blobs that no file consists of any more, unless one does again. */
export interface UnusedBlobsTable {
  hash: string
  since: string
  is_deleting: number
}

/** Blobs that an organization is charged for. */
export interface OrganizationBlobsTable {
  organization_id: string
  hash: string
  size: number
}

/** How many bytes of files an organization has; those of all together are under an empty owner. */
export interface StorageUsageTable {
  owner: string
  bytes: number
}

/** Bytes that are uploaded before they become a file; `blob` is null until they are there. */
export interface UploadsTable {
  organization_id: string
  id: string
  name: string
  content_type: string
  size: number
  blob: string | null
  dimensions: string | null
  created_by: string
  created_at: string
}
