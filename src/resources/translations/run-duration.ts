import type { TranslationRow, TranslationRunRow } from '../../domain/translations/translation-store.ts'

/** Returns the durations of a translation after a run has ended. */
export function durationsOf(translation: TranslationRow, run: TranslationRunRow, endedAt: string) {
  const duration = Math.max(0, Date.parse(endedAt) - Date.parse(run.started_at ?? endedAt))
  return { latest_duration: duration, total_duration: translation.total_duration + duration }
}
