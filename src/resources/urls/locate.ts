import { type VisitorCredentials, type VisitorIdentity, identifyVisitor } from '../../access/visitor-identity.ts'
import { findSpace } from '../../access/authorize.ts'
import { type StoredItem, findSiteNamed, loadStructure } from '../../access/sites.ts'
import { accessRulesOf } from '../../access/visits.ts'
import { readLineages } from '../../content/revision/lineages.ts'
import { type Tree, findPageByPath } from '../../content/revision/tree.ts'
import type { BaseContext, PlacedSite } from '../../kernel/context.ts'
import type { JwtError } from '../../kernel/jwt.ts'
import { pathOfSegments } from '../../publishing/addresses.ts'
import { seesPages } from '../../publishing/pages.ts'
import type { Destination, Structure } from '../../publishing/structure.ts'
import { Viewpoint, findRefusal } from '../../publishing/visibility.ts'
import { findChangeRequest } from '../../domain/change-requests/change-request-queries.ts'
import { findRevision, getContent } from '../../domain/revisions/revisions.ts'
import { findLiveSpace } from '../../domain/spaces/space-queries.ts'

/** Why somebody does not get in, or not here. */
type AccessDenied =
  | { kind: 'nothing' }
  /** Another address of the site. */
  | { kind: 'redirect'; to: string }
  /** Visitors sign in first; `login` is where, if the site says so, and `problem` what is wrong with their token. */
  | { kind: 'signIn'; site: PlacedSite; login: string | undefined; problem: JwtError | undefined }

/** A site that a visitor got into. */
export interface SiteSession {
  site: PlacedSite
  identity: VisitorIdentity
  structure: Structure<StoredItem>
  viewpoint: Viewpoint
  /** Where the site begins for them, ending with a slash. */
  siteBase: string
  /** The host that they came by; sites with hosts of their own may also be reached by others. */
  host: string
  /** What the address says besides its path, with its question mark. */
  search: string
}

/** A place on a site, as a visitor sees it. */
export interface SiteLocation extends SiteSession, Destination<StoredItem> {
  changeRequest?: string
  revision?: string
  /** The steps by which the address names a change request or a revision of the space, if it does. */
  previewPath: readonly string[]
}

/** Where an address of a site leads a visitor. */
export type Located = AccessDenied | ({ kind: 'place' } & SiteLocation)

type SiteRequestInput = Omit<VisitorCredentials, 'segments' | 'query'> & { url: string }

/** Finds what an address shows to a visitor. */
export async function locate(context: BaseContext, input: SiteRequestInput): Promise<Located> {
  const session = await openSession(context, input)
  return session.kind === 'session' ? locatePath(context, session, session.identity.segments) : session
}

/** Lets a visitor into the site that an address belongs to. Nothing tells that there is a site where they do not get in. */
export async function openSession(
  context: BaseContext,
  input: SiteRequestInput,
): Promise<AccessDenied | ({ kind: 'session' } & SiteSession)> {
  const { db, urls } = context
  const found = await findSiteAt(context, input.url)
  if (!found) return { kind: 'nothing' }
  const { host, search, searchParams } = new URL(input.url)
  const { site, segments, isDefault } = found
  const identity = await identifyVisitor(context, site, { ...input, segments, query: searchParams })
  const { visitor, problem } = identity
  // Previews stay where they were made: nobody has proved that a domain which hosts the site below a path may see them.
  const base = urls.site(site, { isHosted: !visitor.isPreviewing })
  const refusal = findRefusal(accessRulesOf(site), visitor)
  if (refusal === 'unpublished' || refusal === 'share-link') return { kind: 'nothing' }
  if (isDefault) return { kind: 'redirect', to: `${base}${pathOfSegments(segments)}${search}` }
  if (refusal === 'visitor-auth' || problem)
    return { kind: 'signIn', site, login: loginOf(site, base, segments), problem }
  const structure = await loadStructure(db, site)
  const siteBase = visitor.hasShareLink ? `${base}${encodeURIComponent(visitor.shareKey ?? '')}/` : base
  return { kind: 'session', site, identity, structure, viewpoint: Viewpoint.of(visitor), siteBase, host, search }
}

