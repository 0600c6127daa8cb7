import { type SitePageSearchResult, searchSitePages } from '../../resources/site-search/search-site-pages.ts'
import { toReadContext } from '../space-for-path.ts'
import type { SiteView } from '../view.ts'

type VisibleSearchOptions = Omit<Parameters<typeof searchSitePages>[1], 'preview'>

/** Searches the pages that a visitor can see, including the previewed content. */
export async function searchVisiblePages(view: SiteView, options: VisibleSearchOptions): Promise<SitePageSearchResult> {
  const item = view.previewItem
  const space = item && (await view.openItem(item))
  const preview = space && { item, spaceId: item.spaceId ?? '', revisionId: space.revisionId, tree: space.tree }
  return searchSitePages(toReadContext(view), { ...options, preview })
}
