import type { Document } from '../../content/document/nodes.ts'
import type { Translation, TranslationFinding, TranslationRun } from '../../contract/translation.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import type { FindingLocation, FindingRow } from '../../domain/translations/finding-store.ts'
import type { TranslationRow, TranslationRunRow } from '../../domain/translations/translation-store.ts'
import type { Urls } from '../../kernel/context.ts'

/** Data of a reply about a translation besides its row. */
export interface TranslationDetails {
  pages: number
  openFindings: number
  canEdit: boolean
}

export function presentTranslation(
  row: TranslationRow,
  { pages, openFindings, canEdit }: TranslationDetails,
  urls: Urls,
): Translation {
  const { result_space_id: space, result_revision_id: revision, language } = row
  return {
    object: 'translation',
    id: row.id,
    status: row.status,
    ...(row.failure !== null && { failure: row.failure }),
    source: { space: row.source_space_id, language: row.source_language },
    language,
    instructions: presentDocument(JSON.parse(row.instructions) as Document),
    ...(space !== null && revision !== null && { result: { space, revision, language } }),
    runAfterMerge: row.runs_after_merge === 1,
    resultMode: row.result_mode,
    limits: { run: row.run_character_limit, month: row.month_character_limit },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    stats: {
      runs: row.run_count,
      totalWords: row.total_words,
      totalPages: pages,
      totalDuration: toSeconds(row.total_duration),
      latestRunDuration: toSeconds(row.latest_duration),
      latestPages: row.latest_pages,
      latestWords: row.latest_words,
      totalCharacters: row.total_characters,
      totalTokens: row.total_tokens,
    },
    openFindings,
    permissions: { view: true, edit: canEdit },
    urls: { location: urls.api(pathOf(row.organization_id, row.id)) },
  }
}

export function presentRun(run: TranslationRunRow, urls: Urls): TranslationRun {
  return {
    object: 'translation-run',
    id: run.id,
    status: run.status,
    ...(run.failure !== null && { failure: run.failure }),
    ...(run.engine !== null && { engine: run.engine }),
    progress: {
      pages: run.page_count,
      donePages: run.done_page_count,
      texts: run.text_count,
      sentTexts: run.sent_text_count,
    },
    usage: { words: run.words, characters: run.characters, tokens: run.tokens },
    ...(run.change_request_id !== null && { changeRequest: run.change_request_id }),
    ...(run.result_revision_id !== null && { revision: run.result_revision_id }),
    createdAt: run.created_at,
    ...(run.started_at !== null && { startedAt: run.started_at }),
    ...(run.ended_at !== null && { endedAt: run.ended_at }),
    urls: { location: urls.api(`${pathOf(run.organization_id, run.translation_id)}/runs/${run.id}`) },
  }
}

export function presentFinding(finding: FindingRow, urls: Urls): TranslationFinding {
  const { page, reusableContent, block, field } = JSON.parse(finding.location) as FindingLocation
  return {
    object: 'translation-finding',
    id: finding.id,
    kind: finding.kind,
    status: finding.status,
    ...(page !== undefined && { page: { id: page, title: finding.page_title } }),
    ...(reusableContent !== undefined && { reusableContent }),
    ...(block !== undefined && { block }),
    ...(field !== undefined && { field }),
    source: finding.source_text,
    machine: finding.machine_text,
    current: finding.current_text,
    ...(finding.message !== null && { message: finding.message }),
    run: finding.run_id,
    ...(finding.resolved_at !== null && { resolvedAt: finding.resolved_at }),
    createdAt: finding.created_at,
    urls: { location: urls.api(`${pathOf(finding.organization_id, finding.translation_id)}/findings/${finding.id}`) },
  }
}

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / 1000)

const pathOf = (organizationId: string, id: string): string => `/orgs/${organizationId}/translations/${id}`
