import type { Language } from '../contract/space.ts'
import type {
  TranslationFindingKind,
  TranslationResultMode,
  TranslationRunStatus,
  TranslationStatus,
} from '../contract/translation.ts'
import type { Flag } from './values.ts'

export interface TranslationsTable {
  organization_id: string
  id: string
  source_space_id: string
  source_language: Language
  language: Language
  /** Document with instructions, as JSON. */
  instructions: string
  status: TranslationStatus
  /** Why the latest run failed; null if it did not. */
  failure: string | null
  /** Space with the translated content; null before the first run. */
  result_space_id: string | null
  /** Revision that the latest run wrote. */
  result_revision_id: string | null
  /** Content of the source that the latest run translated. */
  source_root_hash: string | null
  /** Translation of that content, without edits of people. */
  machine_root_hash: string | null
  /** Change request with the result of the latest run, and the two roots that apply when it is merged. */
  pending_change_request_id: string | null
  pending_source_root_hash: string | null
  pending_machine_root_hash: string | null
  runs_after_merge: Flag
  result_mode: TranslationResultMode
  /** Maximum number of characters that one run sends; null for no limit. */
  run_character_limit: number | null
  month_character_limit: number | null
  run_count: number
  total_words: number
  total_characters: number
  total_tokens: number
  /** Duration of all runs, in milliseconds. */
  total_duration: number
  latest_duration: number
  latest_pages: number
  latest_words: number
  created_by: string | null
  created_at: string
  updated_at: string
}

export interface TranslationRunsTable {
  organization_id: string
  translation_id: string
  id: string
  status: TranslationRunStatus
  failure: string | null
  engine: string | null
  source_revision_id: string | null
  /** Change request with the result, if it is reviewed. */
  change_request_id: string | null
  result_revision_id: string | null
  /** Number of pages and reusable contents that have changed. */
  page_count: number
  done_page_count: number
  /** Number of texts in the changed pages. */
  text_count: number
  /** Number of texts that were sent to the engine. */
  sent_text_count: number
  words: number
  characters: number
  tokens: number
  started_by: string | null
  created_at: string
  started_at: string | null
  ended_at: string | null
}

/** Pages that were ever translated, for the statistics. */
export interface TranslationPagesTable {
  organization_id: string
  translation_id: string
  page_id: string
}

/** Something in a translation that people should look at. */
export interface TranslationFindingsTable {
  organization_id: string
  translation_id: string
  id: string
  run_id: string
  kind: TranslationFindingKind
  /** Location of the text as JSON; a location has at most one open finding. */
  location: string
  page_id: string | null
  page_title: string
  source_text: string
  machine_text: string
  current_text: string
  message: string | null
  status: 'open' | 'resolved'
  resolved_by: string | null
  resolved_at: string | null
  created_at: string
}

/** Accepted translations of texts, by organization and languages. */
export interface TranslationMemoryTable {
  organization_id: string
  source_language: Language
  language: Language
  /** Hash of the text with its markup. */
  text_hash: string
  translated_text: string
  created_at: string
}

/** Characters and tokens that were sent in a month. */
export interface TranslationUsageTable {
  organization_id: string
  /** Year and month, for example `2026-11`. */
  month: string
  /** The usage of a deleted translation still counts. */
  translation_id: string
  characters: number
  tokens: number
}

export interface GlossaryEntriesTable {
  organization_id: string
  id: string
  /** Terms by language, as JSON. */
  translations: string
  created_at: string
  updated_at: string
}

/** Translation service of an organization. */
export interface TranslationEnginesTable {
  organization_id: string
  kind: 'openai' | 'deepl' | 'libretranslate'
  url: string
  model: string | null
  sealed_key: string | null
  updated_at: string
}
