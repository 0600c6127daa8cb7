import { FetchError } from '../fetch/errors.ts'
import type { Fetch } from '../fetch/fetch.ts'
import { createYielder } from '../kernel/event-loop.ts'
import { seconds } from '../kernel/time.ts'
import {
  type CrawlScope,
  navigationUrls,
  urlKeyOf,
  urlKeyFromString,
  parsePageUrl,
  detectScope,
} from './crawl-scope.ts'
import { type CrawlClock, PoliteFetch, systemClock } from './polite-fetch.ts'
import { type LoadResult, readResponseBytes, loadPage } from './load-page.ts'
import { SiteNavigation } from './site-navigation.ts'
import { sortByNavigation, removeSharedDescriptions } from './reading-order.ts'
import type { WebNavigationItem, WebPage } from './page.ts'
import { loadRobots } from './host-robots.ts'
import { type Robots, allowAll } from './robots.ts'
import { maxSitemapBytes, parseSitemap, decodeSitemap } from './sitemap.ts'

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
  const { clock = systemClock, limits, signal: callerSignal } = options
  const finished = new AbortController()
  const timeout = new AbortController()
  clock.wait(seconds(limits.maxSeconds), finished.signal).then(
    () => timeout.abort(),
    () => undefined,
  )
  const signal = callerSignal ? AbortSignal.any([callerSignal, timeout.signal]) : timeout.signal
  try {
    return await new Crawl(options, clock, signal).run(start)
  } catch (error) {
    callerSignal?.throwIfAborted()
    throw timeout.signal.aborted ? new WebsiteError('The website did not respond in time', error) : error
  } finally {
    finished.abort()
  }
}

/** Maximum number of URLs, more than any import needs; calendars, for example, have infinitely many pages. */
const maxUrls = 50_000
const maxSitemaps = 50
/** Returns the maximum number of requests, which include URLs of missing pages and of duplicates. */
const maxRequests = (maxPages: number) => maxPages * 2 + 100

type PageResult =
  | { page: WebPage }
  | { skipped: 'other content' | 'elsewhere' }
  | { problem: string }
  | { duplicateOf: URL }

class Crawl {
  readonly #options: CrawlOptions
  readonly #signal: AbortSignal
  readonly #fetch: PoliteFetch
  readonly #queue: URL[] = []
  /** All URLs seen in links, as most are seen many times. */
  readonly #seenLinks = new Set<string>()
  readonly #yield = createYielder()
  readonly #foundKeys = new Set<string>()
  readonly #disallowedKeys = new Set<string>()
  readonly #pages = new Map<string, WebPage>()
  readonly #urlOfKey = new Map<string, string>()
  readonly #urlOfCanonical = new Map<string, string>()
  readonly #navigation = new SiteNavigation()
  readonly #problems: { url: string; message: string }[] = []
  #robots: Robots = allowAll
  #scope: CrawlScope | undefined
  #queueIndex = 0
  #skipped = 0
  #isTruncated = false

  constructor(options: CrawlOptions, clock: CrawlClock, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#fetch = new PoliteFetch({ fetch: options.fetch, clock, signal, delay: options.limits.delay ?? 0 })
  }

  async run(start: string): Promise<CrawledSite> {
    const { url, page } = await this.#readStart(start)
    this.#scope = detectScope(url, page.links, page.navigation)
    this.#foundKeys.add(urlKeyOf(url))
    // Queues the pages of the navigation first, in case a limit is reached.
    await this.#addResult(url, { page })
    await this.#readSitemaps(url)
    await this.#enqueue(page.links)
    await this.#readQueue()
    this.#options.signal?.throwIfAborted()
    return this.#buildSite(this.#scope, url)
  }

