import { type Html, attributes, markup, nothing } from '../html.ts'
import { joinClasses } from '../inlines.ts'
import { logoForTitle } from '../logo.ts'
import { fillPlaceholders } from '../texts.ts'
import type { MenuChoice, HeaderLink, Link, ThemedImage, PreviewBanner, SectionEntry, SiteShell } from './parts.ts'

/** Ids of the shell start with a tilde, which ids of headings never contain. */
export const sidebarId = '~sidebar'

export function renderHeader(site: SiteShell): Html {
  const { texts, header, sections, icon } = site
  const menu = markup`<button${attributes({ type: 'button', class: 'menu-button', popovertarget: sidebarId, 'aria-label': texts.menu })}>${icon('bars')}</button>`
  const links =
    header.links.length > 0 &&
    markup`<ul class="header-links">${header.links.map((link) => renderHeaderLink(link, icon))}</ul>`
  const bar = markup`<div class="bar">${menu}${renderBrand(site)}${site.searchHref !== '' && renderSearchForm(site)}<div class="header-end">${links}${renderSocialLinks(site, header.social)}${renderLanguageMenu(site)}${renderThemeToggle(site)}</div></div>`
  const tabs = sections.length > 0 && renderSectionTabs(site)
  return markup`<header${attributes({ class: joinClasses('site-header', header.isHidden && 'without-bar', header.hasProminentSearch && 'search-prominent') })}>${bar}${tabs}</header>`
}

function renderBrand({ title, homeHref, logo }: SiteShell): Html {
  return markup`<a class="brand" href="${homeHref}">${logo ? renderLogo(logo, title) : markup`${logoForTitle(title)}${title}`}</a>`
}

export function renderLogo({ light, dark }: ThemedImage, title: string): Html {
  const one = (src: string, mode?: string) => markup`<img${attributes({ src, alt: title, class: mode, height: 28 })}>`
  return light === dark ? one(light) : markup`${one(light, 'only-light')}${one(dark, 'only-dark')}`
}

/** Renders the search form, which works without scripts; a script reads its data attributes and opens a dialog instead. */
function renderSearchForm({ texts, searchHref, searchScript, searchStyles, searchScope, icon }: SiteShell): Html {
  const { searchEverywhere, searchHint, noResults, noResultsHint, resultsCount } = texts
  const dialogTexts = {
    hint: searchHint,
    none: noResults,
    noneHint: noResultsHint,
    count: resultsCount,
    failed: texts.searchFailed,
    all: texts.allResults,
    navigate: texts.navigate,
    open: texts.open,
    close: texts.close,
    ...(searchScope && { here: fillPlaceholders(texts.searchIn, searchScope.title), everywhere: searchEverywhere }),
  }
  const from = searchScope && markup`<input${attributes({ type: 'hidden', name: 'from', value: searchScope.id })}>`
  return markup`<form${attributes({ class: 'search-form', role: 'search', action: searchHref, 'data-search': searchScript, 'data-styles': searchStyles, 'data-texts': JSON.stringify(dialogTexts) })}>${icon('magnifying-glass')}<input${attributes({ type: 'search', name: 'q', required: true, maxlength: 512, placeholder: texts.searchPlaceholder, 'aria-label': texts.search, autocomplete: 'off' })}>${from}<span class="slash" aria-hidden="true">/</span></form>`
}

function renderHeaderLink({ title, href, style, links, isExternal }: HeaderLink, icon: SiteShell['icon']): Html {
  const className = style === 'link' ? undefined : joinClasses('header-button', style === 'button-primary' && 'primary')
  if (links.length === 0) {
    return href === undefined
      ? markup`<li><span>${title}</span></li>`
      : markup`<li><a${attributes({ href, class: className, rel: isExternal ? 'noreferrer' : undefined })}>${title}</a></li>`
  }
  const above = href === undefined ? [] : [{ title, href, isExternal }]
  return markup`<li><details class="menu" data-menu><summary${attributes({ class: className })}>${title}${icon('chevron-down')}</summary>${renderMenuList([...above, ...links])}</details></li>`
}

const renderMenuList = (links: readonly Link[]): Html =>
  markup`<ul class="menu-list">${links.map(
    ({ title, href, icon, isExternal }) =>
      markup`<li><a${attributes({ href, rel: isExternal ? 'noreferrer' : undefined })}>${icon}<span>${title}</span></a></li>`,
  )}</ul>`

