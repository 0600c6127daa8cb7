import type { StoredItem } from '../../access/sites.ts'
import type { Lineage } from '../../content/revision/lineages.ts'
import { labelOf } from '../../content/revision/objects.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { segmentsOf } from '../../publishing/addresses.ts'
import { locatePath } from '../../resources/urls/locate.ts'
import { McpError, errorCodes } from './errors.ts'
import type { PlacedPage, SiteView, SpaceView } from '../view.ts'

export interface FoundPlace {
  space: SpaceView
  placed: PlacedPage
}

/** Returns the page for a URL of the site, for the URL of its Markdown, or for a path relative to the site. */
export async function findPageAt(view: SiteView, written: string): Promise<FoundPlace | undefined> {
  const segments = pathOf(view, written)
  if (!segments) return undefined
  const last = segments.at(-1) ?? ''
  const above = segments.slice(0, -1)
  const candidates = [
    segments,
    ...(/.\.md$/i.test(last) ? [[...above, last.slice(0, -3)]] : []),
    ...(last === 'index.md' ? [above] : []),
  ]
  for (const candidate of candidates) {
    const place = await placeAt(view, candidate)
    const placed = await place?.space.findPage(place.rest)
    if (place && placed?.entry.type === 'document') return { space: place.space, placed }
  }
  return undefined
}

/** Returns the path segments of a URL or path relative to the site; undefined if it is outside the site. */
function pathOf({ session: { siteBase } }: SiteView, written: string): string[] | undefined {
  const base = new URL(siteBase)
  const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(written)
  if (isAddress && !URL.canParse(written)) return undefined
  const { origin, pathname } = new URL(isAddress ? written : `${base.origin}/${written.replace(/^\/+/, '')}`)
  const isBelow = `${pathname}/`.startsWith(base.pathname)
  if (isAddress && (origin !== base.origin || !isBelow)) return undefined
  return segmentsOf(isBelow ? pathname.slice(base.pathname.length) : pathname)
}

/** Resolves a path to a space and the path in it. */
async function placeAt(view: SiteView, segments: readonly string[]) {
  const { context, session } = view
  let located = await locatePath(context, session, segments)
  // Paths that name an optional default are redirected to shorter ones.
  if (located.kind === 'redirect' && located.to.startsWith(session.siteBase)) {
    const below = segmentsOf(new URL(located.to).pathname.slice(new URL(session.siteBase).pathname.length))
    if (below) located = await locatePath(context, session, below)
  }
  // Previews are not available to MCP clients.
  if (located.kind !== 'place' || located.previewPath.length > 0) return undefined
  const space = await view.open(located.space)
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

const pageLength = 100

/** Lists the pages of a site or a part of it in navigation order, with pagination. */
export async function listPages(
  view: SiteView,
  { within, cursor }: { within?: string | undefined; cursor?: string | undefined },
): Promise<PageList> {
  const pages: ListedPage[] = []
  let last: FoundPlace | undefined
  const yieldIfDue = createYielder(new AbortController().signal)
  for await (const found of pagesFrom(view, await partAt(view, within), cursor)) {
    await yieldIfDue()
    const { entry, page, address } = found.placed
    if (entry.type !== 'document' || page.noIndex === true) continue
    if (last && pages.length === pageLength) return { pages, nextCursor: cursorOf(last) }
    pages.push({ title: labelOf(page), address, ...(page.description && { description: page.description }) })
    last = found
  }
  return { pages, nextCursor: undefined }
}

const cursorOf = ({ space, placed }: FoundPlace): string => `${space.item.id}.${placed.entry.id}`

/** Part of a site: several spaces, or a page and its descendants. */
type Part = { items: readonly StoredItem[] } | { space: SpaceView; below: Lineage }

async function partAt(view: SiteView, within: string | undefined): Promise<Part> {
  const segments = within === undefined || within === '' ? [] : pathOf(view, within)
  if (segments?.length === 0) return { items: view.listedItems }
  const place = segments && (await placeAt(view, segments))
  const placed = await place?.space.findPage(place.rest)
  if (!place || !placed) throw new McpError(errorCodes.params, 'path: not found')
  const { space, rest, section } = place
  if (rest.length > 0) return { space, below: placed.lineage }
  const { structure } = view.session
  const isSection = section !== undefined && structure.isDefault(space.item)
  return { items: isSection ? view.listedItems.filter((item) => item.parentId === section.id) : [space.item] }
}

async function* pagesFrom(view: SiteView, part: Part, cursor: string | undefined): AsyncIterable<FoundPlace> {
  const from = cursor === undefined ? undefined : await placeOfCursor(view, cursor)
  if ('below' in part) {
    const { space, below } = part
    if (!from) yield { space, placed: space.placed(below) }
    const pages = from ? pagesAfter(space, from.placed.lineage, below.length) : space.listedPages(below)
    for await (const placed of pages) yield { space, placed }
    return
  }
  const start = from ? part.items.findIndex(({ id }) => id === from.space.item.id) : 0
  if (start < 0) throw staleCursor()
  for (const item of part.items.slice(start)) {
    const space = await view.open(item)
    if (!space) continue
    const isFirst = from?.space === space
    for await (const placed of isFirst ? pagesAfter(space, from.placed.lineage, 0) : space.listedPages()) {
      yield { space, placed }
    }
  }
}

const staleCursor = () => new McpError(errorCodes.params, 'cursor: no longer valid; start again without a cursor')

async function placeOfCursor(view: SiteView, cursor: string): Promise<FoundPlace> {
  const [itemId = '', pageId = ''] = cursor.split('.')
  const item = view.session.structure.get(itemId, 'space')
  const space = item && (await view.open(item))
  const placed = (await space?.pagesWith([pageId]))?.get(pageId)
  if (!space || !placed) throw staleCursor()
  return { space, placed }
}

/** Iterates over the listed pages after a page, up to an ancestor of the given depth. */
async function* pagesAfter(space: SpaceView, lineage: Lineage, depth: number): AsyncIterable<PlacedPage> {
  yield* space.listedPages(lineage)
  for (let level = lineage.length - 1; level >= depth; level--) {
    const above = lineage.slice(0, level)
    const siblings = await space.seenIn(above.at(-1)?.page.pages ?? space.tree.root.pages)
    const at = siblings.findIndex(({ entry }) => entry.id === lineage[level]?.entry.id)
    for (const one of siblings.slice(at + 1)) {
      if (one.page.hidden === true) continue
      const own: Lineage = [...above, one]
      yield space.placed(own)
      yield* space.listedPages(own)
    }
  }
}
