import { TeamRole } from '../../contract/team.ts'
import { teams } from '../../contract/teams.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import type { Row } from '../../schema/tables.ts'
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
    return present(context, await getTeam(context, team.id))
  },

  async getTeamInOrganizationById(context, { params }) {
    return present(context, await getTeam(context, params.teamId))
  },

  async updateTeamInOrganizationById(context, { params, body }) {
    const { db, organization, now } = context
    const team = await store.updateTeam(db, organization.id, params.teamId, { title: body.title, updated_at: now() })
    if (!team) throw notFound('team')
    return present(context, team)
  },

  async removeTeamFromOrganizationById({ db, organization }, { params }) {
    await store.deleteTeam(db, organization.id, params.teamId)
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
    for (const role of TeamRole.options) {
      const keys = Object.entries(body.memberships ?? {}).flatMap(([key, membership]) =>
        membership.role === role ? [key] : [],
      )
      const users = await getMemberIds(db, organization.id, keys, 'body.memberships')
      await store.upsertTeamMembers(db, teamKeyOf(team), users, role, now())
    }
    const removed = await findMemberIds(db, organization.id, body.remove ?? [])
    // Last, so that a member in both lists is removed.
    await store.deleteTeamMembers(db, teamKeyOf(team), [...removed.values()])
  },

  async addMemberToOrganizationTeamById(context, { params, body }) {
    const { db, organization, now } = context
    const team = await getTeam(context, params.teamId)
    const members = await getMemberIds(db, organization.id, [params.userId], 'path.userId')
    await store.upsertTeamMembers(db, teamKeyOf(team), members, body.role, now())
  },

  async deleteMemberFromOrganizationTeamById({ db, organization }, { params }) {
    await store.deleteTeamMembers(db, { organization_id: organization.id, team_id: params.teamId }, [params.userId])
  },
})

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
