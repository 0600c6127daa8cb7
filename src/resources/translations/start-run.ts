import type { BaseContext } from '../../kernel/context.ts'
import { runTranslationJob } from '../../domain/translations/jobs.ts'
import * as store from '../../domain/translations/translation-store.ts'

/** Starts a run; returns false if one is waiting or running already. */
export async function startRun(
  { db, enqueue, newId, now }: Pick<BaseContext, 'db' | 'enqueue' | 'newId' | 'now'>,
  translation: store.TranslationRow,
  startedBy: string | null,
): Promise<boolean> {
  const { organization_id, id: translation_id } = translation
  const run = await store.insertRun(db, {
    organization_id,
    translation_id,
    id: newId(),
    status: 'pending',
    failure: null,
    engine: null,
    source_revision_id: null,
    change_request_id: null,
    result_revision_id: null,
    page_count: 0,
    done_page_count: 0,
    text_count: 0,
    sent_text_count: 0,
    words: 0,
    characters: 0,
    tokens: 0,
    started_by: startedBy,
    created_at: now(),
    started_at: null,
    ended_at: null,
  })
  if (!run) return false
  await store.updateTranslation(db, translation, { status: 'pending', failure: null })
  await store.recordTranslationEvent({ db, now }, translation)
  await enqueue(db, runTranslationJob, {
    organizationId: organization_id,
    translationId: translation_id,
    runId: run.id,
  })
  return true
}
