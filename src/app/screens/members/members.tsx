import { useState } from 'preact/hooks'
import type { Member } from '../../../contract/members.ts'
import type { Organization } from '../../../contract/organizations.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { useUser } from '../../session.ts'
import { countText, fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { WindowedList } from '../../ui/windowed-list.tsx'
import { RoleSelect, allRoles, roleName } from '../organization/roles.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { changeRole, removeMember } from './change-role.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { memberTexts as texts } from './member-texts.ts'
import { PendingInvites } from './pending-invites.tsx'

/** Height of a row in pixels. */
const rowHeight = 56

/** Lists the members of an organization with their roles. */
export default function MembersScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <SettingsFrame
      organizationId={params['organizationId'] ?? ''}
      crumbs={[{ title: texts.title }]}
      needs="listMembers"
    >
      {(organization) => <Members organization={organization} />}
    </SettingsFrame>
  )
}

function Members({ organization }: { organization: Organization }) {
  const [isInviting, setInviting] = useState(false)
  const isAdmin = organization.permissions.admin
  return (
    <>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {isAdmin && (
          <Button kind="primary" icon="user-plus" onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        )}
      </div>
      <MemberList organization={organization} />
      {isAdmin && <PendingInvites organization={organization} />}
      {isInviting && <InviteDialog organization={organization} onClose={() => setInviting(false)} />}
    </>
  )
}

function MemberList({ organization }: { organization: Organization }) {
  const search = address.value.query.get('q') ?? ''
  const role = address.value.query.get('role') ?? ''
  const [input, setInput] = useState(search)
  useDelayed(input.trim(), (value) => value !== search && setQuery('q', value === '' ? undefined : value))
  const list = useList('GET /orgs/{organizationId}/members', {
    params: { organizationId: organization.id },
    query: {
      sort: 'name',
      order: 'asc',
      limit: 200,
      ...(search !== '' && { search }),
      ...(role !== '' && { role }),
    },
  })
  return (
    <>
      <div class="org-filters">
        <TextField label={texts.search} placeholder={texts.searchHint} type="search" value={input} onInput={setInput} />
        <SelectField
          label={texts.role}
          value={role}
          options={[
            { value: '', title: texts.anyRole },
            ...allRoles.map((one) => ({ value: one as string, title: roleName(one) })),
            { value: 'guest', title: roleName(null) },
          ]}
          onChange={(value) => setQuery('role', value === '' ? undefined : value)}
        />
      </div>
      {!list.items && (list.error ? <ErrorState error={list.error} onRetry={() => void list.reload()} /> : <Loading />)}
      {list.items?.length === 0 && (
        <EmptyState icon="users" title={texts.nobody}>
          {texts.nobodyHint}
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <>
          <p class="quiet org-count">{countText(texts.count, list.count ?? list.items.length)}</p>
          <WindowedList
            class="org-list"
            label={texts.title}
            items={list.items}
            rowHeight={rowHeight}
            keyOf={({ id }) => id}
            renderRow={(member) => <MemberRow organization={organization} member={member} />}
            onEnd={list.continueLoading}
          />
        </>
      )}
    </>
  )
}

function MemberRow({ organization, member }: { organization: Organization; member: Member }) {
  const isSelf = useUser()?.id === member.id
  const isAdmin = organization.permissions.admin
  const { user, role, disabled, sso, lastSeenAt } = member
  const path = `/orgs/${organization.id}/members/${member.id}`
  const [change, isChanging] = useAction((next: Member['role']) => changeRole(organization.id, member, next))
  const [remove] = useAction(() => removeMember(organization.id, member, isSelf))
  return (
    <div class="org-row">
      <Avatar person={user} size={32} />
      <span class="org-row-name">
        <a href={appHref(path)}>
          {user.displayName}
          {isSelf && <span class="quiet"> ({texts.you})</span>}
        </a>
        <small>{user.email}</small>
      </span>
      <span class="org-row-facts">
        {disabled && <Badge tone="warning">{texts.disabled}</Badge>}
        {sso && <Badge>{texts.sso}</Badge>}
        <span class="quiet">{lastSeenAt === undefined ? texts.neverSeen : <Time at={lastSeenAt} />}</span>
      </span>
      {isAdmin ? (
        <RoleSelect
          label={fillText(texts.roleOf, { name: user.displayName })}
          value={role}
          disabled={isChanging}
          onChange={(next) => void change(next)}
        />
      ) : (
        <span class="org-row-role">{roleName(role)}</span>
      )}
      <Menu
        label={uiTexts.more}
        icon="dots"
        items={[
          { title: texts.profile, icon: 'user', href: appHref(path) },
          (isAdmin || isSelf) && {
            title: isSelf ? texts.leave : texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => void remove(),
          },
        ]}
      />
    </div>
  )
}
