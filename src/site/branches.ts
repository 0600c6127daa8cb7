import { markup } from '../render/html.ts'
import { renderAside } from '../render/shell/page.ts'
import { sidebarList } from '../render/shell/sidebar.ts'
import { fill } from '../render/texts.ts'
import { readBranch } from './navigation.ts'
import { readSurroundings, sidebarOf } from './page.ts'
import { htmlReply } from './reply.ts'
import { type Output, handlingOf } from './serve.ts'

/** The pages right below one: a list for the script that opens a branch of the navigation, a page for whoever has none. */
export const serveBranch: Output = async ({ view, request }, [itemId = '', pageId = '']) => {
  const item = view.entered.structure.get(itemId, 'space')
  const space = item && (await view.open(item))
  const placed = space && pageId !== '-' ? (await space.pagesWith([pageId])).get(pageId) : undefined
  if (!space || (pageId !== '-' && !placed)) return undefined
  const surroundings = await readSurroundings(space)
  const { site, look } = surroundings
  const entries = sidebarOf(surroundings, await readBranch(space, placed?.lineage ?? []), '')
  const list = sidebarList(site, entries)
  const isFragment = request.header('sec-fetch-dest') === 'empty'
  const title = fill(site.texts.pagesIn, placed?.page.title ?? space.item.title)
  const head = { title, description: undefined, canonicalUrl: space.addressAt(), isIndexed: false, more: markup`` }
  const page = markup`<h1 class="page-title">${title}</h1><nav class="page-list">${list}</nav>`
  return htmlReply(isFragment ? list.text : renderAside(site, head, page).text, {
    ...handlingOf(view, false),
    fileOrigins: [],
    fontOrigins: look.fontOrigins,
  })
}