  async #readStart(start: string): Promise<{ url: URL; page: WebPage }> {
    const requested = parsePageUrl(start)
    if (!requested) throw new WebsiteError('The URL is not the URL of a web page')
    await this.#loadRobots(requested)
    const loaded = await this.#load(requested, () => true)
    if (loaded === 'other content') throw new WebsiteError('The URL is not a web page')
    if ('status' in loaded) throw new WebsiteError(`The URL returned the status ${loaded.status}`)
    const { url, html } = loaded
    if (url.origin !== requested.origin) await this.#loadRobots(url)
    else this.#assertAllowed(url)
    this.#urlOfKey.set(urlKeyOf(requested), url.href)
    const page = await this.#options.read(html, url.href).catch((cause: unknown) => {
      throw new WebsiteError('The page at the URL could not be parsed', cause)
    })
    return { url, page }
  }

  async #loadRobots(url: URL): Promise<void> {
    const robots = await loadRobots(this.#fetch, url.origin, this.#options.limits.delay ?? 0)
    if ('failedWith' in robots)
      throw new WebsiteError(
        `The robots.txt of the website returned the status ${robots.failedWith}, so nothing is read`,
      )
    this.#robots = robots
    this.#assertAllowed(url)
  }

  #assertAllowed({ pathname }: URL): void {
    if (!this.#robots.isAllowed(pathname)) throw new WebsiteError('The robots.txt of the website disallows this URL')
  }

  #load(address: URL, mayFollow: (url: URL) => boolean): Promise<LoadResult> {
    return loadPage(this.#fetch, address, { maxBytes: this.#options.limits.maxPageBytes, mayFollow })
  }

  async #readSitemaps({ origin }: URL): Promise<void> {
    const declared = this.#robots.sitemaps.filter((address) => URL.canParse(address, origin))
    const guessed = ['/sitemap.xml', `${this.#scope?.base}sitemap.xml`]
    const sitemapUrls = new Set([...declared, ...guessed].map((address) => new URL(address, origin).href))
    let count = 0
    // Sitemaps listed in an index are added to the set during the iteration.
    for (const address of sitemapUrls) {
      if (count++ === maxSitemaps || this.#isTruncated || this.#signal.aborted) return
      // Sitemaps are optional, so a missing one is not a problem.
      const text = await this.#readSitemap(address).catch(() => undefined)
      const { pages, sitemaps } = parseSitemap(text ?? '')
      await this.#enqueue(pages)
      for (const one of sitemaps) if (URL.canParse(one)) sitemapUrls.add(new URL(one).href)
    }
  }

  async #readSitemap(address: string): Promise<string | undefined> {
    const reply = await this.#fetch.get(address, maxSitemapBytes)
    if (reply.status === 200) return decodeSitemap(await readResponseBytes(reply))
    reply.discard()
    return undefined
  }

  /** Loads pages concurrently but processes them in the order of the queue, so that imports are reproducible. */
  async #readQueue(): Promise<void> {
    const { concurrency = 4, maxPages } = this.#options.limits
    const pending: { address: URL; result: Promise<PageResult> }[] = []
    for (;;) {
      while (pending.length < concurrency && this.#pages.size + pending.length < maxPages) {
        const address = this.#dequeue()
        if (!address) break
        pending.push({ address, result: this.#read(address) })
      }
      const oldest = pending.shift()
      if (!oldest) return
      const result = await oldest.result
      if (!this.#signal.aborted) await this.#addResult(oldest.address, result)
      else this.#isTruncated = true
    }
  }

  #dequeue(): URL | undefined {
    if (this.#signal.aborted || this.#queueIndex >= maxRequests(this.#options.limits.maxPages)) return undefined
    for (let address = this.#queue[this.#queueIndex]; address; address = this.#queue[this.#queueIndex]) {
      this.#queueIndex++
      if (!this.#urlOfKey.has(urlKeyOf(address))) return address
      // A redirect has led to this page already.
      this.#skipped++
    }
    return undefined
  }

  /** Reads a page; never throws: errors are returned as problems. */
  async #read(address: URL): Promise<PageResult> {
    try {
      const loaded = await this.#load(address, (url) => this.#mayCrawl(url))
      if (loaded === 'other content') return { skipped: loaded }
      if ('status' in loaded) return { problem: `The page returned the status ${loaded.status}` }
      if (!this.#mayCrawl(loaded.url)) return { skipped: 'elsewhere' }
      if (this.#urlOfKey.has(urlKeyOf(loaded.url))) return { duplicateOf: loaded.url }
      return { page: await this.#options.read(loaded.html, loaded.url.href) }
    } catch (error) {
      return { problem: error instanceof FetchError ? error.message : 'The page could not be parsed' }
    }
  }

  #mayCrawl(url: URL): boolean {
    return this.#scope?.includes(url) === true && this.#robots.isAllowed(url.pathname)
  }

  async #addResult(address: URL, result: PageResult): Promise<void> {
    if ('problem' in result) this.#problems.push({ url: address.href, message: result.problem })
    else if ('skipped' in result) this.#skipped++
    else if ('duplicateOf' in result) this.#addDuplicate(address, urlKeyOf(result.duplicateOf))
    else await this.#addPage(address, result.page)
    this.#options.onProgress?.({ done: this.#pages.size, found: this.#total, url: address.href })
  }

  async #addPage(address: URL, page: WebPage): Promise<void> {
    const key = urlKeyFromString(page.url)
    if (this.#pages.has(key)) return this.#addDuplicate(address, key)
    if (page.isListing && this.#pages.size > 0) {
      this.#skipped++
      return this.#enqueue(page.links)
    }
    const canonical = page.canonical === undefined ? key : urlKeyFromString(page.canonical)
    const existing = this.#pages.get(urlKeyFromString(this.#urlOfCanonical.get(canonical) ?? ''))
    // On some sites the canonical URL of every page is the first page.
    if (existing?.title === page.title) {
      this.#urlOfKey.set(key, existing.url)
      return this.#addDuplicate(address, key)
    }
    this.#pages.set(key, { ...page, links: [], navigation: [] })
    for (const one of [urlKeyOf(address), key]) this.#urlOfKey.set(one, page.url)
    if (!existing) this.#urlOfCanonical.set(canonical, page.url)
    this.#navigation.add(page.navigation)
    await this.#enqueue(navigationUrls(page.navigation))
    // Links of the first page are queued after the sitemaps have been read.
    if (this.#pages.size > 1) await this.#enqueue(page.links)
  }

  #addDuplicate(address: URL, key: string): void {
    const url = this.#urlOfKey.get(key)
    if (url !== undefined) this.#urlOfKey.set(urlKeyOf(address), url)
    this.#skipped++
  }

  /** Adds new URLs in the scope of the import to the queue. */
  async #enqueue(addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      // A page can have many links, and `robots.txt` many rules.
      await this.#yield()
      if (this.#seenLinks.has(address)) continue
      if (this.#seenLinks.size < maxUrls * 2) this.#seenLinks.add(address)
      const url = parsePageUrl(address)
      if (!url || !this.#scope?.includes(url)) continue
      const key = urlKeyOf(url)
      if (this.#foundKeys.has(key) || this.#disallowedKeys.has(key)) continue
      this.#isTruncated ||= this.#foundKeys.size + this.#disallowedKeys.size >= maxUrls
      if (this.#isTruncated) return
      if (this.#robots.isAllowed(url.pathname)) {
        this.#foundKeys.add(key)
        this.#queue.push(url)
      } else this.#disallowedKeys.add(key)
    }
  }

  get #total(): number {
    return this.#foundKeys.size - this.#skipped
  }

  #buildSite(scope: CrawlScope, start: URL): CrawledSite {
    const urlOfKey = new Map([...this.#urlOfCanonical, ...this.#urlOfKey])
    const problems = [...this.#problems]
    if (this.#disallowedKeys.size > 0) {
      const message = `The robots.txt of the website disallows ${this.#disallowedKeys.size} of its URLs`
      problems.push({ url: `${start.origin}/robots.txt`, message })
    }
    return {
      pages: sortByNavigation(removeSharedDescriptions([...this.#pages.values()]), this.#navigation.items, urlOfKey),
      navigation: this.#navigation.items,
      problems,
      total: this.#total,
      isCutShort: this.#isTruncated || this.#queue.slice(this.#queueIndex).some((one) => !urlOfKey.has(urlKeyOf(one))),
      base: scope.base,
      urlOfKey,
    }
  }
}
