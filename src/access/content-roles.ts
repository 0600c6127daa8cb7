import { type ExpressionBuilder, sql } from 'kysely'
import { type RoleOrGuest, roleRank, roleAtRank, roles } from '../contract/roles.ts'
import type { Viewer } from '../kernel/context.ts'
import type { Db, Row, Tables } from '../schema/tables.ts'
import type { ResolvedLevel, StoredLevel, StoredRole } from '../schema/values.ts'
import { type ContentColumns, contentPathSql, toContentColumns } from './content-path.ts'

/** Fields that determine who can see a space or a collection. */
type Content = Pick<Row<'spaces'> | Row<'collections'>, 'organization_id' | 'id' | 'parent_id' | 'resolved_level'>

export function fromStoredRole(stored: StoredRole): RoleOrGuest {
  return stored === 'guest' ? null : stored
}

export function toStoredRole(role: RoleOrGuest): StoredRole {
  return role ?? 'guest'
}

/** Returns the role that the default level of content gives a member, ignoring grants. */
function resolveDefaultRole(role: RoleOrGuest, level: ResolvedLevel): RoleOrGuest {
  if (role === 'admin') return 'admin'
  if (role === null || level === 'none') return null
  return level === 'organization' ? role : level
}

function findHighestRole(candidates: Iterable<RoleOrGuest>): RoleOrGuest {
  let highestRank = 0
  for (const role of candidates) highestRank = Math.max(highestRank, roleRank(role))
  return roleAtRank(highestRank)
}

/** Returns the effective role of a member in a space or collection: the highest of its default level and all grants. */
export async function loadContentRole(db: Db, viewer: Viewer, content: Content): Promise<RoleOrGuest> {
  if (viewer.role === 'admin') return 'admin'
  const columns = toContentColumns({
    organizationId: viewer.organizationId,
    id: content.id,
    parentId: content.parent_id,
  })
  const shared = selectHighestGrantedRank(viewer.userId, columns)
  const { rows } = await sql<{ own_rank: number | null }>`select ${shared} as own_rank`.execute(db)
  return resolveRoleInRow(viewer, { resolved_level: content.resolved_level, own_rank: rows[0]?.own_rank ?? null })
}

/**
 * Selects the highest rank granted to a user, directly or through teams, on the content or one of its ancestors. Looks up the
 * grant of each grantee on each of them, so that the time does not depend on the total number of grants; SQLite joins in the
 * order given by `cross join`.
 */
function selectHighestGrantedRank(userId: string, content: ContentColumns) {
  const { organizationId } = content
  return sql`(
    with recursive ${contentPathSql(content)},
    grantee (id) as (
      select ${userId}
      union all
      select team_members.team_id from team_members
        where team_members.organization_id = ${organizationId} and team_members.user_id = ${userId}
    )
    select max(${selectRank('grants.role')}) from content_path cross join grantee cross join grants
    where grants.organization_id = ${organizationId}
      and grants.content_id = content_path.id and grants.grantee_id = grantee.id
  )`
}

/**
 * Selects the same rank within a query on `members` and spaces, collections or sites; null for administrators, who need no
 * grants.
 */
export function selectMemberGrantedRank(table: 'spaces' | 'collections' | 'sites', userId: string) {
  const shared = selectHighestGrantedRank(userId, {
    organizationId: sql.ref(`${table}.organization_id`),
    id: sql.ref(`${table}.id`),
    parentId: table === 'sites' ? sql`cast(null as text)` : sql.ref(`${table}.parent_id`),
  })
  return sql<number | null>`case when members.role <> 'admin' then ${shared} end`
}

/** Returns an SQL expression for the rank of a stored role; 0 for a guest. */
export function selectRank(column: 'grants.role' | 'members.role') {
  const cases = roles.map((role) => sql`when ${sql.lit(role)} then ${sql.lit(roleRank(role))}`)
  return sql<number>`case ${sql.ref(column)} ${sql.join(cases, sql` `)} else 0 end`
}

