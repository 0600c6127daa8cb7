import type { SiteReply } from '../../kernel/site-http.ts'
import type { StoredSiteItem } from '../../access/sites.ts'
import type { LineagePage } from '../../content/revision/lineages.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import type { SearchScope } from '../../contract/site-search.ts'
import { type SearchResultPage, type MarkedText, type SearchResults, renderSearchResults } from '../../render/search.ts'
import { renderSystemPage } from '../../render/shell/page.ts'
import type { MenuChoice } from '../../render/shell/parts.ts'
import { fillPlaceholders } from '../../render/texts.ts'
import type { SitePageSearchResult } from '../../resources/site-search/search-site-pages.ts'
import type { FoundPage } from '../../search/found-page.ts'
import { type FoundSection, withSections } from '../../search/matching-sections.ts'
import type { Snippet } from '../../search/snippet.ts'
import { renderEmojiOrIcon, distinguishingTitlesOf } from '../page/site-shell.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import { emojiOf } from '../emoji.ts'
import { readPreviewBanner } from '../page/previews.ts'
import { pageReply } from '../page-reply.ts'
import { textReply } from '../reply.ts'
import type { OutputHandler } from '../visit.ts'
import { localeOf, readEffectiveSettings } from '../settings.ts'
import { resolveSpaceForPath } from '../space-for-path.ts'
import type { SitePage, SiteView, SpaceView } from '../view.ts'
import { searchVisiblePages } from './find.ts'

const maxQueryLength = 512
const pageSize = 20
/** Maximum number of results while typing, and the minimum number of those reserved for other spaces. */
const typeaheadLimits = { pages: 12, elsewhere: 4 }

/** Whether a client requests only the list of results. */
export const isResultList = (accept = ''): boolean => /\bjson\b/.test(accept) && !/\bhtml\b/.test(accept)

/** Serves search results: a page that works without scripts, and a list for the script that searches while typing. */
export const serveSearch: OutputHandler = async ({ view, request, segments }, rest) => {
  if (rest.length > 0) return undefined
  const parameters = parseSearchParameters(view, request.url)
  const isList = segments.at(-1) === '~search.json' || isResultList(request.header('accept'))
  return isList ? listReply(view, parameters) : resultsReply(view, parameters)
}

/** Parsed search request. */
interface SearchParameters {
  query: string
  /** Site space from which the visitor searches. */
  from: StoredSiteItem | undefined
  /** Site space that the search is limited to. */
  within: StoredSiteItem | undefined
  page: number
}

function parseSearchParameters(
  { session: { structure, viewpoint }, previewItem }: SiteView,
  url: string,
): SearchParameters {
  const { searchParams } = new URL(url)
  const findItem = (name: string): StoredSiteItem | undefined => {
    const item = structure.get(searchParams.get(name) ?? '', 'space')
    return item && structure.isVisible(item, viewpoint) ? item : undefined
  }
  const rawQuery = (searchParams.get('q') ?? '').slice(0, maxQueryLength).toWellFormed()
  const page = Number(/^\d{1,5}$/.exec(searchParams.get('page') ?? '')?.[0] ?? 1)
  const within = findItem('in')
  return {
    query: rawQuery.replace(/\p{Cc}+/gu, ' ').trim(),
    from: findItem('from') ?? within ?? previewItem,
    within,
    page: Math.max(page, 1),
  }
}

interface GroupedResults extends Pick<SitePageSearchResult, 'items'> {
  /** Results in the current space. */
  here: FoundPage[]
  elsewhere: FoundPage[]
}

/** Searches the current space and the default spaces of the other sections, or all variants if nothing is found there. */
async function findResults(view: SiteView, { query, from, within }: SearchParameters): Promise<GroupedResults> {
  if (query === '') return { here: [], elsewhere: [], items: new Map() }
  const here: SearchScope = { mode: 'default', currentSiteSpace: from?.id }
  const scope: SearchScope = within ? { mode: 'specific', siteSpaceIds: [within.id] } : here
  let { found, items } = await searchVisiblePages(view, { query, scope })
  if (found.length === 0 && !within)
    ({ found, items } = await searchVisiblePages(view, { query, scope: { mode: 'all' } }))
  const isHere = ({ spaceId }: FoundPage) => spaceId === from?.spaceId
  return { here: found.filter(isHere), elsewhere: found.filter((page) => !isHere(page)), items }
}

/** Search result with its position on the site. */
export interface VisibleResult {
  space: SpaceView
  placed: SitePage
  found: FoundPage
}

/** Returns the search results that still exist and are visible, with their URLs. */
export async function resolveSearchResults(
  view: SiteView,
  pages: readonly FoundPage[],
  items: SitePageSearchResult['items'],
): Promise<VisibleResult[]> {
  const bySpace = new Map<string, string[]>()
  for (const { spaceId, lineage } of pages) {
    bySpace.set(spaceId, [...(bySpace.get(spaceId) ?? []), idOf(lineage)])
  }
  const spaces = new Map<string, { space: SpaceView; placed: Map<string, SitePage> }>()
  for (const [spaceId, ids] of bySpace) {
    const item = items.get(spaceId)
    const space = item && (await view.openItem(item))
    if (space) spaces.set(spaceId, { space, placed: await space.findPagesById(ids) })
  }
  return pages.flatMap((found) => {
    const there = spaces.get(found.spaceId)
    const placed = there?.placed.get(idOf(found.lineage))
    return there && placed ? [{ space: there.space, placed, found }] : []
  })
}

const idOf = (lineage: FoundPage['lineage']): string => (lineage.at(-1) as LineagePage).entry.id

