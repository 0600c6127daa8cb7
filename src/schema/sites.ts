import type { DisplayContext, FeedbackRating, InsightsEventType } from '../contract/insights-events.ts'
import type { AgentsContext, SiteType, SiteVisibility } from '../contract/site.ts'
import type { Flag, ResolvedLevel, StoredLevel } from './values.ts'

export interface SitesTable {
  organization_id: string
  id: string
  type: SiteType
  title: string
  visibility: SiteVisibility
  basename: string
  /** Host and path on another domain that proxies the site. */
  proxy: string | null
  published: Flag
  agents_context: AgentsContext
  adaptive_content: Flag
  default_level: StoredLevel
  resolved_level: ResolvedLevel
  /** ID of the default section, or of the default site space of a site without sections, if one was chosen. */
  default_item_id: string | null
  customization: string | null
  customization_updated_at: string | null
  adaptive_schema: string | null
  adaptive_schema_updated_at: string | null
  /** JSON list of groups of synonyms for the search; null if there are none. */
  search_synonyms: string | null
  auth_backend: 'custom'
  /** Encrypted. */
  auth_key: string | null
  auth_fallback_url: string | null
  auth_logout_url: string | null
  /** Changes with every update of the site and of everything on it. */
  version: string
  created_at: string
  updated_at: string
}

/** Structure of a site: groups, external links, sections and spaces. */
export interface SiteItemsTable {
  organization_id: string
  site_id: string
  id: string
  kind: 'group' | 'section' | 'link' | 'space'
  parent_id: string | null
  position: string
  /** Null for spaces that use their own title. */
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
  /** ID of the default site space of a section, if one was chosen. */
  default_item_id: string | null
  /** Settings of a space that override those of its site. */
  customization: string | null
  created_at: string
}

export interface ShareLinksTable {
  organization_id: string
  site_id: string
  id: string
  /** Secret part of the URL. */
  key: string
  name: string
  active: Flag
  created_at: string
}

/** Unsaved settings of a site that one user previews. */
export interface CustomizationPreviewsTable {
  organization_id: string
  site_id: string
  id: string
  user_id: string
  /** Settings of the site and changed overrides of its spaces, as JSON. */
  settings: string
  created_at: string
  expires_at: string
}

/** Logo or icon of a site. */
export interface SiteImagesTable {
  organization_id: string
  site_id: string
  /** Start of the hash of the bytes. */
  id: string
  content_type: string
  /** Bytes as Base64. */
  data: string
  created_at: string
}

export interface SiteRedirectsTable {
  organization_id: string
  site_id: string
  id: string
  source: string
  /** Source in the normalized form that is used for lookups. */
  source_key: string
  draft: Flag
  capture_wildcard: Flag
  permanent: Flag
  destination: string
  /** ID of the section or site space to which it redirects; deleting that deletes the redirect. */
  item_id: string | null
  created_at: string
  updated_at: string
}

/** Hostnames that were claimed for sites; a verified hostname is active and belongs to one site only. */
export interface CustomHostnamesTable {
  organization_id: string
  site_id: string
  hostname: string
  /** Value that the TXT record must contain. */
  token: string
  status: string
  is_active: Flag
  created_at: string
  checked_at: string | null
  /** Records that the last check found, as JSON. */
  found_records: string | null
}

/** Events on published sites, without personal data. */
export interface SiteEventsTable {
  organization_id: string
  site_id: string
  /** Number of the portion, which is the same in all events of a visitor. */
  portion: number
  occurred_at: string
  id: string
  /** Monday of the week. */
  week: string
  /** Day of the week, from 1 for Monday. */
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
  /** Hash of the session and the visitor. */
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
  /** Number of results of a search. */
  result_count: number | null
  record_id: string | null
  feedback_rating: FeedbackRating | null
  feedback_comment: string | null
  ask_rating: number | null
  ad_domain: string | null
  ad_placement: string | null
  trademark_placement: string | null
}

/** Latest feedback of a visitor on a page. */
export interface SiteFeedbackTable {
  organization_id: string
  site_id: string
  id: string
  /** Hash of the session and the URL, which identifies the visitor and the page. */
  said_by: string
  space_id: string | null
  page_id: string | null
  url: string
  rating: FeedbackRating
  comment: string | null
  created_at: string
}
