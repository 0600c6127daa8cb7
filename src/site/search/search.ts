import type { SiteReply } from '../../kernel/site-http.ts'
import type { StoredItem } from '../../access/sites.ts'
import type { PageInLine } from '../../content/revision/lineages.ts'
import { labelOf } from '../../content/revision/objects.ts'
import type { SearchScope } from '../../contract/site-search.ts'
import { type FoundEntry, type MarkedText, type Results, renderResults } from '../../render/search.ts'
import { renderAside } from '../../render/shell/page.ts'
import type { Choice } from '../../render/shell/parts.ts'
import { fill } from '../../render/texts.ts'
import type { FoundOnSite } from '../../resources/site-search/find.ts'
import type { FoundPage } from '../../search/search.ts'
import { type FoundSection, withSections } from '../../search/sections.ts'
import type { Snippet } from '../../search/snippet.ts'
import { markOf, placeOf } from '../page/chrome.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import { emojiOf } from '../references.ts'
import { previewOf } from '../page/previews.ts'
import { pageReply } from '../page-reply.ts'
import { textReply } from '../reply.ts'
import type { Output } from '../visit.ts'
import { localeOf, settingsOf } from '../settings.ts'
import { resolveSpaceForPath } from '../space-for-path.ts'
import type { PlacedPage, SiteView, SpaceView } from '../view.ts'
import { findSeen } from './find.ts'

const maxQueryLength = 512
const pageLength = 20
/** Maximum number of results while typing, and the minimum number of those reserved for other spaces. */
const typed = { pages: 12, elsewhere: 4 }

/** Whether a client requests only the list of results. */
export const isResultList = (accept = ''): boolean => /\bjson\b/.test(accept) && !/\bhtml\b/.test(accept)

/** Serves search results: a page that works without scripts, and a list for the script that searches while typing. */
export const serveSearch: Output = async ({ view, request, segments }, rest) => {
  if (rest.length > 0) return undefined
  const asked = readAsked(view, request.url)
  const isList = segments.at(-1) === '~search.json' || isResultList(request.header('accept'))
  return isList ? listReply(view, asked) : resultsReply(view, asked)
}

/** Parsed search request. */
interface Asked {
  query: string
  /** Site space from which the visitor searches. */
  from: StoredItem | undefined
  /** Site space that the search is limited to. */
  within: StoredItem | undefined
  page: number
}

function readAsked({ session: { structure, viewpoint }, previewItem }: SiteView, url: string): Asked {
  const { searchParams } = new URL(url)
  const itemIn = (name: string): StoredItem | undefined => {
    const item = structure.get(searchParams.get(name) ?? '', 'space')
    return item && structure.isVisible(item, viewpoint) ? item : undefined
  }
  const written = (searchParams.get('q') ?? '').slice(0, maxQueryLength).toWellFormed()
  const page = Number(/^\d{1,5}$/.exec(searchParams.get('page') ?? '')?.[0] ?? 1)
  const within = itemIn('in')
  return {
    query: written.replace(/\p{Cc}+/gu, ' ').trim(),
    from: itemIn('from') ?? within ?? previewItem,
    within,
    page: Math.max(page, 1),
  }
}

interface FoundWhere extends Pick<FoundOnSite, 'items'> {
  /** Results in the current space. */
  here: FoundPage[]
  elsewhere: FoundPage[]
}

/** Searches the current space and the default spaces of the other sections, or all variants if nothing is found there. */
async function find(view: SiteView, { query, from, within }: Asked): Promise<FoundWhere> {
  if (query === '') return { here: [], elsewhere: [], items: new Map() }
  const here: SearchScope = { mode: 'default', currentSiteSpace: from?.id }
  const scope: SearchScope = within ? { mode: 'specific', siteSpaceIds: [within.id] } : here
  let { found, items } = await findSeen(view, { query, scope })
  if (found.length === 0 && !within) ({ found, items } = await findSeen(view, { query, scope: { mode: 'all' } }))
  const isHere = ({ spaceId }: FoundPage) => spaceId === from?.spaceId
  return { here: found.filter(isHere), elsewhere: found.filter((page) => !isHere(page)), items }
}

/** Search result with its position on the site. */
export interface PlacedResult {
  space: SpaceView
  placed: PlacedPage
  found: FoundPage
}

/** Returns the search results that still exist and are visible, with their URLs. */
export async function placeFound(
  view: SiteView,
  pages: readonly FoundPage[],
  items: FoundOnSite['items'],
): Promise<PlacedResult[]> {
  const bySpace = new Map<string, string[]>()
  for (const { spaceId, lineage } of pages) {
    bySpace.set(spaceId, [...(bySpace.get(spaceId) ?? []), idOf(lineage)])
  }
  const spaces = new Map<string, { space: SpaceView; placed: Map<string, PlacedPage> }>()
  for (const [spaceId, ids] of bySpace) {
    const item = items.get(spaceId)
    const space = item && (await view.open(item))
    if (space) spaces.set(spaceId, { space, placed: await space.pagesWith(ids) })
  }
  return pages.flatMap((found) => {
    const there = spaces.get(found.spaceId)
    const placed = there?.placed.get(idOf(found.lineage))
    return there && placed ? [{ space: there.space, placed, found }] : []
  })
}

const idOf = (lineage: FoundPage['lineage']): string => (lineage.at(-1) as PageInLine).entry.id

/** Returns the titles of the ancestors of a page, starting with its section. */
export const trailOf = ({ space, placed }: Pick<PlacedResult, 'space' | 'placed'>, locale: string): string[] => [
  ...placeOf(space.site, space.item, locale),
  ...placed.lineage.slice(0, -1).map(({ page }) => labelOf(page)),
]

