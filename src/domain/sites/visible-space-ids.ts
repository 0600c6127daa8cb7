import { selectVisibleSites, selectVisibleSpaces } from '../../access/content-roles.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Db } from '../../schema/tables.ts'

/** Selects the ids of the spaces on a site; none when the viewer cannot see the site. */
function selectSpaceIdsOnSite(db: Db, viewer: Viewer, siteId: string) {
  return selectVisibleSites(db, viewer)
    .innerJoin('site_items', (join) =>
      join
        .onRef('site_items.organization_id', '=', 'sites.organization_id')
        .onRef('site_items.site_id', '=', 'sites.id'),
    )
    .where('sites.id', '=', siteId)
    .where('site_items.space_id', 'is not', null)
    .select('site_items.space_id')
}

/** Selects the ids of the spaces that a viewer can see, optionally only one space or the spaces on one site. */
export function selectVisibleSpaceIds(
  db: Db,
  viewer: Viewer,
  { space, site }: { space?: string | undefined; site?: string | undefined },
) {
  return selectVisibleSpaces(db, viewer)
    .$if(space !== undefined, (query) => query.where('spaces.id', '=', space as string))
    .$if(site !== undefined, (query) =>
      query.where('spaces.id', 'in', selectSpaceIdsOnSite(db, viewer, site as string) as never),
    )
    .select('spaces.id')
}
