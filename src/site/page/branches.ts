import type { SiteRequest } from '../../kernel/site-http.ts'
import type { StoredItem } from '../../access/sites.ts'
import { labelOf } from '../../content/revision/objects.ts'
import { markup } from '../../render/html.ts'
import { renderAside } from '../../render/shell/page.ts'
import { sidebarList } from '../../render/shell/sidebar.ts'
import { fill } from '../../render/texts.ts'
import { locatePath } from '../../resources/urls/locate.ts'
import { readBranch } from './navigation.ts'
import { sidebarOf } from './sidebar.ts'
import { readPageFrame } from '../page-frame.ts'
import { newPagesAmong } from './previews.ts'
import { pageReply } from '../page-reply.ts'
import { SiteView } from '../view.ts'
import type { Output } from '../visit.ts'

/** Whether a script requests only the list. */
export const isBranchList = (header: SiteRequest['header']): boolean => header('sec-fetch-dest') === 'empty'

/** Serves the children of a page: a list for the script that expands the navigation, or a page for visitors without scripts. */
export const serveBranch: Output = async ({ view: live, request }, [itemId = '', pageId = '', ...previewPath]) => {
  const item = live.session.structure.get(itemId, 'space')
  const view = item && previewPath.length > 0 ? await openPreview(live, item, previewPath) : live
  const space = item && (await view?.open(item))
  const placed = space && pageId !== '-' ? (await space.pagesWith([pageId])).get(pageId) : undefined
  if (!view || !space || (pageId !== '-' && !placed)) return undefined
  const frame = await readPageFrame(space)
  const { site } = frame
  const branch = await readBranch(space, placed?.lineage ?? [])
  const entries = await sidebarOf(frame, branch, '', await newPagesAmong(space, branch))
  const list = sidebarList(site, entries)
  const isFragment = isBranchList(request.header)
  const title = fill(site.texts.pagesIn, placed ? labelOf(placed.page) : space.item.title)
  const content = markup`<h1 class="page-title">${title}</h1><nav class="page-list">${list}</nav>`
  const page = () => renderAside(site, { title, canonicalUrl: space.addressAt() }, content)
  return { ...pageReply(frame, isFragment ? list : page()), isShareable: !view.isAside }
}

/** Opens the site with a previewed change request or revision of a space. */
async function openPreview(
  { context, session }: SiteView,
  item: StoredItem,
  previewPath: readonly string[],
): Promise<SiteView | undefined> {
  const located = await locatePath(context, session, [...session.structure.segmentsOf(item), ...previewPath])
  const isThere = located.kind === 'place' && located.space.id === item.id && located.rest.length === 0
  return isThere ? new SiteView(context, session, located) : undefined
}
