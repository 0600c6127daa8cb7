import { FetchError } from '../fetch/errors.ts'
import type { Fetch } from '../fetch/fetch.ts'
import { createYielder } from '../kernel/event-loop.ts'
import { seconds } from '../kernel/time.ts'
import { type Scope, addressesIn, keyOf, keyOfAddress, parseAddress, scopeOf } from './scope.ts'
import { type CrawlClock, PoliteFetch, realClock } from './host.ts'
import { type Loaded, bytesOf, loadPage } from './load.ts'
import { SiteNavigation } from './site-navigation.ts'
import { inReadingOrder, withOwnDescriptions } from './reading-order.ts'
import type { WebNavigationItem, WebPage } from './page.ts'
import { type Robots, everythingAllowed, maxRobotsBytes, parseRobots } from './robots.ts'
import { maxSitemapBytes, parseSitemap, sitemapText } from './sitemap.ts'

export interface CrawlOptions {
  fetch: Fetch
  read: (html: string, url: string) => Promise<WebPage>
  limits: CrawlLimits
  signal?: AbortSignal
  onProgress?: (progress: CrawlProgress) => void
  clock?: CrawlClock
}

export interface CrawlLimits {
  maxPages: number
  maxSeconds: number
  maxPageBytes: number
  /** Maximum number of concurrent requests; 4 by default. */
  concurrency?: number
  /** Minimum milliseconds between requests; the host may require more. */
  delay?: number
}

export interface CrawlProgress {
  done: number
  found: number
  url: string
}

/** Content of a crawled website. Pages have no links and navigation, which would be most of their size. */
export interface CrawledSite {
  /** Pages in the order of the navigation, then by URL. */
  pages: WebPage[]
  /** Merged navigation of all pages. */
  navigation: readonly WebNavigationItem[]
  problems: { url: string; message: string }[]
  /** Number of URLs found within the scope of the import. */
  total: number
  /** Whether pages were omitted because of a limit. */
  isCutShort: boolean
  /** URL of the folder that is imported. */
  base: string
  /** URLs of pages in `pages`, by the keys of requested, redirected and canonical URLs. */
  urlOfKey: ReadonlyMap<string, string>
}

/** Error with a message for users: a website cannot be read. */
export class WebsiteError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'WebsiteError'
  }
}

/** Crawls the page at a URL and all pages in its scope, as `robots.txt` allows. */
export async function crawl(start: string, options: CrawlOptions): Promise<CrawledSite> {
  const { clock = realClock, limits, signal: given } = options
  const over = new AbortController()
  const time = new AbortController()
  clock.wait(seconds(limits.maxSeconds), over.signal).then(
    () => time.abort(),
    () => undefined,
  )
  const signal = given ? AbortSignal.any([given, time.signal]) : time.signal
  try {
    return await new Crawl(options, clock, signal).run(start)
  } catch (error) {
    given?.throwIfAborted()
    throw time.signal.aborted ? new WebsiteError('The website did not respond in time', error) : error
  } finally {
    over.abort()
  }
}

/** Maximum number of URLs, more than any import needs; calendars, for example, have infinitely many pages. */
const maxFound = 50_000
const maxSitemaps = 50
const longestDelay = seconds(10)
/** Returns the maximum number of requests, which include URLs of missing pages and of duplicates. */
const maxRequests = (maxPages: number) => maxPages * 2 + 100

type Reply = { page: WebPage } | { skipped: 'other content' | 'elsewhere' } | { problem: string } | { duplicateOf: URL }

class Crawl {
  readonly #options: CrawlOptions
  readonly #signal: AbortSignal
  readonly #host: PoliteFetch
  readonly #queue: URL[] = []
  /** All URLs seen in links, as most are seen many times. */
  readonly #judged = new Set<string>()
  readonly #yield = createYielder()
  readonly #found = new Set<string>()
  readonly #disallowed = new Set<string>()
  readonly #pages = new Map<string, WebPage>()
  readonly #urlOfKey = new Map<string, string>()
  readonly #urlOfCanonical = new Map<string, string>()
  readonly #navigation = new SiteNavigation()
  readonly #problems: { url: string; message: string }[] = []
  #robots: Robots = everythingAllowed
  #scope: Scope | undefined
  #asked = 0
  #skipped = 0
  #isCut = false

  constructor(options: CrawlOptions, clock: CrawlClock, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#host = new PoliteFetch({ fetch: options.fetch, clock, signal, delay: options.limits.delay ?? 0 })
  }

