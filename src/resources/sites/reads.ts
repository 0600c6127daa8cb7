import { visibleSites } from '../../access/content.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Db } from '../../storage/tables.ts'

/** The ids of the spaces on a site, as a part of another query; none when the viewer cannot see the site. */
export function spaceIdsOnSite(db: Db, viewer: Viewer, siteId: string) {
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
