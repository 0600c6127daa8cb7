import type { Document } from '../../content/document/nodes.ts'
import { plainText } from '../../content/document/text.ts'
import { everyBlock } from '../../content/document/walk.ts'
import { labelOf } from '../../content/revision/objects.ts'
import { type Html, attributes, markup, trusted } from '../../render/html.ts'
import type { PageCover, PageHead } from '../../render/shell/parts.ts'
import { languageTag } from '../../render/texts/locales.ts'
import { absolute, alternatesOf, canonicalOf } from './canonical.ts'
import { feedAddress, hasFeed } from '../machines/feed.ts'
import { markdownAddress } from '../machines/markdown.ts'
import type { PageFrame } from '../page-frame.ts'
import { socialAddress } from '../pictures/social.ts'
import type { PlacedPage } from '../view.ts'
import { handlingOf } from '../visit.ts'

interface Shown {
  cover: PageCover | undefined
  document: Document
}

/** Returns the metadata of a page for search engines, link previews and feed readers. */
export async function headOf(frame: PageFrame, placed: PlacedPage, shown: Shown): Promise<PageHead> {
  const { space, settings } = frame
  const { page } = placed
  const told: Told = {
    description: page.description || beginningOf(shown.document),
    canonicalUrl: await canonicalOf(space, placed),
    image: settings.all.socialPreview.url ?? shown.cover?.light ?? socialAddress(frame, placed),
    isIndexed: handlingOf(space.site, page.noRobotsIndex !== true && page.noIndex !== true).isIndexed,
  }
  const alternates = await alternatesOf(space, placed)
  return {
    title: page.title,
    description: told.description,
    canonicalUrl: told.canonicalUrl,
    isIndexed: told.isIndexed,
    more: markup`${alternates.map((href) => alternate({ href }))}${translations(frame, placed)}${otherForms(frame, placed, shown)}${previews(frame, placed, told)}${told.isIndexed && structuredData(frame, placed, told)}`,
  }
}

interface Told {
  description: string | undefined
  canonicalUrl: string
  image: string
  isIndexed: boolean
}

/** Maximum length of a description that search engines show. */
const beginningLength = 160

/** Returns the beginning of a page's text. */
function beginningOf(document: Document): string | undefined {
  let text = ''
  for (const block of everyBlock(document)) {
    if (block.type !== 'paragraph') continue
    text = `${text} ${plainText(block.nodes)}`.replace(/\s+/g, ' ').trim()
    if (text.length > beginningLength) break
  }
  if (text.length <= beginningLength) return text || undefined
  const cut = text.slice(0, beginningLength)
  const end = cut.lastIndexOf(' ')
  return `${(end > beginningLength / 2 ? cut.slice(0, end) : cut).replace(/[\s.,;:!?\ud800-\udbff]+$/, '')}…`
}

const alternate = (values: Record<string, string>): Html => markup`<link rel="alternate"${attributes(values)}>`

/** Returns links to translations of a page, as far as they exist. */
function translations({ space, site }: PageFrame, { entry }: PlacedPage): Html[] {
  if (site.languages.length === 0) return []
  const { structure } = space.site.session
  // If a translation does not contain the page, its link points to the first page of the space.
  const beginnings = new Set(space.site.items.map((item) => space.site.href(space.site.addressOf(item))))
  const isSame = ({ href, isCurrent }: { href: string; isCurrent: boolean }) =>
    isCurrent || entry.id === space.landing || !beginnings.has(href)
  const same = site.languages.filter((choice) => choice.language !== undefined && isSame(choice))
  if (same.length < 2) return []
  const first = structure.childrenOf(space.item.parentId).find((item) => structure.isDefault(item))
  const usual = first?.language ? languageTag(first.language) : undefined
  return same.flatMap(({ language = '', href }) => {
    const address = absolute(space.site, href)
    const link = alternate({ hreflang: language, href: address })
    return language === usual ? [link, alternate({ hreflang: 'x-default', href: address })] : [link]
  })
}

function otherForms({ space }: PageFrame, { address, page }: PlacedPage, { document }: Shown): Html[] {
  const at = (to: string) => space.site.href(to)
  const markdown = alternate({ type: 'text/markdown', href: at(markdownAddress(address)) })
  if (!hasFeed(document)) return [markdown]
  return [markdown, alternate({ type: 'application/rss+xml', title: page.title, href: at(feedAddress(address)) })]
}

/** Returns the Open Graph and Twitter metadata for link previews. */
function previews({ site, space }: PageFrame, { page, entry }: PlacedPage, told: Told): Html[] {
  const { title } = page
  const { description, canonicalUrl } = told
  const image = absolute(space.site, told.image)
  const properties = {
    title,
    description,
    type: entry.id === space.landing ? 'website' : 'article',
    url: canonicalUrl,
    site_name: site.title,
    locale: site.language.replace('-', '_'),
    image,
  }
  const names = { card: 'summary_large_image', title, description, image }
  return [
    ...entriesOf(properties).map(([name, content]) => markup`<meta property="og:${name}" content="${content}">`),
    ...entriesOf(names).map(([name, content]) => markup`<meta name="twitter:${name}" content="${content}">`),
  ]
}

const entriesOf = (values: Record<string, string | undefined>): [name: string, value: string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)

/** Returns structured data about a page and its position, in the schema.org vocabulary. */
function structuredData({ site, space }: PageFrame, placed: PlacedPage, told: Told): Html {
  const { page, lineage } = placed
  const { siteBase } = space.site.session
  const path = lineage.map((step) => step.entry.slug)
  const above = lineage.slice(0, -1).flatMap(({ entry, page: parent }, index) => {
    const item = space.addressOf(entry.id, path.slice(0, index + 1))
    return entry.type === 'document' ? [{ name: labelOf(parent), item }] : []
  })
  const trail = [{ name: site.title, item: siteBase }, ...above, { name: labelOf(page), item: told.canonicalUrl }]
  const breadcrumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  }
  const article = {
    '@type': 'TechArticle',
    headline: page.title,
    description: told.description,
    url: told.canonicalUrl,
    image: absolute(space.site, told.image),
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
