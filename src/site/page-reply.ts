import type { SiteReply } from '../kernel/site-http.ts'
import type { Html } from '../render/html.ts'
import { type ReplyPolicy, htmlReply } from './reply.ts'
import type { PageFrame } from './page-frame.ts'
import { replyPolicyOf } from './visit.ts'

type Options = Partial<ReplyPolicy> & { status?: number; isCacheable?: boolean; connectOrigins?: readonly string[] }

/** Returns the reply for a page of a site. By default, it is public if the site is, and not indexed. */
export function pageReply({ space: { site }, theme }: PageFrame, html: Html, options: Options = {}): SiteReply {
  const { siteBase, host } = site.session
  const own = new URL(siteBase)
  const server = new URL(site.context.urls.app('/'))
  return htmlReply(html.text, {
    ...replyPolicyOf(site, false),
    ...options,
    fileOrigins: [server.origin],
    fontOrigins: theme.fontOrigins,
    formOrigins: own.host === host ? [] : [own.origin],
    // The editor bar exists on the host of the server only.
    framesOwnPages: host === server.host,
  })
}
