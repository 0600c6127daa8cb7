import { type Html, attributes, markup, nothing, trusted } from '../html.ts'
import { joinClasses } from '../inlines.ts'
import { fillPlaceholderHtml } from '../texts.ts'
import { renderHeadScript } from './head-script.ts'
import { renderAnnouncement, renderPreviewBanner, renderHeader, renderLogo, renderSocialLinks } from './header.ts'
import type {
  PageAction,
  PageCover,
  PageHead,
  PageTracking,
  PageShell,
  PreviewBanner,
  SidebarEntry,
  SiteShell,
} from './parts.ts'
import { renderOutlineButton, selectOutlineEntries, renderOutline, renderSidebar } from './sidebar.ts'

/** ID of the element that browsers parse before they paint the page. */
const awaitedId = '~start'

/** Number of paragraphs, items or cells up to this element. */
const awaitedTexts = 3

/** Maximum length of the HTML before the awaited element; a slow connection should not delay the title for long. */
const maxAwaitedLength = 8000

/**
 * Delays the first paint until the first texts are parsed. Otherwise a slow browser paints the header alone, and the layout of
 * that frame delays the texts.
 */
function awaitFirstTexts(content: Html): { content: Html; expectation: Html } {
  const start = content.text.slice(0, maxAwaitedLength)
  const tags = start.matchAll(/<(?:p|li|td|pre)(?=[ >])(?![^>]* id=)/g)
  const last = Array.from(tags).slice(0, awaitedTexts).at(-1)
  if (!last) return { content, expectation: nothing }
  const end = last.index + last[0].length
  return {
    content: trusted(`${content.text.slice(0, end)} id="${awaitedId}"${content.text.slice(end)}`),
    expectation: markup`<link rel="expect" href="#${awaitedId}" blocking="render">`,
  }
}

/**
 * Renders a whole page. The content precedes the outline and the navigation, so that browsers paint it before they parse
 * them; a skip link at the start leads to the navigation.
 */
export function renderPage(site: SiteShell, page: PageShell): Html {
  const { texts } = site
  const { layout } = page
  const className = joinClasses('page', layout.isWide && 'wide')
  const { content, expectation } = awaitFirstTexts(page.content)
  const article = markup`<article${attributes({ class: className, 'data-page': page.id, ...(page.tracking && trackingAttributes(page.tracking)) })}>${renderPageHead(site, page)}<div class="content" dir="auto">${content}</div>${layout.pagination && renderPager(site, page)}${renderPageFoot(site, page)}</article>`
  const pages = layout.tableOfContents ? page.sidebar : []
  const outline = layout.outline ? selectOutlineEntries(page.outline) : []
  return renderHtmlDocument(
    site,
    { ...page.head, extraElements: markup`${expectation}${page.head.extraElements}` },
    page.needs,
    markup`${pages.length > 0 && markup`<a class="skip skip-to-pages" href="#~pages">${texts.pages}</a>`}${page.preview && renderPreviewBanner(site, page.preview)}${renderAnnouncement(site)}${renderHeader(site)}${renderCoverAbove(page)}<div${attributes({ class: joinClasses('frame', !layout.tableOfContents && 'without-pages', !layout.outline && 'without-outline') })}>${outline.length > 0 && renderOutlineButton(site)}<main id="~content" tabindex="-1">${article}</main>${renderOutline(site, outline)}${renderSidebar(site, pages)}</div>${renderFooter(site)}<div class="sr-only" role="status" aria-live="polite" data-status></div>`,
    { 'data-copied': texts.copied, 'data-zoom': texts.zoom, 'data-copy-failed': texts.copyFailed },
  )
}

const trackingAttributes = ({ siteSection, siteSpace, space, revision, canStoreVisitorId }: PageTracking) => ({
  'data-site-section': siteSection,
  'data-site-space': siteSpace,
  'data-space': space,
  'data-revision': revision,
  'data-remembers': canStoreVisitorId,
})

interface SystemPageOptions {
  styles?: readonly string[]
  scripts?: readonly string[]
  /** Further elements of the head. */
  head?: Html
  preview?: PreviewBanner | undefined
  /** The navigation, if it is beside the page. */
  pages?: readonly SidebarEntry[]
}

/** Renders a page that is not content: search results, or a missing page. */
export function renderSystemPage(
  site: SiteShell,
  about: Pick<PageHead, 'title' | 'canonicalUrl'>,
  content: Html,
  { styles = [], scripts = [], head = nothing, preview, pages = [] }: SystemPageOptions = {},
): Html {
  const frame = joinClasses('frame', pages.length === 0 && 'without-pages', 'without-outline')
  return renderHtmlDocument(
    site,
    { ...about, description: undefined, isIndexed: false, extraElements: head },
    { styles, scripts },
    markup`${preview && renderPreviewBanner(site, preview)}${renderAnnouncement(site)}${renderHeader(site)}<div${attributes({ class: frame })}><main id="~content" tabindex="-1" class="alone">${content}</main>${renderSidebar(site, pages)}</div>${renderFooter(site)}`,
  )
}

