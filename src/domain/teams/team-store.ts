import type { Insertable } from 'kysely'
import type { TeamRole } from '../../contract/team.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { columnContains } from '../../storage/case-insensitive.ts'
import type { Db, Tables } from '../../schema/tables.ts'

interface TeamFilter {
  /** Only teams that this member owns. */
  owner?: string | undefined
  /** Only teams that this member is in. */
  member?: string | undefined
  /** Part of the title, in any case. */
  title?: string | undefined
}

function selectMatchingTeams(db: Db, organizationId: string, { owner, member, title }: TeamFilter) {
  return db
    .selectFrom('teams')
    .where('teams.organization_id', '=', organizationId)
    .$if(owner !== undefined, (query) =>
      query.where('teams.id', 'in', selectTeamIdsOfMember(db, organizationId, owner as string, 'owner')),
    )
    .$if(member !== undefined, (query) =>
      query.where('teams.id', 'in', selectTeamIdsOfMember(db, organizationId, member as string)),
    )
    .$if(title !== undefined, (query) => query.where(columnContains('teams.title', title as string)))
}

function selectTeamIdsOfMember(db: Db, organizationId: string, userId: string, role?: TeamRole) {
  return db
    .selectFrom('team_members')
    .select('team_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .$if(role !== undefined, (query) => query.where('role', '=', role as TeamRole))
}

export function findTeams(
  db: Db,
  organizationId: string,
  filter: TeamFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return selectMatchingTeams(db, organizationId, filter)
    .$if(after !== undefined, (query) => query.where('teams.id', '>', after?.[0] as string))
    .selectAll('teams')
    .orderBy('teams.id')
    .limit(limit + 1)
    .execute()
}

export async function countTeams(db: Db, organizationId: string, filter: TeamFilter): Promise<number> {
  const { count } = await selectMatchingTeams(db, organizationId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function findTeam(db: Db, organizationId: string, teamId: string) {
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .executeTakeFirst()
}

/** Finds teams of an organization by their IDs. */
export async function findTeamsById(db: Db, organizationId: string, teamIds: readonly string[]) {
  if (teamIds.length === 0) return []
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', teamIds)
    .orderBy('id')
    .execute()
}

export function insertTeam(db: Db, team: Insertable<Tables['teams']>) {
  return db.insertInto('teams').values(team).returningAll().executeTakeFirstOrThrow()
}

export function updateTeam(
  db: Db,
  organizationId: string,
  teamId: string,
  values: { title: string; updated_at: string },
) {
  return db
    .updateTable('teams')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteTeam(db: Db, organizationId: string, teamId: string): Promise<void> {
  await db.deleteFrom('teams').where('organization_id', '=', organizationId).where('id', '=', teamId).execute()
}

/** Returns the roles of a member in those of the teams that the member is in. */
export function findTeamRoles(db: Db, organizationId: string, userId: string, teamIds: readonly string[]) {
  if (teamIds.length === 0) return []
  return db
    .selectFrom('team_members')
    .select(['team_id', 'role'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('team_id', 'in', teamIds)
    .execute()
}

export function findTeamMembers(
  db: Db,
  organizationId: string,
  teamId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('team_members')
    .select(['user_id', 'role'])
    .where('organization_id', '=', organizationId)
    .where('team_id', '=', teamId)
    .$if(after !== undefined, (query) => query.where('user_id', '>', after?.[0] as string))
    .orderBy('user_id')
    .limit(limit + 1)
    .execute()
}

interface TeamKey {
  organization_id: string
  team_id: string
}

/** Adds members to a team; existing members get the role, if one is given. */
export async function upsertTeamMembers(
  db: Db,
  key: TeamKey,
  userIds: readonly string[],
  role: TeamRole | undefined,
  addedAt: string,
): Promise<void> {
  if (userIds.length === 0) return
  const { length: existingCount } = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('organization_id', '=', key.organization_id)
    .where('team_id', '=', key.team_id)
    .where('user_id', 'in', userIds)
    .execute()
  await db
    .insertInto('team_members')
    .values(userIds.map((userId) => ({ ...key, user_id: userId, role: role ?? 'member', added_at: addedAt })))
    .onConflict((conflict) => {
      const conflictTarget = conflict.columns(['organization_id', 'team_id', 'user_id'])
      return role === undefined ? conflictTarget.doNothing() : conflictTarget.doUpdateSet({ role })
    })
    .execute()
  await addToTeamMemberCount(db, key, userIds.length - existingCount)
}

/** Removes members from a team; returns how many were in it. */
export async function deleteTeamMembers(db: Db, key: TeamKey, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0
  const { numDeletedRows } = await db
    .deleteFrom('team_members')
    .where('organization_id', '=', key.organization_id)
    .where('team_id', '=', key.team_id)
    .where('user_id', 'in', userIds)
    .executeTakeFirst()
  await addToTeamMemberCount(db, key, -Number(numDeletedRows))
  return Number(numDeletedRows)
}

/** Removes all members of a team but the given ones. */
export async function deleteOtherTeamMembers(db: Db, key: TeamKey, keptIds: readonly string[]): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('team_members')
    .where('organization_id', '=', key.organization_id)
    .where('team_id', '=', key.team_id)
    .$if(keptIds.length > 0, (query) => query.where('user_id', 'not in', keptIds))
    .executeTakeFirst()
  await addToTeamMemberCount(db, key, -Number(numDeletedRows))
}

/** Subtracts a member who is about to be removed from the counts of the member's teams. */
export async function decreaseTeamMemberCounts(db: Db, organizationId: string, userId: string): Promise<void> {
  await db
    .updateTable('teams')
    .set((eb) => ({ member_count: eb('member_count', '-', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', 'in', selectTeamIdsOfMember(db, organizationId, userId))
    .execute()
}

/** Updates the stored number of members, so that lists of teams need not count rows. */
async function addToTeamMemberCount(db: Db, key: TeamKey, difference: number): Promise<void> {
  if (difference === 0) return
  await db
    .updateTable('teams')
    .set((eb) => ({ member_count: eb('member_count', '+', difference) }))
    .where('organization_id', '=', key.organization_id)
    .where('id', '=', key.team_id)
    .execute()
}
