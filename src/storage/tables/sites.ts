import type { DisplayContext, FeedbackRating, InsightsEventType } from '../../contract/insights-events.ts'
import type { AgentsContext, SiteType, SiteVisibility } from '../../contract/site.ts'
import type { Flag, ResolvedLevel, StoredLevel } from './values.ts'

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