/** Selects everything granted to a member, directly or through teams, and the collections below it, with ranks. */
function withGrantedContent(db: Db, { organizationId, userId }: Viewer) {
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
        .select(['grants.content_id as id', selectRank('grants.role').as('rank')])
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

/** Whether a member may edit the content of any space or the settings of any site of an organization. */
export async function canEditAnything({ db, viewer }: { db: Db; viewer: Viewer }): Promise<boolean> {
  if (roleRank(viewer.role) >= roleRank('edit')) return true
  const shared = await withGrantedContent(db, viewer)
    .selectFrom('reach')
    .where('rank', '>=', roleRank('edit'))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (shared) return true
  if (viewer.role === null) return false
  const byDefault = await db
    .selectFrom('spaces')
    .where('organization_id', '=', viewer.organizationId)
    .where('deleted_at', 'is', null)
    .where('resolved_level', 'in', roles.slice(roleRank('edit') - 1))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return byDefault !== undefined
}

type TablesWithRanks = Tables & { own: { rank: number | null }; above: { rank: number | null } }

function visibilityFilter(viewer: Viewer, table: 'spaces' | 'collections' | 'sites', ranks: ('own' | 'above')[]) {
  return (eb: ExpressionBuilder<TablesWithRanks, 'spaces' | 'collections' | 'sites' | 'own' | 'above'>) => {
    const hasGrant = ranks.map((name) => eb(`${name}.rank`, 'is not', null))
    if (viewer.role === 'admin') return eb.lit(true)
    if (viewer.role === null) return eb.or(hasGrant)
    return eb.or([eb(`${table}.resolved_level`, '!=', 'none'), ...hasGrant])
  }
}

/** Selects the spaces that a member can see; `own.rank` and `above.rank` are the ranks granted on the space and its parent. */
export function selectVisibleSpaces(db: Db, viewer: Viewer, { includesDeleted = false } = {}) {
  return withGrantedContent(db, viewer)
    .selectFrom('spaces')
    .leftJoin('reach as own', 'own.id', 'spaces.id')
    .leftJoin('reach as above', 'above.id', 'spaces.parent_id')
    .where('spaces.organization_id', '=', viewer.organizationId)
    .$if(!includesDeleted, (query) => query.where('spaces.deleted_at', 'is', null))
    .where(visibilityFilter(viewer, 'spaces', ['own', 'above']) as never)
}

/** Selects the collections that a member can see; `own.rank` is the rank granted on the collection. */
export function selectVisibleCollections(db: Db, viewer: Viewer) {
  return withGrantedContent(db, viewer)
    .selectFrom('collections')
    .leftJoin('reach as own', 'own.id', 'collections.id')
    .where('collections.organization_id', '=', viewer.organizationId)
    .where(visibilityFilter(viewer, 'collections', ['own']) as never)
}

/** Selects the sites that a member can see; `own.rank` is the rank granted on the site. */
export function selectVisibleSites(db: Db, viewer: Viewer) {
  return withGrantedContent(db, viewer)
    .selectFrom('sites')
    .leftJoin('reach as own', 'own.id', 'sites.id')
    .where('sites.organization_id', '=', viewer.organizationId)
    .where(visibilityFilter(viewer, 'sites', ['own']) as never)
}

/** Returns the effective role in a row of `selectVisibleSpaces`, `selectVisibleCollections` or `selectVisibleSites`. */
export function resolveRoleInRow(
  viewer: Viewer,
  row: { resolved_level: ResolvedLevel; own_rank: number | null; above_rank?: number | null },
): RoleOrGuest {
  const byDefault = resolveDefaultRole(viewer.role, row.resolved_level)
  return findHighestRole([byDefault, roleAtRank(row.own_rank ?? 0), roleAtRank(row.above_rank ?? 0)])
}

/** Resolves a default level, given the resolved level of the parent. */
export function resolveLevel(level: StoredLevel, parentLevel: ResolvedLevel): ResolvedLevel {
  return level === 'inherit' ? parentLevel : level
}
