import { findSpace } from '../../access/authorize.ts'
import { requireSignIn } from '../../access/sign-in-rules.ts'
import { findSite, findSiteByLocator, loadStructure } from '../../access/sites.ts'
import { isInReach } from '../../access/sso.ts'
import { type LocatedPage, findPage, pathOfPage } from '../../content/revision/tree.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import type { Row } from '../../schema/tables.ts'
import type { SiteWithAddress, UserContext } from '../../kernel/context.ts'
import { findChangeRequests } from '../../domain/change-requests/change-request-store.ts'
import { baseRevisionIdOf } from '../../domain/change-requests/present-change-request.ts'
import { findCommentCount } from '../../domain/comments/comment-counts.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import { joinSegments } from '../../publishing/site-urls.ts'
import { createPreviewUrl } from './preview.ts'

/** A page of a published site, as its HTML names it. */
export interface PublishedPage {
  /** URL at which the page was opened. */
  url: string
  siteSpaceId: string
  spaceId: string
  pageId: string
}

/** Work of an editor on a published page. */
export interface PageWork extends Pick<PublishedPage, 'spaceId' | 'pageId'> {
  organizationId: string
  siteId: string
  /** Whether the caller may open the screens of the site. */
  canEditSite: boolean
  openComments: number
  /** Open change requests that change the page, the most recently updated first. */
  changeRequests: { number: number; subject: string; isOwn: boolean; previewUrl: string | undefined }[]
}

type ReadContext = Pick<UserContext, 'db' | 'openObjects' | 'urls' | 'signer' | 'now' | 'principal'>

/** Maximum number of open change requests that are compared with the page. */
const maxCompared = 20

/** Returns the work on a published page; undefined unless the caller may edit the space and can see the site. */
export async function readPageWork(context: ReadContext, published: PublishedPage): Promise<PageWork | undefined> {
  const { db, principal } = context
  const found = await findSpace(db, principal.user.id, published.spaceId)
  if (!found || !isActionAllowed('space', 'edit', found.role)) return undefined
  const { space, viewer } = found
  if (!isInReach(principal.reach, space.organization_id)) return undefined
  await requireSignIn(db, principal, space.organization_id)
  const site = await findSiteOfUrl(context, published.url)
  const ownSite = site && (await findSite(db, principal.user.id, site.organization_id, site.id))
  if (!ownSite || site.organization_id !== space.organization_id) return undefined
  const requests = await findChangeRequests(
    db,
    viewer,
    { status: ['draft', 'open'], space: space.id },
    { orderBy: 'updated_at', after: undefined, limit: maxCompared },
  )
  const changeRequests: PageWork['changeRequests'] = []
  const readPage = createPageReader(context, space, published.pageId)
  for (const request of requests.slice(0, maxCompared)) {
    const versions = { before: await readPage(baseRevisionIdOf(request)), after: await readPage(request.revision_id) }
    if (!isChanged(versions)) continue
    changeRequests.push({
      number: request.number,
      subject: request.subject,
      isOwn: request.created_by === principal.user.id,
      previewUrl: versions.after && (await previewOf(context, ownSite.site, published, request, versions.after)),
    })
  }
  return {
    organizationId: space.organization_id,
    siteId: site.id,
    spaceId: space.id,
    pageId: published.pageId,
    canEditSite: isActionAllowed('site', 'edit', ownSite.siteRole),
    openComments: await findCommentCount(
      db,
      { organizationId: space.organization_id, spaceId: space.id, changeRequestId: null },
      { status: 'open', targetPage: published.pageId },
    ),
    changeRequests,
  }
}

async function findSiteOfUrl({ db, urls }: ReadContext, url: string): Promise<SiteWithAddress | undefined> {
  for (const { locator } of URL.canParse(url) ? urls.sitesAt(url) : []) {
    const site = await findSiteByLocator(db, locator)
    if (site) return site
  }
  return undefined
}

interface PageVersions {
  before: LocatedPage | undefined
  after: LocatedPage | undefined
}

/** Returns a function that reads a page in a revision; each revision is read once, because change requests often share their base. */
function createPageReader(context: ReadContext, space: Row<'spaces'>, pageId: string) {
  const pages = new Map<string, Promise<LocatedPage | undefined>>()
  const read = async (revisionId: string) =>
    findPage((await getRevisionContent(context, space, revisionId)).tree, pageId)
  return (revisionId: string): Promise<LocatedPage | undefined> => {
    const found = pages.get(revisionId) ?? read(revisionId)
    pages.set(revisionId, found)
    return found
  }
}

/** Whether the versions of a page differ in more than the pages below it. */
function isChanged({ before, after }: PageVersions): boolean {
  if (before?.entry.hash === after?.entry.hash) return before?.entry.slug !== after?.entry.slug
  return serializeOwnFields(before) !== serializeOwnFields(after)
}

const serializeOwnFields = (located: LocatedPage | undefined): string | undefined =>
  located && JSON.stringify({ ...located.page, pages: undefined })

/** Returns a URL that shows the page in a change request on the site; undefined if the site no longer contains the space. */
async function previewOf(
  context: ReadContext,
  site: SiteWithAddress,
  { siteSpaceId }: PublishedPage,
  { number }: Row<'change_requests'>,
  page: LocatedPage,
): Promise<string | undefined> {
  const structure = await loadStructure(context.db, site)
  const item = structure.get(siteSpaceId, 'space')
  if (!item) return undefined
  const base = context.urls.site(site, { isHosted: false }) + joinSegments(structure.segmentsOf(item))
  const target = `${base}~/changes/${number}/${pathOfPage(page).split('/').map(encodeURIComponent).join('/')}`
  return createPreviewUrl({ ...context, site }, { draft: true, target })
}
