import { type AuthorizationRequest, authorize, requirePrincipal } from '../access/authorize.ts'
import { accessRulesOf, canSeeSiteItem, findSiteById, loadStructure } from '../access/sites.ts'
import type { Access } from '../contract/operation.ts'
import { findLiveSpace } from '../domain/spaces/space-queries.ts'
import type {
  BaseContext,
  Principal,
  PublicContext,
  SiteReadContext,
  SiteVisitor,
  SiteWithAddress,
  SpaceReadContext,
  UserContext,
} from '../kernel/context.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { findRefusal } from '../publishing/visibility.ts'
import type { Db } from '../schema/tables.ts'
import type { Visit } from './visit-token.ts'
import { limitVisitorToSpace, resolveVisitor } from './visitor.ts'

/** Caller of an operation: a user, or a visitor of a site. */
export interface Caller {
  principal?: Principal
  visit?: Visit
}

/** Authorizes an operation for a user or, if it can be called with a visit token, for a visitor. */
export function authorizeCaller(
  access: Access,
  context: BaseContext,
  { principal, visit }: Caller,
  request: AuthorizationRequest,
): Promise<PublicContext | UserContext | SiteReadContext | SpaceReadContext> {
  if (visit && access === 'site:visit') return authorizeSiteVisit(context, visit, request)
  if (visit && access === 'space:visit') return authorizeSpaceVisit(context, visit, request)
  return authorize(access, context, principal, request)
}

/** Performs the checks that need only the path, so that the server does not read a body that it would reject. */
export async function authorizeBeforeBody(
  access: Access,
  context: BaseContext,
  caller: Caller,
  request: Omit<AuthorizationRequest, 'body'>,
): Promise<void> {
  // The remaining checks depend on the collection named in the body.
  const accessByPath = access === 'container:create' ? 'organization:view' : access
  await authorizeCaller(accessByPath, context, caller, { ...request, body: undefined })
}

/**
 * Throws if the caller cannot call this kind of operation at all. It also runs before a body is read, so that the server reads no
 * bodies of unauthenticated callers.
 */
export function requireCaller(access: Access, { principal, visit }: Caller): void {
  if (access === 'public' || (visit && (access === 'site:visit' || access === 'space:visit'))) return
  if (visit) throw new AppError('forbidden', 'The token of a visitor can only read a site')
  requirePrincipal(principal)
}

/** Returns the site of a visit; undefined if the visitor cannot open it. */
async function findVisitedSite(db: Db, visit: Visit) {
  const site = await findSiteById(db, visit.organizationId, visit.siteId)
  const visitor = site && (await resolveVisitor(db, site, visit))
  if (!site || !visitor || findRefusal(accessRulesOf(site), visitor)) return undefined
  return { site, visitor }
}

async function authorizeSiteVisit(
  context: BaseContext,
  visit: Visit,
  { params }: AuthorizationRequest,
): Promise<SiteReadContext> {
  const isVisitedSite = params['organizationId'] === visit.organizationId && params['siteId'] === visit.siteId
  const found = isVisitedSite ? await findVisitedSite(context.db, visit) : undefined
  if (!found) throw notFound('site')
  return { ...context, ...found, siteRole: null }
}

async function canSeeSpace(db: Db, site: SiteWithAddress, visitor: SiteVisitor, spaceId: string): Promise<boolean> {
  const structure = await loadStructure(db, site)
  return structure.spaces.some((item) => item.spaceId === spaceId && canSeeSiteItem(site, structure, item, visitor))
}

/** Authorizes a visitor to read a space that is visible to them on the site. */
async function authorizeSpaceVisit(
  context: BaseContext,
  visit: Visit,
  { params }: AuthorizationRequest,
): Promise<SpaceReadContext> {
  const { db } = context
  const found = await findVisitedSite(db, visit)
  const spaceId = params['spaceId'] as string
  const visitor = found && (await limitVisitorToSpace(db, found.visitor, spaceId))
  const space =
    visitor &&
    (await canSeeSpace(db, found.site, visitor, spaceId)) &&
    (await findLiveSpace(db, { organization_id: visit.organizationId, id: spaceId }))
  if (!visitor || !space) throw notFound('space')
  return { ...context, site: found.site, visitor, space, role: null }
}
