import { authorize } from '../access/authorize.ts'
import { findOwnOrigins } from '../access/session-cookie.ts'
import { loadStructure } from '../access/sites.ts'
import { findCustomizationPreview, parseCustomizationPreview } from '../domain/sites/customization-previews.ts'
import type { BaseContext, Principal, SiteContext, Urls } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { splitPath } from '../publishing/site-urls.ts'
import { Viewpoint } from '../publishing/visibility.ts'
import type { SiteSession } from './locate.ts'
import { resolveVisitor } from './visitor.ts'

/** Path of previews of unsaved settings, on the host of the app, so that the browser sends the session of the user. */
const previewsPath = '/site-previews/'

export const buildPreviewUrl = (urls: Urls, id: string): string => urls.plain(`${previewsPath}${id}/`)

/** URL of a preview: its ID, and the path of the site below it. */
interface PreviewAddress {
  url: URL
  id: string
  segments: readonly string[]
}

/** Parses the URL of a preview; undefined for other URLs. */
export function parsePreviewUrl(urls: Urls, address: string): PreviewAddress | undefined {
  if (!address.includes(previewsPath) || !URL.canParse(address)) return undefined
  const [url, base] = [new URL(address), new URL(urls.plain(previewsPath))]
  const isOwnHost = findOwnOrigins(base.origin).some((origin) => new URL(origin).host === url.host)
  if (!isOwnHost || !url.pathname.startsWith(base.pathname)) return undefined
  const [id = '', ...segments] = splitPath(url.pathname.slice(base.pathname.length))
  return { url, id, segments }
}

/** Opens a site with unsaved settings; undefined if the preview does not exist or belongs to another user. */
export async function openCustomizationPreview(
  context: BaseContext,
  principal: Principal | undefined,
  { url, id, segments }: PreviewAddress,
): Promise<SiteSession | undefined> {
  const { db, now, urls } = context
  const preview = principal && (await findCustomizationPreview(db, id, { userId: principal.user.id, now: now() }))
  const site = preview && (await findEditedSite(context, principal, preview))
  if (!site) return undefined
  const visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    previewBy: principal.user.id,
    seesDrafts: false,
  }
  const visitor = await resolveVisitor(db, site, visit)
  return {
    site,
    identity: {
      visit,
      visitor,
      segments,
      until: Date.parse(preview.expires_at),
      acceptedToken: null,
      problem: undefined,
    },
    structure: await loadStructure(db, site),
    viewpoint: Viewpoint.of(visitor),
    // The host of the request, because the app may be open under another name of the server.
    siteBase: `${url.origin}${new URL(buildPreviewUrl(urls, id)).pathname}`,
    host: url.host,
    search: url.search,
    customization: parseCustomizationPreview(preview),
  }
}

/** Returns the site of a preview if the user may still change it. */
async function findEditedSite(
  context: BaseContext,
  principal: Principal,
  preview: { organization_id: string; site_id: string },
): Promise<SiteContext['site'] | undefined> {
  try {
    const params = { organizationId: preview.organization_id, siteId: preview.site_id }
    const rawRequest = { body: new Uint8Array(), header: () => undefined }
    const request = { params, body: undefined, includesDeleted: false, rawRequest }
    return ((await authorize('site:edit', context, principal, request)) as SiteContext).site
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
