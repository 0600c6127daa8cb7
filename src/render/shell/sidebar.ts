import type { OutlineEntry } from '../../content/document/outline.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { fill } from '../texts.ts'
import { choiceMenu } from './header.ts'
import type { SidebarEntry, SiteShell } from './parts.ts'

/** The navigation. On small screens it opens above the page, without a script. */
export function sidebar(site: SiteShell, entries: readonly SidebarEntry[]): Html {
  const { texts, variants, header, icon } = site
  const close = markup`<button${attributes({ type: 'button', class: 'icon-button close-menu', popovertarget: 'sidebar', popovertargetaction: 'hide', 'aria-label': texts.closeMenu })}>${icon('xmark')}</button>`
  const links =
    header.links.length > 0 &&
    markup`<ul class="drawer-links">${header.links.flatMap(({ title, href, links: inner }) => [...(href === undefined ? [] : [{ title, href }]), ...inner]).map(({ title, href }) => markup`<li><a href="${href}">${title}</a></li>`)}</ul>`
  return markup`<div class="sidebar" id="sidebar" popover>${close}${variants.length > 1 && choiceMenu(site, texts.variants, variants)}<nav${attributes({ id: '~pages', tabindex: -1, 'aria-label': texts.pages })}>${sidebarList(site, entries)}</nav>${links}</div>`
}

/** A list of the navigation; also sent alone, when a branch is opened. */
export function sidebarList(site: SiteShell, entries: readonly SidebarEntry[]): Html {
  if (entries.length === 0) return nothing
  return markup`<ul>${entries.map((entry) => sidebarEntry(site, entry))}</ul>`
}

function sidebarEntry(site: SiteShell, entry: SidebarEntry): Html {
  const { texts, icon } = site
  if (entry.kind === 'gap') return markup`<li class="gap"><a href="${entry.href}" data-more>${texts.morePages}</a></li>`
  const { kind, title, href, isCurrent, branchHref, children } = entry
  const below = sidebarList(site, children)
  const newMark = entry.isNew && markup`<span class="new-mark"><span class="sr-only">${texts.addedHere}</span></span>`
  const label = markup`${entry.icon}<span>${title}</span>${newMark}`
  if (kind === 'group') return markup`<li class="group"><p>${label}</p>${below}</li>`
  const mark = kind === 'link' ? icon('arrow-up-right') : nothing
  const link =
    href === undefined
      ? markup`<span class="nowhere">${label}</span>`
      : markup`<a${attributes({ href, 'aria-current': isCurrent ? 'page' : undefined, rel: kind === 'link' ? 'noreferrer' : undefined })}>${label}${mark}</a>`
  if (branchHref === undefined && children.length === 0) return markup`<li>${link}</li>`
  const toggle = markup`<button${attributes({ type: 'button', class: 'branch', 'aria-expanded': String(children.length > 0), 'aria-label': fill(texts.expand, title), 'data-branch': branchHref, 'data-scripted': true })}>${icon('chevron-right')}</button>`
  return markup`<li class="has-branch">${link}${toggle}${below}</li>`
}

/**
 * The headings of a page: beside it, or on small screens a menu above it. The menu is the same list, which styles open on
 * wide screens.
 */
export function outlineList({ texts, icon }: SiteShell, entries: readonly OutlineEntry[]): Html {
  const shown = entries.filter(({ depth }) => depth <= 2)
  if (shown.length < 2) return markup`<div class="outline"></div>`
  return markup`<nav${attributes({ class: 'outline', 'aria-label': texts.onThisPage })}><details data-menu><summary>${texts.onThisPage}${icon('chevron-down')}</summary><h2>${texts.onThisPage}</h2><ul data-outline>${shown.map(({ id, title, depth }) => markup`<li${attributes({ class: depth > 1 ? 'deep' : undefined })}><a href="#${id}">${title}</a></li>`)}</ul></details></nav>`
}
