import type { SiteRedirectDestination, SiteRedirectInputDestination } from '../../contract/site-redirects.ts'
import type { PlacedSite, SiteContext } from '../../kernel/context.ts'
import { conflict, invalid } from '../../kernel/errors.ts'
import { type SiteName, pathOfSegments } from '../../publishing/addresses.ts'
import { keyOfSource, isCircularRedirect } from '../../publishing/redirects.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { Row } from '../../schema/tables.ts'
import { flag } from '../../schema/values.ts'
import { Destinations } from './destinations.ts'

/** More than any site that was moved has brought along; beyond it, wildcards say it better. */
export const maxRedirects = 10_000

export const tooMany = () => conflict(`A site can have at most ${maxRedirects} redirects`)

export const taken = (source: string, draft: boolean) =>
  conflict(`A ${draft ? 'draft' : 'redirect'} from ${source} already exists`)

interface Wanted {
  source: string
  captureWildcard: boolean
  /** A stored destination stays as it is, even when what it led to is gone. */
  destination: { input: SiteRedirectInputDestination } | { stored: SiteRedirectDestination }
}

type Columns = Pick<Row<'site_redirects'>, 'source' | 'source_key' | 'capture_wildcard' | 'destination' | 'item_id'>

/** Tells what is to be stored of redirects, when nothing speaks against them. */
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

  /** `field` is where the redirect stands in the request. */
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

  /** The path of a destination that lies on this site. */
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

/** The section or site space that a redirect leads to, and with which it goes. */
function itemOf(destination: SiteRedirectDestination): string | null {
  if (destination.kind === 'external') return null
  return destination.kind === 'site-section' ? destination.siteSectionId : destination.siteSpaceId
}
