import type { PageReply } from '../kernel/page-http.ts'
import { markup } from '../render/html.ts'
import { appEntry } from '../site/assets.ts'
import { createServerShell } from '../site/own/server-shell.ts'
import { htmlReply } from '../site/reply.ts'
import { assetHref, renderAppDocument, renderBar, renderSessionProof } from './app-document.ts'
import type { PageContext, PageRoute } from './context.ts'
import { editorCookie } from './editor-cookie.ts'
import { toHref } from './href.ts'
import { requireSession, toPrivateHeaders } from './page.ts'

/** The HTML of the web app is the same for all its addresses; the script shows the screen of the address. */
async function showApp(context: PageContext): Promise<PageReply> {
  requireSession(context)
  // Read before the requests of the app, so that no event between them and the stream is missed.
  const eventId = await context.live.readEventId()
  const shell = await createServerShell(context.urls, [])
  const preload = (modules: readonly string[]) =>
    modules.map((name) => markup`<link rel="modulepreload" href="${assetHref(context, `app/${name}`)}">`)
  const html = renderAppDocument(context, shell, {
    title: shell.title,
    head: markup`${preload(appEntry.imports)}<script type="module" src="${assetHref(context, `app/${appEntry.file}`)}"></script>${preload(findScreenModules(context))}${renderSessionProof(context)}<meta name="octavo-event-id" content="${eventId}"><template id="visual-editor">${preload(appEntry.visualEditor)}</template>`,
    body: markup`<div id="app">${renderBar(shell, toHref(context, '/app'))}</div><noscript><p class="no-script">The app needs JavaScript.</p></noscript>`,
  })
  const { headers } = htmlReply(html.text, {
    isPublic: false,
    isIndexed: false,
    framesOwnPages: true,
    // Replies of the API contain this address, even if the app was opened as `localhost`.
    fileOrigins: [new URL(context.urls.app('/')).origin],
  })
  return { status: 200, headers: toPrivateHeaders(headers), cookies: [editorCookie(context)], body: html.text }
}

/** Returns the modules of the screen of an address, so that the browser requests them before the first module has run. */
function findScreenModules({ params }: PageContext): readonly string[] {
  const segments = (params['path'] ?? '').split('/')
  const matches = (pattern: string) => {
    const parts = pattern.split('/').slice(1)
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    )
  }
  return appEntry.screens.find(({ paths }) => paths.some(matches))?.modules ?? []
}

export const appRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/app', handler: showApp },
  { method: 'GET', path: '/app/{path*}', handler: showApp },
]
