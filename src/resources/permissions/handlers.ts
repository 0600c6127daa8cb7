import type { MembersQuery } from '../../contract/members.ts'
import {
  type TeamPermission,
  type UserPermission,
  type UserSitePermission,
  collectionPermissions,
  sitePermissions,
  spacePermissions,
} from '../../contract/permissions.ts'
import { type Role, type RoleOrGuest, roleAtRank } from '../../contract/roles.ts'
import type { Paginated } from '../../contract/shared.ts'
import type { ListQuery } from '../../contract/shared.ts'
import type { CollectionContext, SiteContext, SpaceContext, MemberContext, UserContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { memberSortColumns } from '../../domain/members/member-order.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { recordAccessEvents, recordSpaceEvent, recordTeamAccessEvents } from '../../domain/live/record-event.ts'
import { getMemberIds } from '../../domain/members/member-queries.ts'
import { presentTeam } from '../../domain/teams/present-team.ts'
import { addTeamDetails, getTeams } from '../../domain/teams/team-details.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import {
  type RoleSource,
  countEffectiveUsers,
  countEffectiveMembers,
  findEffectiveUsers,
  findEffectiveMembers,
} from './effective-roles.ts'
import * as store from '../../domain/permissions/grant-store.ts'

export const spacePermissionRoutes = implement(spacePermissions, {
  inviteToSpace: (context, { body }) => shareContent(context, toSharedSpace(context), body),
  listPermissionsAggregateInSpace: (context, { query }) => listEffectiveUsers(context, toSharedSpace(context), query),
  listUserPermissionsInSpace: (context, { query }) => listUserGrants(context, toSharedSpace(context), query),
  updateUserPermissionInSpace: (context, { params, body }) =>
    changeGrantRole(context, toSharedSpace(context), 'user', params.userId, body.role),
  removeUserFromSpace: (context, { params }) => removeGrant(context, toSharedSpace(context), 'user', params.userId),
  listTeamPermissionsInSpace: (context, { query }) => listTeamGrants(context, toSharedSpace(context), query),
  updateTeamPermissionInSpace: (context, { params, body }) =>
    changeGrantRole(context, toSharedSpace(context), 'team', params.teamId, body.role),
  removeTeamFromSpace: (context, { params }) => removeGrant(context, toSharedSpace(context), 'team', params.teamId),
})

export const collectionPermissionRoutes = implement(collectionPermissions, {
  inviteToCollection: (context, { body }) => shareContent(context, toSharedCollection(context), body),
  listPermissionsAggregateInCollection: (context, { query }) =>
    listEffectiveUsers(context, toSharedCollection(context), query),
  listUserPermissionsInCollection: (context, { query }) => listUserGrants(context, toSharedCollection(context), query),
  updateUserPermissionInCollection: (context, { params, body }) =>
    changeGrantRole(context, toSharedCollection(context), 'user', params.userId, body.role),
  removeUserFromCollection: (context, { params }) =>
    removeGrant(context, toSharedCollection(context), 'user', params.userId),
  listTeamPermissionsInCollection: (context, { query }) => listTeamGrants(context, toSharedCollection(context), query),
  updateTeamPermissionInCollection: (context, { params, body }) =>
    changeGrantRole(context, toSharedCollection(context), 'team', params.teamId, body.role),
  removeTeamFromCollection: (context, { params }) =>
    removeGrant(context, toSharedCollection(context), 'team', params.teamId),
})

export const sitePermissionRoutes = implement(sitePermissions, {
  inviteToSite: (context, { body }) => shareContent(context, toSharedSite(context), body),
  listPermissionsAggregateInSite: (context, { query }) => listEffectiveMembers(context, toSharedSite(context), query),
  listUserPermissionsInSite: (context, { query }) => listUserGrants(context, toSharedSite(context), query),
  updateUserPermissionInSite: (context, { params, body }) =>
    changeGrantRole(context, toSharedSite(context), 'user', params.userId, body.role),
  removeUserFromSite: (context, { params }) => removeGrant(context, toSharedSite(context), 'user', params.userId),
  listTeamPermissionsInSite: (context, { query }) => listTeamGrants(context, toSharedSite(context), query),
  updateTeamPermissionInSite: (context, { params, body }) =>
    changeGrantRole(context, toSharedSite(context), 'team', params.teamId, body.role),
  removeTeamFromSite: (context, { params }) => removeGrant(context, toSharedSite(context), 'team', params.teamId),
})

/** Shared content with the title that the audit log shows. */
interface SharedRow extends store.SharedContentWithLevel {
  title: string
}

function toSharedSpace({ space }: SpaceContext): SharedRow {
  const { organization_id: organizationId, id, title, parent_id: parentId, resolved_level: level } = space
  return { kind: 'space', organizationId, id, title, parentId, level }
}

function toSharedCollection({ collection }: CollectionContext): SharedRow {
  const { organization_id: organizationId, id, title, parent_id: parentId, resolved_level: level } = collection
  return { kind: 'collection', organizationId, id, title, parentId, level }
}

function toSharedSite({ site }: SiteContext): SharedRow {
  const { organization_id: organizationId, id, title, resolved_level: level } = site
  return { kind: 'site', organizationId, id, title, parentId: null, level }
}

