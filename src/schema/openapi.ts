import type { OpenAPIErrorCode, OpenAPIProcessingState, OpenAPISpecVisibility } from '../contract/openapi-spec.ts'

export interface OpenapiSpecsTable {
  organization_id: string
  id: string
  slug: string
  /** Address that the specification is fetched from; null if it was sent as text. */
  source_url: string | null
  /** Hash of the text that was sent; null if it is fetched. */
  source_blob: string | null
  visibility: OpenAPISpecVisibility
  state: OpenAPIProcessingState
  /** ID of the latest version. */
  version_id: string | null
  error_code: OpenAPIErrorCode | null
  /** Messages of the first problems, as a JSON list. */
  errors: string
  error_count: number
  /** Incremented when the source is replaced, so that the result of an older source is not stored. */
  source_revision: number
  /** Time of the next fetch; null if the specification was sent as text. */
  refresh_at: string | null
  processed_at: string | null
  created_at: string
  updated_at: string
}

/** An OpenAPI file or URL that blocks of pages name directly; rows are computed again when a page shows the block. */
export interface LinkedSpecsTable {
  organization_id: string
  /** `file` and the hash of the file, or `url` and the hash of the URL. */
  key: string
  source_url: string | null
  source_blob: string | null
  state: 'queued' | 'ready' | 'failed'
  /** Hash of the bundled document as JSON; null until it is processed for the first time. */
  document_blob: string | null
  error: string | null
  /** Time after which the URL is fetched again; null for files. */
  refresh_at: string | null
  /** When a page last showed it. */
  requested_at: string
  updated_at: string
}

export interface OpenapiVersionsTable {
  organization_id: string
  spec_id: string
  id: string
  source_url: string | null
  format: 'json' | 'yaml'
  /** Hash of the source text. */
  source_blob: string
  /** Hash of the bundled document as JSON. */
  document_blob: string
  document_size: number
  created_at: string
}

/** Outlines of the latest version of each specification, from which pages are generated. */
export interface OpenapiOutlinesTable {
  organization_id: string
  spec_id: string
  version_id: string
  /** The outline and the former paths of pages, as JSON. */
  outline: string
}
