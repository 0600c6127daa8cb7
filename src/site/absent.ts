import { markup } from '../render/html.ts'
import { renderAside } from '../render/shell/page.ts'
import { english } from '../render/texts/english.ts'
import type { Texts } from '../render/texts.ts'
import { readSurroundings } from './page.ts'
import { type SiteReply, htmlReply } from './reply.ts'
import type { SiteVisit } from './serve.ts'

const handling = { isPublic: false, isIndexed: false, fileOrigins: [], fontOrigins: [] }

/** What is said where nothing is, or nothing that is for the visitor; on a site that they see, with the site around it. */
export async function absentReply(visit: SiteVisit | undefined): Promise<SiteReply> {
  const item = visit?.view.listedItems[0]
  const space = item && (await visit?.view.open(item))
  if (!space) return bare(404, english.pageNotFound, english.pageNotFoundHint)
  const { site, look } = await readSurroundings(space)
  const { texts } = site
  const head = {
    title: texts.pageNotFound,
    description: undefined,
    canonicalUrl: site.base,
    isIndexed: false,
    more: markup``,
  }
  const content = markup`<p class="status-code" aria-hidden="true">404</p><h1 class="page-title">${texts.pageNotFound}</h1><p class="lead">${texts.pageNotFoundHint}</p><p><a class="button button-primary" href="${site.homeHref}">${texts.goHome}</a></p>`
  return { ...htmlReply(renderAside(site, head, content).text, { ...handling, ...look, status: 404 }) }
}

/** What is said to visitors who would have to sign in, where the site does not say where. */
export const closedReply = (texts: Texts = english): SiteReply => bare(403, texts.signInFirst, texts.signInFirstHint)

/** A page without any styles of a site, as none is known. */
function bare(status: number, title: string, text: string): SiteReply {
  const body = markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="robots" content="noindex"></head><body style="font:1rem/1.6 system-ui,sans-serif;color-scheme:light dark;max-width:32rem;margin:20vh auto;padding:0 1.5rem"><main><h1 style="font-size:1.5rem;line-height:1.2">${title}</h1><p>${text}</p></main></body></html>`
  return htmlReply(body.text, { ...handling, status })
}
