import { sql } from 'kysely'
import { contentPathSql, toContentColumns } from '../../access/content-path.ts'
import { fromStoredRole, loadContentRole } from '../../access/content-roles.ts'
import type { AccessReason, AccessSource } from '../../contract/access.ts'
import { type Role, roleRank } from '../../contract/roles.ts'
import type { PageOptions, SharedContentWithLevel } from '../../domain/permissions/grant-store.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Db, Row } from '../../schema/tables.ts'
import type { StoredLevel } from '../../schema/values.ts'

/** Shared content with its own default level and the title that people see. */
export interface ExplainedContent extends SharedContentWithLevel {
  title: string
  ownLevel: StoredLevel
}

type SourceWithLevel = AccessSource & { ownLevel: StoredLevel }

/** The content and the collections around it, which share it as well, from the inside out. */
export type AccessPath = readonly SourceWithLevel[]

/** Loads the path of content; collections that the viewer cannot see have no title. */
export async function loadAccessPath(db: Db, viewer: Viewer, content: ExplainedContent): Promise<AccessPath> {
  const { organizationId, parentId, kind: type, id, title, ownLevel } = content
  const path: SourceWithLevel[] = [{ type, id, title, ownLevel }]
  if (parentId === null) return path
  const { rows } = await sql<Row<'collections'>>`
    with recursive ${contentPathSql(toContentColumns(content))}
    select collections.* from collections join content_path on content_path.id = collections.id
    where collections.organization_id = ${organizationId} and content_path.depth > 0 order by content_path.depth`.execute(
    db,
  )
  for (const row of rows) {
    const isVisible = (await loadContentRole(db, viewer, row)) !== null
    path.push({
      type: 'collection',
      id: row.id,
      ...(isVisible && { title: row.title }),
      ownLevel: row.default_level,
    })
  }
  return path
}

/** Returns the source of the default level of content; undefined if it is the role in the organization. */
export const findLevelSource = (path: AccessPath): AccessSource | undefined => {
  const source = path.find(({ ownLevel }) => ownLevel !== 'inherit')
  return source && toSource(source)
}

const toSource = ({ type, id, title }: SourceWithLevel): AccessSource => ({
  type,
  id,
  ...(title !== undefined && { title }),
})

const byRole = (one: AccessReason, other: AccessReason): number => roleRank(other.role) - roleRank(one.role)

/** Returns everything that gives each of the members access to content, the highest role first. */
export async function explainUserAccess(
  db: Db,
  content: ExplainedContent,
  path: AccessPath,
  userIds: readonly string[],
): Promise<Map<string, AccessReason[]>> {
  const reasons = new Map<string, AccessReason[]>(userIds.map((id) => [id, []]))
  if (userIds.length === 0) return reasons
  const { organizationId, level } = content
  const members = await db
    .selectFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', userIds)
    .select(['user_id', 'role'])
    .execute()
  for (const { user_id, role: storedRole } of members) {
    const role = fromStoredRole(storedRole)
    if (role === 'admin') reasons.get(user_id)?.push({ type: 'administrator', role })
    else if (role !== null && level === 'organization') reasons.get(user_id)?.push({ type: 'organization', role })
    else if (role !== null && level !== 'none') reasons.get(user_id)?.push(defaultReason(path, level as Role))
  }
  for (const { user_id, content_id, role } of await findUserGrants(db, organizationId, path, userIds))
    reasons.get(user_id as string)?.push({ type: 'user', role, source: sourceOf(path, content_id) })
  for (const { user_id, content_id, role, id, title } of await findTeamGrants(db, organizationId, path, userIds))
    reasons.get(user_id)?.push({ type: 'team', role, source: sourceOf(path, content_id), team: { id, title } })
  for (const list of reasons.values()) list.sort(byRole)
  return reasons
}

const defaultReason = (path: AccessPath, role: Role): AccessReason => {
  const source = findLevelSource(path)
  return source ? { type: 'default', role, source } : { type: 'organization', role }
}

const sourceOf = (path: AccessPath, id: string): AccessSource =>
  toSource(path.find((source) => source.id === id) as SourceWithLevel)

function selectGrantsOnPath(db: Db, organizationId: string, path: AccessPath) {
  return db
    .selectFrom('grants')
    .where('grants.organization_id', '=', organizationId)
    .where(
      'grants.content_id',
      'in',
      path.map(({ id }) => id),
    )
    .select(['grants.content_id', 'grants.role'])
}

const findUserGrants = (db: Db, organizationId: string, path: AccessPath, userIds: readonly string[]) =>
  selectGrantsOnPath(db, organizationId, path)
    .where('grants.user_id', 'in', userIds)
    .select('grants.user_id')
    .orderBy('grants.content_id')
    .execute()

const findTeamGrants = (db: Db, organizationId: string, path: AccessPath, userIds: readonly string[]) =>
  selectGrantsOnPath(db, organizationId, path)
    .innerJoin('team_members', (join) =>
      join
        .onRef('team_members.organization_id', '=', 'grants.organization_id')
        .onRef('team_members.team_id', '=', 'grants.team_id'),
    )
    .innerJoin('teams', (join) =>
      join.onRef('teams.organization_id', '=', 'grants.organization_id').onRef('teams.id', '=', 'grants.team_id'),
    )
    .where('team_members.user_id', 'in', userIds)
    .select(['team_members.user_id', 'teams.id', 'teams.title'])
    .orderBy('teams.id')
    .orderBy('grants.content_id')
    .execute()

function selectTeamsOnPath(db: Db, organizationId: string, path: AccessPath) {
  return db
    .selectFrom('teams')
    .where('teams.organization_id', '=', organizationId)
    .where('teams.id', 'in', (eb) =>
      eb
        .selectFrom('grants')
        .where('organization_id', '=', organizationId)
        .where(
          'content_id',
          'in',
          path.map(({ id }) => id),
        )
        .where('team_id', 'is not', null)
        .select((one) => one.ref('team_id').$notNull().as('team_id')),
    )
}

/** Finds the teams that content, or a collection around it, is shared with. */
export const findTeamsOnPath = (
  db: Db,
  organizationId: string,
  path: AccessPath,
  { after, limit }: PageOptions,
): Promise<Row<'teams'>[]> =>
  selectTeamsOnPath(db, organizationId, path)
    .$if(after !== undefined, (query) => query.where('teams.id', '>', after?.[0] as string))
    .selectAll('teams')
    .orderBy('teams.id')
    .limit(limit + 1)
    .execute()

export async function countTeamsOnPath(db: Db, organizationId: string, path: AccessPath): Promise<number> {
  const { count } = await selectTeamsOnPath(db, organizationId, path)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns everything that is shared with each of the teams, the highest role first. */
export async function explainTeamAccess(
  db: Db,
  organizationId: string,
  path: AccessPath,
  teams: readonly Pick<Row<'teams'>, 'id' | 'title'>[],
): Promise<Map<string, AccessReason[]>> {
  const byId = new Map(teams.map(({ id, title }) => [id, { id, title }]))
  const reasons = new Map<string, AccessReason[]>(teams.map(({ id }) => [id, []]))
  if (teams.length === 0) return reasons
  const grants = await selectGrantsOnPath(db, organizationId, path)
    .where('grants.team_id', 'in', [...byId.keys()])
    .select('grants.team_id')
    .execute()
  for (const { team_id, content_id, role } of grants) {
    const team = byId.get(team_id as string)
    if (team) reasons.get(team.id)?.push({ type: 'team', role, source: sourceOf(path, content_id), team })
  }
  for (const list of reasons.values()) list.sort(byRole)
  return reasons
}
