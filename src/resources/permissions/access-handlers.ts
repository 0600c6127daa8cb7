import {
  type AccessQuery,
  type ContentAccess,
  type TeamAccess,
  type UserAccess,
  access,
} from '../../contract/access.ts'
import type { ListQuery, Paginated } from '../../contract/shared.ts'
import { type Role, roleAtRank } from '../../contract/roles.ts'
import { addTeamDetails } from '../../domain/teams/team-details.ts'
import { presentTeam } from '../../domain/teams/present-team.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import type { CollectionContext, MemberContext, SiteContext, SpaceContext } from '../../kernel/context.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { countEffectiveMembers, findEffectiveMembers } from './effective-roles.ts'
import {
  type ExplainedContent,
  countTeamsOnPath,
  explainTeamAccess,
  explainUserAccess,
  findLevelSource,
  findTeamsOnPath,
  loadAccessPath,
} from './access-reasons.ts'
import { countInviteLinks, describeSite, findSitesThatShowSpace } from './general-access.ts'

export const accessRoutes = implement(access, {
  getSpaceAccess: async (context) =>
    getGeneralAccess(
      context,
      explainSpace(context),
      await findSitesThatShowSpace(context.db, context.viewer, context.space),
    ),
  listUserAccessToSpace: (context, { query }) => listUserAccess(context, explainSpace(context), query),
  listTeamAccessToSpace: (context, { query }) => listTeamAccess(context, explainSpace(context), query),

  getCollectionAccess: (context) => getGeneralAccess(context, explainCollection(context), []),
  listUserAccessToCollection: (context, { query }) => listUserAccess(context, explainCollection(context), query),
  listTeamAccessToCollection: (context, { query }) => listTeamAccess(context, explainCollection(context), query),

  getSiteAccess: async (context) =>
    getGeneralAccess(
      context,
      explainSite(context),
      context.site.published === 1 ? [await describeSite(context.db, context.site, true)] : [],
    ),
  listUserAccessToSite: (context, { query }) => listUserAccess(context, explainSite(context), query),
  listTeamAccessToSite: (context, { query }) => listTeamAccess(context, explainSite(context), query),
})

const explainSpace = ({ space }: SpaceContext): ExplainedContent => ({
  kind: 'space',
  organizationId: space.organization_id,
  id: space.id,
  title: space.title,
  parentId: space.parent_id,
  level: space.resolved_level,
  ownLevel: space.default_level,
})

const explainCollection = ({ collection }: CollectionContext): ExplainedContent => ({
  kind: 'collection',
  organizationId: collection.organization_id,
  id: collection.id,
  title: collection.title,
  parentId: collection.parent_id,
  level: collection.resolved_level,
  ownLevel: collection.default_level,
})

const explainSite = ({ site }: SiteContext): ExplainedContent => ({
  kind: 'site',
  organizationId: site.organization_id,
  id: site.id,
  title: site.title,
  parentId: null,
  level: site.resolved_level,
  ownLevel: site.default_level,
})

async function getGeneralAccess(
  { db, viewer }: MemberContext,
  content: ExplainedContent,
  sites: ContentAccess['sites'],
): Promise<ContentAccess> {
  const path = await loadAccessPath(db, viewer, content)
  const source = findLevelSource(path)
  const levels = { organization: 'inherit', none: null } as const
  const level = content.level === 'organization' || content.level === 'none' ? levels[content.level] : content.level
  return {
    object: 'content-access',
    members: { level, ...(source && { source }) },
    inviteLinks: content.kind === 'site' ? 0 : await countInviteLinks(db, content.organizationId, path),
    sites,
  }
}

const byName = { column: 'name_key', direction: 'asc' } as const

async function listUserAccess(
  { db, viewer, urls }: MemberContext,
  content: ExplainedContent,
  query: AccessQuery,
): Promise<Paginated<UserAccess>> {
  const filter = { role: query.role, search: query.search, seen: false }
  const after = decodeCursor(query.page, 2)
  const rows = await findEffectiveMembers(db, content, filter, byName, { after, limit: query.limit })
  const reasons = await explainUserAccess(
    db,
    content,
    await loadAccessPath(db, viewer, content),
    rows.map(({ id }) => id),
  )
  return toPage(
    rows,
    query,
    await countEffectiveMembers(db, content, filter),
    (row) => [row.name_key, row.id],
    (row) => ({
      object: 'user-access',
      user: presentUser(row, urls),
      role: roleAtRank(row.rank) as Role,
      reasons: reasons.get(row.id) ?? [],
    }),
  )
}

async function listTeamAccess(
  { db, viewer }: MemberContext,
  content: ExplainedContent,
  query: ListQuery,
): Promise<Paginated<TeamAccess>> {
  const { organizationId } = content
  const path = await loadAccessPath(db, viewer, content)
  const page = { after: decodeCursor(query.page, 1), limit: query.limit }
  const rows = await findTeamsOnPath(db, organizationId, path, page)
  const reasons = await explainTeamAccess(db, organizationId, path, rows)
  return toPage(
    await addTeamDetails(db, viewer, rows),
    query,
    await countTeamsOnPath(db, organizationId, path),
    (team) => [team.id],
    (team) => ({
      object: 'team-access',
      team: presentTeam(team),
      role: reasons.get(team.id)?.[0]?.role as Role,
      reasons: reasons.get(team.id) ?? [],
    }),
  )
}
