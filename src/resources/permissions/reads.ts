import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../storage/tables.ts'

/** How much a grantee reaches through what was shared with them; `closed` of it gives members nothing by default. */
export interface Reach {
  total: number
  closed: number
}

/** How many spaces were shared with each of these teams, directly or within collections. */
export function countSpacesOfTeams(db: Db, organizationId: string, teamIds: readonly string[]) {
  return countReached(
    db,
    organizationId,
    teamIds,
    (ids) =>
      sql`select team_id, content_id from grants where organization_id = ${organizationId} and grantee_id in (${ids})`,
  )
}

/** How many spaces were shared with each of these members, directly, through teams, or within collections. */
export function countSpacesOfMembers(db: Db, organizationId: string, userIds: readonly string[]) {
  return countReached(db, organizationId, userIds, (ids) => grantsOfMembers(organizationId, ids))
}

/** What was shared with members, directly or through teams. */
const grantsOfMembers = (organizationId: string, ids: RawBuilder<unknown>) => sql`
  select user_id, content_id from grants where organization_id = ${organizationId} and grantee_id in (${ids})
  union
  select team_members.user_id, grants.content_id from team_members
    join grants on grants.organization_id = team_members.organization_id and grants.grantee_id = team_members.team_id
    where team_members.organization_id = ${organizationId} and team_members.user_id in (${ids})`

/** How many sites were shared with each of these members, directly or through teams. */
export async function countSitesOfMembers(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, Reach>> {
  if (userIds.length === 0) return new Map()
  const { rows } = await sql<Reach & { grantee: string }>`
    with granted (grantee, id) as (${grantsOfMembers(organizationId, sql.join(userIds))})
    select granted.grantee, count(*) as total, count(case when sites.resolved_level = 'none' then 1 end) as closed
    from granted join sites on sites.organization_id = ${organizationId} and sites.id = granted.id
    group by granted.grantee
  `.execute(db)
  return byGrantee(rows)
}

const byGrantee = (rows: readonly (Reach & { grantee: string })[]) =>
  new Map(rows.map(({ grantee, total, closed }) => [grantee, { total, closed }]))

async function countReached(
  db: Db,
  organizationId: string,
  granteeIds: readonly string[],
  grantsOf: (ids: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Map<string, Reach>> {
  if (granteeIds.length === 0) return new Map()
  const { rows } = await sql<Reach & { grantee: string }>`
    with recursive granted (grantee, id) as (${grantsOf(sql.join(granteeIds))}),
    reached (grantee, id) as (
      select grantee, id from granted
      union
      select reached.grantee, collections.id from collections
        join reached on collections.parent_id = reached.id where collections.organization_id = ${organizationId}
    ),
    found (grantee, id) as (
      select reached.grantee, spaces.id from reached
        join spaces on spaces.organization_id = ${organizationId} and spaces.id = reached.id
      union
      select reached.grantee, spaces.id from reached
        join spaces on spaces.organization_id = ${organizationId} and spaces.parent_id = reached.id
    )
    select found.grantee, count(*) as total, count(case when spaces.resolved_level = 'none' then 1 end) as closed
    from found join spaces on spaces.organization_id = ${organizationId} and spaces.id = found.id
    where spaces.deleted_at is null
    group by found.grantee
  `.execute(db)
  return byGrantee(rows)
}
