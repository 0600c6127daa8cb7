import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../../schema/tables.ts'

/** Selects members with their account and with the data that the identity provider has sent about them. */
function selectUsers(db: Db, organizationId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('scim_users', (join) =>
      join
        .onRef('scim_users.organization_id', '=', 'members.organization_id')
        .onRef('scim_users.user_id', '=', 'members.user_id'),
    )
    .where('members.organization_id', '=', organizationId)
    .select(['members.user_id', 'members.role', 'members.disabled', 'members.joined_at'])
    .select(['users.email as account_email', 'users.display_name as account_name'])
    .select([
      'scim_users.user_name',
      'scim_users.external_id',
      'scim_users.display_name',
      'scim_users.given_name',
      'scim_users.family_name',
      'scim_users.formatted_name',
      'scim_users.email',
      'scim_users.email_type',
      'scim_users.updated_at',
    ])
}

/** A member as SCIM sees them. */
export type ScimUserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['execute']>>[number]

export function findUser(db: Db, organizationId: string, userId: string): Promise<ScimUserRow | undefined> {
  return selectUsers(db, organizationId).where('members.user_id', '=', userId).executeTakeFirst()
}

/** Columns of members that have an index. */
export type UserOrder = 'user_id' | 'user_name_key' | 'joined_at'

/** Finds a page of members. The rows before it are skipped in an index, without reading the members themselves. */
export async function findUsers(
  db: Db,
  organizationId: string,
  condition: RawBuilder<SqlBool> | undefined,
  order: { column: UserOrder; direction: 'asc' | 'desc' },
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimUserRow[]> {
  const page = await db
    .selectFrom('members')
    .where('members.organization_id', '=', organizationId)
    .$if(condition !== undefined, (query) => query.where(condition as RawBuilder<SqlBool>))
    .select('members.user_id')
    // SQLite does not use the index of the condition if a column is repeated.
    .$if(order.column !== 'user_id', (query) => query.orderBy(`members.${order.column}`, order.direction))
    .orderBy('members.user_id', order.direction)
    .limit(limit)
    .offset(offset)
    .execute()
  if (page.length === 0) return []
  const ids = page.map((row) => row.user_id)
  const rows = await selectUsers(db, organizationId).where('members.user_id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function countUsers(db: Db, organizationId: string, condition: RawBuilder<SqlBool>): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('members.organization_id', '=', organizationId)
    .where(condition)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether another member has the user name. */
export async function isUserNameTaken(
  db: Db,
  organizationId: string,
  userName: string,
  exceptUserId: string,
): Promise<boolean> {
  const other = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_name_key', '=', userName.toLowerCase())
    .where('user_id', '!=', exceptUserId)
    .executeTakeFirst()
  return other !== undefined
}

export async function upsertScimUser(db: Db, user: Insertable<Tables['scim_users']>): Promise<void> {
  await db
    .insertInto('scim_users')
    .values(user)
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(user))
    .execute()
}

/** Records that the identity provider of an organization created an account. */
export async function insertScimAccount(db: Db, organizationId: string, userId: string): Promise<void> {
  await db.insertInto('scim_accounts').values({ organization_id: organizationId, user_id: userId }).execute()
}

/** Finds the groups of several users. */
export function findGroupsOfUsers(db: Db, organizationId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return db
    .selectFrom('team_members')
    .innerJoin('teams', (join) =>
      join
        .onRef('teams.organization_id', '=', 'team_members.organization_id')
        .onRef('teams.id', '=', 'team_members.team_id'),
    )
    .where('team_members.organization_id', '=', organizationId)
    .where('team_members.user_id', 'in', userIds)
    .select(['team_members.user_id', 'teams.id', 'teams.title'])
    .orderBy('teams.id')
    .execute()
}

/** Conditions on members for the comparisons of filters that an index serves. Values are compared in lower case. */
export const userConditions = {
  all: () => sql<SqlBool>`1 = 1`,

  id: (id: string) => sql<SqlBool>`members.user_id = ${id}`,

  isActive: (isActive: boolean) => sql<SqlBool>`members.disabled = ${isActive ? 0 : 1}`,

  userName: (name: string) => sql<SqlBool>`members.user_name_key = ${name}`,

  /** The pattern is escaped with a backslash. */
  userNameLike: (pattern: string) => sql<SqlBool>`members.user_name_key like ${pattern} escape '\\'`,

  externalId: (organizationId: string, externalId: string) => sql<SqlBool>`members.user_id in (
    select user_id from scim_users where organization_id = ${organizationId} and external_id = ${externalId})`,

  email: (organizationId: string, email: string) => sql<SqlBool>`members.user_id in (
    select user_id from scim_users where organization_id = ${organizationId} and email = ${email}
    union all
    select id from users where email = ${email} and not exists (
      select 1 from scim_users where organization_id = ${organizationId} and user_id = users.id))`,

  displayName: (organizationId: string, name: string) => sql<SqlBool>`members.user_id in (
    select user_id from scim_users where organization_id = ${organizationId} and display_name_key = ${name}
    union all
    select user_id from members as named where organization_id = ${organizationId} and name_key = ${name} and not exists (
      select 1 from scim_users where organization_id = ${organizationId} and user_id = named.user_id))`,

  group: (organizationId: string, teamId: string) => sql<SqlBool>`members.user_id in (
    select user_id from team_members where organization_id = ${organizationId} and team_id = ${teamId})`,
}
