import { loadStructure } from '../../access/sites.ts'
import { signVisitToken } from '../../visitors/visit-token.ts'
import type { SiteWithAddress, SiteContext, Urls } from '../../kernel/context.ts'
import { AppError, invalid, unknownReference } from '../../kernel/errors.ts'
import { hours } from '../../kernel/time.ts'
import { parseStoredAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { joinSegments } from '../../publishing/site-urls.ts'
import { buildVisitorClaims } from '../../publishing/claims.ts'
import { decodeClaims } from '../../publishing/rison.ts'

const previewTtl = hours(1)

/** Maximum length of a URL in a request. */
const maxUrlLength = 8192

type PreviewContext = Pick<SiteContext, 'db' | 'site' | 'urls' | 'signer' | 'principal' | 'now'>

interface PreviewOptions {
  siteSpace?: string | undefined
  claims?: string | undefined
  draft: boolean
  target?: string | undefined
}

/** Returns a URL that shows a site to anyone who has it, as long as the caller can see the site. */
export async function createPreviewUrl(context: PreviewContext, options: PreviewOptions): Promise<string> {
  const { site, signer, principal, now } = context
  // A preview can read everything that its creator can open, so a token without this scope must not create one.
  if (principal.scopes && !principal.scopes.includes('space:read'))
    throw new AppError('forbidden', 'A token with the scopes site:read and space:read is required')
  const time = Date.parse(now())
  const visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    previewBy: principal.user.id,
    seesDrafts: options.draft,
    claims: parsePreviewClaims(site, options.claims),
  }
  const previewUrl = new URL(await getPreviewedUrl(context, options))
  previewUrl.searchParams.set('preview', signVisitToken(signer, visit, time, time + previewTtl))
  const url = previewUrl.toString()
  if (url.length > maxUrlLength) {
    throw invalid(options.claims === undefined ? 'query.target' : 'query.claims', 'is too long for a URL')
  }
  return url
}

/** Parses claims of the query; they count as signed, except for those in `unsigned`. */
function parsePreviewClaims(site: SiteWithAddress, text: string | undefined) {
  if (text === undefined) return undefined
  const decoded = decodeClaims(text)
  if ('problem' in decoded) throw invalid('query.claims', decoded.problem)
  const { claims: signed } = decoded
  return buildVisitorClaims({
    signed,
    unsigned: signed['unsigned'],
    schema: parseStoredAdaptiveSchema(site.adaptive_schema),
  })
}

async function getPreviewedUrl(
  { db, site, urls }: PreviewContext,
  { siteSpace, target }: PreviewOptions,
): Promise<string> {
  const structure = await loadStructure(db, site)
  const item = siteSpace === undefined ? undefined : structure.get(siteSpace, 'space')
  if (siteSpace !== undefined && !item) throw unknownReference('query.siteSpace', 'site space')
  // Not below another domain that hosts the site: nobody has proved that this domain may see previews.
  const base = urls.site(site, { isHosted: false })
  if (target === undefined) return base + (item ? joinSegments(structure.segmentsOf(item)) : '')
  const relativeUrl = stripBaseUrl(listBaseUrls(site, urls), target)
  if (relativeUrl === undefined) throw invalid('query.target', 'must be a URL of this site')
  return base + relativeUrl
}

const listBaseUrls = (site: SiteWithAddress, urls: Urls): string[] => [
  urls.site(site),
  urls.site(site, { isHosted: false }),
  urls.site({ ...site, hostname: null }, { isHosted: false }),
]

/** Returns the part of a URL after one of the base URLs; a different port is a different server. */
function stripBaseUrl(baseUrls: readonly string[], target: string): string | undefined {
  if (!URL.canParse(target)) return undefined
  const { origin, pathname, search, hash } = new URL(target)
  const path = `${origin}${pathname}`
  const base = baseUrls.find((one) => path.startsWith(one) || `${path}/` === one)
  return base === undefined ? undefined : path.slice(base.length) + search + hash
}
