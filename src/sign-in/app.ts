import { createSessionProof } from '../access/session-cookie.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { attributes, markup, trusted } from '../render/html.ts'
import { logoForTitle } from '../render/logo.ts'
import { themeScript } from '../render/shell/page.ts'
import { appEntry, assets } from '../site/assets.ts'
import { createServerShell } from '../site/own/server-shell.ts'
import { htmlReply } from '../site/reply.ts'
import type { PageContext, PageRoute } from './context.ts'
import { editorCookie } from './editor-cookie.ts'
import { requireSession, toHref, toPrivateHeaders } from './page.ts'

/** The page of the web app is the same for all its addresses: the script shows the screen of the address. */
async function showApp(context: PageContext): Promise<PageReply> {
  const { urls, signer, principal } = requireSession(context)
  const shell = await createServerShell(urls, [])
  const asset = (name: string) => toHref(context, `/~assets/${name}`)
  const className = `${shell.themeClasses} app`
  const usedClasses = ` class="${className} skip"`
  const html = markup`<!doctype html><html${attributes({ lang: 'en', class: className, 'data-theme': 'system', 'data-base': shell.base })}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${shell.title}</title><script>${trusted(themeScript)}</script><style>${trusted(shell.styles.selectUsed(usedClasses))}</style><link rel="stylesheet" href="${asset(assets.appStyles.name)}">${appEntry.imports.map((name) => markup`<link rel="modulepreload" href="${asset(`app/${name}`)}">`)}<script type="module" src="${asset(`app/${appEntry.file}`)}"></script>${shell.favicons}<meta name="octavo-session" content="${createSessionProof(signer, principal.session.id)}"></head><body><div id="app"><header class="bar"><a class="bar-home" href="${toHref(context, '/app')}">${logoForTitle(shell.title)}<span class="sr-only">${shell.title}</span></a></header></div><noscript><p class="no-script">The app needs JavaScript.</p></noscript></body></html>`
  const { headers } = htmlReply(html.text, { isPublic: false, isIndexed: false })
  return { status: 200, headers: toPrivateHeaders(headers), cookies: [editorCookie(context)], body: html.text }
}

export const appRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/app', handler: showApp },
  { method: 'GET', path: '/app/{path*}', handler: showApp },
]
