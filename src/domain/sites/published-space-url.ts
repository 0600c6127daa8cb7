import { selectVisibleSites } from '../../access/content-roles.ts'
import { loadStructure, siteAddressColumns } from '../../access/sites.ts'
import { isShareKey } from '../../access/sites.ts'
import type { SiteWithAddress, SpaceReadContext, Viewer } from '../../kernel/context.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { defineLookup } from '../../storage/lookup.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getPublishedUrl } from './present-site.ts'

/** Returns the URL of a space on the first published site that the caller can see; a site with share links requires a valid key. */
export async function findPublishedSpaceUrl(
  { db, space, urls, viewer, visitor, site: visitedSite }: SpaceReadContext,
  shareKey = visitor?.shareKey,
): Promise<string | undefined> {
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: false })
  const sites = visitedSite ? [visitedSite] : viewer ? await findPublishedSitesWithSpace(db, viewer, space) : []
  for (const site of sites) {
    const isValidKey =
      site.visibility === 'share-link' && shareKey !== undefined && (await isShareKey(db, site, shareKey))
    const base = getPublishedUrl(site, urls, isValidKey ? shareKey : undefined)
    if (base === undefined) continue
    const structure = await loadStructure(db, site)
    const item = structure.spaces.find(
      (candidate) => candidate.spaceId === space.id && structure.isVisible(candidate, viewpoint),
    )
    if (item) return base + pathOnSite(structure, item)
  }
  return undefined
}

const findAnySiteItem = defineLookup((db, { organizationId, spaceId }: Record<'organizationId' | 'spaceId', string>) =>
  db
    .selectFrom('site_items')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .select('id'),
)

async function findPublishedSitesWithSpace(
  db: Db,
  viewer: Viewer,
  { organization_id: organizationId, id: spaceId }: Row<'spaces'>,
): Promise<SiteWithAddress[]> {
  // This cached lookup avoids the query below for spaces that are on no site, which are most.
  if (!(await findAnySiteItem(db, { organizationId, spaceId }))) return []
  return selectVisibleSites(db, viewer)
    .innerJoin('organizations', 'organizations.id', 'sites.organization_id')
    .where('sites.published', '=', 1)
    .where('sites.id', 'in', (eb) =>
      eb
        .selectFrom('site_items')
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', spaceId)
        .select('site_id'),
    )
    .selectAll('sites')
    .select(siteAddressColumns)
    .orderBy('sites.id')
    .execute()
}
