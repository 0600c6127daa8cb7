import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../schema/tables.ts'
import { columnContains, lowerCaseColumn } from '../../storage/case-insensitive.ts'

/** Selects teams with the data that the identity provider has sent about them. */
function selectGroups(db: Db, organizationId: string) {
  return db
    .selectFrom('teams')
    .leftJoin('scim_groups', (join) =>
      join
        .onRef('scim_groups.organization_id', '=', 'teams.organization_id')
        .onRef('scim_groups.team_id', '=', 'teams.id'),
    )
    .where('teams.organization_id', '=', organizationId)
    .select(['teams.id', 'teams.title', 'teams.member_count', 'teams.created_at', 'teams.updated_at'])
    .select('scim_groups.external_id')
}

/** A team as SCIM sees it. */
export type ScimGroupRow = Awaited<ReturnType<ReturnType<typeof selectGroups>['execute']>>[number]

export function findGroup(db: Db, organizationId: string, teamId: string): Promise<ScimGroupRow | undefined> {
  return selectGroups(db, organizationId).where('teams.id', '=', teamId).executeTakeFirst()
}

/** Columns of teams that groups can be sorted by. */
export type GroupOrder = 'id' | 'title' | 'created_at'

export function findGroups(
  db: Db,
  organizationId: string,
  condition: RawBuilder<SqlBool> | undefined,
  order: { column: GroupOrder; direction: 'asc' | 'desc' },
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimGroupRow[]> {
  return selectGroups(db, organizationId)
    .$if(condition !== undefined, (query) => query.where(condition as RawBuilder<SqlBool>))
    .orderBy(`teams.${order.column}`, order.direction)
    .orderBy('teams.id', order.direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countGroups(
  db: Db,
  organizationId: string,
  condition: RawBuilder<SqlBool> | undefined,
): Promise<number> {
  const { count } = await db
    .selectFrom('teams')
    .where('teams.organization_id', '=', organizationId)
    .$if(condition !== undefined, (query) => query.where(condition as RawBuilder<SqlBool>))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether another team has the title, in any case. */
export async function isTitleTaken(
  db: Db,
  organizationId: string,
  title: string,
  exceptTeamId: string,
): Promise<boolean> {
  const other = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '!=', exceptTeamId)
    .where(groupConditions.displayName(title.toLowerCase()))
    .executeTakeFirst()
  return other !== undefined
}

export async function upsertScimGroup(
  db: Db,
  organizationId: string,
  teamId: string,
  externalId: string | null,
): Promise<void> {
  await db
    .insertInto('scim_groups')
    .values({ organization_id: organizationId, team_id: teamId, external_id: externalId })
    .onConflict((conflict) => conflict.columns(['organization_id', 'team_id']).doUpdateSet({ external_id: externalId }))
    .execute()
}

/** Selects members of groups; the name is the one that the identity provider has sent, if any. */
function selectMembers(db: Db, organizationId: string) {
  return db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .leftJoin('scim_users', (join) =>
      join
        .onRef('scim_users.organization_id', '=', 'team_members.organization_id')
        .onRef('scim_users.user_id', '=', 'team_members.user_id'),
    )
    .where('team_members.organization_id', '=', organizationId)
    .select(['team_members.team_id', 'team_members.user_id'])
    .select(sql<string>`coalesce(scim_users.display_name, scim_users.user_name, users.display_name)`.as('display_name'))
}

/** Finds all members of several groups. */
export function findMembersOfGroups(db: Db, organizationId: string, teamIds: readonly string[]) {
  if (teamIds.length === 0) return []
  return selectMembers(db, organizationId)
    .where('team_members.team_id', 'in', teamIds)
    .orderBy('team_members.team_id')
    .orderBy('team_members.user_id')
    .execute()
}

/** Finds the members of a group that follow a member in the order of ids. */
export function findNextMembers(db: Db, organizationId: string, teamId: string, afterUserId: string, limit: number) {
  return selectMembers(db, organizationId)
    .where('team_members.team_id', '=', teamId)
    .where('team_members.user_id', '>', afterUserId)
    .orderBy('team_members.user_id')
    .limit(limit)
    .execute()
}

/** Conditions on teams for the comparisons of filters. Texts are in lower case. */
export const groupConditions = {
  id: (id: string) => sql<SqlBool>`teams.id = ${id}`,

  displayName: (text: string) => sql<SqlBool>`${lowerCaseColumn('teams.title', text)} = ${text}`,

  displayNameContains: (text: string) => columnContains('teams.title', text),

  externalId: (organizationId: string, externalId: string) => sql<SqlBool>`teams.id in (
    select team_id from scim_groups where organization_id = ${organizationId} and external_id = ${externalId})`,

  member: (organizationId: string, userId: string) => sql<SqlBool>`teams.id in (
    select team_id from team_members where organization_id = ${organizationId} and user_id = ${userId})`,
}
