import { type VisitorCredentials, type VisitorIdentity, identifyVisitor } from './identify-visitor.ts'
import { findSpace } from '../access/authorize.ts'
import { type StoredSiteItem, findSiteByLocator, loadStructure } from '../access/sites.ts'
import { accessRulesOf } from '../access/sites.ts'
import { readLineages } from '../content/revision/lineages.ts'
import { type Tree, findPageByPath } from '../content/revision/tree.ts'
import type { BaseContext, SiteWithAddress } from '../kernel/context.ts'
import type { JwtError } from '../kernel/jwt.ts'
import { joinSegments } from '../publishing/site-urls.ts'
import { canSeePage } from '../publishing/pages.ts'
import type { ResolvedSitePath, Structure } from '../publishing/structure.ts'
import { Viewpoint, findRefusal } from '../publishing/visibility.ts'
import { findChangeRequest } from '../domain/change-requests/change-request-queries.ts'
import { findRevision, getComputedContent } from '../domain/revisions/revisions.ts'
import type { PreviewedCustomization } from '../domain/sites/customization-previews.ts'
import { findLiveSpace } from '../domain/spaces/space-queries.ts'

/** Result for a URL that shows a visitor no content. */
type AccessDenied =
  | { kind: 'nothing' }
  /** URL of the same content or site to redirect to. */
  | { kind: 'redirect'; to: string }
  /** The visitor must sign in: `login` is the URL for that, if configured, `problem` the error of the visitor's token. */
  | { kind: 'signIn'; site: SiteWithAddress; login: string | undefined; problem: JwtError | undefined }

/** A site that a visitor has access to. */
export interface SiteSession {
  site: SiteWithAddress
  identity: VisitorIdentity
  structure: Structure<StoredSiteItem>
  viewpoint: Viewpoint
  /** Base URL of the site for this visitor, with a trailing slash. */
  siteBase: string
  /** Host of the request, which may differ from the site's own host. */
  host: string
  /** Query string of the URL, with its question mark. */
  search: string
  /** Unsaved settings that are shown instead of the stored ones. */
  customization?: PreviewedCustomization
}

/** A space of a site and a path in it, as a visitor sees it. */
export interface SiteLocation extends SiteSession, ResolvedSitePath<StoredSiteItem> {
  changeRequest?: string
  revision?: string
  /** Path segments that name a change request or a revision of the space; empty if the URL names none. */
  previewPath: readonly string[]
}

/** Result of looking up a URL of a site for a visitor. */
export type LocateResult = AccessDenied | ({ kind: 'place' } & SiteLocation)

type SiteRequestInput = Omit<VisitorCredentials, 'segments' | 'query'> & { url: string }

/** Finds the content that a URL shows to a visitor. */
export async function locateUrl(context: BaseContext, input: SiteRequestInput): Promise<LocateResult> {
  const session = await openSession(context, input)
  return session.kind === 'session' ? locatePath(context, session, session.identity.segments) : session
}

/**
 * Finds the site of a URL and checks the visitor's access. An unpublished site or a wrong share link gives the same
 * result as an unknown URL.
 */
export async function openSession(
  context: BaseContext,
  input: SiteRequestInput,
): Promise<AccessDenied | ({ kind: 'session' } & SiteSession)> {
  const { db, urls } = context
  const found = await findSiteByUrl(context, input.url)
  if (!found) return { kind: 'nothing' }
  const { host, search, searchParams } = new URL(input.url)
  const { site, segments, isDefault } = found
  const identity = await identifyVisitor(context, site, { ...input, segments, query: searchParams })
  const { visitor, problem } = identity
  // Previews use the server's own URL: a domain that hosts the site below a path is not proved to be allowed to see them.
  const base = urls.site(site, { isHosted: !visitor.isPreviewing })
  const refusal = findRefusal(accessRulesOf(site), visitor)
  if (refusal === 'unpublished' || refusal === 'share-link') return { kind: 'nothing' }
  if (isDefault) return { kind: 'redirect', to: `${base}${joinSegments(segments)}${search}` }
  if (refusal === 'visitor-auth' || problem)
    return { kind: 'signIn', site, login: buildLoginUrl(site, base, segments), problem }
  const structure = await loadStructure(db, site)
  const siteBase = visitor.hasShareLink ? `${base}${encodeURIComponent(visitor.shareKey ?? '')}/` : base
  return { kind: 'session', site, identity, structure, viewpoint: Viewpoint.of(visitor), siteBase, host, search }
}

