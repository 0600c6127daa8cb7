import type { Generated } from 'kysely'
import type { EditMode, Language, SpaceVisibility } from '../contract/space.ts'
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
  /** State of the Git connection as JSON, as replies contain it. */
  git_sync: string | null
  /** Changes when the generated pages of the head are generated again. */
  computed_version: Generated<string>
}

/** Content that members of an organization saved to apply it to spaces. */
export interface TemplatesTable {
  organization_id: string
  id: string
  title: string
  subtitle: string
  emoji: string
  features: string
  content_refs: string
  root_hash: string
  pages: number
  created_by: string | null
  created_at: string
}

export interface RevisionsTable {
  organization_id: string
  id: string
  space_id: string
  parents: string
  root_hash: string
  /** Hash of the root with generated pages in place of computed ones; null if it has no computed content. */
  computed_root_hash: string | null
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  created_by: string | null
  created_at: string
  /** ID of the change request that the revision belongs to; null for content of the space. */
  change_request_id: string | null
  /** ID of the change request that was merged. */
  merged_from_id: string | null
  /** Hash of the listing from which this or an earlier revision was imported, or to which it was exported. */
  listing_hash: string | null
  /** Hash of the root that was imported or exported, of this or the earlier revision. */
  listed_root_hash: string | null
  /** Commit from which the revision was imported or to which it was exported. */
  git: string | null
  /** Whether it is a state of the repository that was never the head of the space or of a change request. */
  is_aside: Generated<Flag>
}

/** Specifications from which pages of spaces are generated, by the slug or ID in the source of the pages. */
export interface ComputedSourcesTable {
  organization_id: string
  space_id: string
  spec: string
}

export interface ObjectsTable {
  organization_id: string
  hash: string
  body: string
  /** Time when it was last written, even if it was already stored. */
  written_at: string
  /** Hash of the blob of a file. */
  blob: string | null
}

/** Blobs that may be unused; they are checked again before they are deleted. */
export interface UnusedBlobsTable {
  hash: string
  since: string
  is_deleting: number
}

/** Blobs that count toward the quota of an organization. */
export interface OrganizationBlobsTable {
  organization_id: string
  hash: string
  size: number
}

/** Number of bytes that an organization stores; the row with an empty owner is the total. */
export interface StorageUsageTable {
  owner: string
  bytes: number
}

/** Uploads that are not files yet; `blob` is null until the bytes have been received. */
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
