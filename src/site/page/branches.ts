import type { SiteRequest } from '../../kernel/site-http.ts'
import type { StoredSiteItem } from '../../access/sites.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { markup } from '../../render/html.ts'
import { renderSystemPage } from '../../render/shell/page.ts'
import { renderSidebarList } from '../../render/shell/sidebar.ts'
import { fillPlaceholders } from '../../render/texts.ts'
import { locatePath } from '../../visitors/locate.ts'
import { readBranch } from './navigation.ts'
import { createSidebar } from './sidebar.ts'
import { readPageFrame } from '../page-frame.ts'
import { findNewPageIds } from './previews.ts'
import { pageReply } from '../page-reply.ts'
import { SiteView } from '../view.ts'
import type { OutputHandler } from '../visit.ts'

/** Whether a script requests only the list. */
export const isBranchList = (header: SiteRequest['header']): boolean => header('sec-fetch-dest') === 'empty'

/** Serves the children of a page: a list for the script that expands the navigation, or a page for visitors without scripts. */
export const serveBranch: OutputHandler = async (
  { view: liveView, request },
  [itemId = '', pageId = '', ...previewPath],
) => {
  const item = liveView.session.structure.get(itemId, 'space')
  const view = item && previewPath.length > 0 ? await openPreview(liveView, item, previewPath) : liveView
  const space = item && (await view?.openItem(item))
  const sitePage = space && pageId !== '-' ? (await space.findPagesById([pageId])).get(pageId) : undefined
  if (!view || !space || (pageId !== '-' && !sitePage)) return undefined
  const frame = await readPageFrame(space)
  const { site } = frame
  const branch = await readBranch(space, sitePage?.lineage ?? [])
  const entries = await createSidebar(frame, branch, '', await findNewPageIds(space, branch))
  const list = renderSidebarList(site, entries)
  const isFragment = isBranchList(request.header)
  const title = fillPlaceholders(site.texts.pagesIn, sitePage ? navigationTitleOf(sitePage.page) : space.item.title)
  const content = markup`<h1 class="page-title">${title}</h1><nav class="page-list">${list}</nav>`
  const page = () => renderSystemPage(site, { title, canonicalUrl: space.urlAt() }, content)
  return { ...pageReply(frame, isFragment ? list : page()), isShareable: !view.isPreview }
}

/** Opens the site with a previewed change request or revision of a space. */
async function openPreview(
  { context, session }: SiteView,
  item: StoredSiteItem,
  previewPath: readonly string[],
): Promise<SiteView | undefined> {
  const located = await locatePath(context, session, [...session.structure.segmentsOf(item), ...previewPath])
  const isPreviewOfItem = located.kind === 'place' && located.space.id === item.id && located.rest.length === 0
  return isPreviewOfItem ? new SiteView(context, session, located) : undefined
}
