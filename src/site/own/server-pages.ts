import type { BaseContext } from '../../kernel/context.ts'
import type { SiteReply, SiteRequest } from '../../kernel/site-http.ts'
import { decodeSegment } from '../../publishing/site-urls.ts'
import { renderNotFound } from '../../render/not-found.ts'
import { renderSystemPage } from '../../render/shell/page.ts'
import { ApiReference, referencePath } from './api-reference.ts'
import type { Highlighter } from '../../highlight/highlight.ts'
import { serveHome } from './home.ts'
import { serverBasePath, serverPagePolicy, createServerShell } from './server-shell.ts'
import { htmlReply, redirectReply } from '../reply.ts'

interface Services {
  context: () => Pick<BaseContext, 'db' | 'urls'>
  version: string
  /** Whether this process serves the web app. */
  hasApp: boolean
  /** Returns the OpenAPI document. */
  document: () => unknown
  highlighter: Highlighter
}

/** Serves pages of the server that do not belong to a site: its home page and the API reference. */
export class ServerPages {
  readonly #services: Services
  readonly #reference: ApiReference

  constructor(services: Services) {
    this.#services = services
    const { urls } = services.context()
    this.#reference = new ApiReference({ ...services, urls })
  }

  /** Returns undefined if the URL is not one of these pages. */
  async serve({ url, method }: Pick<SiteRequest, 'url' | 'method'>): Promise<SiteReply | undefined> {
    if ((method !== 'GET' && method !== 'HEAD') || !URL.canParse(url)) return undefined
    const context = this.#services.context()
    const { pathname } = new URL(url)
    const base = serverBasePath(context.urls)
    // Requests with another host name have no base path.
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname.slice(1)
    if (path === '') return serveHome(context, this.#services)
    if (path !== referencePath && !path.startsWith(`${referencePath}/`)) return undefined
    const below = path.slice(referencePath.length + 1)
    // Each page has only one URL.
    if (path.endsWith('/')) return redirectReply(`${base}${path.replace(/\/+$/, '')}`)
    return (await this.#reference.serve(decodeSegment(below))) ?? referenceNotFoundReply(context, base + referencePath)
  }
}

/** Renders the reply for a missing page of the reference. */
async function referenceNotFoundReply({ urls }: Pick<BaseContext, 'urls'>, referenceHref: string): Promise<SiteReply> {
  const site = await createServerShell(urls, [{ title: 'API reference', href: referenceHref }])
  const content = renderNotFound(site.texts, { href: referenceHref, title: 'API reference' })
  const html = renderSystemPage(site, { title: site.texts.pageNotFound, canonicalUrl: urls.plain('/') }, content)
  return htmlReply(html.text, { ...serverPagePolicy, isPublic: false, status: 404 })
}