interface Told extends PlacedResult {
  /** Snippet of the beginning of the page. */
  snippet: MarkedText
  sections: { title: string; href: string; snippet: MarkedText }[]
}

/** Adds the matching sections and snippets to results. */
async function tell(view: SiteView, { query }: Asked, pages: readonly FoundPage[], items: FoundOnSite['items']) {
  const results = await placeFound(view, pages, items)
  const { db } = view.context
  const found = results.map((result) => result.found)
  const withPlaces = await withSections(db, view.session.site.organization_id, found, query)
  return results.map((result, index): Told => {
    const href = view.href(result.placed.address)
    const sections = withPlaces[index]?.sections ?? []
    const own = sections.find((section) => !isNamed(section))
    const { description } = result.placed.page
    return {
      ...result,
      snippet: own ? marksIn(own.snippet) : description ? [description] : [],
      sections: sections.filter(isNamed).map(({ anchor, heading, snippet }) => ({
        title: heading,
        href: `${href}#${encodeURIComponent(anchor ?? '')}`,
        snippet: marksIn(snippet),
      })),
    }
  })
}

/** Whether a section has its own heading, as opposed to the beginning of a page. */
const isNamed = ({ anchor, heading }: FoundSection): boolean => anchor !== null && heading !== ''

/** Splits a text into parts, every second of which is highlighted. */
function marksIn({ text, marks }: Snippet): MarkedText {
  const parts: string[] = []
  let at = 0
  for (const [index, [start, end]] of marks.entries()) {
    const isNext = index > 0 && start === at
    if (isNext) parts.push((parts.pop() ?? '') + text.slice(start, end))
    else parts.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  return at < text.length ? [...parts, text.slice(at)] : parts
}

/** Returns a short list of results, with the best ones of other spaces at its end. */
async function listReply(view: SiteView, asked: Asked): Promise<SiteReply> {
  const { here, elsewhere, items } = await find(view, asked)
  const room = typed.pages - Math.min(elsewhere.length, typed.elsewhere)
  const shown = [...here.slice(0, room), ...elsewhere].slice(0, typed.pages)
  const told = await tell(view, asked, shown, items)
  const first = asked.from ?? view.items[0]
  const locale = first && localeOf(first, await settingsOf(view.context, view.session.site, first))
  const list = told.map(({ space, placed, snippet, sections }) => ({
    title: labelOf(placed.page),
    href: view.href(placed.address),
    emoji: emojiOf(placed.page.emoji),
    trail: trailOf({ space, placed }, locale ?? ''),
    snippet,
    sections,
  }))
  const reply = textReply(JSON.stringify(list), 'application/json', { isPublic: false, isIndexed: false })
  return {
    ...reply,
    headers: { ...reply.headers, 'cache-control': 'private, no-store' },
    isCacheable: false,
    isShareable: true,
  }
}

async function resultsReply(view: SiteView, asked: Asked): Promise<SiteReply | undefined> {
  const item = asked.within ?? asked.from
  const around = (item && (await view.open(item))) ?? (await resolveSpaceForPath(view, []))?.space
  if (!around) return undefined
  const frame = await readPageFrame(around)
  const { site } = frame
  const { here, elsewhere, items } = await find(view, asked)
  const all = [...here, ...elsewhere]
  const pages = Math.max(1, Math.ceil(all.length / pageLength))
  const page = Math.min(asked.page, pages)
  const shown = all.slice((page - 1) * pageLength, page * pageLength)
  const told = await tell(view, asked, shown, items)
  const hrefOf = (where: StoredItem | undefined, number: number) => addressFor(site.searchHref, asked, where, number)
  const results: Results = {
    query: asked.query,
    from: asked.from?.id,
    within: asked.within?.id,
    found: told.map((one) => entryOf(frame, one)),
    total: all.length,
    page,
    pages,
    previousHref: page > 1 ? hrefOf(asked.within, page - 1) : undefined,
    nextHref: page < pages ? hrefOf(asked.within, page + 1) : undefined,
    scopes: scopesOf(frame, asked, (where) => hrefOf(where, 1)),
  }
  const about = {
    title: asked.query === '' ? site.texts.search : fill(site.texts.resultsFor, asked.query),
    canonicalUrl: view.searchAddress,
  }
  const html = renderAside(site, about, renderResults(site, results), {
    styles: [site.searchStyles],
    preview: await previewOf(frame),
  })
  return { ...pageReply(frame, html, { isPublic: false }), isShareable: true }
}

function entryOf({ site, space: around, locale }: PageFrame, told: Told): FoundEntry {
  const { placed, snippet, sections } = told
  return {
    title: labelOf(placed.page),
    href: around.site.href(placed.address),
    icon: markOf(placed.page, site.icon),
    trail: trailOf(told, locale),
    snippet,
    sections,
  }
}

function scopesOf(
  { space, site }: PageFrame,
  { within, from }: Asked,
  hrefOf: (where: StoredItem | undefined) => string,
): Choice[] {
  if (!site.searchScope || !from) return []
  const here = fill(site.texts.searchIn, site.searchScope.title)
  return [
    { title: site.texts.searchEverywhere, href: hrefOf(undefined), isCurrent: within === undefined },
    { title: here, href: hrefOf(space.item), isCurrent: within === space.item },
  ]
}

/** Returns the URL of a page of results. */
function addressFor(base: string, { query, from }: Asked, within: StoredItem | undefined, page: number): string {
  const parameters = new URLSearchParams({ q: query })
  if (from) parameters.set('from', from.id)
  if (within) parameters.set('in', within.id)
  if (page > 1) parameters.set('page', String(page))
  return `${base}?${parameters.toString()}`
}