/** Returns the titles of the ancestors of a page, starting with its section. */
export const trailOf = ({ space, placed }: Pick<VisibleResult, 'space' | 'placed'>, locale: string): string[] => [
  ...distinguishingTitlesOf(space.site, space.item, locale),
  ...placed.lineage.slice(0, -1).map(({ page }) => navigationTitleOf(page)),
]

interface DetailedResult extends VisibleResult {
  /** Snippet of the beginning of the page. */
  snippet: MarkedText
  sections: { title: string; href: string; snippet: MarkedText }[]
}

/** Adds the matching sections and snippets to results. */
async function addSnippets(view: SiteView, pages: readonly FoundPage[], items: SitePageSearchResult['items']) {
  const results = await resolveSearchResults(view, pages, items)
  const { db } = view.context
  const found = results.map((result) => result.found)
  const pagesWithSections = await withSections(db, view.session.site.organization_id, found)
  return results.map((result, index): DetailedResult => {
    const href = view.href(result.placed.address)
    const sections = pagesWithSections[index]?.sections ?? []
    const opening = sections.find((section) => !hasHeading(section))
    const { description } = result.placed.page
    return {
      ...result,
      snippet: opening ? toMarkedText(opening.snippet) : description ? [description] : [],
      sections: sections.filter(hasHeading).map(({ anchor, heading, snippet }) => ({
        title: heading,
        href: `${href}#${encodeURIComponent(anchor ?? '')}`,
        snippet: toMarkedText(snippet),
      })),
    }
  })
}

/** Whether a section has its own heading, as opposed to the beginning of a page. */
const hasHeading = ({ anchor, heading }: FoundSection): boolean => anchor !== null && heading !== ''

/** Splits a text into parts, every second of which is highlighted. */
function toMarkedText({ text, marks }: Snippet): MarkedText {
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
async function listReply(view: SiteView, parameters: SearchParameters): Promise<SiteReply> {
  const { here, elsewhere, items } = await findResults(view, parameters)
  const maxHere = typeaheadLimits.pages - Math.min(elsewhere.length, typeaheadLimits.elsewhere)
  const shown = [...here.slice(0, maxHere), ...elsewhere].slice(0, typeaheadLimits.pages)
  const detailed = await addSnippets(view, shown, items)
  const first = parameters.from ?? view.visibleItems[0]
  const locale = first && localeOf(first, await readEffectiveSettings(view.context, view.session, first))
  const list = detailed.map(({ space, placed, snippet, sections }) => ({
    title: navigationTitleOf(placed.page),
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

async function resultsReply(view: SiteView, parameters: SearchParameters): Promise<SiteReply | undefined> {
  const item = parameters.within ?? parameters.from
  const frameSpace = (item && (await view.openItem(item))) ?? (await resolveSpaceForPath(view, []))?.space
  if (!frameSpace) return undefined
  const frame = await readPageFrame(frameSpace)
  const { site } = frame
  const { here, elsewhere, items } = await findResults(view, parameters)
  const all = [...here, ...elsewhere]
  const pages = Math.max(1, Math.ceil(all.length / pageSize))
  const page = Math.min(parameters.page, pages)
  const shown = all.slice((page - 1) * pageSize, page * pageSize)
  const detailed = await addSnippets(view, shown, items)
  const hrefOf = (where: StoredSiteItem | undefined, number: number) =>
    resultsUrl(site.searchHref, parameters, where, number)
  const results: SearchResults = {
    query: parameters.query,
    from: parameters.from?.id,
    within: parameters.within?.id,
    found: detailed.map((one) => toSearchResultPage(frame, one)),
    total: all.length,
    page,
    pages,
    previousHref: page > 1 ? hrefOf(parameters.within, page - 1) : undefined,
    nextHref: page < pages ? hrefOf(parameters.within, page + 1) : undefined,
    scopes: createScopeChoices(frame, parameters, (where) => hrefOf(where, 1)),
  }
  const about = {
    title: parameters.query === '' ? site.texts.search : fillPlaceholders(site.texts.resultsFor, parameters.query),
    canonicalUrl: view.searchUrl,
  }
  const html = renderSystemPage(site, about, renderSearchResults(site, results), {
    styles: [site.searchStyles],
    preview: await readPreviewBanner(frame),
  })
  return { ...pageReply(frame, html, { isPublic: false }), isShareable: true }
}

function toSearchResultPage({ site, space: frameSpace, locale }: PageFrame, result: DetailedResult): SearchResultPage {
  const { placed, snippet, sections } = result
  return {
    title: navigationTitleOf(placed.page),
    href: frameSpace.site.href(placed.address),
    icon: renderEmojiOrIcon(placed.page, site.icon),
    trail: trailOf(result, locale),
    snippet,
    sections,
  }
}

function createScopeChoices(
  { space, site }: PageFrame,
  { within, from }: SearchParameters,
  hrefOf: (where: StoredSiteItem | undefined) => string,
): MenuChoice[] {
  if (!site.searchScope || !from) return []
  const here = fillPlaceholders(site.texts.searchIn, site.searchScope.title)
  return [
    { title: site.texts.searchEverywhere, href: hrefOf(undefined), isCurrent: within === undefined },
    { title: here, href: hrefOf(space.item), isCurrent: within === space.item },
  ]
}

/** Returns the URL of a page of results. */
function resultsUrl(
  base: string,
  { query, from }: SearchParameters,
  within: StoredSiteItem | undefined,
  page: number,
): string {
  const parameters = new URLSearchParams({ q: query })
  if (from) parameters.set('from', from.id)
  if (within) parameters.set('in', within.id)
  if (page > 1) parameters.set('page', String(page))
  return `${base}?${parameters.toString()}`
}