/** Finds the content that a path of a site shows to a visitor with access. */
export async function locatePath(
  context: BaseContext,
  session: SiteSession,
  segments: readonly string[],
): Promise<LocateResult> {
  const { structure, viewpoint, search } = session
  const destination =
    (await findPageNamedLikeDefault(context, session, segments)) ?? structure.resolve(segments, viewpoint)
  if (!destination) {
    const first = segments.length === 0 ? structure.findFirstVisible(viewpoint) : undefined
    return first ? { kind: 'redirect', to: buildSiteItemUrl(session, first) + search } : { kind: 'nothing' }
  }
  const location = { ...session, ...destination, previewPath: [] }
  const named = segments.slice(0, segments.length - destination.rest.length)
  if (!destination.isCanonical || differInCase(named, structure.segmentsOf(destination.space))) {
    return { kind: 'redirect', to: buildSiteItemUrl(location, destination.space, destination.rest) + search }
  }
  const preview = await findPreview(context, location)
  return preview ? { ...location, ...preview, kind: 'place' } : { kind: 'nothing' }
}

function differInCase(named: readonly string[], own: readonly string[]): boolean {
  const [written, known] = [named.join('/'), own.join('/')]
  return written !== known && written.toLowerCase() === known.toLowerCase()
}

/** Finds a page that has the same name as the default section or site space around it, whose name URLs omit. */
async function findPageNamedLikeDefault(
  context: BaseContext,
  { site, structure, viewpoint }: SiteSession,
  segments: readonly string[],
): Promise<ResolvedSitePath<StoredSiteItem> | undefined> {
  if (structure.resolve(segments, viewpoint)?.isCanonical !== false) return undefined
  const asPage = structure.resolve(segments, viewpoint, { asPage: true })
  if (!asPage?.isCanonical || asPage.rest.length === 0) return undefined
  const key = { organization_id: site.organization_id, id: asPage.space.spaceId ?? '' }
  const space = await findLiveSpace(context.db, key)
  const { tree } = space ? await getComputedContent(context, space, space.revision_id) : {}
  const id = tree && (await findPageByPath(tree, asPage.rest.join('/')))?.entry.id
  const pages = id === undefined ? undefined : (await readLineages(tree as Tree, [id])).get(id)?.map(({ page }) => page)
  return tree && pages && canSeePage(viewpoint, pages, tree.root.variables) ? asPage : undefined
}

/** Returns the URL of an item of a site. */
export function buildSiteItemUrl(
  { siteBase, structure }: Pick<SiteLocation, 'siteBase' | 'structure'>,
  item: StoredSiteItem,
  rest: readonly string[] = [],
): string {
  return `${siteBase}${joinSegments(structure.segmentsOf(item))}${rest.map(encodeURIComponent).join('/')}`
}

/** Finds the site of a URL; a URL with only the organization belongs to its default site. */
async function findSiteByUrl({ db, urls }: BaseContext, url: string) {
  for (const { locator, segments } of urls.sitesAt(url)) {
    const site = await findSiteByLocator(db, locator)
    if (site) return { site, segments, isDefault: 'organization' in locator && !('basename' in locator) }
  }
  return undefined
}

/** Returns the URL for signing in, with the path of the site to return to. */
function buildLoginUrl(
  { auth_fallback_url: fallback }: SiteWithAddress,
  base: string,
  segments: readonly string[],
): string | undefined {
  if (fallback === null) return undefined
  const login = new URL(fallback)
  // Built from the base URL, because the requested path might begin with two slashes and redirect to another host.
  login.searchParams.set('location', new URL(base + segments.map(encodeURIComponent).join('/')).pathname)
  return login.toString()
}

/** Returns the change request or revision that a URL names, if any; undefined if the previewing member cannot see the space. */
async function findPreview({ db }: BaseContext, { site, identity: { visitor }, space, rest }: SiteLocation) {
  const [prefix, kind, name = '', ...below] = rest
  if (prefix !== '~') return { rest, previewPath: [] }
  const key = { organization_id: site.organization_id, id: space.spaceId ?? '' }
  const canOpen = visitor.previewBy !== undefined && (await findSpace(db, visitor.previewBy, key.id)) !== undefined
  if (!canOpen) return undefined
  if (kind === 'changes') {
    const changeRequest = (await findChangeRequest(db, key, name))?.id
    return changeRequest === undefined ? undefined : { rest: below, previewPath: [prefix, kind, name], changeRequest }
  }
  const revision = kind === 'revisions' ? (await findRevision(db, key, name))?.id : undefined
  return revision === undefined ? undefined : { rest: below, previewPath: [prefix, 'revisions', name], revision }
}
