import { visibleSites } from '../../access/content.ts'
import { loadStructure, placed } from '../../access/sites.ts'
import { isShareKey } from '../../access/visits.ts'
import type { PlacedSite, SpaceReadContext, Viewer } from '../../kernel/context.ts'
import { pathOnSite } from '../../publishing/pages.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import { lookUp } from '../../storage/look-up.ts'
import type { Db, Row } from '../../schema/tables.ts'
import { getPublishedUrl } from './present-site.ts'

/** Returns the URL of a space on the first published site that the caller can see; a site with share links requires a valid key. */
export async function findPublishedAddress(
  { db, space, urls, viewer, visitor, site: visited }: SpaceReadContext,
  shareKey = visitor?.shareKey,
): Promise<string | undefined> {
  const viewpoint = Viewpoint.ofReader(visitor, { seesDrafts: false })
  const sites = visited ? [visited] : viewer ? await findPublishedWith(db, viewer, space) : []
  for (const site of sites) {
    const isKey = site.visibility === 'share-link' && shareKey !== undefined && (await isShareKey(db, site, shareKey))
    const base = getPublishedUrl(site, urls, isKey ? shareKey : undefined)
    if (base === undefined) continue
    const structure = await loadStructure(db, site)
    const item = structure.spaces.find((one) => one.spaceId === space.id && structure.isVisible(one, viewpoint))
    if (item) return base + pathOnSite(structure, item)
  }
  return undefined
}

const findPlaceOnSite = lookUp((db, { organizationId, spaceId }: Record<'organizationId' | 'spaceId', string>) =>
  db
    .selectFrom('site_items')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .select('id'),
)

async function findPublishedWith(
  db: Db,
  viewer: Viewer,
  { organization_id: organizationId, id: spaceId }: Row<'spaces'>,
): Promise<PlacedSite[]> {
  // This cached lookup avoids the query below for spaces that are on no site, which are most.
  if (!(await findPlaceOnSite(db, { organizationId, spaceId }))) return []
  return visibleSites(db, viewer)
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
    .select(placed)
    .orderBy('sites.id')
    .execute()
}
