import { type Insertable, type RawBuilder, type Updateable, sql } from 'kysely'
import { reachCondition } from '../../access/sso.ts'
import type { OrganizationReach } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import type { StoredRole } from '../../schema/values.ts'
import { defineLookup, defineListQuery } from '../../storage/lookup.ts'
import { columnContains } from '../../storage/case-insensitive.ts'
import { addToMemberCount } from '../organizations/organization-store.ts'
import { decreaseTeamMemberCounts } from '../teams/team-store.ts'
import type { MemberOrder } from './member-order.ts'

/** Selects memberships with their users and team counts. */
function selectMembers(db: Db, organizationId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', organizationId)
    .selectAll('members')
    .select(['users.email', 'users.display_name', 'users.photo_url', 'users.created_at', 'users.updated_at'])
    .select((eb) =>
      eb
        .selectFrom('team_members')
        .whereRef('team_members.organization_id', '=', 'members.organization_id')
        .whereRef('team_members.user_id', '=', 'members.user_id')
        .select((e) => e.fn.countAll<number>().as('count'))
        .as('team_count'),
    )
}

/** A membership with its user and the number of its teams. */
export type MemberWithUser = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

export interface MemberFilter {
  role?: StoredRole | undefined
  /** Part of the name or the email address, in any case. */
  search?: string | undefined
  /** Only members who were seen at all. */
  seen: boolean
}

interface MemberQueryShape extends MemberOrder {
  hasRole: boolean
  seen: boolean
  hasCursor: boolean
}

type MemberQueryValues = Record<'organizationId' | 'role' | 'afterKey' | 'afterId', string> & { limit: number }

function selectOrderedMembers(db: Db, values: MemberQueryValues, shape: MemberQueryShape, search?: string) {
  const { column, direction } = shape
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  return selectMembers(db, values.organizationId)
    .$if(shape.hasRole, (query) => query.where('members.role', '=', values.role as StoredRole))
    .$if(search !== undefined, (query) => query.where(columnContains('members.search_text', search as string)))
    .$if(shape.seen, (query) => query.where('members.last_seen_at', 'is not', null))
    .$if(shape.hasCursor, (query) =>
      query.where(
        sql<boolean>`(${sql.ref(`members.${column}`)}, members.user_id) ${comparison} (${values.afterKey}, ${values.afterId})`,
      ),
    )
    .orderBy(`members.${column}`, direction)
    .orderBy('members.user_id', direction)
    .limit(sql<number>`${values.limit}`)
}

const listMembers = defineListQuery((db, values: MemberQueryValues, shape: MemberQueryShape) =>
  selectOrderedMembers(db, values, shape),
)

export function findMembers(
  db: Db,
  organizationId: string,
  { role, search, seen }: MemberFilter,
  order: MemberOrder,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<MemberWithUser[]> {
  const [afterKey = '', afterId = ''] = after ?? []
  const values = { organizationId, role: role ?? '', afterKey, afterId, limit: limit + 1 }
  const shape = { ...order, hasRole: role !== undefined, seen, hasCursor: after !== undefined }
  // The statement of a search depends on the letters that are searched for.
  return search === undefined
    ? listMembers(db, values, shape)
    : selectOrderedMembers(db, values, shape, search).execute()
}

export async function countMembers(
  db: Db,
  organizationId: string,
  { role, search, seen }: MemberFilter,
): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('organization_id', '=', organizationId)
    .$if(role !== undefined, (query) => query.where('role', '=', role as StoredRole))
    .$if(search !== undefined, (query) => query.where(columnContains('search_text', search as string)))
    .$if(seen, (query) => query.where('last_seen_at', 'is not', null))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findMembersById(db: Db, organizationId: string, userIds: readonly string[]) {
  if (userIds.length === 0) return []
  return selectMembers(db, organizationId).where('members.user_id', 'in', userIds).execute()
}

/** Finds the ones of the users who are members of an organization. */
export function findMemberUsers(db: Db, organizationId: string, userIds: readonly string[]): Promise<Row<'users'>[]> {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where('members.user_id', 'in', userIds)
    .selectAll('users')
    .execute()
}

/** Finds members by id or email address; returns both. */
export function findMemberKeys(db: Db, organizationId: string, keys: readonly string[]) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([
        eb('users.id', 'in', keys),
        eb(
          'users.email',
          'in',
          keys.map((key) => key.toLowerCase()),
        ),
      ]),
    )
    .select(['users.id', 'users.email'])
    .execute()
}

