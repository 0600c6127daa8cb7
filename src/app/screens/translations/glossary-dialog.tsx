import { useSignal } from '@preact/signals'
import type { Language } from '../../../contract/space.ts'
import type { GlossaryEntry } from '../../../contract/translation.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { changeGlossary } from './glossary-actions.ts'
import { glossaryTexts as texts } from './glossary-texts.ts'
import { listLanguages, nameOfLanguage } from './languages.ts'

interface GlossaryDialogProps {
  organizationId: string
  /** Entry to change; without it, one is added. */
  entry: GlossaryEntry | undefined
  onClose: () => void
}

/** Edits a term in several languages. */
export function GlossaryDialog({ organizationId, entry, onClose }: GlossaryDialogProps) {
  const terms = useSignal<Record<string, string>>({ ...(entry?.translations ?? { en: '' }) })
  const [save, isSaving] = useAction(async () => {
    const filled = Object.entries(terms.value).filter(([, term]) => term.trim() !== '')
    const translations = Object.fromEntries(filled)
    await changeGlossary(organizationId, [
      entry ? { type: 'update', id: entry.id, translations } : { type: 'insert', translations },
    ])
    onClose()
  })
  const [remove] = useAction(async () => {
    if (entry) await deleteEntry(organizationId, entry)
    onClose()
  })
  const others = listLanguages().filter(({ value }) => terms.value[value] === undefined)
  return (
    <FormDialog
      title={entry ? texts.edit : texts.add}
      onClose={onClose}
      onSubmit={() => void save()}
      action={texts.save}
      isBusy={isSaving}
      isIncomplete={Object.values(terms.value).every((term) => term.trim() === '')}
      otherActions={
        entry && (
          <Button kind="quiet" icon="trash" onClick={() => void remove()}>
            {texts.remove}
          </Button>
        )
      }
    >
      {Object.entries(terms.value).map(([code, term]) => (
        <TextField
          key={code}
          label={nameOfLanguage(code)}
          maxLength={255}
          value={term}
          onInput={(value) => (terms.value = { ...terms.value, [code]: value })}
        />
      ))}
      <SelectField<Language | ''>
        label={texts.addLanguage}
        value=""
        options={[{ value: '', title: '…' }, ...others]}
        onChange={(code) => {
          if (code) terms.value = { ...terms.value, [code]: '' }
        }}
      />
    </FormDialog>
  )
}

async function deleteEntry(organizationId: string, { id, translations }: GlossaryEntry): Promise<void> {
  await changeGlossary(organizationId, [{ type: 'delete', id }])
  showToast(texts.removed, {
    action: {
      title: texts.undo,
      onSelect: () => void changeGlossary(organizationId, [{ type: 'insert', translations }]).catch(showError),
    },
  })
}
