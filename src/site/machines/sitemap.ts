import type { SiteReply } from '../../kernel/site-http.ts'
import type { StoredSiteItem } from '../../access/sites.ts'
import { escapeText } from '../../render/html.ts'
import { iterateIndexedPages } from './llms.ts'
import { redirectReply, textReply } from '../reply.ts'
import { type OutputHandler, type SiteVisit, replyPolicyOf } from '../visit.ts'
import type { SiteView } from '../view.ts'

/** Limits of one sitemap file; the sitemap protocol allows five times as many bytes. */
export const sitemapLimits = { entries: 50_000, bytes: 10 * 1024 * 1024 }

/** One file of a sitemap. */
interface SitemapPart {
  text: string
  lastModified: string
}

export interface SitemapEntry {
  address: string
  updatedAt: string
}

const partName = /^sitemap-([1-9]\d{0,5})\.xml$/

/** Name of the list of pages on GitBook sites, whose `sitemap.xml` is an index that refers to it. */
export const pagesSitemapName = 'sitemap-pages.xml'

/** Whether a path segment is a sitemap or a part of one. */
export const isSitemap = (step: string): boolean =>
  step === 'sitemap.xml' || step === pagesSitemapName || partName.test(step)

/** Serves the sitemap of a site, which lists all pages that search engines may index. */
export const serveSitemap: OutputHandler = async ({ view, segments }, rest) => {
  if (rest.length > 0 || view.session.site.visibility !== 'public') return undefined
  const number = partName.exec(segments[0] ?? '')?.[1]
  const text = number === undefined ? await createSitemap(view) : await createSitemapPart(view, Number(number))
  return text === undefined ? undefined : xmlReply(view, text)
}

/** Serves the sitemap of one space at the URL of the space. */
export async function serveSpaceSitemap({ view }: SiteVisit, item: StoredSiteItem): Promise<SiteReply | undefined> {
  const isListed = view.listedItems.some(({ id }) => id === item.id)
  if (view.session.site.visibility !== 'public' || !isListed) return undefined
  const [first, second] = await firstTwo(splitSitemap(iterateEntries(view, [item])))
  // A sitemap index of one space is not supported, but the sitemap of the site contains all pages.
  return second ? redirectReply(`${view.session.siteBase}sitemap.xml`) : xmlReply(view, urlset(first?.text ?? ''))
}

async function firstTwo(parts: AsyncIterable<SitemapPart>): Promise<SitemapPart[]> {
  const found: SitemapPart[] = []
  for await (const part of parts) if (found.push(part) === 2) break
  return found
}

const xmlReply = (view: SiteView, text: string): SiteReply =>
  textReply(text, 'application/xml', replyPolicyOf(view, false))

async function* iterateEntries(view: SiteView, items = view.listedItems): AsyncIterable<SitemapEntry> {
  for await (const { sitePage } of iterateIndexedPages(view, items)) {
    if (sitePage.page.noRobotsIndex !== true) yield { address: sitePage.address, updatedAt: sitePage.page.updatedAt }
  }
}

async function createSitemap(view: SiteView): Promise<string> {
  let onlyPart: string | undefined
  const partDates: string[] = []
  for await (const { text, lastModified } of splitSitemap(iterateEntries(view))) {
    onlyPart = partDates.length === 0 ? text : undefined
    partDates.push(lastModified)
  }
  if (partDates.length <= 1) return urlset(onlyPart ?? '')
  const { siteBase } = view.session
  const parts = partDates.map(
    (at, index) =>
      `<sitemap><loc>${escapeText(`${siteBase}sitemap-${index + 1}.xml`)}</loc><lastmod>${at}</lastmod></sitemap>\n`,
  )
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${parts.join('')}</sitemapindex>\n`
}

async function createSitemapPart(view: SiteView, number: number): Promise<string | undefined> {
  let count = 0
  for await (const { text } of splitSitemap(iterateEntries(view))) if (++count === number) return urlset(text)
  return undefined
}

/** Groups entries into as few files as possible. */
export async function* splitSitemap(
  entries: AsyncIterable<SitemapEntry>,
  { entries: maxEntries, bytes: maxBytes } = sitemapLimits,
): AsyncIterable<SitemapPart> {
  let [texts, length, lastModified]: [string[], number, string] = [[], 0, '']
  for await (const { address, updatedAt } of entries) {
    const text = `<url><loc>${escapeText(address)}</loc><lastmod>${updatedAt}</lastmod></url>\n`
    if (texts.length === maxEntries || (texts.length > 0 && length + text.length > maxBytes)) {
      yield { text: texts.join(''), lastModified }
      ;[texts, length, lastModified] = [[], 0, '']
    }
    texts.push(text)
    length += text.length
    if (updatedAt > lastModified) lastModified = updatedAt
  }
  if (texts.length > 0) yield { text: texts.join(''), lastModified }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const urlset = (text: string): string => `${declaration}<urlset xmlns="${namespace}">\n${text}</urlset>\n`
