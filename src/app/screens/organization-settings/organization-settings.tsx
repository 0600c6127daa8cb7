import { useState } from 'preact/hooks'
import type { Organization } from '../../../contract/organizations.ts'
import type { RoleOrGuest } from '../../../contract/roles.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteSection } from '../../ui/delete-section.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { MergeRuleList } from '../organization/merge-rules.tsx'
import { RoleField } from '../organization/roles.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'

const texts = defineTexts('organizationGeneral', {
  title: 'General',
  name: 'Name',
  logo: 'Address of the logo',
  logoHint: 'An https:// address of an image. It is shown where the organization is listed.',
  hostname: 'Name in addresses',
  hostnameHint: 'Sites of the organization have it in their addresses, unless they have a domain.',
  joining: 'Joining',
  defaultRole: 'Role of new members',
  emailDomains: 'Domains of email addresses',
  emailDomainsHint: 'People with such an address can join without an invite. Separate several domains with commas.',
  inviteLinks: 'Invite links are allowed',
  security: 'Security',
  secondFactor: 'Members need a second factor to sign in',
  secondFactorHint:
    'A passkey counts as one. Members without one set it up the next time they sign in. Tokens are not affected.',
  merging: 'Before a merge',
  mergingHint: 'Rules for all spaces that do not have their own.',
  save: 'Save',
  saved: 'Saved',
  danger: 'Delete this organization',
  dangerHint: 'Unpublish its sites first. All spaces, sites, members and settings are deleted.',
  remove: 'Delete the organization',
  removeTitle: 'Delete “{title}”?',
  removeText: 'Everyone loses access immediately. This cannot be undone.',
  removeTyped: 'Enter the name of the organization',
})

/** Settings of an organization. */
export default function OrganizationSettingsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <SettingsFrame organizationId={params['organizationId'] ?? ''} crumbs={[{ title: texts.title }]} needs="admin">
      {(organization) => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <SettingsForm key={organization.id} organization={organization} />
          <DeleteSection
            title={texts.danger}
            hint={texts.dangerHint}
            action={texts.remove}
            question={{
              title: fillText(texts.removeTitle, { title: organization.title }),
              text: texts.removeText,
              typed: { label: texts.removeTyped, text: organization.title },
            }}
            onDelete={() => deleteOrganization(organization)}
          />
        </>
      )}
    </SettingsFrame>
  )
}

async function deleteOrganization({ id, title }: Organization): Promise<void> {
  await request('DELETE /orgs/{organizationId}', { params: { organizationId: id }, query: { title } })
  // All cached replies may belong to the organization.
  location.assign(appHref('/'))
}

function SettingsForm({ organization }: { organization: Organization }) {
  const [title, setTitle] = useState(organization.title)
  const [logo, setLogo] = useState(organization.urls.logo ?? '')
  const [hostname, setHostname] = useState(organization.hostname ?? '')
  const [defaultRole, setDefaultRole] = useState<RoleOrGuest>(organization.defaultRole)
  const [domains, setDomains] = useState(organization.emailDomains.join(', '))
  const [inviteLinks, setInviteLinks] = useState(organization.inviteLinks)
  const [secondFactorRequired, setSecondFactorRequired] = useState(organization.secondFactorRequired)
  const [mergeRules, setMergeRules] = useState(organization.mergeRules)
  const [save, isSaving] = useAction(async () => {
    await request('PATCH /orgs/{organizationId}', {
      params: { organizationId: organization.id },
      body: {
        title: title.trim(),
        logo: logo.trim() === '' ? null : logo.trim(),
        ...(hostname.trim() !== '' && { hostname: hostname.trim() }),
        defaultRole,
        emailDomains: domains.split(/[\s,;]+/).filter((domain) => domain !== ''),
        inviteLinks,
        secondFactorRequired,
        mergeRules,
      },
    })
    invalidate('/orgs')
    showToast(texts.saved)
  })
  const rules = mergeRules.type === 'rules' ? mergeRules.rules : []
  return (
    <Form onSubmit={() => void save()}>
      <TextField label={texts.name} required maxLength={255} value={title} onInput={setTitle} />
      <TextField
        label={texts.hostname}
        hint={texts.hostnameHint}
        maxLength={32}
        value={hostname}
        onInput={setHostname}
      />
      <TextField label={texts.logo} hint={texts.logoHint} type="url" value={logo} onInput={setLogo} />
      <section class="section">
        <h2>{texts.joining}</h2>
        <RoleField label={texts.defaultRole} value={defaultRole} onChange={setDefaultRole} />
        <TextField label={texts.emailDomains} hint={texts.emailDomainsHint} value={domains} onInput={setDomains} />
        <Checkbox label={texts.inviteLinks} checked={inviteLinks} onChange={setInviteLinks} />
      </section>
      <section class="section">
        <h2>{texts.security}</h2>
        <Checkbox
          label={texts.secondFactor}
          hint={texts.secondFactorHint}
          checked={secondFactorRequired}
          onChange={setSecondFactorRequired}
        />
      </section>
      <section class="section">
        <h2>{texts.merging}</h2>
        <p class="quiet org-note">{texts.mergingHint}</p>
        <MergeRuleList
          rules={rules}
          onChange={(next) => setMergeRules(next.length > 0 ? { type: 'rules', rules: next } : { type: 'none' })}
        />
      </section>
      <p class="section">
        <Button kind="primary" type="submit" isBusy={isSaving} disabled={title.trim().length < 2}>
          {texts.save}
        </Button>
      </p>
    </Form>
  )
}
