import { textReply } from '../reply.ts'
import { type OutputHandler, replyPolicyOf } from '../visit.ts'

/** Serves `robots.txt`: allows all pages of public sites and disallows URLs used by scripts. */
export const serveRobots: OutputHandler = async ({ view }, rest) => {
  if (rest.length > 0) return undefined
  const { site, siteBase } = view.session
  const { pathname } = new URL(siteBase)
  const rules =
    site.visibility === 'public'
      ? [`Allow: ${pathname}~assets/`, `Allow: ${pathname}~social/`, `Disallow: ${pathname}~`, 'Allow: /']
      : ['Disallow: /']
  const sitemap = site.visibility === 'public' ? ['', `Sitemap: ${siteBase}sitemap.xml`] : []
  const text = ['User-agent: *', ...rules, ...sitemap, ''].join('\n')
  return textReply(text, 'text/plain', replyPolicyOf(view, false))
}