function renderHtmlDocument(
  site: SiteShell,
  head: PageHead,
  { styles, scripts }: PageShell['needs'],
  body: Html,
  data: Record<string, string> = {},
): Html {
  const inside = markup`<a class="skip" href="#~content">${site.texts.skipToContent}</a>${body}`
  const usedStyles = site.styles.selectUsed(` class="${site.themeClasses}"${inside.text}`)
  const fullTitle = head.title === site.title ? head.title : `${head.title} | ${site.title}`
  const description = head.description && markup`<meta name="description" content="${head.description}">`
  return markup`<!doctype html><html${attributes({ lang: site.language, dir: site.direction === 'rtl' ? 'rtl' : undefined, class: site.themeClasses, 'data-theme': site.theme })}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${fullTitle}</title>${description}${!head.isIndexed && markup`<meta name="robots" content="noindex">`}<link rel="canonical" href="${head.canonicalUrl}">${renderHeadScript({ scripts: site.script, canToggleTheme: site.canToggleTheme })}<style>${trusted(usedStyles)}</style>${styles.map((href) => markup`<link rel="stylesheet" href="${href}">`)}${scripts.map((src) => markup`<script type="module" src="${src}"></script>`)}${site.favicons}${head.extraElements}</head><body${attributes({ 'data-base': site.base, ...data })}>${inside}</body></html>`
}

function renderPageHead(site: SiteShell, page: PageShell): Html {
  const { crumbs, title, titleId, icon, description, layout, actions, tags } = page
  const trail =
    crumbs.length > 0 &&
    markup`<nav${attributes({ 'aria-label': site.texts.breadcrumbs })}><ol class="crumbs">${crumbs.map((crumb) => markup`<li>${crumb.href === undefined ? crumb.title : markup`<a href="${crumb.href}">${crumb.title}</a>`}</li>`)}</ol></nav>`
  const heading = markup`<h1${attributes({ class: layout.title ? 'page-title' : 'sr-only', id: titleId })}>${icon}${title}</h1>`
  const behind = findCoverBehind(page)
  const className = joinClasses('page-head', behind && 'on-cover', behind && !behind.text && 'washed')
  return markup`<header${attributes({ class: className, dir: 'auto', style: behind && headStyle(behind) })}>${behind && renderCover(behind)}${layout.title && trail}${heading}${layout.actions && renderActionMenu(site, actions)}${layout.description && description !== undefined && markup`<p class="lead">${description}</p>`}${layout.tags && tags.length > 0 && markup`<p class="page-tags">${tags}</p>`}</header>`
}

/** Renders the actions of a page: the first as a button, the others in a menu. */
function renderActionMenu({ texts, icon }: SiteShell, actions: readonly PageAction[]): Html {
  if (actions.length === 0) return nothing
  const copy = actions.find(({ kind }) => kind === 'copy')
  const button =
    copy &&
    markup`<button type="button" class="action-copy" data-copy-page="${copy.href}" data-scripted>${copy.icon}<span>${copy.title}</span></button>`
  const rest = actions.filter(({ kind }) => kind !== 'copy')
  return markup`<div class="actions">${button}${rest.length > 0 && markup`<details class="menu" data-menu><summary${attributes({ 'aria-label': texts.pageActions })}>${icon('chevron-down')}</summary><ul class="menu-list wide-menu">${rest.map(renderActionEntry)}</ul></details>`}</div>`
}

const renderActionEntry = ({ kind, title, hint, href, icon }: PageAction): Html =>
  markup`<li><a${attributes({ href, 'data-page-action': kind, ...(kind === 'assistant' && { rel: 'noopener noreferrer', target: '_blank' }), ...(kind === 'pdf' && { rel: 'nofollow' }) })}>${icon}<span>${title}${hint !== undefined && markup`<small>${hint}</small>`}</span></a></li>`

/** Renders the cover above a page. */
const renderCoverAbove = ({ cover, layout }: PageShell): Html =>
  cover && layout.cover && cover.size !== 'background' ? renderCover(cover) : nothing

/** Returns the cover that is behind the header of a page. */
const findCoverBehind = ({ cover, layout }: PageShell): PageCover | undefined =>
  cover && layout.cover && cover.size === 'background' ? cover : undefined

