import { loadStructure } from '../../access/sites.ts'
import { signVisitToken } from '../../access/visits.ts'
import type { PlacedSite, SiteContext, Urls } from '../../kernel/context.ts'
import { AppError, invalid, unknownReference } from '../../kernel/errors.ts'
import { hours } from '../../kernel/time.ts'
import { storedAdaptiveSchema } from '../../publishing/adaptive-schema.ts'
import { pathOfSegments } from '../../publishing/addresses.ts'
import { visitorClaims } from '../../publishing/claims.ts'
import { decodeClaims } from '../../publishing/rison.ts'

const lifetime = hours(1)

/** Maximum length of a URL in a request. */
const maxAddressLength = 8192

interface Preview {
  siteSpace?: string | undefined
  claims?: string | undefined
  draft: boolean
  target?: string | undefined
}

/** Returns a URL that shows a site to anyone who has it, as long as the caller can see the site. */
export async function previewOf(context: SiteContext, preview: Preview): Promise<string> {
  const { site, signer, principal, now } = context
  // A preview can read everything that its creator can open, so a token without this scope must not create one.
  if (principal.scopes && !principal.scopes.includes('space:read'))
    throw new AppError('forbidden', 'A token with the scopes site:read and space:read is required')
  const time = Date.parse(now())
  const visit = {
    organizationId: site.organization_id,
    siteId: site.id,
    previewBy: principal.user.id,
    seesDrafts: preview.draft,
    claims: claimsOf(site, preview.claims),
  }
  const address = new URL(await addressOf(context, preview))
  address.searchParams.set('preview', signVisitToken(signer, visit, time, time + lifetime))
  const url = address.toString()
  if (url.length > maxAddressLength) {
    throw invalid(preview.claims === undefined ? 'query.target' : 'query.claims', 'is too long for a URL')
  }
  return url
}

/** Parses claims of the query; they count as signed, except for those in `unsigned`. */
function claimsOf(site: PlacedSite, text: string | undefined) {
  if (text === undefined) return undefined
  const decoded = decodeClaims(text)
  if ('problem' in decoded) throw invalid('query.claims', decoded.problem)
  const { claims: signed } = decoded
  return visitorClaims({ signed, unsigned: signed['unsigned'], schema: storedAdaptiveSchema(site.adaptive_schema) })
}

async function addressOf({ db, site, urls }: SiteContext, { siteSpace, target }: Preview): Promise<string> {
  const structure = await loadStructure(db, site)
  const item = siteSpace === undefined ? undefined : structure.get(siteSpace, 'space')
  if (siteSpace !== undefined && !item) throw unknownReference('query.siteSpace', 'site space')
  // Not below another domain that hosts the site: nobody has proved that this domain may see previews.
  const base = urls.site(site, { isHosted: false })
  if (target === undefined) return base + (item ? pathOfSegments(structure.segmentsOf(item)) : '')
  const rest = restBelow(addressesOf(site, urls), target)
  if (rest === undefined) throw invalid('query.target', 'must be a URL of this site')
  return base + rest
}

const addressesOf = (site: PlacedSite, urls: Urls): string[] => [
  urls.site(site),
  urls.site(site, { isHosted: false }),
  urls.site({ ...site, hostname: null }, { isHosted: false }),
]

/** Returns the part of a URL after one of the base URLs; a different port is a different server. */
function restBelow(bases: readonly string[], target: string): string | undefined {
  if (!URL.canParse(target)) return undefined
  const { origin, pathname, search, hash } = new URL(target)
  const path = `${origin}${pathname}`
  const base = bases.find((one) => path.startsWith(one) || `${path}/` === one)
  return base === undefined ? undefined : path.slice(base.length) + search + hash
}
