import { type FoundOnSite, findOnSite } from '../../resources/site-search/find.ts'
import { toReadContext } from '../space-for-path.ts'
import type { SiteView } from '../view.ts'

type Wanted = Omit<Parameters<typeof findOnSite>[1], 'preview'>

/** Searches the pages that a visitor can see, including the previewed content. */
export async function findSeen(view: SiteView, wanted: Wanted): Promise<FoundOnSite> {
  const item = view.previewItem
  const space = item && (await view.open(item))
  const preview = space && { item, spaceId: item.spaceId ?? '', revisionId: space.revisionId, tree: space.tree }
  return findOnSite(toReadContext(view), { ...wanted, preview })
}
