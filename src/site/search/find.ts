import { type FoundOnSite, findOnSite } from '../../resources/site-search/find.ts'
import { asVisitor } from '../standpoint.ts'
import type { SiteView } from '../view.ts'

type Wanted = Omit<Parameters<typeof findOnSite>[1], 'aside'>

/** The pages of a site that hold what is looked for, in what a visitor is shown of it, be it live or not. */
export async function findSeen(view: SiteView, wanted: Wanted): Promise<FoundOnSite> {
  const item = view.asideItem
  const space = item && (await view.open(item))
  const aside = space && { item, spaceId: item.spaceId ?? '', revisionId: space.revisionId, tree: space.tree }
  return findOnSite(asVisitor(view), { ...wanted, aside })
}
