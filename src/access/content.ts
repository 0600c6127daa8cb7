import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { type RoleOrGuest, rank, roleAt, roles } from '../contract/roles.ts'
import type { Viewer } from '../kernel/context.ts'
import type { Db, Row, Tables } from '../schema/tables.ts'
import type { ResolvedLevel, StoredLevel, StoredRole } from '../schema/values.ts'

/** What decides who may see a space or a collection. */
type Content = Pick<Row<'spaces'> | Row<'collections'>, 'organization_id' | 'id' | 'parent_id' | 'resolved_level'>

export function roleOf(stored: StoredRole): RoleOrGuest {
  return stored === 'guest' ? null : stored
}

export function storedRole(role: RoleOrGuest): StoredRole {
  return role ?? 'guest'
}

/** The role that content gives a member by its default level, before anything was shared with them. */
function roleByDefault(role: RoleOrGuest, level: ResolvedLevel): RoleOrGuest {
  if (role === 'admin') return 'admin'
  if (role === null || level === 'none') return null
  return level === 'organization' ? role : level
}

function highest(found: Iterable<RoleOrGuest>): RoleOrGuest {
  let top = 0
  for (const role of found) top = Math.max(top, rank(role))
  return roleAt(top)
}

/** The effective role of a member in one space or collection: the highest of its default level and what was shared. */
export async function roleInContent(db: Db, viewer: Viewer, content: Content): Promise<RoleOrGuest> {
  if (viewer.role === 'admin') return 'admin'
  const shared = sharedRank(viewer.userId, {
    organizationId: sql.val(viewer.organizationId),
    id: sql.val(content.id),
    parentId: sql.val(content.parent_id),
  })
  const { rows } = await sql<{ own_rank: number | null }>`select ${shared} as own_rank`.execute(db)
  return roleInRow(viewer, { resolved_level: content.resolved_level, own_rank: rows[0]?.own_rank ?? null })
}

/**
 * The highest rank of what was shared with a user, directly or through teams: the content or what it is in.
 * Looks for the grant of each grantee on each of these, so it takes no longer where much was shared with many;
 * SQLite joins in the order that `cross join` says.
 */
function sharedRank(
  userId: string,
  { organizationId, id, parentId }: Record<'organizationId' | 'id' | 'parentId', RawBuilder<unknown>>,
) {
  return sql`(
    with recursive content (id, parent_id) as (
      select ${id}, ${parentId}
      union all
      select level.id, level.parent_id from content
        join collections as level on level.organization_id = ${organizationId} and level.id = content.parent_id
    ),
    grantee (id) as (
      select ${userId}
      union all
      select team_members.team_id from team_members
        where team_members.organization_id = ${organizationId} and team_members.user_id = ${userId}
    )
    select max(${rankOf('grants.role')}) from content cross join grantee cross join grants
    where grants.organization_id = ${organizationId}
      and grants.content_id = content.id and grants.grantee_id = grantee.id
  )`
}

/** The same rank within a query over content or sites and `members`, where administrators need none. */
export function sharedRankIn(table: 'spaces' | 'collections' | 'sites', userId: string) {
  const shared = sharedRank(userId, {
    organizationId: sql.ref(`${table}.organization_id`),
    id: sql.ref(`${table}.id`),
    parentId: table === 'sites' ? sql`cast(null as text)` : sql.ref(`${table}.parent_id`),
  })
  return sql<number | null>`case when members.role <> 'admin' then ${shared} end`
}

/** The rank of a stored role within SQL; 0 for a guest. */
export function rankOf(column: 'grants.role' | 'members.role') {
  const cases = roles.map((role) => sql`when ${sql.lit(role)} then ${sql.lit(rank(role))}`)
  return sql<number>`case ${sql.ref(column)} ${sql.join(cases, sql` `)} else 0 end`
}

