import type { Block, Document, Heading, Update } from '../../content/document/nodes.ts'
import { collectReferences } from '../../content/document/references.ts'
import { plainText } from '../../content/document/text.ts'
import { walkBlocks, mapBlocks } from '../../content/document/walk.ts'
import { renderBlocks } from '../../render/document.ts'
import { escapeText } from '../../render/html.ts'
import { createPlainContext } from '../../render/plain-context.ts'
import type { LinkTarget, RenderContext } from '../../render/render-context.ts'
import { formatDate, formatNumber } from '../../render/texts/locales.ts'
import { toAbsoluteSiteUrl } from '../page/canonical.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import { textReply } from '../reply.ts'
import { type PageOutputHandler, replyPolicyOf } from '../visit.ts'
import type { SitePage } from '../view.ts'

/** Maximum number of updates in a feed; feed readers keep older ones, and the page contains all of them. */
const maxUpdates = 100

/** Returns the URL of a page's feed. */
export const toFeedUrl = (address: string): string => `${address}${address.endsWith('/') ? '' : '/'}rss.xml`

/** Iterates over the update blocks of a document. */
function* iterateUpdates(document: Document): Iterable<Update> {
  for (const block of walkBlocks(document)) if (block.type === 'update') yield block
}

/** Whether a page contains updates, and therefore has a feed. */
export const hasFeed = (document: Document): boolean => iterateUpdates(document)[Symbol.iterator]().next().done !== true

/** Renders the updates of a page as RSS. */
export const serveFeed: PageOutputHandler = async ({ view }, space, sitePage) => {
  const document = await space.readDocument(sitePage.page)
  if (!hasFeed(document)) return undefined
  const frame = await readPageFrame(space)
  const refs = collectReferences(document).map(({ ref }) => ref)
  await space.readAnchors(sitePage, document)
  const references = await ResolvedReferences.resolve(space, refs, sitePage.entry.id)
  const { site, locale } = frame
  const renderContext = createFeedRenderContext(frame, sitePage, references)
  const { tags } = space.tree.root
  const items: string[] = []
  for (const update of iterateUpdates(document)) {
    if (items.length === maxUpdates) break
    items.push(renderFeedItem(update, sitePage, { renderContext, tags, locale }))
  }
  const { title, description = '' } = sitePage.page
  const channel = [
    element('title', title === site.title ? title : `${title} | ${site.title}`),
    element('link', sitePage.address),
    element('description', description || title),
    element('language', site.language),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeText(toFeedUrl(sitePage.address))}"/>`,
  ]
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${channel.join('')}\n${items.join('\n')}\n</channel></rss>\n`
  const reply = textReply(text, 'application/rss+xml', replyPolicyOf(view, false))
  return { ...reply, isCacheable: !view.isPreview }
}

interface FeedItemOptions {
  renderContext: RenderContext
  tags: Readonly<Record<string, { label: string }>>
  locale: string
}

function renderFeedItem(
  { key, data, nodes }: Update,
  { entry, address }: SitePage,
  { renderContext, tags, locale }: FeedItemOptions,
): string {
  const date = data?.date ?? ''
  const heading = nodes.find((node): node is Heading => node.type.startsWith('heading-'))
  const headingText = heading ? plainText(heading.nodes).trim() : ''
  const anchor = heading?.meta?.id
  const link = anchor === undefined ? address : `${address}#${encodeURIComponent(anchor)}`
  const publishedAt = Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/i.test(date) ? date : `${date.slice(0, 10)}T00:00:00Z`)
  const categories = (data?.tags ?? []).flatMap(({ tag }) =>
    Object.hasOwn(tags, tag) ? [tags[tag]?.label ?? tag] : [],
  )
  return [
    '<item>',
    element('title', headingText || formatDate(date, locale)),
    element('link', link),
    `<guid isPermaLink="false">${escapeText(removeInvalidXml(`${entry.id}/${key ?? date}`))}</guid>`,
    Number.isNaN(publishedAt) ? '' : element('pubDate', new Date(publishedAt).toUTCString()),
    ...categories.map((label) => element('category', label)),
    element('description', renderBlocks(withoutAnchors(nodes), renderContext).text),
    '</item>',
  ].join('')
}

/** Removes characters that are not allowed in XML. */
const removeInvalidXml = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')

const element = (name: string, text: string): string => `<${name}>${escapeText(removeInvalidXml(text))}</${name}>`

/** Removes ids, because self-links of headings do not work in feed readers. */
const withoutAnchors = (blocks: readonly Block[]): readonly Block[] =>
  mapBlocks(blocks, (block) => {
    if (block.meta?.id === undefined) return block
    const { id: _, ...meta } = block.meta
    return { ...block, meta }
  })

/** Returns a rendering context with absolute URLs for feed readers, which have neither the styles nor the scripts of the site. */
function createFeedRenderContext(
  { site, space, locale }: PageFrame,
  { address }: SitePage,
  references: ResolvedReferences,
): RenderContext {
  const { tags } = space.tree.root
  const toAbsoluteTarget = (target: LinkTarget): LinkTarget => {
    const { href } = target
    if (href === undefined) return target
    return { ...target, href: href.startsWith('#') ? address + href : toAbsoluteSiteUrl(space.site, href) }
  }
  return {
    ...createPlainContext(site.texts),
    resolveLink(ref) {
      const target = references.linkTo(ref)
      return target && toAbsoluteTarget(target)
    },
    resolveFile(ref) {
      const file = references.file(ref)
      return file && { ...file, url: toAbsoluteSiteUrl(space.site, file.url) }
    },
    findTag: (slug) => (Object.hasOwn(tags, slug) ? tags[slug] : undefined),
    formatDate: (text, format) => formatDate(text, locale, format),
    formatNumber: (value) => formatNumber(value, locale),
    searchHrefFor: (query) => toAbsoluteSiteUrl(space.site, `${site.searchHref}?q=${encodeURIComponent(query)}`),
  }
}
