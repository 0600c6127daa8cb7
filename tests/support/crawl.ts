/** Anchor on a page. */
export interface Anchor {
  url: string
  id: string
}

/** Reply with HTML: a page or a branch of the navigation. */
export interface CrawledPage {
  url: string
  html: string
  ids: ReadonlySet<string>
  /** Anchors on pages of the site that it links to. */
  anchors: readonly Anchor[]
  /** Anchors that its outline links to. */
  outline: readonly Anchor[]
}

export interface Crawl {
  pages: ReadonlyMap<string, CrawledPage>
  /** Descriptions of failed requests with the pages that link to them. */
  failures: string[]
}

/** Number of concurrent requests. */
const concurrency = 6

interface CrawlOptions {
  /** Pages that are requested even if no requested page links to them. */
  included?: Iterable<string>
  /** Pages that are not requested. */
  skipped?: ReadonlySet<string>
}

/** Crawls the links within a site except those with `rel="nofollow"`, and requests every image of this server. */
export async function crawl(base: string, { included = [], skipped = new Set() }: CrawlOptions = {}): Promise<Crawl> {
  const { origin } = new URL(base)
  const referrers = new Map([base, ...included].map((url) => [url, base]))
  const queue = [...referrers.keys()]
  const pages = new Map<string, CrawledPage>()
  const failures: string[] = []
  const visit = async (url: string) => {
    const reply = await fetch(url)
    if (reply.status !== 200) failures.push(`${url} answered ${reply.status}, and ${referrers.get(url)} leads there`)
    const isHtml = reply.headers.get('content-type')?.startsWith('text/html')
    const html = await reply.text()
    if (!isHtml || reply.status !== 200) return
    const followed = html.replace(/<a [^<>]*\srel="nofollow"[^<>]*>/g, '')
    const targets = findTargets(followed, /<[a-z][^<>]*?\s(?:href|data-branch)="([^"]*)"/g, reply.url)
    const own = targets.filter(({ href }) => href.startsWith(base))
    const pictures = findTargets(html, /<img[^>]*?\ssrc="([^"]*)"/g, reply.url).filter((one) => one.origin === origin)
    const [, outline = ''] = /<ul data-outline>(.*?)<\/ul>/s.exec(html) ?? []
    pages.set(url, {
      url,
      html,
      ids: new Set(Array.from(html.matchAll(/<[a-z][^<>]*?\sid="([^"]*)"/g), ([, id = '']) => unescapeHtml(id))),
      anchors: toAnchors(own),
      outline: toAnchors(findTargets(outline, /\shref="([^"]*)"/g, url)),
    })
    for (const link of [...own, ...pictures].map(withoutHash)) {
      if (referrers.has(link) || skipped.has(link)) continue
      referrers.set(link, url)
      queue.push(link)
    }
  }
  while (queue.length > 0) await Promise.all(queue.splice(0, concurrency).map(visit))
  return { pages, failures }
}

/** Returns the URLs of all pages in the sitemap of a site. */
export async function readSitemap(url: string): Promise<string[]> {
  const text = await (await fetch(url)).text()
  const urls = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, value = '']) => unescapeHtml(value))
  if (!text.includes('<sitemapindex')) return urls
  return (await Promise.all(urls.map(readSitemap))).flat()
}

const withoutHash = ({ href }: URL): string => href.split('#')[0] ?? href

const toAnchors = (targets: readonly URL[]): Anchor[] =>
  targets.flatMap((target) =>
    target.hash.length > 1 ? [{ url: withoutHash(target), id: decodeURIComponent(target.hash.slice(1)) }] : [],
  )

/** Returns the URLs in attributes; ours are always in double quotes. */
const findTargets = (html: string, pattern: RegExp, url: string): URL[] =>
  Array.from(html.matchAll(pattern), ([, value = '']) => unescapeHtml(value)).flatMap((address) =>
    URL.canParse(address, url) ? [new URL(address, url)] : [],
  )

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole)
