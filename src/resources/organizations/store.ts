import { sql } from 'kysely'
import type { Principal, Viewer } from '../../kernel/context.ts'
import { selectVisibleSpaces } from '../../access/content-roles.ts'
import { reachCondition } from '../../access/sso.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { defineLookup } from '../../storage/lookup.ts'
import { columnContains, lowerCaseColumn } from '../../storage/case-insensitive.ts'
import type { Db } from '../../schema/tables.ts'

/** Finds the organizations in reach of a user. */
export function findOrganizationsOfUser(
  db: Db,
  { user, reach }: Principal,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('members.user_id', '=', user.id)
    .where('members.disabled', '=', 0)
    .where(reachCondition(reach, 'members.organization_id'))
    .$if(after !== undefined, (query) => query.where('members.organization_id', '>', after?.[0] as string))
    .selectAll('organizations')
    .select('members.role as member_role')
    .orderBy('members.organization_id')
    .limit(limit + 1)
    .execute()
}

export async function countOrganizationsOfUser(db: Db, { user, reach }: Principal): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('user_id', '=', user.id)
    .where('disabled', '=', 0)
    .where(reachCondition(reach, 'organization_id'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function findOrganizationByHostname(db: Db, hostname: string) {
  return db.selectFrom('organizations').selectAll().where('hostname', '=', hostname).executeTakeFirst()
}

export async function hasPublishedSite(db: Db, organizationId: string): Promise<boolean> {
  const site = await db
    .selectFrom('sites')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('published', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return site !== undefined
}

export function findOrganizationsByEmailDomain(db: Db, domain: string) {
  return db
    .selectFrom('email_domains')
    .innerJoin('organizations', 'organizations.id', 'email_domains.organization_id')
    .where('email_domains.domain', '=', domain)
    .selectAll('organizations')
    .orderBy('organizations.id')
    .execute()
}

/** Finds a user's memberships in those of some organizations that are in reach. */
export function findMemberships(db: Db, { user, reach }: Principal, organizationIds: readonly string[]) {
  if (organizationIds.length === 0) return []
  return db
    .selectFrom('members')
    .select(['organization_id', 'role'])
    .where('user_id', '=', user.id)
    .where('disabled', '=', 0)
    .where(reachCondition(reach, 'organization_id'))
    .where('organization_id', 'in', organizationIds)
    .execute()
}

const findOwnedTeam = defineLookup((db, { organizationId, userId }: Record<'organizationId' | 'userId', string>) =>
  db
    .selectFrom('team_members')
    .select('team_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('role', '=', sql.lit('owner' as const))
    .limit(sql.lit(1)),
)

/** Whether a user owns a team of an organization. */
export async function ownsTeamIn(db: Db, userId: string, organizationId: string): Promise<boolean> {
  return (await findOwnedTeam(db, { organizationId, userId })) !== undefined
}

/** Returns those of the organizations in which a user owns a team. */
export async function findOrganizationIdsWithOwnedTeam(
  db: Db,
  userId: string,
  organizationIds: readonly string[],
): Promise<Set<string>> {
  if (organizationIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('team_members')
    .select('organization_id')
    .distinct()
    .where('organization_id', 'in', organizationIds)
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .execute()
  return new Set(rows.map((row) => row.organization_id))
}

/** Replaces the index that finds organizations by email domain. */
export async function replaceEmailDomains(db: Db, organizationId: string, domains: readonly string[]): Promise<void> {
  await db.deleteFrom('email_domains').where('organization_id', '=', organizationId).execute()
  if (domains.length === 0) return
  await db
    .insertInto('email_domains')
    .values(domains.map((domain) => ({ organization_id: organizationId, domain })))
    .execute()
}

/** Returns how well a title matches: 3 if equal, 2 at its start, 1 anywhere. */
function titleMatchSql(query: string) {
  const text = query.toLowerCase()
  const title = lowerCaseColumn('spaces.title', text)
  // Databases count characters, but `length` counts UTF-16 code units.
  return sql<number>`case when ${title} = ${text} then 3
    when substr(${title}, 1, ${Array.from(text).length}) = ${text} then 2 else 1 end`
}

export function searchSpacesByTitle(
  db: Db,
  viewer: Viewer,
  query: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  const match = titleMatchSql(query)
  return selectVisibleSpaces(db, viewer)
    .where(columnContains('spaces.title', query))
    .$if(after !== undefined, (q) =>
      q.where((eb) =>
        eb.or([
          eb(match, '<', Number(after?.[0])),
          eb.and([eb(match, '=', Number(after?.[0])), eb('spaces.id', '>', after?.[1] as string)]),
        ]),
      ),
    )
    .select(['spaces.id', 'spaces.title', match.as('match')])
    .orderBy('match', 'desc')
    .orderBy('spaces.id')
    .limit(limit + 1)
    .execute()
}

/** Finds those of the spaces that a member can see, with how well their titles match; 0 if they do not. */
export async function findSpacesWithTitleMatch(db: Db, viewer: Viewer, query: string, spaceIds: readonly string[]) {
  if (spaceIds.length === 0) return []
  const match = sql<number>`case when ${columnContains('spaces.title', query)} then ${titleMatchSql(query)} else 0 end`
  return selectVisibleSpaces(db, viewer)
    .where('spaces.id', 'in', spaceIds)
    .select(['spaces.id', 'spaces.title', match.as('match')])
    .execute()
}

export async function findVisibleSpaceIds(db: Db, viewer: Viewer): Promise<string[]> {
  const rows = await selectVisibleSpaces(db, viewer).select('spaces.id').execute()
  return rows.map((row) => row.id)
}

export async function countSpacesMatchingTitle(db: Db, viewer: Viewer, query: string): Promise<number> {
  const { count } = await selectVisibleSpaces(db, viewer)
    .where(columnContains('spaces.title', query))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
