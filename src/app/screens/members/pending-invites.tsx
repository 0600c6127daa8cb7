import type { EmailInvite, LinkInvite } from '../../../contract/invites.ts'
import type { Organization } from '../../../contract/organizations.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { roleName } from '../organization/roles.tsx'
import { memberTexts as texts } from './member-texts.ts'

/** Lists the ways to join: pending invites, invite links and email domains. */
export function PendingInvites({ organization }: { organization: Organization }) {
  const params = { organizationId: organization.id }
  const invites = useList('GET /orgs/{organizationId}/invites', { params, query: { limit: 50 } })
  const links = useList('GET /orgs/{organizationId}/link-invites', { params, query: { limit: 50 } })
  const [createLink, isCreating] = useAction(async () => {
    const create = async () => {
      const link = await request('POST /orgs/{organizationId}/link-invites', {
        params,
        body: { role: organization.defaultRole },
      })
      invalidate(`/orgs/${organization.id}/link-invites`)
      return link.urls.join
    }
    await copyText(create())
  })
  return (
    <>
      {!invites.items && invites.error && (
        <section class="section">
          <h2>{texts.pending}</h2>
          <ErrorState error={invites.error} onRetry={() => void invites.reload()} />
        </section>
      )}
      {invites.items && invites.items.length > 0 && (
        <section class="section">
          <h2>{texts.pending}</h2>
          <ul class="rows">
            {invites.items.map((invite) => (
              <li key={invite.id}>
                <InviteRow organizationId={organization.id} invite={invite} />
              </li>
            ))}
          </ul>
          <LoadMore list={invites} />
        </section>
      )}
      <section class="section">
        <div class="section-head">
          <h2>{texts.joinLinks}</h2>
          {organization.inviteLinks && (
            <Button icon="link" isBusy={isCreating} onClick={() => void createLink()}>
              {texts.newLink}
            </Button>
          )}
        </div>
        <p class="quiet org-note">{texts.joinLinksHint}</p>
        {organization.emailDomains.length > 0 && (
          <p class="quiet org-note">
            {fillText(texts.domains, {
              domains: organization.emailDomains.join(', '),
              role: roleName(organization.defaultRole),
            })}
          </p>
        )}
        {!links.items && links.error && <ErrorState error={links.error} onRetry={() => void links.reload()} />}
        {links.items && links.items.length > 0 && (
          <ul class="rows">
            {links.items.map((link) => (
              <li key={link.id}>
                <LinkRow organizationId={organization.id} link={link} />
              </li>
            ))}
          </ul>
        )}
        <LoadMore list={links} />
      </section>
    </>
  )
}

function InviteRow({ organizationId, invite }: { organizationId: string; invite: EmailInvite }) {
  const { id, email, role, createdAt, sso, teams, urls } = invite
  const invalidateInvites = () => invalidate(`/orgs/${organizationId}/invites`)
  const send = async () => {
    await request('POST /orgs/{organizationId}/invites', {
      params: { organizationId },
      body: { emails: [email], role, sso, teams },
    })
    invalidateInvites()
  }
  const [resend] = useAction(async () => {
    await send()
    showToast(texts.resent)
  })
  const [revoke] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/invites/{inviteId}', { params: { organizationId, inviteId: id } })
    invalidateInvites()
    showToast(texts.revoked, { action: { title: texts.undo, onSelect: () => void send().catch(showError) } })
  })
  return (
    <div class="row">
      <Icon name="at" />
      <span class="row-title">{email}</span>
      <span class="row-facts">
        <span>{roleName(role)}</span>
        <Time at={createdAt} />
      </span>
      <Menu
        label={uiTexts.more}
        icon="dots"
        items={[
          { title: texts.copyLink, icon: 'copy', onSelect: () => void copyText(urls.join) },
          { title: texts.resend, icon: 'refresh', onSelect: () => void resend() },
          { title: texts.revoke, icon: 'trash', isDangerous: true, startsGroup: true, onSelect: () => void revoke() },
        ]}
      />
    </div>
  )
}

function LinkRow({ organizationId, link }: { organizationId: string; link: LinkInvite }) {
  const [revoke] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/link-invites/{inviteId}', {
      params: { organizationId, inviteId: link.id },
    })
    invalidate(`/orgs/${organizationId}/link-invites`)
    showToast(texts.revoked)
  })
  return (
    <div class="row">
      <Icon name="link" />
      <span class="row-title">{describeLink(link)}</span>
      <Menu
        label={uiTexts.more}
        icon="dots"
        items={[
          { title: texts.copyLink, icon: 'copy', onSelect: () => void copyText(link.urls.join) },
          { title: texts.revoke, icon: 'trash', isDangerous: true, startsGroup: true, onSelect: () => void revoke() },
        ]}
      />
    </div>
  )
}

function describeLink(link: LinkInvite): string {
  if ('role' in link) return fillText(texts.linkRole, { role: roleName(link.role) })
  const { title } = 'space' in link ? link.space : link.collection
  return fillText(texts.linkContent, { role: roleName(link.level), title })
}