/** Finds what a path of a site shows to a visitor who got in. */
export async function locatePath(
  context: BaseContext,
  session: SiteSession,
  segments: readonly string[],
): Promise<Located> {
  const { structure, viewpoint, search } = session
  const destination = (await findNamesake(context, session, segments)) ?? structure.resolve(segments, viewpoint)
  if (!destination) {
    const first = segments.length === 0 ? structure.firstVisible(viewpoint) : undefined
    return first ? { kind: 'redirect', to: addressIn(session, first) + search } : { kind: 'nothing' }
  }
  const place = { ...session, ...destination, previewPath: [] }
  const named = segments.slice(0, segments.length - destination.rest.length)
  if (!destination.isCanonical || differInCase(named, structure.segmentsOf(destination.space))) {
    return { kind: 'redirect', to: addressIn(place, destination.space, destination.rest) + search }
  }
  const preview = await findPreview(context, place)
  return preview ? { ...place, ...preview, kind: 'place' } : { kind: 'nothing' }
}

function differInCase(named: readonly string[], own: readonly string[]): boolean {
  const [written, known] = [named.join('/'), own.join('/')]
  return written !== known && written.toLowerCase() === known.toLowerCase()
}

/** A page that is called like the default that it stands in, whose name an address need not have. */
async function findNamesake(
  context: BaseContext,
  { site, structure, viewpoint }: SiteSession,
  segments: readonly string[],
): Promise<Destination<StoredItem> | undefined> {
  if (structure.resolve(segments, viewpoint)?.isCanonical !== false) return undefined
  const asPage = structure.resolve(segments, viewpoint, { asPage: true })
  if (!asPage?.isCanonical || asPage.rest.length === 0) return undefined
  const key = { organization_id: site.organization_id, id: asPage.space.spaceId ?? '' }
  const space = await findLiveSpace(context.db, key)
  const { tree } = space ? await getContent(context, space, space.revision_id) : {}
  const id = tree && (await findPageByPath(tree, asPage.rest.join('/')))?.entry.id
  const pages = id === undefined ? undefined : (await readLineages(tree as Tree, [id])).get(id)?.map(({ page }) => page)
  return tree && pages && seesPages(viewpoint, pages, tree.root.variables) ? asPage : undefined
}

/** The address of something on a site. */
export function addressIn(
  { siteBase, structure }: Pick<SiteLocation, 'siteBase' | 'structure'>,
  item: StoredItem,
  rest: readonly string[] = [],
): string {
  return `${siteBase}${pathOfSegments(structure.segmentsOf(item))}${rest.map(encodeURIComponent).join('/')}`
}

/** The site that an address belongs to; by the organization alone it is the one that it leads to by default. */
async function findSiteAt({ db, urls }: BaseContext, url: string) {
  for (const { name, segments } of urls.sitesAt(url)) {
    const site = await findSiteNamed(db, name)
    if (site) return { site, segments, isDefault: 'organization' in name && !('basename' in name) }
  }
  return undefined
}

/** Where visitors sign in who come to a path of the site. */
function loginOf(
  { auth_fallback_url: fallback }: PlacedSite,
  base: string,
  segments: readonly string[],
): string | undefined {
  if (fallback === null) return undefined
  const login = new URL(fallback)
  // Made anew: as it was written it might begin with two slashes, and lead to another host.
  login.searchParams.set('location', new URL(base + segments.map(encodeURIComponent).join('/')).pathname)
  return login.toString()
}

/** A change request or revision that the address names, for those who preview the site with a member who sees the space. */
async function findPreview({ db }: BaseContext, { site, identity: { visitor }, space, rest }: SiteLocation) {
  const [mark, kind, name = '', ...below] = rest
  if (mark !== '~') return { rest, previewPath: [] }
  const key = { organization_id: site.organization_id, id: space.spaceId ?? '' }
  const isOpen = visitor.previewBy !== undefined && (await findSpace(db, visitor.previewBy, key.id)) !== undefined
  if (!isOpen) return undefined
  if (kind === 'changes') {
    const changeRequest = (await findChangeRequest(db, key, name))?.id
    return changeRequest === undefined ? undefined : { rest: below, previewPath: [mark, kind, name], changeRequest }
  }
  const revision = kind === 'revisions' ? (await findRevision(db, key, name))?.id : undefined
  return revision === undefined ? undefined : { rest: below, previewPath: [mark, 'revisions', name], revision }
}
