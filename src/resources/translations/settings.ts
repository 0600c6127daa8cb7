import { emptyDocument } from '../../content/revision/reusable-contents.ts'
import type { JsonDocument } from '../../contract/document.ts'
import type { translations } from '../../contract/translations.ts'
import { parseStandaloneDocument } from '../../domain/documents/document-body.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import type { OperationInput } from '../../kernel/implement.ts'
import { invalid } from '../../kernel/errors.ts'
import { toFlag } from '../../schema/values.ts'
import { plainTextOfDocument } from './instructions.ts'

type Settings = OperationInput<typeof translations.updateTranslation>['body']

export const defaultSettings = {
  instructions: JSON.stringify(emptyDocument),
  runs_after_merge: toFlag(false),
  result_mode: 'live',
  run_character_limit: null,
  month_character_limit: null,
} as const

/** Returns the columns of the settings that a request contains. */
export const toSettingsRow = ({ instructions, runAfterMerge, resultMode, limits }: Settings) => ({
  ...(instructions && { instructions: serializeInstructions(instructions) }),
  ...(runAfterMerge !== undefined && { runs_after_merge: toFlag(runAfterMerge) }),
  ...(resultMode !== undefined && { result_mode: resultMode }),
  ...(limits?.run !== undefined && { run_character_limit: limits.run }),
  ...(limits?.month !== undefined && { month_character_limit: limits.month }),
})

/** Maximum number of characters of instructions, which are part of every request to an engine. */
const maxInstructionsLength = 20_000

function serializeInstructions(instructions: JsonDocument): string {
  const stored = JSON.stringify(parseStandaloneDocument({ document: instructions }, 'body.instructions'))
  if (stored.length > maxInstructionsLength)
    throw invalid('body.instructions', `must have at most ${maxInstructionsLength} characters as JSON`)
  return stored
}

/** Maximum length of instructions in the audit log. */
const maxAuditedLength = 1000

export const toAuditedSettings = (row: TranslationRow) => ({
  instructions: plainTextOfDocument(row.instructions).slice(0, maxAuditedLength),
  runAfterMerge: row.runs_after_merge === 1,
  resultMode: row.result_mode,
  runLimit: row.run_character_limit,
  monthLimit: row.month_character_limit,
})
