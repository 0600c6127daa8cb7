import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../storage/tables.ts'

/** How many spaces a grantee reaches through what was shared with them; `closed` of them give members nothing by default. */
export interface SharedSpaces {
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
  return countReached(
    db,
    organizationId,
    userIds,
    (ids) => sql`
      select user_id, content_id from grants where organization_id = ${organizationId} and grantee_id in (${ids})
      union
      select team_members.user_id, grants.content_id from team_members
        join grants on grants.organization_id = team_members.organization_id and grants.grantee_id = team_members.team_id
        where team_members.organization_id = ${organizationId} and team_members.user_id in (${ids})`,
  )
}

async function countReached(
  db: Db,
  organizationId: string,
  granteeIds: readonly string[],
  grantsOf: (ids: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Map<string, SharedSpaces>> {
  if (granteeIds.length === 0) return new Map()
  const { rows } = await sql<SharedSpaces & { grantee: string }>`
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
  return new Map(rows.map(({ grantee, total, closed }) => [grantee, { total, closed }]))
}
