import { sql } from 'kysely'
import type { Role } from '../../contract/roles.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, SiteKey } from '../../schema/tables.ts'
import type { ResolvedLevel } from '../../schema/values.ts'

/** A space, a collection or a site that is shared. */
export interface SharedContent {
  kind: 'space' | 'collection' | 'site'
  organizationId: string
  id: string
}

/** Shared content with the other data that determines who can see it: its collection and its default level. */
export interface SharedContentWithLevel extends SharedContent {
  parentId: string | null
  level: ResolvedLevel
}

export type GranteeKind = 'user' | 'team'

export async function upsertGrants(
  db: Db,
  content: SharedContent,
  grantee: GranteeKind,
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
        site_id: content.kind === 'site' ? content.id : null,
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
  content: SharedContent,
  grantee: GranteeKind,
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

export function findGrant(db: Db, content: SharedContent, grantee: GranteeKind, granteeId: string) {
  return db
    .selectFrom('grants')
    .select('role')
    .where('organization_id', '=', content.organizationId)
    .where('content_id', '=', content.id)
    .where('grantee_id', '=', granteeId)
    .where(`${grantee}_id`, 'is not', null)
    .executeTakeFirst()
}

function selectGrants(db: Db, content: SharedContent, grantee: GranteeKind) {
  return db
    .selectFrom('grants')
    .where('grants.organization_id', '=', content.organizationId)
    .where('grants.content_id', '=', content.id)
    .where(`grants.${grantee}_id`, 'is not', null)
}

export interface PageOptions {
  after: Cursor | undefined
  limit: number
}

export function findUserGrants(db: Db, content: SharedContent, { after, limit }: PageOptions) {
  return selectGrants(db, content, 'user')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .$if(after !== undefined, (query) => query.where('grants.grantee_id', '>', after?.[0] as string))
    .selectAll('users')
    .select('grants.role')
    .orderBy('grants.grantee_id')
    .limit(limit + 1)
    .execute()
}

export function findTeamGrants(db: Db, content: SharedContent, { after, limit }: PageOptions) {
  return selectGrants(db, content, 'team')
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

export async function countGrants(db: Db, content: SharedContent, grantee: GranteeKind): Promise<number> {
  const { count } = await selectGrants(db, content, grantee)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Shares a copy of a space with everyone that the original is shared with. */
export async function copyGrantsOfSpace(
  db: Db,
  from: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
  toId: string,
  now: string,
): Promise<void> {
  await sql`insert into grants (organization_id, content_id, grantee_id, space_id, collection_id, user_id, team_id, role, created_at)
    select organization_id, ${toId}, grantee_id, ${toId}, null, user_id, team_id, role, ${now}
    from grants where organization_id = ${from.organization_id} and content_id = ${from.id}`.execute(db)
}

/** Deletes the grants of content that moves to another organization, except those of users who are members of both. */
export async function deleteGrantsOnTransfer(
  db: Db,
  { source, target }: { source: string; target: string },
  contentIds: readonly string[],
): Promise<void> {
  await sql`delete from grants where organization_id = ${source} and content_id in (${sql.join(contentIds)})
    and (user_id is null or user_id not in (select user_id from members where organization_id = ${target}))`.execute(db)
}

export async function deleteGrantsOfSite(db: Db, { organization_id, id }: SiteKey): Promise<void> {
  await db.deleteFrom('grants').where('organization_id', '=', organization_id).where('site_id', '=', id).execute()
}
