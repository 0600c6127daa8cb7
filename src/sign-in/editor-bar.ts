import { hash } from 'node:crypto'
import { type PageWork, readPageWork } from '../resources/publishing/page-work.ts'
import { AppError } from '../kernel/errors.ts'
import type { PageReply } from '../kernel/page-http.ts'
import { type Html, attributes, markup, trusted } from '../render/html.ts'
import { expiredEditorCookie } from './editor-cookie.ts'
import type { PageContext, PageRoute } from './context.ts'
import { toHref } from './href.ts'

// The bar that editors see on published pages of this host. A published page may contain scripts that must not act for the editor or
// read what only members see, so the bar is a document of its own in a frame: the `sandbox` directive gives it an origin of its own,
// which scripts of the page cannot reach into, and it contains links only.

/** Reports to the page whether there is something to show, and how large it is; the messages contain nothing else. */
const script =
  "const say=s=>parent.postMessage({editorBar:s},'*');document.querySelector('details')?.addEventListener('toggle',e=>say(e.target.open?'open':'closed'));document.querySelector('button').addEventListener('click',()=>say('hidden'));say('closed')"

const styles = `:root{color-scheme:light dark;--back:light-dark(#fff,#1d1f23);--text:light-dark(#24272c,#e3e5e8);--line:light-dark(#d5d8dd,#3c4048)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}html,body{height:100%;margin:0;background:0 0}
body{display:flex;flex-direction:column;justify-content:flex-end;padding:0 12px 14px;font:500 13px/1.4 system-ui,sans-serif;color:var(--text)}
nav{display:flex;align-items:center;gap:2px;width:fit-content;max-width:100%;margin:0 auto;padding:4px;border:1px solid var(--line);border-radius:10px;background:var(--back);box-shadow:0 4px 16px rgb(0 0 0/18%);white-space:nowrap;overflow-x:auto}
a,summary,button{padding:6px 10px;border:0;border-radius:6px;background:none;color:inherit;font:inherit;text-decoration:none;cursor:pointer;list-style:none}
a:hover,summary:hover,button:hover,:focus-visible{background:color-mix(in srgb,var(--text) 10%,transparent)}
.list{position:fixed;inset:auto 12px 66px;width:fit-content;max-width:calc(100% - 24px);max-height:230px;margin:0 auto;padding:4px;border:1px solid var(--line);border-radius:10px;background:var(--back);list-style:none;overflow:auto}
.list a{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
b{font-weight:600}
@media(max-width:499px){nav{flex-wrap:wrap;justify-content:center}.list{bottom:102px}}`

const toHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${toHash(script)}`,
  `style-src ${toHash(styles)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** Reply to people who do not see the bar: without a message from the frame, the page shows no bar. */
const emptyReply = (cookies: readonly string[] = []): PageReply => ({ status: 200, headers, cookies, body: '' })

async function showEditorBar(context: PageContext): Promise<PageReply> {
  const { principal, request, database, origin } = context
  if (!principal) return emptyReply([expiredEditorCookie(context)])
  const value = (name: string) => request.url.searchParams.get(name) ?? ''
  const work = await readAllowedWork(
    { ...context, principal, db: database.reader },
    { url: origin + value('path'), siteSpaceId: value('site-space'), spaceId: value('space'), pageId: value('page') },
  )
  if (!work) return emptyReply()
  const theme = ['light', 'dark'].includes(value('theme')) ? value('theme') : undefined
  const html = markup`<!doctype html><html${attributes({ lang: 'en', 'data-theme': theme })}><head><meta charset="utf-8"><title>Editor</title><style>${trusted(styles)}</style><base target="_top"></head><body>${renderBar(context, work)}<script>${trusted(script)}</script></body></html>`
  return { status: 200, headers, body: html.text }
}

/** Returns nothing to those who would be refused, for example because their organization requires a second factor. */
async function readAllowedWork(...[context, page]: Parameters<typeof readPageWork>): Promise<PageWork | undefined> {
  try {
    return await readPageWork(context, page)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

function renderBar(context: PageContext, work: PageWork): Html {
  const { organizationId, siteId, spaceId, pageId, changeRequests } = work
  const app = (path: string) => toHref(context, `/app${path}`)
  const space = `/spaces/${spaceId}`
  const own = changeRequests.find(({ isOwn }) => isOwn)
  const edit = own ? `${space}/change-requests/${own.number}/pages/${pageId}` : `${space}/pages/${pageId}`
  const insights = `/orgs/${organizationId}/sites/${siteId}/insights?space=${spaceId}&page=${pageId}`
  const link = (title: Html | string, path: string) => markup`<a href="${app(path)}">${title}</a>`
  const items = changeRequests.map(({ number, subject, previewUrl }) => {
    const href = previewUrl ?? app(`${space}/change-requests/${number}`)
    return markup`<li><a href="${href}">#${number} ${subject || 'Untitled'}${previewUrl !== undefined && ' (preview)'}</a></li>`
  })
  const list =
    items.length > 0 &&
    markup`<details><summary>Change requests <b>${items.length}</b></summary><ul class="list">${items}</ul></details>`
  return markup`<nav aria-label="Editor">${link('Edit', edit)}${link(markup`Comments <b>${work.openComments}</b>`, `${space}/pages/${pageId}`)}${link('History', `${space}/history`)}${work.canEditSite && link('Insights', insights)}${list}<button type="button" aria-label="Hide until the tab is closed" title="Hide until the tab is closed">×</button></nav>`
}

export const editorBarRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/editor-bar', isFrame: true, handler: showEditorBar },
]
