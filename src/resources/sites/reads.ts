import { visibleSites, visibleSpaces } from '../../access/content.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Db } from '../../storage/tables.ts'

/** The ids of the spaces on a site, as a part of another query; none when the viewer cannot see the site. */
function spaceIdsOnSite(db: Db, viewer: Viewer, siteId: string) {
  return visibleSites(db, viewer)
    .innerJoin('site_items', (join) =>
      join
        .onRef('site_items.organization_id', '=', 'sites.organization_id')
        .onRef('site_items.site_id', '=', 'sites.id'),
    )
    .where('sites.id', '=', siteId)
    .where('site_items.space_id', 'is not', null)
    .select('site_items.space_id')
}

/** The ids of the spaces that somebody sees; only of one of them, or of those on one site, where that is asked for. */
export function visibleSpaceIds(
  db: Db,
  viewer: Viewer,
  { space, site }: { space?: string | undefined; site?: string | undefined },
) {
  return visibleSpaces(db, viewer)
    .$if(space !== undefined, (query) => query.where('spaces.id', '=', space as string))
    .$if(site !== undefined, (query) =>
      query.where('spaces.id', 'in', spaceIdsOnSite(db, viewer, site as string) as never),
    )
    .select('spaces.id')
}
