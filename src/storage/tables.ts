import type { Generated, Kysely, Selectable } from 'kysely'
import type { DisplayContext, FeedbackRating, InsightsEventType } from '../contract/insights-events.ts'
import type { Role } from '../contract/roles.ts'
import type { EditMode, Language, SpaceVisibility } from '../contract/space.ts'
import type { AgentsContext, SiteType, SiteVisibility } from '../contract/site.ts'
import type { TeamRole } from '../contract/team.ts'

// Columns speak snake_case, also in code: a row is recognised as a row. The types are what both engines can hold:
// text (timestamps are ISO 8601 in UTC, lists and objects are JSON), integers, and 0 or 1 for flags.

export type Flag = 0 | 1
export const flag = (value: boolean): Flag => (value ? 1 : 0)

/** A stored role; `guest` is what the API calls null. */
export type StoredRole = Role | 'guest'
/** A stored default level; `none` is what the API calls null. */
export type StoredLevel = Role | 'none' | 'inherit'
/** What a chain of default levels comes to: a role, nothing, or each member's role in the organization. */
export type ResolvedLevel = Role | 'none' | 'organization'

export interface InstanceTable {
  key: string
  value: string
}

export interface UsersTable {
  id: string
  email: string
  display_name: string
  photo_url: string | null
  created_at: string
  updated_at: string
}

