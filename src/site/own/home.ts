import { findSiteById } from '../../access/sites.ts'
import type { BaseContext } from '../../kernel/context.ts'
import type { SiteReply } from '../../kernel/site-http.ts'
import { markup } from '../../render/html.ts'
import { renderSystemPage } from '../../render/shell/page.ts'
import { serverPagePolicy, createServerShell } from './server-shell.ts'
import { htmlReply } from '../reply.ts'

/** Key under which the ids of the site with the manual are stored. */
export const manualKey = 'manual-site'

type HomeContext = Pick<BaseContext, 'db' | 'urls'>

/** Returns the URL of the site with the manual, if it is public. */
async function findManualUrl({ db, urls }: HomeContext): Promise<string | undefined> {
  const stored = await db.selectFrom('instance').select('value').where('key', '=', manualKey).executeTakeFirst()
  const [organizationId = '', siteId = ''] = stored?.value.split('/') ?? []
  const site = stored && (await findSiteById(db, organizationId, siteId))
  return site?.published === 1 && site.visibility === 'public' ? urls.site(site) : undefined
}

/** Serves the home page of the server. */
export async function serveHome(
  context: HomeContext,
  { version, hasApp }: { version: string; hasApp: boolean },
): Promise<SiteReply> {
  const { urls } = context
  const manualUrl = await findManualUrl(context)
  const site = await createServerShell(urls, [])
  const card = (href: string, icon: string, title: string, text: string) =>
    markup`<a class="content-ref" href="${href}">${site.icon(icon)}<span><strong>${title}</strong><small>${text}</small></span></a>`
  const about = { title: 'Octavo is running', canonicalUrl: urls.plain('/') }
  const content = markup`<h1 class="page-title">${about.title}</h1><p class="lead">This is Octavo ${version}, a documentation publishing service. Its API answers at <code>${site.base}v1</code>.</p><div class="content">${hasApp && card(`${site.base}app`, 'pen-to-square', 'Open the app', 'Write, review and publish; sign in with your account')}${manualUrl !== undefined && card(manualUrl, 'book-open', 'Manual', 'How to write, publish and run documentation; itself a site of this server')}${card(`${site.base}docs/api`, 'code', 'API reference', 'Every operation, with examples')}${card(`${site.base}openapi.json`, 'file-lines', 'openapi.json', 'The same for machines: OpenAPI 3.1')}</div>`
  return htmlReply(renderSystemPage(site, about, content).text, serverPagePolicy)
}
