import type { SiteRedirectDestination, SiteRedirectInputDestination } from '../../contract/site-redirects.ts'
import type { PlacedSite, SiteContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { type SiteName, pathOfSegments } from '../../publishing/addresses.ts'
import { keyOfSource, isCircularRedirect } from '../../publishing/redirects.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { Destinations } from './destinations.ts'

/** Maximum number of redirects of a site, more than migrated sites have had; larger numbers are better written with wildcards. */
export const maxRedirects = 10_000

export const tooMany = () => conflict(`A site can have at most ${maxRedirects} redirects`)

export const taken = (source: string, draft: boolean) =>
  conflict(`A ${draft ? 'draft' : 'redirect'} from ${source} already exists`)

interface Wanted {
  source: string
  captureWildcard: boolean
  /** A stored destination is kept unchanged, even if its target was deleted. */
  destination: { input: SiteRedirectInputDestination } | { stored: SiteRedirectDestination }
}

type Columns = Pick<Row<'site_redirects'>, 'source' | 'source_key' | 'capture_wildcard' | 'destination' | 'item_id'>

/** Checks redirects and converts them to columns. */
export class Rules {
  readonly #context: SiteContext
  readonly #destinations: Destinations

  private constructor(context: SiteContext, destinations: Destinations) {
    this.#context = context
    this.#destinations = destinations
  }

  static async open(context: SiteContext): Promise<Rules> {
    return new Rules(context, await Destinations.open(context))
  }

  /** Returns the columns of a redirect; `field` is its path in the request, for errors. */
  async columnsOf({ source, captureWildcard, destination: given }: Wanted, field: string): Promise<Columns> {
    const destination =
      'stored' in given ? given.stored : await this.#destinations.settle(given.input, `${field}.destination`)
    const rule = { sourceKey: keyOfSource(source), captures: captureWildcard }
    const path = await this.#pathOf(destination)
    if (path !== undefined && isCircularRedirect(rule, path, { isThere: destination.kind !== 'external' }))
      throw invalid(`${field}.destination`, `redirects ${source} to itself`)
    return {
      source,
      source_key: rule.sourceKey,
      capture_wildcard: flag(captureWildcard),
      destination: JSON.stringify(destination),
      item_id: itemOf(destination),
    }
  }

  /** Returns the path of a destination on this site; undefined for one elsewhere. */
  #pathOf(destination: SiteRedirectDestination): Promise<string | undefined> | string | undefined {
    if (destination.kind !== 'external')
      return this.#destinations.pathTo(destination, Viewpoint.ofMember({ seesDrafts: true }))
    const { site, urls } = this.#context
    const own = urls.sitesAt(destination.url).find(({ name }) => isNameOf(site, name))
    if (!own) return undefined
    return pathOfSegments(site.visibility === 'share-link' ? own.segments.slice(1) : own.segments)
  }
}

function isNameOf(site: PlacedSite, name: SiteName): boolean {
  if ('hostname' in name) return name.hostname === site.hostname
  if ('proxy' in name) return name.proxy.toLowerCase() === site.proxy?.toLowerCase()
  const isOrganization = [site.organization_name, site.organization_id].includes(name.organization)
  return isOrganization && 'basename' in name && name.basename === site.basename
}

/** Returns the id of the target section or site space; the redirect is deleted with it. */
function itemOf(destination: SiteRedirectDestination): string | null {
  if (destination.kind === 'external') return null
  return destination.kind === 'site-section' ? destination.siteSectionId : destination.siteSpaceId
}
