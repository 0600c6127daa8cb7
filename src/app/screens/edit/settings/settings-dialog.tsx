import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ContentChanges } from '../../../../contract/content-changes.ts'
import type { RevisionPageDocument, RevisionTag } from '../../../../contract/revision.ts'
import { changeContent } from '../../../data/content-place.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, TextArea, TextField } from '../../../ui/fields.tsx'
import { IconField } from '../../../ui/icon-field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { uiTexts } from '../../../ui/ui-texts.ts'
import { useAction } from '../../../ui/use-action.ts'
import type { PagePlace } from '../page-text.ts'
import { CoverFields } from './cover-field.tsx'
import { type SettingsFields, layoutParts, toPageUpdate, toSettingsFields } from './settings-fields.ts'
import { settingsTexts as texts } from './settings-texts.ts'
import { TagField, useTags } from './tag-field.tsx'
import { VariableFields, areValidVariables } from './variable-fields.tsx'

type Changes = ContentChanges['changes']
type TagInput = Extract<Changes[number], { operation: 'set_tags' }>['tags'][number]

interface SettingsDialogProps {
  place: PagePlace
  organizationId: string
  page: RevisionPageDocument
  onSaved: () => void
  onClose: () => void
}

/** Edits all properties of a page except its text. */
export function SettingsDialog({ place, organizationId, page, onSaved, onClose }: SettingsDialogProps) {
  const [fields, setFields] = useState(() => toSettingsFields(page))
  const set = (changed: Partial<SettingsFields>) => setFields((old) => ({ ...old, ...changed }))
  const tags = useTags(place)
  const [save, isSaving] = useAction(async () => {
    const changes = listChanges(place.pageId, page, fields, tags ?? [])
    if (changes.length > 0) await changeContent(place, changes)
    showToast(texts.saved)
    onSaved()
  })
  const isEmpty = fields.title.trim() === ''
  const canSave = !isEmpty && areValidVariables(fields.variables)
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      onSubmit={() => canSave && void save()}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isSaving} disabled={!canSave}>
            {texts.save}
          </Button>
        </>
      }
    >
      <GeneralFields fields={fields} set={set} isEmpty={isEmpty} />
      <TagField
        tags={[...(tags ?? []), ...fields.newTags]}
        value={fields.tags}
        onChange={(slugs) => set({ tags: slugs })}
        onCreate={(tag) => set({ tags: [...fields.tags, tag.slug], newTags: [...fields.newTags, tag] })}
      />
      <Section title={texts.coverSection}>
        <CoverFields
          place={place}
          organizationId={organizationId}
          cover={fields.cover}
          layout={fields.layout}
          onChange={(cover) => set({ cover })}
          onLayout={(layout) => set({ layout })}
        />
      </Section>
      <Section title={texts.layout}>
        <LayoutFields fields={fields} onChange={(layout) => set({ layout })} />
      </Section>
      <Section title={texts.visibility}>
        <VisibilityFields fields={fields} set={set} />
      </Section>
      <Section title={texts.variables}>
        <VariableFields fields={fields.variables} onChange={(variables) => set({ variables })} />
      </Section>
    </Dialog>
  )
}

/** Returns the changes that store the settings; new tags are added to those of the space first. */
function listChanges(
  pageId: string,
  page: RevisionPageDocument,
  fields: SettingsFields,
  tags: readonly RevisionTag[],
): Changes {
  const update = toPageUpdate(fields, page)
  const newTags = fields.newTags.filter(({ slug }) => fields.tags.includes(slug))
  const isUpdated = Object.keys(update).length > 0
  return [
    ...(newTags.length > 0 ? [{ operation: 'set_tags' as const, tags: [...(tags as TagInput[]), ...newTags] }] : []),
    ...(isUpdated ? [{ operation: 'update_page' as const, page: pageId, ...update }] : []),
  ]
}

/** A part of the settings that is collapsed initially. */
function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="edit-section">
      <summary>{title}</summary>
      {children}
    </details>
  )
}

interface FieldsProps {
  fields: SettingsFields
  set: (changed: Partial<SettingsFields>) => void
}

function GeneralFields({ fields, set, isEmpty }: FieldsProps & { isEmpty: boolean }) {
  return (
    <>
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
      <IconField
        label={texts.icon}
        value={{ emoji: fields.emoji, icon: fields.icon }}
        onChange={(choice) => set(choice)}
      />
    </>
  )
}

function VisibilityFields({ fields, set }: FieldsProps) {
  return (
    <>
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
      <TextField
        label={texts.condition}
        hint={texts.conditionHint}
        maxLength={1024}
        spellcheck={false}
        value={fields.condition}
        onInput={(condition) => set({ condition })}
      />
      <TextField
        label={texts.canonical}
        hint={texts.canonicalHint}
        type="url"
        placeholder="https://"
        value={fields.canonical}
        onInput={(canonical) => set({ canonical })}
      />
    </>
  )
}

interface LayoutFieldsProps {
  fields: SettingsFields
  onChange: (layout: SettingsFields['layout']) => void
}

function LayoutFields({ fields: { layout }, onChange }: LayoutFieldsProps) {
  return (
    <fieldset class="edit-layout">
      <legend>{texts.layoutHint}</legend>
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
