import type { SiteReply, SiteRequest } from '../kernel/site-http.ts'
import { renderNotFound } from '../render/not-found.ts'
import { markup, nothing } from '../render/html.ts'
import { renderSystemPage } from '../render/shell/page.ts'
import { english } from '../render/texts/english.ts'
import type { Texts } from '../render/texts.ts'
import type { SidebarEntry } from '../render/shell/parts.ts'
import { readSiteNavigation } from './page/navigation.ts'
import { findNewPageIds, readPreviewBanner } from './page/previews.ts'
import { createSidebar } from './page/sidebar.ts'
import { type PageFrame, readPageFrame } from './page-frame.ts'
import { pageReply } from './page-reply.ts'
import { htmlReply, textReply } from './reply.ts'
import type { SiteVisit } from './visit.ts'
import { resolveSpaceForPath } from './space-for-path.ts'
import { type Suggestion, findDeepestAncestor, findSuggestions } from './search/suggestions.ts'

const privatePolicy = { isPublic: false, isIndexed: false }

/**
 * Renders the reply for a missing page or one that the visitor cannot see; within the layout of the site if the visitor can see
 * it.
 */
export async function notFoundReply(visit: SiteVisit | undefined): Promise<SiteReply> {
  if (visit && !wantsPage(visit.request)) return notFoundTextReply(english.pageNotFound)
  const located = visit && (await resolveSpaceForPath(visit.view, visit.segments))
  if (!visit || !located) return bareNotFoundReply()
  const { space, rest } = located
  const frame = await readPageFrame(space)
  const { site, locale } = frame
  const { texts } = site
  const path = rest.slice(space.previewPath.length)
  const suggestions = visit.request.method === 'GET' ? await findSuggestions(space, path, locale) : []
  const suggestionList =
    suggestions.length > 0
      ? markup`<h2 class="suggestions-title">${texts.perhapsYouMeant}</h2><ul class="suggestions">${suggestions.map(renderSuggestion)}</ul>`
      : nothing
  const content = renderNotFound(texts, { href: site.homeHref, title: texts.goHome }, suggestionList)
  const about = { title: texts.pageNotFound, canonicalUrl: site.base }
  const html = renderSystemPage(site, about, content, {
    preview: await readPreviewBanner(frame),
    pages: await readNavigationAt(frame, path),
  })
  return pageReply(frame, html, { ...privatePolicy, status: 404 })
}

/** Returns the navigation, expanded along the existing part of a path. */
async function readNavigationAt(frame: PageFrame, path: readonly string[]): Promise<SidebarEntry[]> {
  const { space } = frame
  const ancestor = await findDeepestAncestor(space, path)
  const openIds = ancestor?.lineage.map(({ entry }) => entry.id) ?? []
  const navigation = await readSiteNavigation(space, openIds)
  return createSidebar(frame, navigation, '', await findNewPageIds(space, navigation))
}

const renderSuggestion = ({ title, href, trail }: Suggestion) =>
  markup`<li dir="auto"><a href="${href}">${title}</a>${trail.length > 0 && markup`<small>${trail.join(' / ')}</small>`}</li>`

/** Whether a request is for a page, as opposed to requests of programs and for subresources such as images and scripts. */
function wantsPage(request: SiteRequest): boolean {
  const target = request.header('sec-fetch-dest')
  if (target !== undefined && !['document', 'empty', 'iframe'].includes(target)) return false
  const accepted = request.header('accept')?.trim() ?? ''
  if (/\btext\/html\b/.test(accepted)) return true
  const isForPrograms = /\.(?:md|json|xml|txt)$/i.test(new URL(request.url).pathname)
  return !isForPrograms && (accepted === '' || /^(?:\*|text)\/\*/.test(accepted))
}

function notFoundTextReply(text: string): SiteReply {
  return { ...textReply(`${text}\n`, 'text/plain', privatePolicy), status: 404, isCacheable: false }
}

/** Renders the same reply for a URL without a site. */
export const bareNotFoundReply = () => barePageReply(404, english.pageNotFound, english.pageNotFoundHint)

/** Renders the reply for visitors who must sign in, on a site without a configured sign-in page. */
export const signInRequiredReply = (texts: Texts = english): SiteReply =>
  barePageReply(403, texts.signInFirst, texts.signInFirstHint)

/** Renders a page without the styles of a site. */
function barePageReply(status: number, title: string, text: string): SiteReply & { body: string } {
  const body = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="robots" content="noindex"></head><body style="font:1rem/1.6 system-ui,sans-serif;color-scheme:light dark;max-width:32rem;margin:20vh auto;padding:0 1.5rem"><main><h1 style="font-size:1.5rem;line-height:1.2">${title}</h1><p>${text}</p></main></body></html>`
  return { ...htmlReply(body.text, { ...privatePolicy, status }), body: body.text }
}
