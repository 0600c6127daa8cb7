import { useState } from 'preact/hooks'
import type { RevisionPageDocument } from '../../../contract/revision.ts'
import { request } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/fields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { settingsTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'
import { type SettingsFields, layoutParts, toPageUpdate, toSettingsFields } from './settings-fields.ts'

interface SettingsDialogProps {
  place: PagePlace
  page: RevisionPageDocument
  onSaved: () => void
  onClose: () => void
}

/** Edits everything of a page but its text. */
export function SettingsDialog({ place, page, onSaved, onClose }: SettingsDialogProps) {
  const { spaceId, changeRequestId, pageId } = place
  const [fields, setFields] = useState(() => toSettingsFields(page))
  const set = (changed: Partial<SettingsFields>) => setFields({ ...fields, ...changed })
  const [save, isSaving] = useAction(async () => {
    const update = toPageUpdate(fields, page)
    if (Object.keys(update).length > 0)
      await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content', {
        params: { spaceId, changeRequestId },
        body: { changes: [{ operation: 'update_page', page: pageId, ...update }] },
      })
    showToast(texts.saved)
    onSaved()
  })
  const isEmpty = fields.title.trim() === ''
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      onSubmit={() => !isEmpty && void save()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isSaving} disabled={isEmpty}>
            {texts.save}
          </Button>
        </>
      }
    >
      <TextField
        label={texts.pageTitle}
        value={fields.title}
        error={isEmpty ? texts.required : undefined}
        onInput={(title) => set({ title })}
      />
      <TextField
        label={texts.linkTitle}
        hint={texts.linkTitleHint}
        maxLength={100}
        value={fields.linkTitle}
        onInput={(linkTitle) => set({ linkTitle })}
      />
      <TextField
        label={texts.slug}
        hint={texts.slugHint}
        maxLength={100}
        value={fields.slug}
        onInput={(slug) => set({ slug })}
      />
      <TextArea
        label={texts.description}
        rows={2}
        value={fields.description}
        onInput={(description) => set({ description })}
      />
      <TextField label={texts.icon} hint={texts.iconHint} value={fields.icon} onInput={(icon) => set({ icon })} />
      <TextField label={texts.emoji} value={fields.emoji} onInput={(emoji) => set({ emoji })} />
      <TextField label={texts.tags} hint={texts.tagsHint} value={fields.tags} onInput={(tags) => set({ tags })} />
      <Checkbox
        label={texts.hidden}
        hint={texts.hiddenHint}
        checked={fields.hidden}
        onChange={(hidden) => set({ hidden })}
      />
      <Checkbox label={texts.noIndex} checked={fields.noIndex} onChange={(noIndex) => set({ noIndex })} />
      <Checkbox
        label={texts.noRobotsIndex}
        checked={fields.noRobotsIndex}
        onChange={(noRobotsIndex) => set({ noRobotsIndex })}
      />
      <LayoutFields fields={fields} onChange={(layout) => set({ layout })} />
    </Dialog>
  )
}

interface LayoutFieldsProps {
  fields: SettingsFields
  onChange: (layout: SettingsFields['layout']) => void
}

function LayoutFields({ fields: { layout }, onChange }: LayoutFieldsProps) {
  return (
    <fieldset class="edit-layout">
      <legend>{texts.layout}</legend>
      {layoutParts.map((part) => (
        <Checkbox
          key={part}
          label={texts[`${part}Part`]}
          checked={layout[part]}
          onChange={(isShown) => onChange({ ...layout, [part]: isShown })}
        />
      ))}
      <Checkbox
        label={texts.width}
        checked={layout.width === 'wide'}
        onChange={(isWide) => onChange({ ...layout, width: isWide ? 'wide' : 'default' })}
      />
    </fieldset>
  )
}
