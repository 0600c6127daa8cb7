import { type RawBuilder, sql } from 'kysely'
import { defineListQuery } from '../../storage/lookup.ts'
import type { Db } from '../../schema/tables.ts'

/** Number of spaces or sites that are shared with a grantee; `closed` of them are not open to every member. */
export interface SharedCount {
  total: number
  closed: number
}

/** Counts the spaces that are shared with each of the teams, directly or within collections. */
export const countSpacesOfTeams = createSharedCounter(
  (organizationId, ids) =>
    sql`select team_id, content_id from grants where organization_id = ${organizationId} and grantee_id in (${ids})`,
  selectSharedSpaces,
)

/** Counts the spaces that are shared with each of the members, directly, through teams, or within collections. */
export const countSpacesOfMembers = createSharedCounter(selectGrantsOfMembers, selectSharedSpaces)

/** Counts the sites that are shared with each of the members, directly or through teams. */
export const countSitesOfMembers = createSharedCounter(selectGrantsOfMembers, selectSharedSites)

/** Selects the grants of members, direct ones and those of their teams. */
function selectGrantsOfMembers(organizationId: string, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select user_id, content_id from grants where organization_id = ${organizationId} and grantee_id in (${ids})
    union
    select team_members.user_id, grants.content_id from team_members
      join grants on grants.organization_id = team_members.organization_id and grants.grantee_id = team_members.team_id
      where team_members.organization_id = ${organizationId} and team_members.user_id in (${ids})`
}

function selectSharedSites(organizationId: string, granted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with granted (grantee, id) as (${granted})
    select granted.grantee, count(*) as total, count(case when sites.resolved_level = 'none' then 1 end) as closed
    from granted join sites on sites.organization_id = ${organizationId} and sites.id = granted.id
    group by granted.grantee`
}

function selectSharedSpaces(organizationId: string, granted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with recursive granted (grantee, id) as (${granted}),
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
    group by found.grantee`
}

type CountRow = SharedCount & { grantee: string }

/** Creates a function that counts, for each grantee, the content that `selectContent` selects for the grants of `selectGrants`. */
function createSharedCounter(
  selectGrants: (organizationId: string, ids: RawBuilder<unknown>) => RawBuilder<unknown>,
  selectContent: (organizationId: string, granted: RawBuilder<unknown>) => RawBuilder<unknown>,
): (db: Db, organizationId: string, granteeIds: readonly string[]) => Promise<Map<string, SharedCount>> {
  const count = defineListQuery((db, values: Record<string, string>, { grantees }: { grantees: number }) => {
    const organizationId = values['organizationId'] as string
    const ids = sql.join(Array.from({ length: grantees }, (_, index) => values[`id${index}`]))
    const query = selectContent(organizationId, selectGrants(organizationId, ids)) as RawBuilder<CountRow>
    return { compile: () => query.compile(db) }
  })
  return async (db, organizationId, granteeIds) => {
    if (granteeIds.length === 0) return new Map()
    const values: Record<string, string> = { organizationId }
    granteeIds.forEach((id, index) => (values[`id${index}`] = id))
    const rows = await count(db, values, { grantees: granteeIds.length })
    return new Map(rows.map(({ grantee, total, closed }) => [grantee, { total, closed }]))
  }
}
