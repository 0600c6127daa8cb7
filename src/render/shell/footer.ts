import { type Html, attributes, markup, nothing } from '../html.ts'
import { renderLogo, renderSocialLinks } from './header.ts'
import type { SiteShell } from './parts.ts'

export function renderFooter(site: SiteShell): Html {
  const { texts, footer, title } = site
  const { logo, groups, copyright, social, privacyHref, hasTrademark } = footer
  const columns =
    groups.length > 0 &&
    markup`<div class="footer-groups">${groups.map(({ title: name, links }) => markup`<section><h2>${name}</h2><ul>${links.map(({ title: label, href, isExternal }) => markup`<li><a${attributes({ href, rel: isExternal ? 'noreferrer' : undefined })}>${label}</a></li>`)}</ul></section>`)}</div>`
  const words = markup`${copyright !== undefined && markup`<span>${copyright}</span>`}${privacyHref !== undefined && markup`<a href="${privacyHref}" rel="noreferrer">${texts.privacyPolicy}</a>`}${hasTrademark && markup`<span class="trademark">${texts.poweredBy}</span>`}`
  if (!columns && !logo && social.length === 0 && words.text === '') return nothing
  return markup`<footer${attributes({ class: 'site-footer', 'aria-label': texts.footer })}><div class="footer-inner">${(logo || columns) && markup`<div class="footer-top">${logo && markup`<div class="footer-logo">${renderLogo(logo, title)}</div>`}${columns}</div>`}<div class="footer-end"><p>${words}</p>${renderSocialLinks(site, social)}</div></div></footer>`
}
