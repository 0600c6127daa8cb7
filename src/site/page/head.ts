import type { Document } from '../../content/document/nodes.ts'
import { plainText } from '../../content/document/text.ts'
import { walkBlocks } from '../../content/document/walk.ts'
import { navigationTitleOf } from '../../content/revision/objects.ts'
import { type Html, attributes, markup, trusted } from '../../render/html.ts'
import type { PageCover, PageHead } from '../../render/shell/parts.ts'
import { languageTag } from '../../render/texts/locales.ts'
import { toAbsoluteSiteUrl, resolveAlternateUrls, resolveCanonicalUrl } from './canonical.ts'
import { toFeedUrl, hasFeed } from '../machines/feed.ts'
import { toMarkdownUrl } from '../machines/markdown.ts'
import type { PageFrame } from '../page-frame.ts'
import { socialImageUrl } from '../pictures/social.ts'
import type { SitePage } from '../view.ts'
import { replyPolicyOf } from '../visit.ts'

interface HeadContent {
  cover: PageCover | undefined
  document: Document
}

/** Returns the metadata of a page for search engines, link previews and feed readers. */
export async function readPageHead(frame: PageFrame, sitePage: SitePage, content: HeadContent): Promise<PageHead> {
  const { space, settings } = frame
  const { page } = sitePage
  const metadata: HeadMetadata = {
    description: page.description || extractDescription(content.document),
    canonicalUrl: await resolveCanonicalUrl(space, sitePage),
    image: settings.customization.socialPreview.url ?? content.cover?.light ?? socialImageUrl(frame, sitePage),
    isIndexed: replyPolicyOf(space.site, page.noRobotsIndex !== true && page.noIndex !== true).isIndexed,
  }
  const alternates = await resolveAlternateUrls(space, sitePage)
  return {
    title: page.title,
    description: metadata.description,
    canonicalUrl: metadata.canonicalUrl,
    isIndexed: metadata.isIndexed,
    extraElements: markup`${alternates.map((href) => alternate({ href }))}${translationLinks(frame, sitePage)}${otherFormatLinks(frame, sitePage, content)}${linkPreviewTags(frame, sitePage, metadata)}${metadata.isIndexed && structuredData(frame, sitePage, metadata)}`,
  }
}

interface HeadMetadata {
  description: string | undefined
  canonicalUrl: string
  image: string
  isIndexed: boolean
}

/** Maximum length of a description that search engines show. */
const maxDescriptionLength = 160

/** Returns the beginning of a page's text. */
function extractDescription(document: Document): string | undefined {
  let text = ''
  for (const block of walkBlocks(document)) {
    if (block.type !== 'paragraph') continue
    text = `${text} ${plainText(block.nodes)}`.replace(/\s+/g, ' ').trim()
    if (text.length > maxDescriptionLength) break
  }
  if (text.length <= maxDescriptionLength) return text || undefined
  const cut = text.slice(0, maxDescriptionLength)
  const end = cut.lastIndexOf(' ')
  return `${(end > maxDescriptionLength / 2 ? cut.slice(0, end) : cut).replace(/[\s.,;:!?\ud800-\udbff]+$/, '')}…`
}

const alternate = (values: Record<string, string>): Html => markup`<link rel="alternate"${attributes(values)}>`

/** Returns links to the existing translations of a page. */
function translationLinks({ space, site }: PageFrame, { entry }: SitePage): Html[] {
  if (site.languages.length === 0) return []
  const { structure } = space.site.session
  // If a translation does not contain the page, its link points to the first page of the space.
  const landingHrefs = new Set(space.site.visibleItems.map((item) => space.site.href(space.site.urlOf(item))))
  const containsPage = ({ href, isCurrent }: { href: string; isCurrent: boolean }) =>
    isCurrent || entry.id === space.landingPageId || !landingHrefs.has(href)
  const translated = site.languages.filter((choice) => choice.language !== undefined && containsPage(choice))
  if (translated.length < 2) return []
  const first = structure.childrenOf(space.item.parentId).find((item) => structure.isDefault(item))
  const defaultLanguage = first?.language ? languageTag(first.language) : undefined
  return translated.flatMap(({ language = '', href }) => {
    const address = toAbsoluteSiteUrl(space.site, href)
    const link = alternate({ hreflang: language, href: address })
    return language === defaultLanguage ? [link, alternate({ hreflang: 'x-default', href: address })] : [link]
  })
}

function otherFormatLinks({ space }: PageFrame, { address, page }: SitePage, { document }: HeadContent): Html[] {
  const toHref = (to: string) => space.site.href(to)
  const markdown = alternate({ type: 'text/markdown', href: toHref(toMarkdownUrl(address)) })
  if (!hasFeed(document)) return [markdown]
  return [markdown, alternate({ type: 'application/rss+xml', title: page.title, href: toHref(toFeedUrl(address)) })]
}

/** Returns the Open Graph and Twitter metadata for link previews. */
function linkPreviewTags({ site, space }: PageFrame, { page, entry }: SitePage, metadata: HeadMetadata): Html[] {
  const { title } = page
  const { description, canonicalUrl } = metadata
  const image = toAbsoluteSiteUrl(space.site, metadata.image)
  const properties = {
    title,
    description,
    type: entry.id === space.landingPageId ? 'website' : 'article',
    url: canonicalUrl,
    site_name: site.title,
    locale: site.language.replace('-', '_'),
    image,
  }
  const names = { card: 'summary_large_image', title, description, image }
  return [
    ...definedEntries(properties).map(([name, content]) => markup`<meta property="og:${name}" content="${content}">`),
    ...definedEntries(names).map(([name, content]) => markup`<meta name="twitter:${name}" content="${content}">`),
  ]
}

const definedEntries = (values: Record<string, string | undefined>): [name: string, value: string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)

/** Returns structured data about a page and its position, in the schema.org vocabulary. */
function structuredData({ site, space }: PageFrame, sitePage: SitePage, metadata: HeadMetadata): Html {
  const { page, lineage } = sitePage
  const { siteBase } = space.site.session
  const path = lineage.map((step) => step.entry.slug)
  const ancestors = lineage.slice(0, -1).flatMap(({ entry, page: parent }, index) => {
    const item = space.urlOf(entry.id, path.slice(0, index + 1))
    return entry.type === 'document' ? [{ name: navigationTitleOf(parent), item }] : []
  })
  const trail = [
    { name: site.title, item: siteBase },
    ...ancestors,
    { name: navigationTitleOf(page), item: metadata.canonicalUrl },
  ]
  const breadcrumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  }
  const article = {
    '@type': 'TechArticle',
    headline: page.title,
    description: metadata.description,
    url: metadata.canonicalUrl,
    image: toAbsoluteSiteUrl(space.site, metadata.image),
    inLanguage: site.language,
    datePublished: page.createdAt,
    dateModified: page.updatedAt,
    isPartOf: { '@type': 'WebSite', name: site.title, url: siteBase },
  }
  const data = { '@context': 'https://schema.org', '@graph': [article, breadcrumbs] }
  // Escaped so that the text cannot end the element or start a comment.
  const text = JSON.stringify(data).replaceAll('<', '\\u003c')
  return markup`<script type="application/ld+json">${trusted(text)}</script>`
}
