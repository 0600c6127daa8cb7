import { useSignal } from '@preact/signals'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useSpaces } from '../organization/use-spaces.ts'
import { templateTexts as texts } from './template-texts.ts'

interface SaveTemplateDialogProps {
  organizationId: string
  /** ID of the initially selected space; empty for none. */
  spaceId: string
  onClose: () => void
}

/** Saves the pages of a space as a template of the organization. */
export function SaveTemplateDialog({ organizationId, spaceId, onClose }: SaveTemplateDialogProps) {
  const possible = [...useSpaces(organizationId).values()].filter(({ permissions }) => permissions.admin)
  const space = useSignal(spaceId)
  const title = useSignal('')
  const subtitle = useSignal('')
  const [save, isSaving] = useAction(async () => {
    await request('POST /orgs/{organizationId}/templates', {
      params: { organizationId },
      body: {
        space: space.value,
        ...(title.value.trim() !== '' && { title: title.value.trim() }),
        subtitle: subtitle.value.trim(),
      },
    })
    invalidate(`/orgs/${organizationId}/templates`)
    showToast(texts.saved)
    onClose()
  })
  return (
    <FormDialog
      title={texts.save}
      onClose={onClose}
      onSubmit={() => void save()}
      action={texts.saveAction}
      isBusy={isSaving}
      isIncomplete={space.value === ''}
    >
      <SelectField
        label={texts.space}
        hint={possible.length === 0 ? texts.noSpaces : texts.saveHint}
        value={space.value}
        options={[
          { value: '', title: texts.chooseSpace },
          ...possible.map(({ id, title: name }) => ({ value: id, title: name })),
        ]}
        onChange={(id) => (space.value = id)}
      />
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        maxLength={50}
        value={title.value}
        onInput={(value) => (title.value = value)}
      />
      <TextField
        label={texts.about}
        maxLength={500}
        value={subtitle.value}
        onInput={(value) => (subtitle.value = value)}
      />
    </FormDialog>
  )
}
