import { useState } from 'preact/hooks'
import type { DefaultLevel } from '../../../../contract/roles.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { invalidate } from '../../../data/query.ts'
import { navigate } from '../../../router.ts'
import { defineTexts, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { SiteFrame } from '../site-frame.tsx'
import { useFormAction } from '../use-form-action.ts'

const texts = defineTexts('siteSettings', {
  title: 'Settings',
  general: 'General',
  name: 'Name',
  basename: 'Name in the address',
  basenameHint: 'Links with the old name stop working. A custom domain does not contain it.',
  members: 'Members',
  defaultLevel: 'Role of every member in this site',
  inherit: 'As in the organization',
  none: 'No access without a role of their own',
  read: 'Read',
  comment: 'Comment',
  edit: 'Edit',
  review: 'Review',
  create: 'Create',
  admin: 'Administrate',
  save: 'Save',
  saved: 'Saved',
  publishing: 'Publishing',
  isPublished: 'The site is published.',
  notPublished: 'The site is not published.',
  publish: 'Publish',
  unpublish: 'Unpublish',
  unpublished: 'The site is no longer published',
  undo: 'Undo',
  danger: 'Delete this site',
  dangerHint: 'Its spaces are kept. Redirects, share links, customization and insights are deleted.',
  remove: 'Delete the site',
  removeTitle: 'Delete “{title}”?',
  removeText: 'Its address stops working for everyone. This cannot be undone.',
})

const levels = ['inherit', 'none', 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const

/** Name, address, roles, publishing and deletion of a site. */
export default function SiteSettingsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="settings">
      {(site) => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <SettingsForm key={site.id} organizationId={organizationId} site={site} />
          <PublishSection organizationId={organizationId} site={site} />
          {site.permissions.create && <DeleteSection organizationId={organizationId} site={site} />}
        </>
      )}
    </SiteFrame>
  )
}

interface SectionProps {
  organizationId: string
  site: Site
}

function SettingsForm({ organizationId, site }: SectionProps) {
  const [title, setTitle] = useState(site.title)
  const [basename, setBasename] = useState(site.basename)
  const [level, setLevel] = useState<(typeof levels)[number]>(site.defaultLevel ?? 'none')
  const defaultLevel: DefaultLevel = level === 'none' ? null : level
  const { run, isRunning, problem } = useFormAction(async () => {
    await request('PATCH /orgs/{organizationId}/sites/{siteId}', {
      params: { organizationId, siteId: site.id },
      body: {
        title: title.trim(),
        ...(basename.trim() !== site.basename && { basename: basename.trim() }),
        ...(site.permissions.admin && { defaultLevel }),
      },
    })
    invalidate(`/orgs/${organizationId}/sites`)
    showToast(texts.saved)
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <section class="section">
        <h2>{texts.general}</h2>
        <TextField label={texts.name} value={title} onInput={setTitle} required maxLength={128} />
        <TextField
          label={texts.basename}
          hint={texts.basenameHint}
          error={problem}
          value={basename}
          onInput={setBasename}
          required
          maxLength={100}
          spellcheck={false}
        />
      </section>
      {site.permissions.admin && (
        <section class="section">
          <h2>{texts.members}</h2>
          <SelectField
            label={texts.defaultLevel}
            value={level}
            options={levels.map((value) => ({ value, title: texts[value] }))}
            onChange={setLevel}
          />
        </section>
      )}
      <p class="section">
        <Button
          kind="primary"
          type="submit"
          isBusy={isRunning}
          disabled={title.trim().length < 2 || basename.trim() === ''}
        >
          {texts.save}
        </Button>
      </p>
    </form>
  )
}

function PublishSection({ organizationId, site }: SectionProps) {
  const setPublished = async (isPublished: boolean) => {
    const params = { organizationId, siteId: site.id }
    if (isPublished) await request('POST /orgs/{organizationId}/sites/{siteId}/publish', { params })
    else await request('POST /orgs/{organizationId}/sites/{siteId}/unpublish', { params })
    invalidate(`/orgs/${organizationId}/sites`)
  }
  const [publish] = useAction(() => setPublished(true))
  const [toggle, isRunning] = useAction(async () => {
    await setPublished(!site.published)
    if (site.published) showToast(texts.unpublished, { action: { title: texts.undo, onSelect: () => void publish() } })
  })
  return (
    <section class="section">
      <h2>{texts.publishing}</h2>
      <p class="quiet">{site.published ? texts.isPublished : texts.notPublished}</p>
      <Button isBusy={isRunning} onClick={() => void toggle()}>
        {site.published ? texts.unpublish : texts.publish}
      </Button>
    </section>
  )
}

function DeleteSection({ organizationId, site }: SectionProps) {
  const [remove, isRemoving] = useAction(async () => {
    const isConfirmed = await confirmAction({
      title: fillText(texts.removeTitle, { title: site.title }),
      text: texts.removeText,
      action: texts.remove,
      isDangerous: true,
    })
    if (!isConfirmed) return
    await request('DELETE /orgs/{organizationId}/sites/{siteId}', { params: { organizationId, siteId: site.id } })
    navigate(`/orgs/${organizationId}/sites`)
    invalidate(`/orgs/${organizationId}/sites`)
  })
  return (
    <section class="section">
      <h2>{texts.danger}</h2>
      <p class="quiet">{texts.dangerHint}</p>
      <Button kind="danger" icon="trash" isBusy={isRemoving} onClick={() => void remove()}>
        {texts.remove}
      </Button>
    </section>
  )
}