/** Records who was given a role for content, or lost it (null). */
async function recordGrants(
  context: UserContext,
  { kind, organizationId, id, title }: SharedRow,
  grantees: { users?: readonly string[]; teams?: readonly string[] },
  role: RoleOrGuest,
): Promise<void> {
  const row = { organization_id: organizationId, id, title }
  if (role === null) await recordEventAbout(context, kind, row, 'permission.revoke', { after: grantees })
  else await recordEventAbout(context, kind, row, 'permission.grant', { after: { role, ...grantees } })
  if (kind === 'space') await recordSpaceEvent(context, row)
  await recordAccessEvents(context, organizationId, grantees.users ?? [])
  for (const teamId of grantees.teams ?? []) await recordTeamAccessEvents(context, organizationId, teamId)
}

const toGrantees = (grantee: store.GranteeKind, granteeId: string) => ({ [`${grantee}s` as const]: [granteeId] })

async function removeGrant(
  context: UserContext,
  content: SharedRow,
  grantee: store.GranteeKind,
  granteeId: string,
): Promise<void> {
  if (!(await store.findGrant(context.db, content, grantee, granteeId))) return
  await store.deleteGrants(context.db, content, grantee, [granteeId])
  await recordGrants(context, content, toGrantees(grantee, granteeId), null)
}

async function shareContent(
  context: UserContext,
  content: SharedRow,
  { role, users = [], teams = [] }: { role: RoleOrGuest; users?: string[] | undefined; teams?: string[] | undefined },
): Promise<void> {
  const { db, now } = context
  const userIds = await getMemberIds(db, content.organizationId, users, 'body.users')
  const teamIds = (await getTeams(db, content.organizationId, teams, 'body.teams')).map(({ id }) => id)
  if (userIds.length + teamIds.length > 0)
    await recordGrants(context, content, { users: userIds, teams: teamIds }, role)
  if (role === null) {
    await store.deleteGrants(db, content, 'user', userIds)
    return store.deleteGrants(db, content, 'team', teamIds)
  }
  await store.upsertGrants(db, content, 'user', userIds, role, now())
  await store.upsertGrants(db, content, 'team', teamIds, role, now())
}

/** Changes the role of an existing grant; fails if there is none. */
async function changeGrantRole(
  context: UserContext,
  content: SharedRow,
  grantee: store.GranteeKind,
  granteeId: string,
  role: RoleOrGuest,
): Promise<void> {
  const { db, now } = context
  const grant = await store.findGrant(db, content, grantee, granteeId)
  if (!grant) throw notFound(`permission of this ${grantee} in the ${content.kind}`)
  if (grant.role === role) return
  await recordGrants(context, content, toGrantees(grantee, granteeId), role)
  if (role === null) return store.deleteGrants(db, content, grantee, [granteeId])
  await store.upsertGrants(db, content, grantee, [granteeId], role, now())
}

async function listUserGrants(
  { db, urls }: UserContext,
  content: SharedRow,
  query: ListQuery,
): Promise<Paginated<UserPermission>> {
  const rows = await store.findUserGrants(db, content, { after: decodeCursor(query.page, 1), limit: query.limit })
  return toPage(
    rows,
    query,
    await store.countGrants(db, content, 'user'),
    (row) => [row.id],
    ({ role, ...user }) => ({ permission: role, user: presentUser(user, urls) }),
  )
}

async function listTeamGrants(
  { db, viewer }: MemberContext,
  content: SharedRow,
  query: ListQuery,
): Promise<Paginated<TeamPermission>> {
  const rows = await store.findTeamGrants(db, content, { after: decodeCursor(query.page, 1), limit: query.limit })
  const teams = await addTeamDetails(db, viewer, rows)
  return toPage(
    teams.map((team, index) => ({ team, permission: rows[index]?.role as Role })),
    query,
    await store.countGrants(db, content, 'team'),
    ({ team }) => [team.id],
    ({ team, permission }) => ({ permission, team: presentTeam(team) }),
  )
}

async function listEffectiveUsers(
  { db, urls }: UserContext,
  content: SharedRow,
  query: ListQuery & { role?: Role | undefined },
): Promise<Paginated<UserPermission>> {
  const rows = await findEffectiveUsers(db, content, query.role, {
    after: decodeCursor(query.page, 1),
    limit: query.limit,
  })
  return toPage(
    rows,
    query,
    await countEffectiveUsers(db, content, query.role),
    (row) => [row.id],
    ({ rank, ...user }) => ({ permission: roleAtRank(rank) as Role, user: presentUser(user, urls) }),
  )
}

async function listEffectiveMembers(
  { db, urls }: UserContext,
  content: SharedRow,
  query: MembersQuery & { team?: string | undefined },
): Promise<Paginated<UserSitePermission>> {
  const { role, search, team, sort } = query
  const after = decodeCursor(query.page, 2)
  // Everyone who can see a site has a role in it.
  if (role === 'guest') return { count: 0, items: [] }
  const filter = { role, search, team, seen: sort === 'lastSeenAt' }
  const column = memberSortColumns[sort]
  const order = { column, direction: query.order }
  return toPage(
    await findEffectiveMembers(db, content, filter, order, { after, limit: query.limit }),
    query,
    await countEffectiveMembers(db, content, filter),
    (row) => [row[column] ?? '', row.id],
    ({ rank, source, team_id, ...row }) => ({
      permission: roleAtRank(rank) as Role,
      user: presentUser(row, urls),
      origin: originOf(content, source, team_id),
      disabled: row.disabled === 1,
      ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
    }),
  )
}

function originOf(
  { organizationId, id }: SharedRow,
  source: RoleSource,
  teamId: string | null,
): UserSitePermission['origin'] {
  if (source === 'organization') return { type: 'organization', organization: organizationId }
  return { type: 'site', site: id, reason: source, ...(source === 'team' && teamId !== null && { team: teamId }) }
}