function renderCover({ light, dark, size, isFading, y, height }: PageCover): Html {
  const className = joinClasses('cover-image', `cover-${size}`, isFading && 'fading')
  const style = joinStyles(`--y:${Math.round(50 + y / 2)}%`, heightStyle(height))
  return markup`<div${attributes({ class: className, style })}>${renderCoverImage(light, dark === undefined ? undefined : 'only-light')}${dark !== undefined && renderCoverImage(dark, 'only-dark')}</div>`
}

/** Background colors on which the title is readable before the cover has loaded. */
const coverBackgrounds = { white: 'dimgray', black: 'lightgray' }

const headStyle = ({ text, isFading, height }: PageCover): string | undefined =>
  joinStyles(
    text && `--on-cover:light-dark(${text.light},${text.dark})`,
    text && !isFading && `background:light-dark(${coverBackgrounds[text.light]},${coverBackgrounds[text.dark]})`,
    heightStyle(height),
  )

const heightStyle = (height: number | undefined) => height !== undefined && `--height:${Math.round(height)}px`

const joinStyles = (...parts: readonly (string | false | undefined)[]): string | undefined =>
  parts.filter(Boolean).join(';') || undefined

const renderCoverImage = (src: string, mode: string | undefined): Html =>
  markup`<img${attributes({ src, alt: '', class: mode, fetchpriority: 'high' })}>`

function renderPager({ texts, icon }: SiteShell, { previous, next }: PageShell): Html {
  if (!previous && !next) return nothing
  return markup`<nav${attributes({ class: 'pager', 'aria-label': texts.previousAndNext })}>${previous && markup`<a rel="prev" href="${previous.href}">${icon('arrow-left')}<span><small>${texts.previous}</small>${previous.title}</span></a>`}${next && markup`<a class="next" rel="next" href="${next.href}"><span><small>${texts.next}</small>${next.title}</span>${icon('arrow-right')}</a>`}</nav>`
}

function renderPageFoot(site: SiteShell, { updated, edit, hasFeedback, layout }: PageShell): Html {
  const { texts } = site
  const words =
    updated &&
    layout.metadata &&
    markup`<span>${fillPlaceholderHtml(texts.lastUpdated, markup`<time datetime="${updated.at}">${updated.text}</time>`)}</span>`
  const editing = edit && markup`<a class="edit" href="${edit.href}" rel="noreferrer">${edit.icon}${edit.title}</a>`
  const feedback = hasFeedback && renderFeedbackForm(site)
  if (!words && !editing && !feedback) return nothing
  return markup`<footer class="page-foot">${feedback}<p>${words}${editing}</p></footer>`
}

function renderFeedbackForm({ texts, icon }: SiteShell): Html {
  const choice = (value: 'good' | 'ok' | 'bad', title: string, mark: string) =>
    markup`<button type="button" value="${value}" ${attributes({ 'aria-label': title, title })}>${icon(mark)}</button>`
  return markup`<form class="feedback" data-feedback data-scripted><p id="~feedback-title">${texts.wasThisHelpful}</p><div role="group" aria-labelledby="~feedback-title">${choice('bad', texts.no, 'face-frown')}${choice('ok', texts.notSure, 'face-meh')}${choice('good', texts.yes, 'face-smile')}</div><div class="feedback-more" hidden><textarea rows="3" maxlength="512" ${attributes({ 'aria-label': texts.commentPlaceholder, placeholder: texts.commentPlaceholder })}></textarea><button type="submit">${texts.send}</button></div><p class="thanks" hidden role="status">${texts.thanksForFeedback}</p></form>`
}

function renderFooter(site: SiteShell): Html {
  const { texts, footer, title } = site
  const { logo, groups, copyright, social, privacyHref, hasTrademark } = footer
  const columns =
    groups.length > 0 &&
    markup`<div class="footer-groups">${groups.map(({ title: name, links }) => markup`<section><h2>${name}</h2><ul>${links.map(({ title: label, href, isExternal }) => markup`<li><a${attributes({ href, rel: isExternal ? 'noreferrer' : undefined })}>${label}</a></li>`)}</ul></section>`)}</div>`
  const words = markup`${copyright !== undefined && markup`<span>${copyright}</span>`}${privacyHref !== undefined && markup`<a href="${privacyHref}" rel="noreferrer">${texts.privacyPolicy}</a>`}${hasTrademark && markup`<span class="trademark">${texts.poweredBy}</span>`}`
  if (!columns && !logo && social.length === 0 && words.text === '') return nothing
  return markup`<footer${attributes({ class: 'site-footer', 'aria-label': texts.footer })}><div class="footer-inner">${(logo || columns) && markup`<div class="footer-top">${logo && markup`<div class="footer-logo">${renderLogo(logo, title)}</div>`}${columns}</div>`}<div class="footer-end"><p>${words}</p>${renderSocialLinks(site, social)}</div></div></footer>`
}
