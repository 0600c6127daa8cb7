import { hash } from 'node:crypto'
import { findSiteNamed } from '../access/sites.ts'
import type { BaseContext } from '../kernel/context.ts'
import { markup } from '../render/html.ts'
import { renderPage } from '../render/shell.ts'
import { locate } from '../resources/urls/locate.ts'
import { readSitePage } from './page.ts'

interface SiteReply {
  status: number
  headers: Record<string, string>
  body: string
}

/** Published pages run no script, show nothing of other sites but pictures, and stand in no frame. */
const policy =
  "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' https: data:; font-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const security = {
  'content-security-policy': policy,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-content-type-options': 'nosniff',
}

/** Whether an address is one of a site: below the path of sites, or on a host that belongs to one. */
export async function isSiteAddress({ db, urls }: BaseContext, url: string): Promise<boolean> {
  for (const { name } of urls.sitesAt(url)) {
    if ('organization' in name) return true
    if ('hostname' in name && (await findSiteNamed(db, name))) return true
  }
  return false
}

/** Answers requests to published sites. */
export async function serveSite(context: BaseContext, url: string, stylesheet: string): Promise<SiteReply> {
  const located = await locate(context, { url })
  switch (located.kind) {
    case 'nothing':
      return absent(stylesheet)
    case 'redirect':
      return redirect(located.to)
    case 'signIn':
      return located.login === undefined ? absent(stylesheet, 403) : redirect(located.login)
    case 'place': {
      const shown = await readSitePage(context, located)
      if (!shown) return absent(stylesheet)
      if (shown.kind === 'redirect') return redirect(shown.to + new URL(url).search)
      const { site, arrived, siteBase } = located
      const below = new URL(siteBase).pathname.replace(/\/$/, '')
      const body = renderPage({ ...shown.shell, stylesheet: below + stylesheet }).text
      const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
      const isSameForAll = isOpen && site.adaptive_content === 0 && !arrived.visitor.isPreviewing
      const headers = {
        ...security,
        etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
        'cache-control': isSameForAll ? 'public, no-cache' : 'private, no-cache',
        ...(!shown.shell.isIndexed && { 'x-robots-tag': 'noindex' }),
      }
      return { status: 200, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body }
    }
  }
}

const redirect = (location: string): SiteReply => ({
  status: 307,
  headers: { ...security, location, 'cache-control': 'no-store' },
  body: '',
})

function absent(stylesheet: string, status: 403 | 404 = 404): SiteReply {
  const [title, text] =
    status === 404
      ? ['There is no such page', 'The address may be wrong, or the page was removed.']
      : ['This site is for visitors who have signed in', 'Ask whoever gave you the address.']
  const body =
    markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="robots" content="noindex"><link rel="stylesheet" href="${stylesheet}"></head><body><main class="alone"><h1 class="page-title">${title}</h1><p class="lead">${text}</p></main></body></html> `
      .text
  const headers = { ...security, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return { status, headers, body }
}
