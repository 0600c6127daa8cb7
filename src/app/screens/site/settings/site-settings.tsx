import { useState } from 'preact/hooks'
import type { DefaultLevel } from '../../../../contract/roles.ts'
import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { deleteShown, invalidate } from '../../../data/query.ts'
import { navigate } from '../../../router.ts'
import { defineTexts, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { DeleteSection } from '../../../ui/delete-section.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { SiteFrame } from '../site-frame.tsx'
import { usePublishing } from '../use-publishing.ts'

const texts = defineTexts('siteSettings', {
  title: 'Settings',
  general: 'General',
  name: 'Name',
  basename: 'Name in the address',
  basenameHint: 'Links with the old name stop working. A custom domain does not contain it.',
  members: 'Members',
  defaultLevel: 'Role of every member in this site',
  inherit: 'As in the organization',
  none: 'No access unless a role is given',
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
          {site.permissions.create && (
            <DeleteSection
              title={texts.danger}
              hint={texts.dangerHint}
              action={texts.remove}
              question={{ title: fillText(texts.removeTitle, { title: site.title }), text: texts.removeText }}
              onDelete={async () => {
                await deleteShown(`/orgs/${organizationId}/sites/${siteId}`, () =>
                  request('DELETE /orgs/{organizationId}/sites/{siteId}', { params: { organizationId, siteId } }),
                )
                navigate(`/orgs/${organizationId}/sites`)
                invalidate(`/orgs/${organizationId}/sites`)
              }}
            />
          )}
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
    <Form onSubmit={() => void run()}>
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
    </Form>
  )
}

function PublishSection({ organizationId, site }: SectionProps) {
  const [toggle, isRunning] = usePublishing(organizationId, site)
  return (
    <section class="section">
      <h2>{texts.publishing}</h2>
      <p class="quiet">{site.published ? texts.isPublished : texts.notPublished}</p>
      {site.permissions.create && (
        <Button isBusy={isRunning} onClick={() => void toggle()}>
          {site.published ? texts.unpublish : texts.publish}
        </Button>
      )}
    </section>
  )
}
