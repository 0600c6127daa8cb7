import type { Team, TeamRole } from '../../../contract/team.ts'
import type { TeamMember } from '../../../contract/teams.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { teamTexts as texts } from './team-texts.ts'

interface TeamMemberRowProps {
  organizationId: string
  team: Team
  member: TeamMember
}

/** A member of a team, with the role in the team. */
export function TeamMemberRow({ organizationId, team, member }: TeamMemberRowProps) {
  const { user, id: userId } = member.organization
  const params = { organizationId, teamId: team.id, userId }
  const put = async (role: TeamRole) => {
    await request('PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}', { params, body: { role } })
    invalidate(`/orgs/${organizationId}/teams`)
  }
  const [change] = useAction(put)
  const [remove] = useAction(async () => {
    await request('DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}', { params })
    invalidate(`/orgs/${organizationId}/teams`)
    showToast(fillText(texts.memberRemoved, { name: user.displayName }), {
      action: { title: texts.undo, onSelect: () => void put(member.team.role).catch(showError) },
    })
  })
  return (
    <div class="org-row">
      <Avatar person={user} size={32} />
      <span class="org-row-name">
        <a href={appHref(`/orgs/${organizationId}/members/${userId}`)}>{user.displayName}</a>
        <small>{user.email}</small>
      </span>
      {team.permissions.admin ? (
        <>
          <select
            class="input role-select"
            aria-label={fillText(texts.roleOf, { name: user.displayName })}
            value={member.team.role}
            onChange={(event) => void change(event.currentTarget.value as TeamRole)}
          >
            <option value="member">{texts.member}</option>
            <option value="owner">{texts.owner}</option>
          </select>
          <Button kind="quiet" icon="x" label={texts.removeMember} onClick={() => void remove()} />
        </>
      ) : (
        <span class="org-row-role">{member.team.role === 'owner' ? texts.owner : texts.member}</span>
      )}
    </div>
  )
}
