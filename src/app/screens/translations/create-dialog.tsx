import { useSignal } from '@preact/signals'
import type { Language, Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { Checkbox, SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { describeError } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { listLanguages, nameOfLanguage } from './languages.ts'
import { SettingsFields, defaultSettings, toSettingsBody } from './settings-fields.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface CreateDialogProps {
  organizationId: string
  spaces: readonly Space[]
  onClose: () => void
}

interface Refusal {
  language: Language
  reason: string
}

/** Creates translations of a space into one or several languages. */
export function CreateDialog({ organizationId, spaces, onClose }: CreateDialogProps) {
  // The role create is needed, as for starting a synchronization.
  const possible = spaces.filter(({ permissions }) => permissions.triggerGitSync)
  const space = useSignal('')
  const sourceLanguage = useSignal<Language>('en')
  const languages = useSignal<readonly Language[]>([])
  const settings = useSignal(defaultSettings)
  const created = useSignal<readonly Language[]>([])
  const refused = useSignal<readonly Refusal[]>([])
  const [create, isCreating] = useAction(async () => {
    const ids: string[] = []
    refused.value = []
    for (const language of languages.value) {
      try {
        const { id } = await request('POST /orgs/{organizationId}/translations', {
          params: { organizationId },
          body: {
            language,
            source: { space: space.value, language: sourceLanguage.value },
            ...toSettingsBody(settings.value),
          },
        })
        ids.push(id)
        created.value = [...created.value, language]
      } catch (error) {
        refused.value = [...refused.value, { language, reason: describeError(error) }]
      }
    }
    invalidate(`/orgs/${organizationId}/translations`)
    languages.value = refused.value.map(({ language }) => language)
    if (refused.value.length > 0) return
    onClose()
    if (ids.length === 1) navigate(`/orgs/${organizationId}/translations/${ids[0]}`)
  })
  const toggle = (language: Language, isOn: boolean) =>
    (languages.value = isOn ? [...languages.value, language] : languages.value.filter((one) => one !== language))
  return (
    <FormDialog
      title={texts.add}
      onClose={onClose}
      onSubmit={() => void create()}
      action={texts.create}
      isBusy={isCreating}
      isIncomplete={space.value === '' || languages.value.length === 0}
    >
      <SelectField
        label={texts.source}
        {...(possible.length === 0 && { hint: texts.noSpaces })}
        value={space.value}
        options={[{ value: '', title: texts.chooseSpace }, ...possible.map(({ id, title }) => ({ value: id, title }))]}
        onChange={(id) => {
          space.value = id
          sourceLanguage.value = spaces.find((one) => one.id === id)?.language ?? sourceLanguage.value
        }}
      />
      <SelectField
        label={texts.sourceLanguage}
        value={sourceLanguage.value}
        options={listLanguages()}
        onChange={(language) => {
          sourceLanguage.value = language
          toggle(language, false)
        }}
      />
      <fieldset class="language-choice">
        <legend>{texts.languages}</legend>
        <div>
          {listLanguages()
            .filter(({ value }) => value !== sourceLanguage.value)
            .map(({ value, title }) => (
              <Checkbox
                key={value}
                label={title}
                checked={languages.value.includes(value)}
                onChange={(isOn) => toggle(value, isOn)}
              />
            ))}
        </div>
      </fieldset>
      <SettingsFields value={settings.value} onChange={(changed) => (settings.value = changed)} />
      {refused.value.length > 0 && (
        <div class="ui-field-error" role="alert">
          {created.value.length > 0 && (
            <p>{fillText(texts.created, { languages: created.value.map(nameOfLanguage).join(', ') })}</p>
          )}
          {refused.value.map(({ language, reason }) => (
            <p key={language}>{fillText(texts.notCreated, { language: nameOfLanguage(language), reason })}</p>
          ))}
        </div>
      )}
    </FormDialog>
  )
}
