import type { Member } from '../../../contract/members.ts'
import type { Organization } from '../../../contract/organizations.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { useUser } from '../../session.ts'
import { fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RoleSelect, roleName } from '../organization/roles.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { SpaceIcon } from '../organization/space-icon.tsx'
import { changeRole, removeMember } from './change-role.ts'
import { memberTexts as texts } from './member-texts.ts'
import { MemberSessions } from './member-sessions.tsx'

/** Shows one member: role, teams, visible spaces, and sessions. */
export default function MemberScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', userId = '' } = params
  const {
    data: member,
    error,
    reload,
  } = useQuery('GET /orgs/{organizationId}/members/{userId}', { params: { organizationId, userId } })
  return (
    <SettingsFrame
      organizationId={organizationId}
      crumbs={[
        { title: texts.title, path: `/orgs/${organizationId}/members` },
        { title: member?.user.displayName ?? '' },
      ]}
      needs="listMembers"
    >
      {(organization) =>
        member ? (
          <MemberDetails organization={organization} member={member} />
        ) : error ? (
          <ErrorState isWholeScreen error={error} onRetry={() => void reload()} />
        ) : (
          <Loading />
        )
      }
    </SettingsFrame>
  )
}

function MemberDetails({ organization, member }: { organization: Organization; member: Member }) {
  const isSelf = useUser()?.id === member.id
  const isAdmin = organization.permissions.admin
  const { user, role, disabled, sso, lastSeenAt, joinedAt } = member
  const [change, isChanging] = useAction((next: Member['role']) => changeRole(organization.id, member, next))
  const [remove, isRemoving] = useAction(() => removeMember(organization.id, member, isSelf))
  return (
    <>
      <div class="org-head">
        <Avatar person={user} size={48} />
        <div>
          <h1 class="screen-title">{user.displayName}</h1>
          <p class="quiet">{user.email}</p>
        </div>
        {disabled && <Badge tone="warning">{texts.disabled}</Badge>}
        {sso && <Badge>{texts.sso}</Badge>}
      </div>
      <dl class="org-facts">
        <div>
          <dt>{texts.role}</dt>
          <dd>
            {isAdmin ? (
              <RoleSelect
                label={fillText(texts.roleOf, { name: user.displayName })}
                value={role}
                disabled={isChanging}
                onChange={(next) => void change(next)}
              />
            ) : (
              roleName(role)
            )}
          </dd>
        </div>
        <div>
          <dt>{texts.joined}</dt>
          <dd>
            <Time at={joinedAt} />
          </dd>
        </div>
        <div>
          <dt>{texts.lastSeen}</dt>
          <dd>{lastSeenAt === undefined ? texts.neverSeen : <Time at={lastSeenAt} />}</dd>
        </div>
      </dl>
      <MemberTeams organizationId={organization.id} userId={member.id} />
      <MemberSpaces organizationId={organization.id} userId={member.id} />
      {isAdmin && <MemberSessions organizationId={organization.id} userId={member.id} />}
      {(isAdmin || isSelf) && (
        <section class="section">
          <Button kind="danger" icon="trash" isBusy={isRemoving} onClick={() => void remove()}>
            {isSelf ? texts.leave : texts.remove}
          </Button>
        </section>
      )}
    </>
  )
}

interface MemberKey {
  organizationId: string
  userId: string
}

function MemberTeams({ organizationId, userId }: MemberKey) {
  const list = useList('GET /orgs/{organizationId}/members/{userId}/teams', {
    params: { organizationId, userId },
    query: { limit: 100 },
  })
  return (
    <section class="section">
      <h2>{texts.teams}</h2>
      <ItemList
        list={list}
        keyOf={({ team }) => team.id}
        empty={<p class="quiet">{texts.noTeams}</p>}
        loadingLines={2}
        renderItem={({ team }) => (
          <a class="row" href={appHref(`/orgs/${organizationId}/teams/${team.id}`)}>
            <Icon name="users" />
            <span class="row-title">{team.title}</span>
          </a>
        )}
      />
    </section>
  )
}

function MemberSpaces({ organizationId, userId }: MemberKey) {
  const list = useList('GET /orgs/{organizationId}/members/{userId}/spaces', {
    params: { organizationId, userId },
    query: { limit: 50 },
  })
  return (
    <section class="section">
      <h2>{texts.reach}</h2>
      <ItemList
        list={list}
        keyOf={({ space }) => space.id}
        empty={<p class="quiet">{texts.reachEmpty}</p>}
        loadingLines={2}
        renderItem={({ space, permission }) => (
          <a class="row" href={appHref(`/spaces/${space.id}`)}>
            <SpaceIcon emoji={space.emoji} />
            <span class="row-title">{space.title}</span>
            <span class="row-facts">{roleName(permission)}</span>
          </a>
        )}
      />
    </section>
  )
}
