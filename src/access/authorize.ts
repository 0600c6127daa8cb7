import { sql } from 'kysely'
import type { Access } from '../contract/operation.ts'
import { type Action, type RoleOrGuest, type ResourceKind, isActionAllowed, roleRank } from '../contract/roles.ts'
import type {
  BaseContext,
  MemberContext,
  OrganizationContext,
  Principal,
  PublicContext,
  RawRequest,
  SiteContext,
  UserContext,
  Viewer,
} from '../kernel/context.ts'
import { AppError, notFound, unknownReference } from '../kernel/errors.ts'
import { defineLookup } from '../storage/lookup.ts'
import type { Db } from '../schema/tables.ts'
import type { Flag } from '../schema/values.ts'
import { resolveRoleInRow, fromStoredRole, selectMemberGrantedRank } from './content-roles.ts'
import { checkSignIn, requireSignIn } from './sign-in-rules.ts'
import { findSite } from './sites.ts'
import { requireOwnSignIn, requireReach } from './sso.ts'

type PathParams = Readonly<Record<string, string>>

/** Request whose path names the resource to authorize. */
export interface AuthorizationRequest {
  params: PathParams
  /** Unvalidated body: only `parent` is read, and only if it is a string. */
  body: unknown
  /** Whether deleted spaces can be found. */
  includesDeleted: boolean
  rawRequest: RawRequest
}

/**
 * Loads the resource in the path, checks whether the caller may perform the operation, and returns the handler's context.
 * Responds with not found to callers who cannot see the resource, and with forbidden to those who can see it but lack permission.
 */
export async function authorize(
  access: Access,
  context: BaseContext,
  principal: Principal | undefined,
  request: AuthorizationRequest,
): Promise<PublicContext | UserContext> {
  if (access === 'public') return { ...context, principal, rawRequest: request.rawRequest }
  requirePrincipal(principal)
  const caller: UserContext = { ...context, principal }
  if (access === 'user') return caller
  if (access === 'operator') {
    requireOperator(principal)
    return caller
  }

  const [subject, action] = access.split(':') as [string, string]
  switch (subject) {
    case 'space':
      return await authorizeSpace(caller, request, action === 'visit' ? 'view' : (action as Action<'space'>))
    case 'site':
      return await authorizeSite(caller, request, action === 'visit' ? 'view' : (action as Action<'site'>))
    case 'collection':
      return await authorizeCollection(caller, request, action as Action<'collection'>)
    case 'container':
      return await authorizeContainer(caller, request)
    case 'team':
      return await authorizeTeam(caller, request)
    case 'member': {
      const member = await loadOrganization(caller, request)
      if (request.params['userId'] !== principal.user.id) requireRole('organization', 'admin', member.role)
      return member
    }
    default: {
      const member = await loadOrganization(caller, request)
      requireRole('organization', action as Action<'organization'>, member.role)
      return member
    }
  }
}

/** Throws if there is no authenticated user. */
export function requirePrincipal(principal: Principal | undefined): asserts principal is Principal {
  if (!principal)
    throw new AppError('unauthenticated', 'An API token is required. Send the header `Authorization: Bearer <token>`')
}

/** Throws unless the user operates the server, and signed in with their own account instead of that of an organization. */
function requireOperator(principal: Principal): void {
  if (principal.user.is_operator !== 1) throw new AppError('forbidden', 'Only operators of the server may do this')
  requireOwnSignIn(principal, 'operate the server')
}

/** Throws unless the role allows the action. */
export function requireRole<S extends ResourceKind>(subject: S, action: Action<S>, role: RoleOrGuest): void {
  if (!isActionAllowed(subject, action, role)) {
    throw new AppError('forbidden', `Your role (${role ?? 'guest'}) in the ${subject} does not allow this`)
  }
}

/** Returns a user as a member of an organization; undefined if they are not a member or their membership is disabled. */
export async function findViewer(db: Db, organizationId: string, userId: string): Promise<Viewer | undefined> {
  const member = await db
    .selectFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('disabled', '=', 0)
    .select('role')
    .executeTakeFirst()
  return member && { organizationId, userId, role: fromStoredRole(member.role) }
}

/** Returns the caller as a member of the organization that owns the content now; it may have been transferred. */
export async function resolveViewer(
  { db, viewer }: MemberContext,
  content: { organization_id: string },
): Promise<Viewer> {
  if (content.organization_id === viewer.organizationId) return viewer
  const viewerInOwner = await findViewer(db, content.organization_id, viewer.userId)
  return viewerInOwner ?? { ...viewer, organizationId: content.organization_id, role: null }
}

const findOrganizationForUser = defineLookup(
  (db, { organizationId, userId }: { organizationId: string; userId: string }) =>
    db
      .selectFrom('organizations')
      .innerJoin('members', 'members.organization_id', 'organizations.id')
      .where('organizations.id', '=', organizationId)
      .where('members.user_id', '=', userId)
      .where('members.disabled', '=', sql.lit<Flag>(0))
      .selectAll('organizations')
      .select('members.role as member_role'),
)

async function loadOrganization(caller: UserContext, { params }: AuthorizationRequest): Promise<OrganizationContext> {
  const row = await findOrganizationForUser(caller.db, {
    organizationId: params['organizationId'] as string,
    userId: caller.principal.user.id,
  })
  if (!row) throw notFound('organization')
  await requireReach(caller, row.id)
  const { member_role, ...organization } = row
  checkSignIn(caller.principal, organization)
  const viewer = {
    organizationId: organization.id,
    userId: caller.principal.user.id,
    role: fromStoredRole(member_role),
  }
  return { ...caller, viewer, organization, role: viewer.role }
}

