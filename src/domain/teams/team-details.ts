import type { Viewer } from '../../kernel/context.ts'
import { unknownReference } from '../../kernel/errors.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { countSpacesOfTeams } from '../permissions/shared-counts.ts'
import { type TeamRow } from './present-team.ts'
import { countTeams, findTeamRoles, findTeams, findTeamsById } from './team-store.ts'

/** Adds to each team the number of spaces shared with it, and whether the viewer manages it. */
export async function addTeamDetails(db: Db, viewer: Viewer, teams: readonly Row<'teams'>[]): Promise<TeamRow[]> {
  const ids = teams.map((team) => team.id)
  const spaces = await countSpacesOfTeams(db, viewer.organizationId, ids)
  const viewerRoles = new Map(
    (await findTeamRoles(db, viewer.organizationId, viewer.userId, ids)).map((row) => [row.team_id, row.role]),
  )
  return teams.map((team) => ({
    ...team,
    space_count: spaces.get(team.id)?.total ?? 0,
    managed: viewer.role === 'admin' || viewerRoles.get(team.id) === 'owner',
  }))
}

/** Returns teams by their IDs; throws if one is not a team of the organization. */
export async function getTeams(
  db: Db,
  organizationId: string,
  teamIds: readonly string[],
  field: string,
): Promise<Row<'teams'>[]> {
  const teams = await findTeamsById(db, organizationId, teamIds)
  const known = new Set(teams.map(({ id }) => id))
  teamIds.forEach((id, index) => {
    if (!known.has(id)) throw unknownReference(`${field}.${index}`, 'team')
  })
  return teams
}

/** Lists the teams of a member, with the member's role in each. */
export async function listTeamsOfMember(
  db: Db,
  viewer: Viewer,
  userId: string,
  title: string | undefined,
  page: { after: Cursor | undefined; limit: number },
) {
  const { organizationId } = viewer
  const filter = { member: userId, title }
  const teams = await addTeamDetails(db, viewer, await findTeams(db, organizationId, filter, page))
  const roles = await findTeamRoles(
    db,
    organizationId,
    userId,
    teams.map((team) => team.id),
  )
  const memberRoles = new Map(roles.map((row) => [row.team_id, row.role]))
  const rows = teams.map((team) => ({ team, memberRole: memberRoles.get(team.id) ?? ('member' as const) }))
  return { rows, count: await countTeams(db, organizationId, filter) }
}
