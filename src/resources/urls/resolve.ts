import { hash } from 'node:crypto'
import { type Arrived, arrive } from '../../access/arrivals.ts'
import { findSpace } from '../../access/authorize.ts'
import { type StoredItem, findSiteNamed, loadStructure } from '../../access/sites.ts'
import { gateOf, signVisit } from '../../access/visits.ts'
import type { PublishedContentLookup } from '../../contract/urls.ts'
import type { BaseContext, PlacedSite } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import type { JwtError } from '../../kernel/jwt.ts'
import { pathOfSegments } from '../../publishing/addresses.ts'
import type { Destination } from '../../publishing/structure.ts'
import { Viewpoint, refusalOf } from '../../publishing/visibility.ts'
import { findChangeRequest } from '../change-requests/reads.ts'
import { findRevision } from '../revisions/revisions.ts'

interface Question {
  url: string
  redirectOnError: boolean
  jwtToken?: string | undefined
  unsignedClaims?: Readonly<Record<string, unknown>> | undefined
  visitorType?: 'human' | 'agent' | undefined
  /** Where the token of the visitor stands in the request. */
  tokenField: string
}

/** What an address shows to a visitor. */
export async function resolve(context: BaseContext, question: Question): Promise<PublishedContentLookup> {
  const { db, urls } = context
  const found = await findSiteAt(context, question.url)
  if (!found) throw noContent()
  const { search, searchParams } = new URL(question.url)
  const { site, segments, isDefault } = found
  const base = urls.site(site)
  const arrived = await arrive(context, site, { ...question, segments, query: searchParams })
  const { visitor } = arrived
  const refusal = refusalOf(gateOf(site), visitor)
  // Nothing tells that there is a site.
  if (refusal === 'unpublished' || refusal === 'share-link') throw noContent()
  if (isDefault) return { target: 'content', redirect: `${base}${pathOfSegments(segments)}${search}` }
  const login = loginOf(site, question.url)
  if (refusal === 'visitor-auth' || arrived.problem) {
    const mayRedirect = arrived.problem === undefined || question.redirectOnError
    if (login !== undefined && mayRedirect) return { target: 'external', site: site.id, redirect: login }
    if (arrived.problem) throw invalid(question.tokenField, sayings[arrived.problem])
    throw new AppError('forbidden', 'This site is for visitors who have signed in')
  }

  const structure = await loadStructure(db, site)
  const viewpoint = Viewpoint.of(visitor)
  const destination = structure.resolve(arrived.segments, viewpoint)
  const siteBase = visitor.hasShareLink ? `${base}${encodeURIComponent(visitor.shareKey ?? '')}/` : base
  const addressOf = (item: StoredItem, rest: readonly string[] = []) =>
    `${siteBase}${pathOfSegments(structure.segmentsOf(item))}${rest.map(encodeURIComponent).join('/')}`
  if (!destination) {
    const first = arrived.segments.length === 0 ? structure.firstVisible(viewpoint) : undefined
    if (!first) throw noContent()
    return { target: 'content', redirect: addressOf(first) + search }
  }
  const { space, section, rest, isCanonical, isComplete } = destination
  if (!isCanonical) return { target: 'content', redirect: addressOf(space, rest) + search }
  const aside = await findAside(context, site, arrived, destination)
  const siteBasePath = new URL(siteBase).pathname
  const visit = {
    ...arrived.visit,
    siteSpaceId: space.id,
    sectionId: section?.id,
    spaceId: space.spaceId ?? '',
    changeRequestId: aside.changeRequest,
    revisionId: aside.revision,
  }
  const claims = JSON.stringify(visitor.claims)
  return {
    organization: site.organization_id,
    site: site.id,
    ...(section && { siteSection: section.id }),
    siteSpace: space.id,
    space: space.spaceId ?? '',
    ...aside.named,
    pathname: `/${aside.rest.map(encodeURIComponent).join('/')}`,
    basePath: siteBasePath + pathOfSegments(structure.segmentsOf(space)),
    siteBasePath,
    canonicalUrl: addressOf(space, aside.rest),
    apiToken: signVisit(context.signer, visit, Date.parse(context.now()), arrived.until),
    ...(visitor.hasShareLink && { shareKey: visitor.shareKey }),
    complete: isComplete,
    ...(claims.length > '{"unsigned":{}}'.length && { contextId: markOf(claims) }),
    ...(visitor.isPreviewing && { preview: true }),
  }
}

const noContent = () => notFound('content at this address')

const sayings: Record<JwtError, string> = {
  malformed: 'is no token',
  algorithm: 'must be signed with HS256',
  signature: 'was not signed with the key of this site',
  expired: 'has expired',
  notYet: 'is not valid yet',
}

/** The site that an address belongs to; by the organization alone it is the one that it leads to by default. */
async function findSiteAt({ db, urls }: BaseContext, url: string) {
  for (const { name, segments } of urls.sitesAt(url)) {
    const site = await findSiteNamed(db, name)
    if (site) return { site, segments, isDefault: 'organization' in name && !('basename' in name) }
  }
  return undefined
}

/** Where visitors sign in who come to an address of the site. */
function loginOf({ auth_fallback_url: fallback }: PlacedSite, url: string): string | undefined {
  if (fallback === null) return undefined
  const login = new URL(fallback)
  login.searchParams.set('location', new URL(url).pathname)
  return login.toString()
}

/** A change request or revision that the address names, for those who preview the site with a member who sees the space. */
async function findAside(
  { db }: BaseContext,
  site: PlacedSite,
  { visitor }: Arrived,
  { space, rest }: Destination<StoredItem>,
) {
  const [mark, kind, name = '', ...below] = rest
  if (mark !== '~') return { rest, named: {} }
  const key = { organization_id: site.organization_id, id: space.spaceId ?? '' }
  const isOpen = visitor.previewBy !== undefined && (await findSpace(db, visitor.previewBy, key.id)) !== undefined
  if (isOpen && kind === 'changes') {
    const changeRequest = (await findChangeRequest(db, key, name))?.id
    if (changeRequest !== undefined) return { rest: below, named: { changeRequest }, changeRequest }
  }
  if (isOpen && kind === 'revisions') {
    const revision = (await findRevision(db, key, name))?.id
    if (revision !== undefined) return { rest: below, named: { revision }, revision }
  }
  throw noContent()
}

const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
