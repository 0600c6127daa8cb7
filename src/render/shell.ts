import type { OutlineEntry } from '../content/document/outline.ts'
import { type Html, attributes, markup, nothing } from './html.ts'

/** A page in the navigation. */
export interface SidebarItem {
  title: string
  href: string | undefined
  isCurrent: boolean
  /** Groups have a heading and no address. */
  isGroup: boolean
  isExternal: boolean
  children: readonly SidebarItem[]
}

export interface SectionTab {
  title: string
  href: string
  isCurrent: boolean
}

export interface PageLink {
  title: string
  href: string
}

/** Everything that stands on a page. */
export interface PageShell {
  language: string
  siteTitle: string
  homeHref: string
  stylesheet: string
  title: string
  description: string | undefined
  canonicalUrl: string
  isIndexed: boolean
  crumbs: readonly PageLink[]
  sections: readonly SectionTab[]
  sidebar: readonly SidebarItem[]
  outline: readonly OutlineEntry[]
  content: Html
  previous: PageLink | undefined
  next: PageLink | undefined
  updatedAt: string | undefined
}

/** A whole page. */
export function renderPage(page: PageShell): Html {
  const fullTitle = page.title === page.siteTitle ? page.title : `${page.title} | ${page.siteTitle}`
  return markup`<!doctype html><html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${fullTitle}</title>${page.description !== undefined && markup`<meta name="description" content="${page.description}">`}${!page.isIndexed && markup`<meta name="robots" content="noindex">`}<link rel="canonical" href="${page.canonicalUrl}"><link rel="stylesheet" href="${page.stylesheet}"></head><body><a class="skip" href="#content">Skip to content</a>${header(page)}<div class="frame"><input type="checkbox" id="menu" class="menu-toggle"><label for="menu" class="menu-button">Menu</label><nav class="sidebar" aria-label="Pages">${sidebarList(page.sidebar)}</nav><main id="content"><article class="page">${crumbs(page.crumbs)}<h1 class="page-title">${page.title}</h1>${page.description !== undefined && markup`<p class="lead">${page.description}</p>`}<div class="content">${page.content}</div>${pager(page)}${
    page.updatedAt !== undefined &&
    markup`<footer class="page-footer"><span>Last updated <time datetime="${page.updatedAt}">${page.updatedAt.slice(0, 10)}</time></span></footer>`
  }</article></main>${outlineList(page.outline)}</div></body></html> `
}

function header({ siteTitle, homeHref, sections }: PageShell): Html {
  const tabs = sections.map(
    ({ title, href, isCurrent }) =>
      markup`<li><a${attributes({ href, 'aria-current': isCurrent ? 'true' : undefined })}>${title}</a></li>`,
  )
  return markup`<header class="site-header"><div class="bar"><a class="brand" href="${homeHref}">${siteTitle}</a>${
    tabs.length > 0 && markup`<nav aria-label="Sections"><ul>${tabs}</ul></nav>`
  }<span class="grow"></span></div></header>`
}

function sidebarList(items: readonly SidebarItem[]): Html {
  if (items.length === 0) return nothing
  return markup`<ul>${items.map((item) => {
    const below = sidebarList(item.children)
    if (item.isGroup) return markup`<li><p class="group">${item.title}</p>${below}</li>`
    const link = attributes({
      href: item.href,
      'aria-current': item.isCurrent ? 'page' : undefined,
      rel: item.isExternal ? 'noreferrer' : undefined,
    })
    return markup`<li><a${link}>${item.title}</a>${below}</li>`
  })}</ul>`
}

function crumbs(links: readonly PageLink[]): Html {
  if (links.length === 0) return nothing
  return markup`<nav aria-label="Breadcrumbs"><ol class="crumbs">${links.map(({ title, href }) => markup`<li>${href === '' ? title : markup`<a href="${href}">${title}</a>`}</li>`)}</ol></nav>`
}

function outlineList(entries: readonly OutlineEntry[]): Html {
  const shown = entries.filter(({ depth }) => depth <= 2)
  if (shown.length < 2) return markup`<div></div>`
  return markup`<nav class="outline" aria-labelledby="outline-title"><h2 id="outline-title">On this page</h2><ul>${shown.map(({ id, title, depth }) => markup`<li${attributes({ class: depth > 1 ? 'deep' : undefined })}><a href="#${id}">${title}</a></li>`)}</ul></nav>`
}

function pager({ previous, next }: PageShell): Html {
  if (!previous && !next) return nothing
  return markup`<nav class="pager" aria-label="Previous and next">${previous && markup`<a href="${previous.href}"><small>Previous</small>${previous.title}</a>`}${next && markup`<a class="next" href="${next.href}"><small>Next</small>${next.title}</a>`}</nav>`
}