  async run(start: string): Promise<CrawledSite> {
    const { url, page } = await this.#readStart(start)
    this.#scope = scopeOf(url, page.links, page.navigation)
    this.#found.add(keyOf(url))
    // Queues the pages of the navigation first, in case a limit is reached.
    await this.#take(url, { page })
    await this.#readSitemaps(url)
    await this.#find(page.links)
    await this.#readAll()
    this.#options.signal?.throwIfAborted()
    return this.#site(this.#scope, url)
  }

  async #readStart(start: string): Promise<{ url: URL; page: WebPage }> {
    const asked = parseAddress(start)
    if (!asked) throw new WebsiteError('The URL is not the URL of a web page')
    await this.#obeyRobots(asked)
    const loaded = await this.#load(asked, () => true)
    if (loaded === 'other content') throw new WebsiteError('The URL is not a web page')
    if ('status' in loaded) throw new WebsiteError(`The URL returned the status ${loaded.status}`)
    const { url, html } = loaded
    if (url.origin !== asked.origin) await this.#obeyRobots(url)
    else this.#mustBeAllowed(url)
    this.#urlOfKey.set(keyOf(asked), url.href)
    const page = await this.#options.read(html, url.href).catch((cause: unknown) => {
      throw new WebsiteError('The page at the URL could not be parsed', cause)
    })
    return { url, page }
  }

  async #obeyRobots(url: URL): Promise<void> {
    const reply = await this.#host.get(`${url.origin}/robots.txt`, maxRobotsBytes * 10)
    if (reply.status >= 500) {
      reply.discard()
      throw new WebsiteError(`The robots.txt of the website returned the status ${reply.status}, so nothing is read`)
    }
    if (reply.status === 200) this.#robots = parseRobots(await headOf(reply.body, maxRobotsBytes))
    else {
      reply.discard()
      this.#robots = everythingAllowed
    }
    this.#host.pauseBy(Math.max(this.#options.limits.delay ?? 0, Math.min(this.#robots.delay, longestDelay)))
    this.#mustBeAllowed(url)
  }

  #mustBeAllowed({ pathname }: URL): void {
    if (!this.#robots.isAllowed(pathname)) throw new WebsiteError('The robots.txt of the website disallows this URL')
  }

  #load(address: URL, mayFollow: (url: URL) => boolean): Promise<Loaded> {
    return loadPage(this.#host, address, { maxBytes: this.#options.limits.maxPageBytes, mayFollow })
  }

  async #readSitemaps({ origin }: URL): Promise<void> {
    const named = this.#robots.sitemaps.filter((address) => URL.canParse(address, origin))
    const guessed = ['/sitemap.xml', `${this.#scope?.base}sitemap.xml`]
    const waiting = new Set([...named, ...guessed].map((address) => new URL(address, origin).href))
    let count = 0
    // Sitemaps listed in an index are added to the set during the iteration.
    for (const address of waiting) {
      if (count++ === maxSitemaps || this.#isCut || this.#signal.aborted) return
      // Sitemaps are optional, so a missing one is not a problem.
      const text = await this.#readSitemap(address).catch(() => undefined)
      const { pages, sitemaps } = parseSitemap(text ?? '')
      await this.#find(pages)
      for (const one of sitemaps) if (URL.canParse(one)) waiting.add(new URL(one).href)
    }
  }

  async #readSitemap(address: string): Promise<string | undefined> {
    const reply = await this.#host.get(address, maxSitemapBytes)
    if (reply.status === 200) return sitemapText(await bytesOf(reply))
    reply.discard()
    return undefined
  }

  /** Loads pages concurrently but processes them in the order of the queue, so that imports are reproducible. */
  async #readAll(): Promise<void> {
    const { concurrency = 4, maxPages } = this.#options.limits
    const underWay: { address: URL; reply: Promise<Reply> }[] = []
    for (;;) {
      while (underWay.length < concurrency && this.#pages.size + underWay.length < maxPages) {
        const address = this.#next()
        if (!address) break
        underWay.push({ address, reply: this.#read(address) })
      }
      const oldest = underWay.shift()
      if (!oldest) return
      const reply = await oldest.reply
      if (!this.#signal.aborted) await this.#take(oldest.address, reply)
      else this.#isCut = true
    }
  }

  #next(): URL | undefined {
    if (this.#signal.aborted || this.#asked >= maxRequests(this.#options.limits.maxPages)) return undefined
    for (let address = this.#queue[this.#asked]; address; address = this.#queue[this.#asked]) {
      this.#asked++
      if (!this.#urlOfKey.has(keyOf(address))) return address
      // A redirect has led to this page already.
      this.#skipped++
    }
    return undefined
  }

  /** Reads a page; never throws: errors are returned as problems. */
  async #read(address: URL): Promise<Reply> {
    try {
      const loaded = await this.#load(address, (url) => this.#belongs(url))
      if (loaded === 'other content') return { skipped: loaded }
      if ('status' in loaded) return { problem: `The page returned the status ${loaded.status}` }
      if (!this.#belongs(loaded.url)) return { skipped: 'elsewhere' }
      if (this.#urlOfKey.has(keyOf(loaded.url))) return { duplicateOf: loaded.url }
      return { page: await this.#options.read(loaded.html, loaded.url.href) }
    } catch (error) {
      return { problem: error instanceof FetchError ? error.message : 'The page could not be parsed' }
    }
  }

  #belongs(url: URL): boolean {
    return this.#scope?.holds(url) === true && this.#robots.isAllowed(url.pathname)
  }

  async #take(address: URL, reply: Reply): Promise<void> {
    if ('problem' in reply) this.#problems.push({ url: address.href, message: reply.problem })
    else if ('skipped' in reply) this.#skipped++
    else if ('duplicateOf' in reply) this.#takeDuplicate(address, keyOf(reply.duplicateOf))
    else await this.#takePage(address, reply.page)
    this.#options.onProgress?.({ done: this.#pages.size, found: this.#total, url: address.href })
  }

  async #takePage(address: URL, page: WebPage): Promise<void> {
    const key = keyOfAddress(page.url)
    if (this.#pages.has(key)) return this.#takeDuplicate(address, key)
    if (page.isListing && this.#pages.size > 0) {
      this.#skipped++
      return this.#find(page.links)
    }
    const canonical = page.canonical === undefined ? key : keyOfAddress(page.canonical)
    const same = this.#pages.get(keyOfAddress(this.#urlOfCanonical.get(canonical) ?? ''))
    // On some sites the canonical URL of every page is the first page.
    if (same?.title === page.title) {
      this.#urlOfKey.set(key, same.url)
      return this.#takeDuplicate(address, key)
    }
    this.#pages.set(key, { ...page, links: [], navigation: [] })
    for (const one of [keyOf(address), key]) this.#urlOfKey.set(one, page.url)
    if (!same) this.#urlOfCanonical.set(canonical, page.url)
    this.#navigation.add(page.navigation)
    await this.#find(addressesIn(page.navigation))
    // Links of the first page are queued after the sitemaps have been read.
    if (this.#pages.size > 1) await this.#find(page.links)
  }

  #takeDuplicate(address: URL, key: string): void {
    const url = this.#urlOfKey.get(key)
    if (url !== undefined) this.#urlOfKey.set(keyOf(address), url)
    this.#skipped++
  }

  /** Adds new URLs in the scope of the import to the queue. */
  async #find(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      // A page can have many links, and `robots.txt` many rules.
      await this.#yield()
      if (this.#judged.has(address)) continue
      if (this.#judged.size < maxFound * 2) this.#judged.add(address)
      const url = parseAddress(address)
      if (!url || !this.#scope?.holds(url)) continue
      const key = keyOf(url)
      if (this.#found.has(key) || this.#disallowed.has(key)) continue
      this.#isCut ||= this.#found.size + this.#disallowed.size >= maxFound
      if (this.#isCut) return
      if (this.#robots.isAllowed(url.pathname)) {
        this.#found.add(key)
        this.#queue.push(url)
      } else this.#disallowed.add(key)
    }
  }

  get #total(): number {
    return this.#found.size - this.#skipped
  }

  #site(scope: Scope, start: URL): CrawledSite {
    const urlOfKey = new Map([...this.#urlOfCanonical, ...this.#urlOfKey])
    const problems = [...this.#problems]
    if (this.#disallowed.size > 0) {
      const message = `The robots.txt of the website disallows ${this.#disallowed.size} of its URLs`
      problems.push({ url: `${start.origin}/robots.txt`, message })
    }
    return {
      pages: inReadingOrder(withOwnDescriptions([...this.#pages.values()]), this.#navigation.items, urlOfKey),
      navigation: this.#navigation.items,
      problems,
      total: this.#total,
      isCutShort: this.#isCut || this.#queue.slice(this.#asked).some((one) => !urlOfKey.has(keyOf(one))),
      base: scope.base,
      urlOfKey,
    }
  }
}

/** Reads the first bytes of a body as text. */
async function headOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, Math.min(size, maxBytes))
}
