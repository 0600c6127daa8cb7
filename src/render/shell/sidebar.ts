import type { OutlineEntry } from '../../content/document/outline.ts'
import { type Html, attributes, markup, nothing } from '../html.ts'
import { fillPlaceholders } from '../texts.ts'
import { renderChoiceMenu, sidebarId } from './header.ts'
import type { SidebarEntry, SiteShell } from './parts.ts'

const outlineId = '~outline'

/** Number of entries that fill the sidebar on any screen. */
const longNavigation = 60

const countEntries = (entries: readonly SidebarEntry[]): number =>
  entries.reduce((sum, entry) => sum + 1 + (entry.kind === 'gap' ? 0 : countEntries(entry.children)), 0)

/** Renders the navigation, which is a popover on small screens and works without scripts. */
export function renderSidebar(site: SiteShell, entries: readonly SidebarEntry[]): Html {
  const { texts, variants, header, icon } = site
  const isLong = countEntries(entries) >= longNavigation
  const close = markup`<button${attributes({ type: 'button', class: 'icon-button close-menu', popovertarget: sidebarId, popovertargetaction: 'hide', 'aria-label': texts.closeMenu })}>${icon('xmark')}</button>`
  const links =
    header.links.length > 0 &&
    markup`<ul class="drawer-links">${header.links.flatMap(({ title, href, links: inner }) => [...(href === undefined ? [] : [{ title, href }]), ...inner]).map(({ title, href }) => markup`<li><a href="${href}">${title}</a></li>`)}</ul>`
  return markup`<div${attributes({ class: 'sidebar', id: sidebarId, popover: true })}>${close}${variants.length > 1 && renderChoiceMenu(site, texts.variants, variants)}<nav${attributes({ id: '~pages', class: isLong ? 'long-pages' : undefined, tabindex: -1, 'aria-label': texts.pages })}>${renderSidebarList(site, entries)}</nav>${links}</div>`
}

/** Renders a list of the navigation; also used for the reply that opens a branch. */
export function renderSidebarList(site: SiteShell, entries: readonly SidebarEntry[]): Html {
  if (entries.length === 0) return nothing
  return markup`<ul>${entries.map((entry) => renderSidebarEntry(site, entry))}</ul>`
}

function renderSidebarEntry(site: SiteShell, entry: SidebarEntry): Html {
  const { texts, icon } = site
  if (entry.kind === 'gap') return markup`<li class="gap"><a href="${entry.href}" data-more>${texts.morePages}</a></li>`
  const { kind, title, href, isCurrent, branchHref, children } = entry
  const below = renderSidebarList(site, children)
  const newMark = entry.isNew && markup`<span class="new-mark"><span class="sr-only">${texts.addedHere}</span></span>`
  const label = markup`${entry.icon}<span>${title}</span>${newMark}`
  if (kind === 'group') return markup`<li class="group"><p>${label}</p>${below}</li>`
  const mark = kind === 'link' ? icon('arrow-up-right') : nothing
  const link =
    href === undefined
      ? markup`<span class="nowhere">${label}</span>`
      : markup`<a${attributes({ href, 'aria-current': isCurrent ? 'page' : undefined, rel: kind === 'link' ? 'noreferrer' : undefined })}>${label}${mark}</a>`
  if (branchHref === undefined && children.length === 0) return markup`<li>${link}</li>`
  const toggle = markup`<button${attributes({ type: 'button', class: 'branch', 'aria-expanded': String(children.length > 0), 'aria-label': fillPlaceholders(texts.expand, title), 'data-branch': branchHref, 'data-scripted': true })}>${icon('chevron-right')}</button>`
  return markup`<li class="has-branch">${link}${toggle}${below}</li>`
}

/** Returns the headings in the outline; none if there are too few. */
export function selectOutlineEntries(entries: readonly OutlineEntry[]): OutlineEntry[] {
  const shown = entries.filter(({ depth }) => depth <= 2)
  return shown.length < 2 ? [] : shown
}

/** Renders the button that opens the outline on small screens. It precedes the content; the outline follows it. */
export const renderOutlineButton = ({ texts, icon }: SiteShell): Html =>
  markup`<button${attributes({ type: 'button', class: 'outline-button', popovertarget: outlineId })}>${texts.onThisPage}${icon('chevron-down')}</button>`

/** Renders the outline: a column beside the page, a popover on small screens. */
export function renderOutline({ texts }: SiteShell, entries: readonly OutlineEntry[]): Html {
  if (entries.length === 0) return markup`<div class="outline"></div>`
  return markup`<nav${attributes({ class: 'outline', id: outlineId, popover: true, 'aria-label': texts.onThisPage, 'data-menu': true })}><h2>${texts.onThisPage}</h2><ul data-outline>${entries.map(({ id, title, depth }) => markup`<li${attributes({ class: depth > 1 ? 'deep' : undefined })}><a href="#${id}">${title}</a></li>`)}</ul></nav>`
}