async function authorizeSpace(
  caller: UserContext,
  { params, includesDeleted }: AuthorizationRequest,
  action: Action<'space'>,
) {
  const found = await findSpace(caller.db, caller.principal.user.id, params['spaceId'] as string, includesDeleted)
  if (!found) throw notFound('space')
  await requireReach(caller, found.space.organization_id)
  await requireSignIn(caller.db, caller.principal, found.space.organization_id)
  requireRole('space', action, found.role)
  return { ...caller, ...found }
}

const findSpaceForUser = defineLookup((db, { spaceId, userId }: { spaceId: string; userId: string }) =>
  db
    .selectFrom('spaces')
    .innerJoin('members', 'members.organization_id', 'spaces.organization_id')
    .where('spaces.id', '=', spaceId)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', sql.lit<Flag>(0))
    .selectAll('spaces')
    .select(['members.role as member_role', selectMemberGrantedRank('spaces', userId).as('own_rank')]),
)

/** Returns a space that a user can see, with their role in it. */
export async function findSpace(db: Db, userId: string, spaceId: string, includesDeleted = false) {
  const row = await findSpaceForUser(db, { spaceId, userId })
  if (!row || (row.deleted_at !== null && !includesDeleted)) return undefined
  const { member_role, own_rank, ...space } = row
  const viewer = { organizationId: space.organization_id, userId, role: fromStoredRole(member_role) }
  const role = resolveRoleInRow(viewer, { resolved_level: space.resolved_level, own_rank })
  return role === null ? undefined : { space, role, viewer }
}

async function authorizeSite(
  caller: UserContext,
  request: AuthorizationRequest,
  action: Action<'site'>,
): Promise<SiteContext> {
  const { organizationId = '', siteId = '' } = request.params
  const [member, found] = await Promise.all([
    loadOrganization(caller, request),
    findSite(caller.db, caller.principal.user.id, organizationId, siteId),
  ])
  if (!found) throw notFound('site')
  requireRole('site', action, found.siteRole)
  return { ...member, ...found }
}

async function authorizeCollection(
  caller: UserContext,
  { params }: AuthorizationRequest,
  action: Action<'collection'>,
) {
  const found = await findCollection(caller.db, caller.principal.user.id, params['collectionId'] as string)
  if (!found) throw notFound('collection')
  await requireReach(caller, found.collection.organization_id)
  await requireSignIn(caller.db, caller.principal, found.collection.organization_id)
  requireRole('collection', action, found.role)
  return { ...caller, ...found }
}

const findCollectionForUser = defineLookup((db, { collectionId, userId }: { collectionId: string; userId: string }) =>
  db
    .selectFrom('collections')
    .innerJoin('members', 'members.organization_id', 'collections.organization_id')
    .where('collections.id', '=', collectionId)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', sql.lit<Flag>(0))
    .selectAll('collections')
    .select(['members.role as member_role', selectMemberGrantedRank('collections', userId).as('own_rank')]),
)

/** Returns a collection that a user can see, with their role in it. */
export async function findCollection(db: Db, userId: string, collectionId: string) {
  const row = await findCollectionForUser(db, { collectionId, userId })
  if (!row) return undefined
  const { member_role, own_rank, ...collection } = row
  const viewer = { organizationId: collection.organization_id, userId, role: fromStoredRole(member_role) }
  const role = resolveRoleInRow(viewer, { resolved_level: collection.resolved_level, own_rank })
  return role === null ? undefined : { collection, role, viewer }
}

/** Returns the target collection of new or moved content; throws if the caller may not create content in it. */
export async function getContainer(db: Db, { organizationId, userId }: Viewer, collectionId: string, field: string) {
  const found = await findCollection(db, userId, collectionId)
  if (found?.collection.organization_id !== organizationId) throw unknownReference(field, 'collection')
  requireRole('collection', 'create', found.role)
  return found
}

async function authorizeContainer(caller: UserContext, request: AuthorizationRequest) {
  const member = await loadOrganization(caller, request)
  const parent = (request.body as { parent?: unknown } | undefined)?.parent
  if (typeof parent !== 'string') {
    requireRole('organization', 'createContent', member.role)
    return { ...member, container: undefined, containerRole: member.role }
  }
  const { collection, role } = await getContainer(caller.db, member.viewer, parent, 'body.parent')
  return { ...member, container: collection, containerRole: role }
}

async function authorizeTeam(caller: UserContext, request: AuthorizationRequest): Promise<OrganizationContext> {
  const member = await loadOrganization(caller, request)
  if (roleRank(member.role) >= roleRank('admin')) return member
  requireRole('organization', 'listTeams', member.role)
  const ownership = await caller.db
    .selectFrom('team_members')
    .where('organization_id', '=', member.organization.id)
    .where('team_id', '=', request.params['teamId'] as string)
    .where('user_id', '=', caller.principal.user.id)
    .where('role', '=', 'owner')
    .select('team_id')
    .executeTakeFirst()
  if (!ownership) throw new AppError('forbidden', 'Only administrators and the owners of a team can manage its members')
  return member
}