export async function findMemberRole(db: Db, organizationId: string, userId: string): Promise<StoredRole | undefined> {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

export function findMembership(db: Db, organizationId: string, userId: string): Promise<Row<'members'> | undefined> {
  return db
    .selectFrom('members')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Whether a user is a member of an organization besides the given one. */
export async function isMemberOfOthers(db: Db, userId: string, organizationId: string): Promise<boolean> {
  const other = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('organization_id', '!=', organizationId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Finds the organization in reach that a user joined first. */
export async function findFirstOrganizationId(
  db: Db,
  userId: string,
  reach: OrganizationReach,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('disabled', '=', 0)
    .where(reachCondition(reach, 'organization_id'))
    .orderBy('joined_at')
    .orderBy('organization_id')
    .limit(1)
    .executeTakeFirst()
  return row?.organization_id
}

/** Ends the access of all members of an organization that is deleted. */
export async function disableAllMembers(db: Db, organizationId: string): Promise<void> {
  await db.updateTable('members').set({ disabled: 1 }).where('organization_id', '=', organizationId).execute()
}

/** Adds a member; false when the user is one already. */
export async function insertMember(db: Db, member: Insertable<Tables['members']>): Promise<boolean> {
  const inserted = await db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (inserted) await addToMemberCount(db, member.organization_id, 1)
  return inserted !== undefined
}

export async function updateMember(
  db: Db,
  organizationId: string,
  userId: string,
  values: Updateable<Tables['members']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('members')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the requirement of SSO from all members of an organization. */
export async function clearSsoRequirements(db: Db, organizationId: string): Promise<void> {
  await db.updateTable('members').set({ sso: 0 }).where('organization_id', '=', organizationId).execute()
}

/** Updates the names of a user in all memberships; a user name from an identity provider is kept. */
export async function updateMemberNames(
  db: Db,
  userId: string,
  { user_name_key, ...names }: { name_key: string; search_text: string; user_name_key: string },
): Promise<void> {
  await db.updateTable('members').set(names).where('user_id', '=', userId).execute()
  await db
    .updateTable('members')
    .set({ user_name_key })
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('scim_users')
            .whereRef('scim_users.organization_id', '=', 'members.organization_id')
            .whereRef('scim_users.user_id', '=', 'members.user_id')
            .select('scim_users.user_id'),
        ),
      ),
    )
    .execute()
}

/** Removes a member; foreign keys remove the member from teams and the grants of the member. */
export async function deleteMember(db: Db, organizationId: string, userId: string): Promise<void> {
  await decreaseTeamMemberCounts(db, organizationId, userId)
  const { numDeletedRows } = await db
    .deleteFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  await addToMemberCount(db, organizationId, -Number(numDeletedRows))
}

/** Whether the organization has another active administrator. */
export async function hasOtherAdmin(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('user_id', '!=', userId)
    .executeTakeFirst()
  return other !== undefined
}

/** Counts the spaces and sites of an organization, and those of them that every member can see. */
export const countOrganizationContent = defineLookup((db, { organizationId }: { organizationId: string }) =>
  db
    .selectFrom('organizations')
    .where('organizations.id', '=', organizationId)
    .select([
      countSpaces(sql`true`).as('spaces'),
      countSpaces(sql`resolved_level <> 'none'`).as('open_spaces'),
      countSites(sql`true`).as('sites'),
      countSites(sql`resolved_level <> 'none'`).as('open_sites'),
    ]),
)

const countSpaces = (condition: RawBuilder<unknown>) =>
  sql<number>`(select count(*) from spaces where organization_id = organizations.id and deleted_at is null and ${condition})`

const countSites = (condition: RawBuilder<unknown>) =>
  sql<number>`(select count(*) from sites where organization_id = organizations.id and ${condition})`
