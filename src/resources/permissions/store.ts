import { type SqlBool, sql } from 'kysely'
import { rankOf } from '../../access/content.ts'
import { type Role, rank } from '../../contract/roles.ts'
import type { Cursor } from '../../kernel/page.ts'
import type { Db, ResolvedLevel, Row } from '../../storage/tables.ts'

/** A space or a collection that is shared. */
export interface Shared {
  kind: 'space' | 'collection'
  organizationId: string
  id: string
}

/** What decides who can see it beyond what is shared of itself. */
export interface Content extends Shared {
  parentId: string | null
  level: ResolvedLevel
}

export type Grantee = 'user' | 'team'

export async function upsertGrants(
  db: Db,
  content: Shared,
  grantee: Grantee,
  granteeIds: readonly string[],
  role: Role,
  now: string,
): Promise<void> {
  if (granteeIds.length === 0) return
  await db
    .insertInto('grants')
    .values(
      granteeIds.map((id) => ({
        organization_id: content.organizationId,
        content_id: content.id,
        grantee_id: id,
        space_id: content.kind === 'space' ? content.id : null,
        collection_id: content.kind === 'collection' ? content.id : null,
        user_id: grantee === 'user' ? id : null,
        team_id: grantee === 'team' ? id : null,
        role,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['organization_id', 'content_id', 'grantee_id']).doUpdateSet({ role }))
    .execute()
}

export async function deleteGrants(
  db: Db,
  content: Shared,
  grantee: Grantee,
  granteeIds: readonly string[],
): Promise<void> {
  if (granteeIds.length === 0) return
  await db
    .deleteFrom('grants')
    .where('organization_id', '=', content.organizationId)
    .where('content_id', '=', content.id)
    .where('grantee_id', 'in', granteeIds)
    .where(`${grantee}_id`, 'is not', null)
    .execute()
}

export function findGrant(db: Db, content: Shared, grantee: Grantee, granteeId: string) {
  return db
    .selectFrom('grants')
    .select('role')
    .where('organization_id', '=', content.organizationId)
    .where('content_id', '=', content.id)
    .where('grantee_id', '=', granteeId)
    .where(`${grantee}_id`, 'is not', null)
    .executeTakeFirst()
}

function grantsOf(db: Db, content: Shared, grantee: Grantee) {
  return db
    .selectFrom('grants')
    .where('grants.organization_id', '=', content.organizationId)
    .where('grants.content_id', '=', content.id)
    .where(`grants.${grantee}_id`, 'is not', null)
}

interface PageOptions {
  after: Cursor | undefined
  limit: number
}

export function findUserGrants(db: Db, content: Shared, { after, limit }: PageOptions) {
  return grantsOf(db, content, 'user')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .$if(after !== undefined, (query) => query.where('grants.grantee_id', '>', after?.[0] as string))
    .selectAll('users')
    .select('grants.role')
    .orderBy('grants.grantee_id')
    .limit(limit + 1)
    .execute()
}

export function findTeamGrants(db: Db, content: Shared, { after, limit }: PageOptions) {
  return grantsOf(db, content, 'team')
    .innerJoin('teams', (join) =>
      join.onRef('teams.organization_id', '=', 'grants.organization_id').onRef('teams.id', '=', 'grants.team_id'),
    )
    .$if(after !== undefined, (query) => query.where('grants.grantee_id', '>', after?.[0] as string))
    .selectAll('teams')
    .select('grants.role')
    .orderBy('grants.grantee_id')
    .limit(limit + 1)
    .execute()
}

export async function countGrants(db: Db, content: Shared, grantee: Grantee): Promise<number> {
  const { count } = await grantsOf(db, content, grantee)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Which of these teams the organization has. */
export async function findTeamIds(db: Db, organizationId: string, teamIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', teamIds)
    .execute()
  return new Set(rows.map((row) => row.id))
}

type Ranked = Row<'users'> & { rank: number }

/**
 * Everyone who can see the content, with the rank of their effective role. Rules as in `roleInContent`, for all members
 * at once: administrators, the default level for members who are no guests, and what was shared, here or above, directly
 * or through teams.
 */
function effective(content: Content, role: Role | undefined) {
  const { organizationId, level } = content
  const byDefault =
    level === 'none'
      ? sql`case members.role when 'admin' then ${sql.lit(rank('admin'))} else 0 end`
      : level === 'organization'
        ? rankOf('members.role')
        : sql`case members.role when 'admin' then ${sql.lit(rank('admin'))} when 'guest' then 0 else ${sql.lit(rank(level))} end`
  const having = role === undefined ? sql<SqlBool>`rank > 0` : sql<SqlBool>`rank = ${sql.lit(rank(role))}`
  return sql`
    with recursive above (id, parent_id) as (
      select id, parent_id from collections where organization_id = ${organizationId} and id = ${content.parentId}
      union all
      select collections.id, collections.parent_id from collections
        join above on collections.id = above.parent_id where collections.organization_id = ${organizationId}
    ),
    shares (user_id, team_id, rank) as (
      select user_id, team_id, ${rankOf('grants.role')} from grants
      where organization_id = ${organizationId} and (content_id = ${content.id} or content_id in (select id from above))
    ),
    ranks (user_id, rank) as (
      select user_id, rank from shares where user_id is not null
      union all
      select team_members.user_id, shares.rank from shares
        join team_members on team_members.organization_id = ${organizationId} and team_members.team_id = shares.team_id
      union all
      select user_id, ${byDefault} from members where organization_id = ${organizationId}
        ${level === 'none' ? sql`and role = 'admin'` : sql``}
    ),
    best (user_id, rank) as (
      select ranks.user_id, max(ranks.rank) as rank from ranks
        join members on members.organization_id = ${organizationId} and members.user_id = ranks.user_id
        where members.disabled = 0 group by ranks.user_id
    ),
    effective (user_id, rank) as (select user_id, rank from best where ${having})`
}

export async function findEffective(
  db: Db,
  content: Content,
  role: Role | undefined,
  { after, limit }: PageOptions,
): Promise<Ranked[]> {
  const bound = after === undefined ? sql`` : sql`where effective.user_id > ${after[0]}`
  const { rows } = await sql<Ranked>`${effective(content, role)}
    select users.*, effective.rank from effective join users on users.id = effective.user_id
    ${bound} order by effective.user_id limit ${limit + 1}`.execute(db)
  return rows
}

export async function countEffective(db: Db, content: Content, role: Role | undefined): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`${effective(content, role)} select count(*) as count from effective`.execute(db)
  return rows[0]?.count ?? 0
}
