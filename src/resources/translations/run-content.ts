import type { Conflict } from '../../content/revision/conflict.ts'
import type { TranslationRow, TranslationRunRow } from '../../domain/translations/translation-store.ts'
import type { Row } from '../../schema/tables.ts'
import type { TextOwner } from '../../translation/translate-tree.ts'
import type { LocatedProblem } from '../../translators/text-translator.ts'
import type { BaseState } from './base-state.ts'

/** Content that a run has translated. */
export interface TranslatedContent {
  base: BaseState
  /** Hash of the root without content. */
  empty: string
  sourceRevision: Row<'revisions'>
  /** The translation of the source without edits of people. */
  machineRoot: string
  /** Translated items. */
  items: readonly TextOwner[]
  problems: readonly LocatedProblem[]
}

/** A run that has been started. */
export interface StartedRun {
  run: TranslationRunRow
  translation: TranslationRow
}

/** The translated space after a run. */
export interface RunResult {
  space: Row<'spaces'>
  revisionId: string
  rootHash: string
  changeRequestId: string | undefined
  conflicts: readonly Conflict[]
}