export function renderSocialLinks({ texts }: SiteShell, links: readonly Link[]): Html {
  if (links.length === 0) return nothing
  return markup`<ul${attributes({ class: 'social', 'aria-label': texts.socialAccounts })}>${links.map(({ title, href, icon }) => markup`<li><a${attributes({ href, rel: 'me noreferrer', 'aria-label': title, title })}>${icon}</a></li>`)}</ul>`
}

function renderLanguageMenu(site: SiteShell): Html {
  return site.languages.length > 1
    ? renderChoiceMenu(site, site.texts.languages, site.languages, site.icon('language'))
    : nothing
}

/** Renders a menu with one selected entry. */
export function renderChoiceMenu(
  { icon }: SiteShell,
  label: string,
  choices: readonly MenuChoice[],
  mark?: Html,
): Html {
  const current = choices.find(({ isCurrent }) => isCurrent)
  return markup`<details class="menu choice" data-menu><summary><span class="sr-only">${label}: </span>${mark}<span>${current?.title ?? label}</span>${icon('chevron-down')}</summary><ul class="menu-list">${choices.map(
    ({ title, href, isCurrent, icon: own, language }) =>
      markup`<li><a${attributes({ href, 'aria-current': isCurrent ? 'true' : undefined, hreflang: language, lang: language })}>${own}<span>${title}</span></a></li>`,
  )}</ul></details>`
}

function renderThemeToggle({ texts, canToggleTheme, icon }: SiteShell): Html {
  if (!canToggleTheme) return nothing
  const labels = { 'data-light': texts.themeLight, 'data-dark': texts.themeDark, 'data-system': texts.themeSystem }
  return markup`<button${attributes({ type: 'button', class: 'icon-button theme-toggle', 'data-theme-toggle': texts.theme, 'aria-label': texts.theme, ...labels, 'data-scripted': true })}>${icon('sun')}${icon('moon')}${icon('display')}</button>`
}

/** Renders sections and groups of sections as tabs. */
function renderSectionTabs(site: SiteShell): Html {
  const { texts, sections, icon } = site
  const renderTab = (entry: SectionEntry): Html => {
    const current = entry.isCurrent ? 'true' : undefined
    if (entry.children.length === 0)
      return markup`<li><a${attributes({ href: entry.href, 'aria-current': current, rel: entry.isExternal ? 'noreferrer' : undefined })}>${entry.icon}<span>${entry.title}</span></a></li>`
    return markup`<li><details class="menu" data-menu><summary${attributes({ 'aria-current': current })}>${entry.icon}<span>${entry.title}</span>${icon('chevron-down')}</summary><ul class="menu-list">${entry.children.map(renderMenuEntry)}</ul></details></li>`
  }
  const renderMenuEntry = (entry: SectionEntry): Html =>
    entry.children.length === 0
      ? markup`<li><a${attributes({ href: entry.href, 'aria-current': entry.isCurrent ? 'true' : undefined })}>${entry.icon}<span>${entry.title}</span></a></li>`
      : markup`<li><span class="menu-title">${entry.title}</span><ul>${entry.children.map(renderMenuEntry)}</ul></li>`
  return markup`<nav${attributes({ class: 'section-tabs', 'aria-label': texts.sections })}><ul>${sections.map(renderTab)}</ul></nav>`
}

export function renderAnnouncement({ announcement: shown, texts, icon }: SiteShell): Html {
  if (!shown) return nothing
  const { message, style, link, id } = shown
  return markup`<aside${attributes({ class: `announcement announcement-${style}`, 'data-announcement': id, 'aria-label': texts.hints[style] })}><p>${message}${link && markup` <a${attributes({ href: link.href, rel: link.isExternal ? 'noreferrer' : undefined })}>${link.title}</a>`}</p><button${attributes({ type: 'button', 'data-dismiss': true, 'aria-label': texts.dismiss, 'data-scripted': true })}>${icon('xmark')}</button></aside>`
}

export function renderPreviewBanner({ texts, icon }: SiteShell, { message, leaveHref, summary }: PreviewBanner): Html {
  return markup`<aside${attributes({ class: 'preview-banner', 'aria-label': texts.preview })}><p>${icon('eye')}<strong>${message}</strong>${summary !== undefined && markup` <span>${summary}</span>`}</p><a href="${leaveHref}">${texts.leavePreview}</a></aside>`
}
