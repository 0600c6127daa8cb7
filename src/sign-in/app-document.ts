import { createSessionProof } from '../access/session-cookie.ts'
import { type Html, attributes, markup, trusted } from '../render/html.ts'
import { logoForTitle } from '../render/logo.ts'
import { renderHeadScript } from '../render/shell/head-script.ts'
import type { SiteShell } from '../render/shell/parts.ts'
import { assets } from '../site/assets.ts'
import type { PageContext } from './context.ts'
import { toHref } from './href.ts'

interface AppDocument {
  title: string
  head: Html
  body: Html
  /** Further styles, by their asset name. */
  styles?: readonly string[]
}

export const assetHref = (context: PageContext, name: string): string => toHref(context, `/~assets/${name}`)

/** Renders an HTML document with the look of the web app. */
export function renderAppDocument(
  context: PageContext,
  shell: SiteShell,
  { title, head, body, styles = [] }: AppDocument,
): Html {
  const className = `${shell.themeClasses} app`
  const usedStyles = shell.styles.selectUsed(` class="${className} skip only-light only-dark"`)
  const sheets = [assets.appStyles.name, ...styles].map(
    (name) => markup`<link rel="stylesheet" href="${assetHref(context, name)}">`,
  )
  return markup`<!doctype html><html${attributes({ lang: 'en', class: className, 'data-theme': 'system', 'data-base': shell.base })}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title>${renderHeadScript({ canToggleTheme: true })}<style>${trusted(usedStyles)}</style>${sheets}${head}${shell.favicons}</head><body>${body}</body></html>`
}

/** Renders the top bar; `links` are at its end. */
export const renderBar = (shell: SiteShell, href: string, links: Html | false = false): Html =>
  markup`<header class="bar"><a class="bar-home" href="${href}">${logoForTitle(shell.title)}<span class="sr-only">${shell.title}</span></a>${links}</header>`

/** Renders the proof with which scripts of the page call the API in the session of the user. */
export const renderSessionProof = ({ signer, principal }: PageContext): Html | undefined =>
  principal && markup`<meta name="octavo-session" content="${createSessionProof(signer, principal.session.id)}">`
