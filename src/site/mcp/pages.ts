import type { StoredSiteItem } from '../../access/sites.ts'
import type { Lineage } from '../../content/revision/lineages.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { splitPath } from '../../publishing/site-urls.ts'
import { locatePath } from '../../visitors/locate.ts'
import { McpError, rpcErrorCodes } from './errors.ts'
import type { SitePage, SiteView, SpaceView } from '../view.ts'

export interface FoundSitePage {
  space: SpaceView
  sitePage: SitePage
}

/** Returns the page for a URL of the site, for the URL of its Markdown, or for a path relative to the site. */
export async function findPageByUrl(view: SiteView, urlOrPath: string): Promise<FoundSitePage | undefined> {
  const segments = toSegments(view, urlOrPath)
  if (!segments) return undefined
  const last = segments.at(-1) ?? ''
  const above = segments.slice(0, -1)
  const candidates = [
    segments,
    ...(/.\.md$/i.test(last) ? [[...above, last.slice(0, -3)]] : []),
    ...(last === 'index.md' ? [above] : []),
  ]
  for (const candidate of candidates) {
    const resolved = await resolveSpacePath(view, candidate)
    const sitePage = await resolved?.space.findPage(resolved.rest)
    if (resolved && sitePage?.entry.type === 'document') return { space: resolved.space, sitePage }
  }
  return undefined
}

/** Returns the path segments of a URL or path relative to the site; undefined if it is outside the site. */
function toSegments({ session: { siteBase } }: SiteView, urlOrPath: string): string[] | undefined {
  const base = new URL(siteBase)
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(urlOrPath)
  if (isUrl && !URL.canParse(urlOrPath)) return undefined
  const { origin, pathname } = new URL(isUrl ? urlOrPath : `${base.origin}/${urlOrPath.replace(/^\/+/, '')}`)
  const isBelow = `${pathname}/`.startsWith(base.pathname)
  if (isUrl && (origin !== base.origin || !isBelow)) return undefined
  return splitPath(isBelow ? pathname.slice(base.pathname.length) : pathname)
}

/** Resolves a path to a space and the path in it. */
async function resolveSpacePath(view: SiteView, segments: readonly string[]) {
  const { context, session } = view
  let located = await locatePath(context, session, segments)
  // Paths that name an optional default are redirected to shorter ones.
  if (located.kind === 'redirect' && located.to.startsWith(session.siteBase)) {
    const below = splitPath(new URL(located.to).pathname.slice(new URL(session.siteBase).pathname.length))
    if (below) located = await locatePath(context, session, below)
  }
  // Previews are not available to MCP clients.
  if (located.kind !== 'place' || located.previewPath.length > 0) return undefined
  const space = await view.openItem(located.space)
  return space && { space, rest: located.rest, section: located.section }
}

interface ListedPage {
  title: string
  address: string
  description?: string | undefined
}

interface PageList {
  pages: ListedPage[]
  nextCursor: string | undefined
}

const pageSize = 100

/** Lists the pages of a site or a part of it in navigation order, with pagination. */
export async function listPages(
  view: SiteView,
  { within, cursor }: { within?: string | undefined; cursor?: string | undefined },
): Promise<PageList> {
  const pages: ListedPage[] = []
  let last: FoundSitePage | undefined
  const yieldIfDue = createYielder(new AbortController().signal)
  for await (const found of iteratePages(view, await findSitePart(view, within), cursor)) {
    await yieldIfDue()
    const { entry, page, address } = found.sitePage
    if (entry.type !== 'document' || page.noIndex === true) continue
    if (last && pages.length === pageSize) return { pages, nextCursor: cursorOf(last) }
    pages.push({ title: navigationTitleOf(page), address, ...(page.description && { description: page.description }) })
    last = found
  }
  return { pages, nextCursor: undefined }
}

const cursorOf = ({ space, sitePage }: FoundSitePage): string => `${space.item.id}.${sitePage.entry.id}`

/** Part of a site: several spaces, or a page and its descendants. */
type SitePart = { items: readonly StoredSiteItem[] } | { space: SpaceView; below: Lineage }

async function findSitePart(view: SiteView, within: string | undefined): Promise<SitePart> {
  const segments = within === undefined || within === '' ? [] : toSegments(view, within)
  if (segments?.length === 0) return { items: view.listedItems }
  const resolved = segments && (await resolveSpacePath(view, segments))
  const sitePage = await resolved?.space.findPage(resolved.rest)
  if (!resolved || !sitePage) throw new McpError(rpcErrorCodes.params, 'path: not found')
  const { space, rest, section } = resolved
  if (rest.length > 0) return { space, below: sitePage.lineage }
  const { structure } = view.session
  const isSection = section !== undefined && structure.isDefault(space.item)
  return { items: isSection ? view.listedItems.filter((item) => item.parentId === section.id) : [space.item] }
}

async function* iteratePages(view: SiteView, part: SitePart, cursor: string | undefined): AsyncIterable<FoundSitePage> {
  const from = cursor === undefined ? undefined : await findPageByCursor(view, cursor)
  if ('below' in part) {
    const { space, below } = part
    if (!from) yield { space, sitePage: space.toSitePage(below) }
    const pages = from ? iteratePagesAfter(space, from.sitePage.lineage, below.length) : space.listedPages(below)
    for await (const sitePage of pages) yield { space, sitePage }
    return
  }
  const start = from ? part.items.findIndex(({ id }) => id === from.space.item.id) : 0
  if (start < 0) throw staleCursor()
  for (const item of part.items.slice(start)) {
    const space = await view.openItem(item)
    if (!space) continue
    const isFirst = from?.space === space
    for await (const sitePage of isFirst ? iteratePagesAfter(space, from.sitePage.lineage, 0) : space.listedPages()) {
      yield { space, sitePage }
    }
  }
}

const staleCursor = () => new McpError(rpcErrorCodes.params, 'cursor: no longer valid; start again without a cursor')

async function findPageByCursor(view: SiteView, cursor: string): Promise<FoundSitePage> {
  const [itemId = '', pageId = ''] = cursor.split('.')
  const item = view.session.structure.get(itemId, 'space')
  const space = item && (await view.openItem(item))
  const sitePage = (await space?.findPagesById([pageId]))?.get(pageId)
  if (!space || !sitePage) throw staleCursor()
  return { space, sitePage }
}

/** Iterates over the listed pages after a page, up to an ancestor of the given depth. */
async function* iteratePagesAfter(space: SpaceView, lineage: Lineage, depth: number): AsyncIterable<SitePage> {
  yield* space.listedPages(lineage)
  for (let level = lineage.length - 1; level >= depth; level--) {
    const above = lineage.slice(0, level)
    const siblings = await space.readVisiblePages(above.at(-1)?.page.pages ?? space.tree.root.pages)
    const at = siblings.findIndex(({ entry }) => entry.id === lineage[level]?.entry.id)
    for (const one of siblings.slice(at + 1)) {
      if (one.page.hidden === true) continue
      const siblingLineage: Lineage = [...above, one]
      yield space.toSitePage(siblingLineage)
      yield* space.listedPages(siblingLineage)
    }
  }
}
