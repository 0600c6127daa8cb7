import { useState } from 'preact/hooks'
import type { EditMode, Space, SpaceMergeRules } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { deleteShown, invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteSection } from '../../ui/delete-section.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { ForbiddenState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { EmojiField } from '../new-space/emoji-field.tsx'
import { MergeRuleList } from '../organization/merge-rules.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'

const texts = defineTexts('spaceSettings', {
  title: 'Settings',
  general: 'General',
  name: 'Name',
  editing: 'Editing',
  editMode: 'Direct edits',
  live: 'Allowed: editors, the API and Git can change the live content',
  locked: 'Not allowed: all changes go through change requests',
  rules: 'Before a merge',
  inherit: 'Rules of the organization',
  none: 'No rules',
  own: 'Own rules',
  save: 'Save',
  saved: 'Saved',
  danger: 'Delete this space',
  dangerHint: 'It can be restored for 7 days.',
  remove: 'Delete the space',
  removeTitle: 'Delete “{title}”?',
  removeText: 'Its pages and change requests disappear for everyone. Within 7 days an administrator can restore it.',
})

/** Maximum length of the name of a space. */
const maxTitleLength = 50

/** Name, emoji, rules and deletion of a space, for its administrators. */
export default function SpaceSettingsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  return (
    <SpaceFrame spaceId={spaceId} crumbs={[{ title: texts.title }]}>
      {(space) =>
        space.permissions.admin ? (
          <>
            <h1 class="screen-title">{texts.title}</h1>
            <SettingsForm key={space.id} space={space} />
            <DeleteSection
              title={texts.danger}
              hint={texts.dangerHint}
              action={texts.remove}
              question={{ title: fillText(texts.removeTitle, { title: space.title }), text: texts.removeText }}
              onDelete={async () => {
                await deleteShown(`/spaces/${spaceId}`, () =>
                  request('DELETE /spaces/{spaceId}', { params: { spaceId } }),
                )
                navigate(`/orgs/${space.organization}`)
                invalidate(`/orgs/${space.organization}`)
              }}
            />
          </>
        ) : (
          <ForbiddenState />
        )
      }
    </SpaceFrame>
  )
}

function SettingsForm({ space }: { space: Space }) {
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(space.emoji)
  const [editMode, setEditMode] = useState<EditMode>(space.editMode)
  const [mergeRules, setMergeRules] = useState<SpaceMergeRules>(space.mergeRules)
  const [save, isSaving] = useAction(async () => {
    await request('PATCH /spaces/{spaceId}', {
      params: { spaceId: space.id },
      body: { title: title.trim(), editMode, mergeRules, ...(emoji !== space.emoji && { emoji: emoji || null }) },
    })
    invalidate(`/spaces/${space.id}`, `/orgs/${space.organization}`)
    showToast(texts.saved)
  })
  const rules = mergeRules.type === 'rules' ? mergeRules.rules : []
  return (
    <Form onSubmit={() => void save()}>
      <section class="section">
        <h2>{texts.general}</h2>
        <TextField label={texts.name} value={title} onInput={setTitle} required maxLength={maxTitleLength} />
        <EmojiField value={emoji} onChange={setEmoji} current={space.emoji} />
      </section>
      <section class="section">
        <h2>{texts.editing}</h2>
        <SelectField
          label={texts.editMode}
          value={editMode}
          options={[
            { value: 'live', title: texts.live },
            { value: 'locked', title: texts.locked },
          ]}
          onChange={setEditMode}
        />
        <SelectField
          label={texts.rules}
          value={mergeRules.type}
          options={[
            { value: 'inherit', title: texts.inherit },
            { value: 'none', title: texts.none },
            { value: 'rules', title: texts.own },
          ]}
          onChange={(type) => setMergeRules(type === 'rules' ? { type, rules: [...rules] } : { type })}
        />
        {mergeRules.type === 'rules' && (
          <MergeRuleList rules={rules} onChange={(next) => setMergeRules({ type: 'rules', rules: next })} />
        )}
      </section>
      <p class="section">
        <Button kind="primary" type="submit" isBusy={isSaving} disabled={title.trim() === ''}>
          {texts.save}
        </Button>
      </p>
    </Form>
  )
}
