import { TeamRole } from '../../contract/team.ts'
import { teams } from '../../contract/teams.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordAccessEvents, recordTeamAccessEvents } from '../../domain/live/record-event.ts'
import { presentMember } from '../../domain/members/present-member.ts'
import { findMemberIds, getMemberIds, loadMembers } from '../../domain/members/member-queries.ts'
import { presentTeam } from '../../domain/teams/present-team.ts'
import { addTeamDetails } from '../../domain/teams/team-details.ts'
import * as store from '../../domain/teams/team-store.ts'

export const teamRoutes = implement(teams, {
  async listTeamsInOrganizationById(context, { query }) {
    const { db, organization } = context
    const { owner, title } = query
    const after = decodeCursor(query.page, 1)
    const found = await store.findTeams(db, organization.id, { owner, title }, { after, limit: query.limit })
    const count = await store.countTeams(db, organization.id, { owner, title })
    return toPage(await addTeamDetails(db, context.viewer, found), query, count, (team) => [team.id], presentTeam)
  },

  async createOrganizationTeam(context, { body }) {
    const { db, organization, newId, now } = context
    const at = now()
    const team = {
      organization_id: organization.id,
      id: newId(),
      title: body.title,
      member_count: 0,
      created_at: at,
      updated_at: at,
    }
    await store.insertTeam(db, team)
    const members = await getMemberIds(db, organization.id, body.members ?? [], 'body.members')
    await store.upsertTeamMembers(db, teamKeyOf(team), members, undefined, at)
    await recordEventAbout(context, 'team', team, 'team.create', { after: { members } })
    return present(context, await getTeam(context, team.id))
  },

  async getTeamInOrganizationById(context, { params }) {
    return present(context, await getTeam(context, params.teamId))
  },

  async updateTeamInOrganizationById(context, { params, body }) {
    const { db, organization, now } = context
    const former = await getTeam(context, params.teamId)
    const team = await store.updateTeam(db, organization.id, former.id, { title: body.title, updated_at: now() })
    if (!team) throw notFound('team')
    await recordEventAbout(context, 'team', team, 'team.update', {
      before: { title: former.title },
      after: { title: team.title },
    })
    return present(context, team)
  },

  async removeTeamFromOrganizationById(context, { params }) {
    const { db, organization } = context
    const team = await store.findTeam(db, organization.id, params.teamId)
    if (!team) return
    await recordTeamAccessEvents(context, organization.id, team.id)
    await store.deleteTeam(db, organization.id, team.id)
    await recordEventAbout(context, 'team', team, 'team.delete', { before: { members: team.member_count } })
  },

  async listTeamMembersInOrganizationById(context, { params, query }) {
    const { db, organization, urls } = context
    const team = await getTeam(context, params.teamId)
    const after = decodeCursor(query.page, 1)
    const rows = await store.findTeamMembers(db, organization.id, team.id, { after, limit: query.limit })
    const members = await loadMembers(
      db,
      organization.id,
      rows.map((row) => row.user_id),
    )
    return toPage(
      rows,
      query,
      team.member_count,
      (row) => [row.user_id],
      (row) => ({
        organization: presentMember(members.get(row.user_id), urls),
        team: { role: row.role },
        permissions: { view: true },
      }),
    )
  },

  async updateMembersInOrganizationTeam(context, { params, body }) {
    const { db, organization, now } = context
    const team = await getTeam(context, params.teamId)
    const added = await getMemberIds(db, organization.id, body.add ?? [], 'body.add')
    await store.upsertTeamMembers(db, teamKeyOf(team), added, undefined, now())
    const changes: Record<string, readonly string[]> = { added }
    for (const role of TeamRole.options) {
      const keys = Object.entries(body.memberships ?? {}).flatMap(([key, membership]) =>
        membership.role === role ? [key] : [],
      )
      const users = await getMemberIds(db, organization.id, keys, 'body.memberships')
      await store.upsertTeamMembers(db, teamKeyOf(team), users, role, now())
      changes[role] = users
    }
    const removed = await findMemberIds(db, organization.id, body.remove ?? [])
    // Last, so that a member in both lists is removed.
    await store.deleteTeamMembers(db, teamKeyOf(team), [...removed.values()])
    await recordMembers(context, team, { ...changes, removed: [...removed.values()] })
  },

  async addMemberToOrganizationTeamById(context, { params, body }) {
    const { db, organization, now } = context
    const team = await getTeam(context, params.teamId)
    const members = await getMemberIds(db, organization.id, [params.userId], 'path.userId')
    await store.upsertTeamMembers(db, teamKeyOf(team), members, body.role, now())
    await recordMembers(context, team, { [body.role ?? 'added']: members })
  },

  async deleteMemberFromOrganizationTeamById(context, { params }) {
    const { db, organization } = context
    const team = await store.findTeam(db, organization.id, params.teamId)
    if (!team || (await store.deleteTeamMembers(db, teamKeyOf(team), [params.userId])) === 0) return
    await recordMembers(context, team, { removed: [params.userId] })
  },
})

/** Records changes of the members of a team: the IDs of those who were added, removed or given a role. */
async function recordMembers(
  context: OrganizationContext,
  team: Row<'teams'>,
  changes: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const after = Object.fromEntries(Object.entries(changes).filter(([, users]) => users.length > 0))
  if (Object.keys(after).length === 0) return
  await recordEventAbout(context, 'team', team, 'team.members-update', { after })
  await recordAccessEvents(context, team.organization_id, Object.values(after).flat())
}

async function getTeam({ db, organization }: OrganizationContext, teamId: string): Promise<Row<'teams'>> {
  const team = await store.findTeam(db, organization.id, teamId)
  if (!team) throw notFound('team')
  return team
}

async function present(context: OrganizationContext, team: Row<'teams'>) {
  const [row] = await addTeamDetails(context.db, context.viewer, [team])
  return presentTeam(row as NonNullable<typeof row>)
}

function teamKeyOf(team: Pick<Row<'teams'>, 'organization_id' | 'id'>) {
  return { organization_id: team.organization_id, team_id: team.id }
}
