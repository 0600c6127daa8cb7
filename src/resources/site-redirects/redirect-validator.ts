import type { SiteRedirectDestination, SiteRedirectInputDestination } from '../../contract/site-redirects.ts'
import type { SiteWithAddress, SiteContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { type SiteLocator, joinSegments } from '../../publishing/site-urls.ts'
import { toSourceKey, isCircularRedirect } from '../../publishing/redirects.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { DestinationResolver } from './destination-resolver.ts'

/** Maximum number of redirects of a site, more than migrated sites have had; larger numbers are better written with wildcards. */
export const maxRedirects = 10_000

export const tooManyRedirects = () => conflict(`A site can have at most ${maxRedirects} redirects`)

export const redirectSourceTaken = (source: string, draft: boolean) =>
  conflict(`A ${draft ? 'draft' : 'redirect'} from ${source} already exists`)

interface RedirectInput {
  source: string
  captureWildcard: boolean
  /** A stored destination is kept unchanged, even if its target was deleted. */
  destination: { input: SiteRedirectInputDestination } | { stored: SiteRedirectDestination }
}

type RedirectColumns = Pick<
  Row<'site_redirects'>,
  'source' | 'source_key' | 'capture_wildcard' | 'destination' | 'item_id'
>

/** Checks redirects and converts them to columns. */
export class RedirectValidator {
  readonly #context: SiteContext
  readonly #resolver: DestinationResolver

  private constructor(context: SiteContext, resolver: DestinationResolver) {
    this.#context = context
    this.#resolver = resolver
  }

  static async open(context: SiteContext): Promise<RedirectValidator> {
    return new RedirectValidator(context, await DestinationResolver.open(context))
  }

  /** Returns the columns of a redirect; `field` is its path in the request, for errors. */
  async toColumns(
    { source, captureWildcard, destination: destinationInput }: RedirectInput,
    field: string,
  ): Promise<RedirectColumns> {
    const destination =
      'stored' in destinationInput
        ? destinationInput.stored
        : await this.#resolver.resolveInput(destinationInput.input, `${field}.destination`)
    const rule = { sourceKey: toSourceKey(source), captures: captureWildcard }
    const path = await this.#findPathOnSite(destination)
    if (path !== undefined && isCircularRedirect(rule, path, { isThere: destination.kind !== 'external' }))
      throw invalid(`${field}.destination`, `redirects ${source} to itself`)
    return {
      source,
      source_key: rule.sourceKey,
      capture_wildcard: toFlag(captureWildcard),
      destination: JSON.stringify(destination),
      item_id: targetItemId(destination),
    }
  }

  /** Returns the path of a destination on this site; undefined for one elsewhere. */
  #findPathOnSite(destination: SiteRedirectDestination): Promise<string | undefined> | string | undefined {
    if (destination.kind !== 'external')
      return this.#resolver.findPath(destination, Viewpoint.ofMember({ seesDrafts: true }))
    const { site, urls } = this.#context
    const onThisSite = urls.sitesAt(destination.url).find(({ locator }) => isNameOfSite(site, locator))
    if (!onThisSite) return undefined
    return joinSegments(site.visibility === 'share-link' ? onThisSite.segments.slice(1) : onThisSite.segments)
  }
}

function isNameOfSite(site: SiteWithAddress, name: SiteLocator): boolean {
  if ('hostname' in name) return name.hostname === site.hostname
  if ('proxy' in name) return name.proxy.toLowerCase() === site.proxy?.toLowerCase()
  const isOrganization = [site.organization_name, site.organization_id].includes(name.organization)
  return isOrganization && 'basename' in name && name.basename === site.basename
}

/** Returns the id of the target section or site space; the redirect is deleted with it. */
function targetItemId(destination: SiteRedirectDestination): string | null {
  if (destination.kind === 'external') return null
  return destination.kind === 'site-section' ? destination.siteSectionId : destination.siteSpaceId
}
