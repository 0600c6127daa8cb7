import { type SqlBool, sql } from 'kysely'
import { contentPathSql, toContentColumns } from '../../access/content-path.ts'
import { selectRank } from '../../access/content-roles.ts'
import { type Role, roleRank } from '../../contract/roles.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { columnContains } from '../../storage/case-insensitive.ts'
import type { MemberOrder } from '../../domain/members/member-order.ts'
import type { PageOptions, SharedContentWithLevel } from '../../domain/permissions/grant-store.ts'

/** Sources of a role; of equal roles, the last source in this list is returned. */
const roleSources = ['team', 'member', 'default', 'organization'] as const
export type RoleSource = (typeof roleSources)[number]

const weightSql = (rankSql: unknown, source: RoleSource) =>
  sql`(${rankSql}) * ${sql.lit(roleSources.length)} + ${sql.lit(roleSources.indexOf(source))}`

/**
 * Selects everyone who can see the content, with the rank and the source of their effective role. The rules are those
 * of `loadContentRole`, for all members at once: administrators, the default level for members who are not guests, and
 * grants on the content or a collection above it, directly or through teams.
 */
function effectiveRolesSql(content: SharedContentWithLevel, role: Role | undefined) {
  const { organizationId, level } = content
  const administrators = sql`when 'admin' then ${weightSql(sql.lit(roleRank('admin')), 'organization')}`
  const byDefault =
    level === 'none'
      ? sql`case members.role ${administrators} else 0 end`
      : level === 'organization'
        ? weightSql(selectRank('members.role'), 'organization')
        : sql`case members.role ${administrators} when 'guest' then 0 else ${weightSql(sql.lit(roleRank(level)), 'default')} end`
  const rankCondition = role === undefined ? sql<SqlBool>`rank > 0` : sql<SqlBool>`rank = ${sql.lit(roleRank(role))}`
  return sql`
    with recursive ${contentPathSql(toContentColumns(content))},
    shares (user_id, team_id, rank) as (
      select user_id, team_id, ${selectRank('grants.role')} from grants
      where organization_id = ${organizationId} and content_id in (select id from content_path)
    ),
    ranks (user_id, weight) as (
      select user_id, ${weightSql(sql.ref('rank'), 'member')} from shares where user_id is not null
      union all
      select team_members.user_id, ${weightSql(sql.ref('shares.rank'), 'team')} from shares
        join team_members on team_members.organization_id = ${organizationId} and team_members.team_id = shares.team_id
      union all
      select user_id, ${byDefault} from members where organization_id = ${organizationId}
        ${level === 'none' ? sql`and role = 'admin'` : sql``}
    ),
    best (user_id, weight) as (
      select ranks.user_id, max(ranks.weight) from ranks
        join members on members.organization_id = ${organizationId} and members.user_id = ranks.user_id
        where members.disabled = 0 group by ranks.user_id
    ),
    split (user_id, rank, source) as (
      select user_id, weight / ${sql.lit(roleSources.length)}, weight % ${sql.lit(roleSources.length)} from best
    ),
    effective (user_id, rank, source) as (select user_id, rank, source from split where ${rankCondition})`
}

type UserWithRank = Row<'users'> & { rank: number }

export async function findEffectiveUsers(
  db: Db,
  content: SharedContentWithLevel,
  role: Role | undefined,
  { after, limit }: PageOptions,
): Promise<UserWithRank[]> {
  const afterCondition = after === undefined ? sql`` : sql`where effective.user_id > ${after[0]}`
  const { rows } = await sql<UserWithRank>`${effectiveRolesSql(content, role)}
    select users.*, effective.rank from effective join users on users.id = effective.user_id
    ${afterCondition} order by effective.user_id limit ${limit + 1}`.execute(db)
  return rows
}

export async function countEffectiveUsers(
  db: Db,
  content: SharedContentWithLevel,
  role: Role | undefined,
): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`${effectiveRolesSql(content, role)} select count(*) as count from effective`.execute(db)
  return rows[0]?.count ?? 0
}

export interface EffectiveMemberFilter {
  role?: Role | undefined
  search?: string | undefined
  team?: string | undefined
  /** Only members who were seen at least once. */
  seen: boolean
}

/** Selects these users as members, who can be filtered, sorted and searched. */
function effectiveMembersSql(content: SharedContentWithLevel, { search, team, seen }: EffectiveMemberFilter) {
  const { organizationId } = content
  return sql`effective join members
      on members.organization_id = ${organizationId} and members.user_id = effective.user_id
    join users on users.id = members.user_id
    where ${search === undefined ? sql`true` : columnContains('members.search_text', search)}
    ${seen ? sql`and members.last_seen_at is not null` : sql``}
    ${
      team === undefined
        ? sql``
        : sql`and members.user_id in (
            select user_id from team_members where organization_id = ${organizationId} and team_id = ${team}
          )`
    }`
}

type UserWithMembership = Row<'users'> & Pick<Row<'members'>, 'joined_at' | 'last_seen_at' | 'name_key' | 'disabled'>

interface EffectiveRole<SourceValue> {
  rank: number
  source: SourceValue
  /** Id of the team that the role was granted to, if any. */
  team_id: string | null
}

export async function findEffectiveMembers(
  db: Db,
  content: SharedContentWithLevel,
  filter: EffectiveMemberFilter,
  { column, direction }: MemberOrder,
  { after, limit }: PageOptions,
): Promise<(UserWithMembership & EffectiveRole<RoleSource>)[]> {
  const [sortColumn, directionSql] = [sql.ref(`members.${column}`), sql.raw(direction)]
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  const afterCondition = after && sql`and (${sortColumn}, members.user_id) ${comparison} (${after[0]}, ${after[1]})`
  const { rows } = await sql<UserWithMembership & EffectiveRole<number>>`
    ${effectiveRolesSql(content, filter.role)}
    select users.*, members.joined_at, members.last_seen_at, members.name_key, members.disabled,
      effective.rank, effective.source, (
      select min(grants.team_id) from grants join team_members
        on team_members.organization_id = grants.organization_id and team_members.team_id = grants.team_id
      where grants.organization_id = ${content.organizationId} and grants.content_id = ${content.id}
        and team_members.user_id = effective.user_id and ${selectRank('grants.role')} = effective.rank
    ) as team_id
    from ${effectiveMembersSql(content, filter)} ${afterCondition ?? sql``}
    order by ${sortColumn} ${directionSql}, members.user_id ${directionSql} limit ${limit + 1}`.execute(db)
  return rows.map(({ source, ...row }) => ({ ...row, source: roleSources[source] as RoleSource }))
}

export async function countEffectiveMembers(
  db: Db,
  content: SharedContentWithLevel,
  filter: EffectiveMemberFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`${effectiveRolesSql(content, filter.role)}
    select count(*) as count from ${effectiveMembersSql(content, filter)}`.execute(db)
  return rows[0]?.count ?? 0
}