/** All that was shared with a member, directly or through teams, and the collections below it, with ranks. */
function sharedWith(db: Db, { organizationId, userId }: Viewer) {
  return db
    .withRecursive('shared(id, rank)', (cte) =>
      cte
        .selectFrom('grants')
        .where('grants.organization_id', '=', organizationId)
        .where((eb) =>
          eb.or([
            eb('grants.grantee_id', '=', userId),
            eb(
              'grants.grantee_id',
              'in',
              eb
                .selectFrom('team_members')
                .select('team_id')
                .where('organization_id', '=', organizationId)
                .where('user_id', '=', userId),
            ),
          ]),
        )
        .select(['grants.content_id as id', rankOf('grants.role').as('rank')])
        .union(
          cte
            .selectFrom('collections')
            .innerJoin('shared', 'shared.id', 'collections.parent_id')
            .where('collections.organization_id', '=', organizationId)
            .select(['collections.id', 'shared.rank']),
        ),
    )
    .with('reach', (cte) =>
      cte
        .selectFrom('shared')
        .groupBy('id')
        .select((eb) => ['id', eb.fn.max('rank').as('rank')]),
    )
}

/** Whether a member may change the content of any space or the settings of any site of an organization. */
export async function mayEditSomething({ db, viewer }: { db: Db; viewer: Viewer }): Promise<boolean> {
  if (rank(viewer.role) >= rank('edit')) return true
  const shared = await sharedWith(db, viewer)
    .selectFrom('reach')
    .where('rank', '>=', rank('edit'))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (shared) return true
  if (viewer.role === null) return false
  const byDefault = await db
    .selectFrom('spaces')
    .where('organization_id', '=', viewer.organizationId)
    .where('deleted_at', 'is', null)
    .where('resolved_level', 'in', roles.slice(rank('edit') - 1))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return byDefault !== undefined
}

type WithReach = Tables & { own: { rank: number | null }; above: { rank: number | null } }

function isVisible(viewer: Viewer, table: 'spaces' | 'collections' | 'sites', ranks: ('own' | 'above')[]) {
  return (eb: ExpressionBuilder<WithReach, 'spaces' | 'collections' | 'sites' | 'own' | 'above'>) => {
    const byShare = ranks.map((name) => eb(`${name}.rank`, 'is not', null))
    if (viewer.role === 'admin') return eb.lit(true)
    if (viewer.role === null) return eb.or(byShare)
    return eb.or([eb(`${table}.resolved_level`, '!=', 'none'), ...byShare])
  }
}

/** The spaces of an organization that a member can see; `own.rank` and `above.rank` say what was shared with them. */
export function visibleSpaces(db: Db, viewer: Viewer, { includesDeleted = false } = {}) {
  return sharedWith(db, viewer)
    .selectFrom('spaces')
    .leftJoin('reach as own', 'own.id', 'spaces.id')
    .leftJoin('reach as above', 'above.id', 'spaces.parent_id')
    .where('spaces.organization_id', '=', viewer.organizationId)
    .$if(!includesDeleted, (query) => query.where('spaces.deleted_at', 'is', null))
    .where(isVisible(viewer, 'spaces', ['own', 'above']) as never)
}

/** The collections of an organization that a member can see; `own.rank` says what was shared with them. */
export function visibleCollections(db: Db, viewer: Viewer) {
  return sharedWith(db, viewer)
    .selectFrom('collections')
    .leftJoin('reach as own', 'own.id', 'collections.id')
    .where('collections.organization_id', '=', viewer.organizationId)
    .where(isVisible(viewer, 'collections', ['own']) as never)
}

/** The sites of an organization that a member can see; `own.rank` says what was shared with them. */
export function visibleSites(db: Db, viewer: Viewer) {
  return sharedWith(db, viewer)
    .selectFrom('sites')
    .leftJoin('reach as own', 'own.id', 'sites.id')
    .where('sites.organization_id', '=', viewer.organizationId)
    .where(isVisible(viewer, 'sites', ['own']) as never)
}

/** The effective role in a row of `visibleSpaces`, `visibleCollections` or `visibleSites`. */
export function roleInRow(
  viewer: Viewer,
  row: { resolved_level: ResolvedLevel; own_rank: number | null; above_rank?: number | null },
): RoleOrGuest {
  const byDefault = roleByDefault(viewer.role, row.resolved_level)
  return highest([byDefault, roleAt(row.own_rank ?? 0), roleAt(row.above_rank ?? 0)])
}

/** What a default level comes to below a parent that came to `parentLevel`. */
export function resolveLevel(level: StoredLevel, parentLevel: ResolvedLevel): ResolvedLevel {
  return level === 'inherit' ? parentLevel : level
}
