import { useState } from 'preact/hooks'
import type { EmailInvite } from '../../../contract/invites.ts'
import type { Organization } from '../../../contract/organizations.ts'
import type { RoleOrGuest } from '../../../contract/roles.ts'
import { request } from '../../api.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, TextArea } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RoleField } from '../organization/roles.tsx'
import { memberTexts as texts } from './member-texts.ts'

/** Number of teams that the dialog offers. */
const listedTeams = 100

/** Invites people by their email addresses, and shows their join links. */
export function InviteDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const [input, setInput] = useState('')
  const [role, setRole] = useState<RoleOrGuest>(organization.defaultRole)
  const [teams, setTeams] = useState<ReadonlySet<string>>(new Set())
  const [invites, setInvites] = useState<readonly EmailInvite[] | undefined>(undefined)
  const params = { organizationId: organization.id }
  const offered = useQuery('GET /orgs/{organizationId}/teams', { params, query: { limit: listedTeams } }).data?.items
  const emails = input.split(/[\s,;]+/).filter((email) => email !== '')
  const [send, isSending] = useAction(async () => {
    const reply = await request('POST /orgs/{organizationId}/invites', {
      params,
      body: { emails, role, ...(teams.size > 0 && { teams: [...teams] }) },
    })
    invalidate(`/orgs/${organization.id}/members`, `/orgs/${organization.id}/invites`)
    if (reply.invited > 0) showToast(countText(texts.added, reply.invited))
    if (reply.invites.length > 0) setInvites(reply.invites)
    else onClose()
  })
  if (invites) return <InviteLinks invites={invites} onClose={onClose} />
  return (
    <FormDialog
      title={texts.inviteTitle}
      onClose={onClose}
      onSubmit={() => void send()}
      action={texts.sendInvites}
      isBusy={isSending}
      isIncomplete={emails.length === 0}
    >
      <TextArea
        label={texts.emails}
        hint={texts.emailsHint}
        autoFocus
        rows={3}
        spellcheck={false}
        value={input}
        onInput={setInput}
      />
      <RoleField value={role} onChange={setRole} />
      {offered && offered.length > 0 && (
        <fieldset class="cr-options">
          <legend>{texts.teams}</legend>
          {offered.map(({ id, title }) => (
            <Checkbox
              key={id}
              label={title}
              checked={teams.has(id)}
              onChange={(isOn) => {
                const next = new Set(teams)
                if (isOn) next.add(id)
                else next.delete(id)
                setTeams(next)
              }}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  )
}

function InviteLinks({ invites, onClose }: { invites: readonly EmailInvite[]; onClose: () => void }) {
  return (
    <Dialog
      title={countText(texts.invited, invites.length)}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" kind="primary">
          {texts.done}
        </Button>
      }
    >
      <p class="quiet org-note">{texts.links}</p>
      {invites.map(({ id, email, urls }) => (
        <CopyField key={id} label={email} value={urls.join} />
      ))}
    </Dialog>
  )
}
