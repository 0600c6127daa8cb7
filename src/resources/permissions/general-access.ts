import { findSite, listPublishedSitesWithSpace, loadStructure } from '../../access/sites.ts'
import type { ContentAccess } from '../../contract/access.ts'
import { Viewpoint } from '../../publishing/visibility.ts'
import type { SiteWithAddress, Viewer } from '../../kernel/context.ts'
import type { Db, Row } from '../../schema/tables.ts'
import type { AccessPath } from './access-reasons.ts'

/** Counts the invite links that share content or a collection around it. */
export async function countInviteLinks(db: Db, organizationId: string, path: AccessPath): Promise<number> {
  const idsOf = (type: 'space' | 'collection') => path.filter((source) => source.type === type).map(({ id }) => id)
  const { count } = await db
    .selectFrom('link_invites')
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      eb.or(
        (['space', 'collection'] as const).flatMap((type) => {
          const ids = idsOf(type)
          return ids.length === 0 ? [] : [eb(`${type}_id`, 'in', ids)]
        }),
      ),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Maximum number of sites of a space that are examined. */
const maxSites = 50

/** Finds the published sites that show a space to visitors; conditions for single visitors are not evaluated. */
export async function findSitesThatShowSpace(
  db: Db,
  viewer: Viewer,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
): Promise<ContentAccess['sites']> {
  const viewpoint = Viewpoint.ofMember({ seesDrafts: false })
  const shown: ContentAccess['sites'] = []
  for (const site of await listPublishedSitesWithSpace(db, space, maxSites)) {
    const structure = await loadStructure(db, site)
    const isShown = structure.spaces.some((item) => item.spaceId === space.id && structure.isVisible(item, viewpoint))
    if (!isShown) continue
    const isVisible = (await findSite(db, viewer.userId, site.organization_id, site.id)) !== undefined
    shown.push(await describeSite(db, site, isVisible))
  }
  return shown
}

/** Returns who can read a published site. */
export async function describeSite(
  db: Db,
  { organization_id, id, title, visibility }: SiteWithAddress,
  isVisible: boolean,
): Promise<ContentAccess['sites'][number]> {
  return {
    ...(isVisible && { site: { id, title } }),
    visibility,
    shareLinks: visibility === 'share-link' ? await countActiveShareLinks(db, organization_id, id) : 0,
  }
}

async function countActiveShareLinks(db: Db, organizationId: string, siteId: string): Promise<number> {
  const { count } = await db
    .selectFrom('share_links')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('active', '=', 1)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
