import { type Html, attributes, markup } from './html.ts'
import type { MenuChoice, SiteShell } from './shell/parts.ts'
import { fillPlaceholders } from './texts.ts'

/** A text in parts; those with odd indexes match the query. */
export type MarkedText = readonly string[]

export interface SearchResultSection {
  title: string
  href: string
  snippet: MarkedText
}

/** A page in the search results. */
export interface SearchResultPage {
  title: string
  href: string
  icon: Html | undefined
  /** Titles of the containers of the page, from the site down. */
  trail: readonly string[]
  /** The matching text at the start of the page, else its description. */
  snippet: MarkedText
  sections: readonly SearchResultSection[]
}

export interface SearchResults {
  query: string
  /** Limits the search to the part of the site that the reader came from. */
  from: string | undefined
  within: string | undefined
  found: readonly SearchResultPage[]
  total: number
  /** Starts at 1. */
  page: number
  pages: number
  /** URLs of the previous and the next page of results. */
  previousHref: string | undefined
  nextHref: string | undefined
  scopes: readonly MenuChoice[]
}

/** Renders a page of search results, or only the search field without a query. */
export function renderSearchResults(site: SiteShell, results: SearchResults): Html {
  const { texts } = site
  const { query, found, total } = results
  const title = query === '' ? texts.search : fillPlaceholders(texts.resultsFor, query)
  return markup`<h1 class="page-title results-title" dir="auto">${title}</h1>${renderSearchField(site, results)}${renderScopes(site, results)}${query !== '' && found.length > 0 && markup`<p class="results-count" role="status">${fillPlaceholders(texts.resultsCount, total)}</p>`}${found.length > 0 ? renderResultList(site, found) : renderNoResults(site, query)}${renderPager(site, results)}`
}

const renderHiddenInput = (name: string, value: string | undefined): Html | false =>
  value !== undefined && markup`<input${attributes({ type: 'hidden', name, value })}>`

function renderSearchField({ texts, searchHref, icon }: SiteShell, { query, from, within }: SearchResults): Html {
  const input = attributes({
    type: 'search',
    name: 'q',
    value: query,
    required: true,
    maxlength: 512,
    autofocus: query === '',
    autocomplete: 'off',
    dir: 'auto',
    placeholder: texts.searchPlaceholder,
    'aria-label': texts.search,
  })
  return markup`<form class="results-field" action="${searchHref}">${icon('magnifying-glass')}<input${input}>${renderHiddenInput('from', from)}${renderHiddenInput('in', within)}<button>${texts.search}</button></form>`
}

function renderScopes({ texts }: SiteShell, { scopes: choices, query }: SearchResults): Html | false {
  if (query === '' || choices.length === 0) return false
  return markup`<nav${attributes({ 'aria-label': texts.sections })}><ul class="search-scopes">${choices.map(({ title, href, isCurrent }) => markup`<li><a${attributes({ href, 'aria-current': isCurrent ? 'true' : undefined })}>${title}</a></li>`)}</ul></nav>`
}

const renderResultList = (site: SiteShell, found: readonly SearchResultPage[]): Html =>
  markup`<ol class="results">${found.map((entry) => renderResult(site, entry))}</ol>`

/** Renders one page with its matching sections. */
function renderResult(
  { icon: drawn }: SiteShell,
  { title, href, icon, trail, snippet, sections }: SearchResultPage,
): Html {
  const above = trail.length > 0 && markup`<p class="trail" dir="auto">${trail.join(' / ')}</p>`
  const text = snippet.length > 0 && markup`<p dir="auto">${renderMarkedText(snippet)}</p>`
  const places =
    sections.length > 0 &&
    markup`<ul>${sections.map((place) => markup`<li><a href="${place.href}" dir="auto">${place.title}</a>${place.snippet.length > 0 && markup`<span class="found-text" dir="auto">${renderMarkedText(place.snippet)}</span>`}</li>`)}</ul>`
  return markup`<li><article>${above}<h2 dir="auto"><a href="${href}">${icon ?? drawn('file')}<span>${title}</span></a></h2>${text}${places}</article></li>`
}

const renderMarkedText = (text: MarkedText): Html[] =>
  text.map((part, index) => (index % 2 === 1 ? markup`<mark>${part}</mark>` : markup`${part}`))

function renderNoResults({ texts }: SiteShell, query: string): Html {
  if (query === '') return markup`<p class="lead">${texts.searchHint}</p>`
  return markup`<p class="lead" role="status" dir="auto">${fillPlaceholders(texts.noResults, query)}</p><p>${texts.noResultsHint}</p>`
}

function renderPager({ texts, icon }: SiteShell, { page, pages, previousHref, nextHref }: SearchResults): Html | false {
  if (pages < 2) return false
  return markup`<nav${attributes({ class: 'results-pager', 'aria-label': texts.previousAndNext })}>${previousHref !== undefined && markup`<a rel="prev" href="${previousHref}">${icon('arrow-left')}${texts.previous}</a>`}<span>${page} / ${pages}</span>${nextHref !== undefined && markup`<a rel="next" href="${nextHref}">${texts.next}${icon('arrow-right')}</a>`}</nav>`
}