export interface TokensTable {
  id: string
  user_id: string
  label: string
  hash: string
  scopes: string | null
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export interface OrganizationsTable {
  id: string
  title: string
  type: 'business' | 'community'
  use_case: string | null
  community_type: string | null
  email_domains: string
  hostname: string | null
  default_role: StoredRole
  logo: string | null
  sso: Flag
  ai: Flag
  invite_links: Flag
  plan: string
  merge_rules: string
  member_count: number
  created_at: string
  updated_at: string
  /** The site that the hostname leads to. */
  default_site_id: string | null
}

export interface EmailDomainsTable {
  organization_id: string
  domain: string
}

export interface MembersTable {
  organization_id: string
  user_id: string
  role: StoredRole
  disabled: Flag
  sso: Flag
  joined_at: string
  last_seen_at: string | null
  /** The user's display name in lower case, kept here so that members sort by it through an index. */
  name_key: string
  /** Display name and e-mail address in lower case, kept here so that a search reads one table. */
  search_text: string
}

export interface TeamsTable {
  organization_id: string
  id: string
  title: string
  member_count: number
  created_at: string
  updated_at: string
}

export interface TeamMembersTable {
  organization_id: string
  team_id: string
  user_id: string
  role: TeamRole
  added_at: string
}

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

/**
 * One thing shared with one grantee: content, or a site. `content_id` and `grantee_id` repeat the two columns that are
 * set, as the key.
 */
export interface GrantsTable {
  organization_id: string
  content_id: string
  grantee_id: string
  space_id: string | null
  collection_id: string | null
  site_id: string | null
  user_id: string | null
  team_id: string | null
  role: Role
  created_at: string
}

export interface LinkInvitesTable {
  organization_id: string
  id: string
  role: StoredRole
  space_id: string | null
  collection_id: string | null
  created_by: string
  created_at: string
}

export interface EmailInvitesTable {
  organization_id: string
  id: string
  email: string
  role: StoredRole
  sso: Flag
  invited_by: string
  created_at: string
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
  comment: string | null
  created_at: string
  updated_at: string
}

/** Whom a review was asked of, and who has not given one yet. */
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
  /** What it is about, so that the same thing is in conflict only once. */
  name: string
  body: string
  resolution: 'base' | 'ours' | 'theirs' | null
  resolved_by: string | null
  resolved_at: string | null
  created_at: string
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

export interface IdempotencyKeysTable {
  user_id: string
  key: string
  fingerprint: string
  status: number
  location: string | null
  body: string | null
  created_at: string
}

export interface JobsTable {
  id: string
  name: string
  key: string | null
  payload: string
  state: 'queued' | 'running' | 'done' | 'dead'
  attempts: number
  run_at: string
  lease: string | null
  lease_until: string | null
  error: string | null
  created_at: string
  finished_at: string | null
}

export interface SchedulesTable {
  name: string
  next_at: string
}

export interface SitesTable {
  organization_id: string
  id: string
  type: SiteType
  title: string
  visibility: SiteVisibility
  basename: string
  /** Host and path of another domain that the site is hosted below. */
  proxy: string | null
  published: Flag
  agents_context: AgentsContext
  adaptive_content: Flag
  default_level: StoredLevel
  resolved_level: ResolvedLevel
  /** The section, or without sections the site space, that its address leads to, when one was chosen. */
  default_item_id: string | null
  customization: string | null
  customization_updated_at: string | null
  adaptive_schema: string | null
  adaptive_schema_updated_at: string | null
  auth_backend: 'custom'
  /** Sealed. */
  auth_key: string | null
  auth_fallback_url: string | null
  auth_logout_url: string | null
  /** Another one with every change of the site and of all that stands on it. */
  version: string
  created_at: string
  updated_at: string
}

/** Everything that stands on a site: groups of sections and links, sections of spaces, spaces. */
export interface SiteItemsTable {
  organization_id: string
  site_id: string
  id: string
  kind: 'group' | 'section' | 'link' | 'space'
  parent_id: string | null
  position: string
  /** Null for spaces that are called what they are called. */
  title: string | null
  localized_title: string | null
  description: string | null
  localized_description: string | null
  icon: string | null
  path: string | null
  condition: string | null
  draft: Flag
  hidden: Flag
  space_id: string | null
  page_id: string | null
  url: string | null
  /** The site space that a section leads to, when one was chosen. */
  default_item_id: string | null
  /** What a space has otherwise than its site. */
  customization: string | null
  created_at: string
}

export interface ShareLinksTable {
  organization_id: string
  site_id: string
  id: string
  /** The secret part of the address. */
  key: string
  name: string
  active: Flag
  created_at: string
}

export interface SiteRedirectsTable {
  organization_id: string
  site_id: string
  id: string
  source: string
  /** The source in the form that addresses are looked up by. */
  source_key: string
  draft: Flag
  capture_wildcard: Flag
  permanent: Flag
  destination: string
  /** The section or site space that it leads to, with which it goes. */
  item_id: string | null
  created_at: string
  updated_at: string
}

/** Hostnames that were claimed for sites; a verified one is active, and nobody else's. */
export interface CustomHostnamesTable {
  organization_id: string
  site_id: string
  hostname: string
  /** What a TXT record is to hold. */
  token: string
  status: string
  is_active: Flag
  created_at: string
  checked_at: string | null
}

/** What happened on published sites; nothing in it leads back to a person. */
export interface SiteEventsTable {
  organization_id: string
  site_id: string
  /** All events of one visitor have the same one. */
  portion: number
  occurred_at: string
  id: string
  /** The Monday that its week began with. */
  week: string
  /** From 1 for Monday. */
  day_of_week: number
  type: InsightsEventType
  url_origin: string
  url_path: string
  display_context: DisplayContext
  section_id: string | null
  site_space_id: string | null
  share_link_id: string | null
  space_id: string | null
  revision_id: string | null
  page_id: string | null
  visitor_hash: string
  /** Of the session together with its visitor. */
  session_hash: string
  authenticated: Flag
  device: string
  browser: string
  os: string
  bot: string | null
  language: string | null
  referrer: string | null
  referrer_domain: string | null
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  utm_term: string | null
  utm_content: string | null
  link_target: string | null
  link_kind: string | null
  link_domain: string | null
  link_position: string | null
  operation_path: string | null
  operation_method: string | null
  llms_variant: string | null
  markdown_source: string | null
  query: string | null
  record_id: string | null
  feedback_rating: FeedbackRating | null
  feedback_comment: string | null
  ask_rating: number | null
  ad_domain: string | null
  ad_placement: string | null
  trademark_placement: string | null
}

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

/** The last word of a visitor on a page. */
export interface SiteFeedbackTable {
  organization_id: string
  site_id: string
  id: string
  /** The hash of the session and the address, which stands for who said it of what. */
  said_by: string
  space_id: string | null
  page_id: string | null
  url: string
  rating: FeedbackRating
  comment: string | null
  created_at: string
}

export interface Tables {
  instance: InstanceTable
  users: UsersTable
  tokens: TokensTable
  organizations: OrganizationsTable
  email_domains: EmailDomainsTable
  members: MembersTable
  teams: TeamsTable
  team_members: TeamMembersTable
  collections: CollectionsTable
  spaces: SpacesTable
  grants: GrantsTable
  link_invites: LinkInvitesTable
  email_invites: EmailInvitesTable
  revisions: RevisionsTable
  git_connections: GitConnectionsTable
  git_operations: GitOperationsTable
  import_runs: ImportRunsTable
  objects: ObjectsTable
  unused_blobs: UnusedBlobsTable
  change_requests: ChangeRequestsTable
  change_request_contributors: ChangeRequestContributorsTable
  change_request_reviews: ChangeRequestReviewsTable
  change_request_reviewers: ChangeRequestReviewersTable
  change_request_conflicts: ChangeRequestConflictsTable
  uploads: UploadsTable
  sites: SitesTable
  site_items: SiteItemsTable
  share_links: ShareLinksTable
  site_redirects: SiteRedirectsTable
  custom_hostnames: CustomHostnamesTable
  site_events: SiteEventsTable
  site_feedback: SiteFeedbackTable
  search_states: SearchStatesTable
  search_sections: SearchSectionsTable
  search_reuses: SearchReusesTable
  idempotency_keys: IdempotencyKeysTable
  jobs: JobsTable
  schedules: SchedulesTable
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
export type Db = Kysely<Tables>

/** What names a site. */
export type SiteKey = Pick<Row<'sites'>, 'organization_id' | 'id'>
