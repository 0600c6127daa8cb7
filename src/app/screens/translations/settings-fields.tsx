import type { Translation, TranslationResultMode } from '../../../contract/translation.ts'
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { readInstructions, toInstructions } from './instructions.ts'
import { translationTexts as texts } from './translation-texts.ts'

/** Settings of a translation as a form holds them. */
export interface TranslationFormSettings {
  instructions: string
  resultMode: TranslationResultMode
  runAfterMerge: boolean
  /** Digits; empty without a limit. */
  runLimit: string
  monthLimit: string
}

export const defaultSettings: TranslationFormSettings = {
  instructions: '',
  resultMode: 'live',
  runAfterMerge: true,
  runLimit: '',
  monthLimit: '',
}

export const readSettings = (translation: Translation): TranslationFormSettings => ({
  instructions: readInstructions(translation.instructions),
  resultMode: translation.resultMode,
  runAfterMerge: translation.runAfterMerge,
  runLimit: String(translation.limits.run ?? ''),
  monthLimit: String(translation.limits.month ?? ''),
})

const toLimit = (digits: string): number | null => (digits === '' ? null : Number(digits))

/** Returns the fields of a request. */
export const toSettingsBody = ({
  instructions,
  resultMode,
  runAfterMerge,
  runLimit,
  monthLimit,
}: TranslationFormSettings) => ({
  instructions: toInstructions(instructions),
  resultMode,
  runAfterMerge,
  limits: { run: toLimit(runLimit), month: toLimit(monthLimit) },
})

interface SettingsFieldsProps {
  value: TranslationFormSettings
  onChange: (value: TranslationFormSettings) => void
}

/** Fields for the result of a translation, instructions for the engine, and budgets. */
export function SettingsFields({ value, onChange }: SettingsFieldsProps) {
  const set = (changed: Partial<TranslationFormSettings>) => onChange({ ...value, ...changed })
  return (
    <>
      <SelectField
        label={texts.resultMode}
        value={value.resultMode}
        options={[
          { value: 'live', title: texts.live },
          { value: 'change-request', title: texts['change-request'] },
        ]}
        onChange={(resultMode) => set({ resultMode })}
      />
      <Checkbox
        label={texts.runAfterMerge}
        checked={value.runAfterMerge}
        onChange={(runAfterMerge) => set({ runAfterMerge })}
      />
      <TextArea
        label={texts.instructions}
        hint={texts.instructionsHint}
        rows={3}
        value={value.instructions}
        onInput={(instructions) => set({ instructions })}
      />
      <TextField
        label={texts.runLimit}
        type="number"
        value={value.runLimit}
        onInput={(runLimit) => set({ runLimit })}
      />
      <TextField
        label={texts.monthLimit}
        hint={texts.limitHint}
        type="number"
        value={value.monthLimit}
        onInput={(monthLimit) => set({ monthLimit })}
      />
    </>
  )
}
