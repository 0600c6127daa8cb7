import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createFetch } from '../../src/fetch/fetch.ts'
import { type CrawlLimits, type CrawlOptions, type CrawledSite, WebsiteError, crawl } from '../../src/website/crawl.ts'
import { detectScope } from '../../src/website/crawl-scope.ts'
import { crawlClock, formatTestPage, readTestPage, serveWebsite } from '../support/website-server.ts'

const fetch = createFetch({ allowPrivateNetwork: true })
const wholeTime = { maxSeconds: 1000 }

function crawlSite(start: string, limits: Partial<CrawlLimits> = {}, more: Partial<CrawlOptions> = {}) {
  const usual = { ...wholeTime, maxPages: 100, maxPageBytes: 100_000 }
  return crawl(start, { fetch, read: readTestPage, limits: { ...usual, ...limits }, clock: crawlClock(1e6), ...more })
}

const titles = ({ pages }: CrawledSite) => pages.map(({ title }) => title)
const named = (title: string) => formatTestPage({ title })

/** Returns a sitemap. */
const locations = (...paths: string[]) =>
  `<?xml version="1.0"?><urlset>${paths.map((path) => `<url><loc> ${path} </loc></url>`).join('')}</urlset>`

/** Returns a route that replies with this status to the first request and with a page to later ones. */
const once = (status: number, headers: Record<string, string>) => (count: number) =>
  count === 1 ? { status, headers } : named(`After ${status}`)

const absolute = (path: string) => `https://x.test${path}`

/** Returns the folder that is imported for a start page with these links. */
const baseOf = (path: string, links: string[], listed: string[] = []) => {
  const navigation = listed.map((one) => ({ title: one, url: absolute(one), children: [] }))
  return detectScope(new URL(absolute(path)), [...links, ...listed].map(absolute), navigation).base.slice(14)
}

test('crawls pages in the order of a navigation that is merged from several pages', async () => {
  const guides = { title: 'Guides', url: '/docs/guides', children: [{ title: 'Install', url: '/docs/guides/install' }] }
  const folded = { title: 'Guides', url: '/docs/guides' }
  const api = { title: 'API', children: [{ title: 'Calls', url: '/docs/api/calls' }] }
  const { url } = await serveWebsite({
    '/docs/': formatTestPage({
      title: 'Home',
      navigation: [{ title: 'Start', url: '/docs/' }, folded, api],
      links: ['zebra', 'apple'],
    }),
    '/docs/guides': formatTestPage({
      title: 'Guides',
      navigation: [{ title: 'Start', url: './' }, guides, { title: 'Help', url: 'help' }, api],
    }),
    '/docs/guides/install': named('Install'),
    '/docs/help': named('Help'),
    '/docs/api/calls': formatTestPage({
      title: 'Calls',
      navigation: [
        {
          title: 'API',
          children: [
            { title: 'Calls', url: '/docs/api/calls' },
            { title: 'Errors', url: 'errors' },
          ],
        },
      ],
    }),
    '/docs/api/errors': named('Errors'),
    '/docs/zebra': named('Zebra'),
    '/docs/apple': named('Apple'),
  })
  const site = await crawlSite(`${url}/docs/`)
  expect(titles(site)).toEqual(['Home', 'Guides', 'Install', 'Help', 'Calls', 'Errors', 'Apple', 'Zebra'])
  expect(site.navigation.map(({ title }) => title)).toEqual(['Start', 'Guides', 'Help', 'API'])
  expect(site.navigation[3]?.children.map(({ title }) => title)).toEqual(['Calls', 'Errors'])
  expect(site).toMatchObject({ total: 8, isCutShort: false, problems: [], base: `${url}/docs/` })
})

test('finds pages in sitemaps: indexes, compressed and text files, and those listed in robots.txt', async () => {
  const routes: Parameters<typeof serveWebsite>[0] = {
    '/robots.txt': { body: 'User-agent: *\nDisallow:\nSitemap: /maps/index.xml' },
    '/docs/': named('Home'),
    '/docs/*': (): string => named('Found'),
  }
  const { url, requestedPaths } = await serveWebsite(routes)
  routes['/maps/index.xml'] = {
    body: `<sitemapindex><sitemap><loc>${url}/maps/a.xml.gz</loc></sitemap><sitemap><loc>${url}/maps/index.xml</loc></sitemap></sitemapindex>`,
  }
  routes['/maps/a.xml.gz'] = {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(locations(`${url}/docs/packed?a=1&amp;b=2`, 'https://elsewhere.test/docs/x')),
  }
  routes['/sitemap.xml'] = { body: locations(`<![CDATA[${url}/docs/usual]]>`, `${url}/other/no`) }
  routes['/docs/sitemap.xml'] = { body: `${url}/docs/listed\n${url}/docs/deep/er\n` }
  const site = await crawlSite(`${url}/docs/`)
  expect(site.pages.map((page) => page.url.slice(url.length))).toEqual([
    '/docs/',
    '/docs/deep/er',
    '/docs/listed',
    '/docs/packed',
    '/docs/usual',
  ])
  expect(requestedPaths.filter((path) => path === '/maps/index.xml')).toHaveLength(1)
})

test('the crawled folder is that of the start page or the one that most navigation links are in', () => {
  expect(baseOf('/', ['/docs/a', '/blog'])).toBe('/')
  expect(baseOf('/docs/', ['/docs/a', '/blog/b', '/blog/c'])).toBe('/docs/')
  expect(baseOf('/docs', ['/docs/a', '/blog'])).toBe('/docs/')
  expect(baseOf('/docs', ['/blog'])).toBe('/docs/')
  expect(baseOf('/docs/index.html', ['/docs/a'])).toBe('/docs/')
  expect(baseOf('/docs/intro.html', ['/docs/a.html', '/blog'])).toBe('/docs/')
  expect(baseOf('/docs/intro', ['/docs/a', '/blog'])).toBe('/docs/')
  expect(baseOf('/docs/start/intro', [], ['/docs/start/intro', '/docs/api', '/docs/help', '/blog'])).toBe('/docs/')
  expect(baseOf('/docs/start/intro/', [], ['/docs/start/intro/', '/docs/api/', '/docs/help/'])).toBe('/docs/')
  expect(baseOf('/docs/api/', [], ['/docs/start/', '/docs/help/', '/docs/api/calls/'])).toBe('/docs/api/')
  expect(baseOf('/intro', [], ['/intro', '/usage', '/api/calls'])).toBe('/')
})

test('does not request URLs disallowed by robots.txt, and reports them', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/robots.txt': { body: 'User-agent: Octavo\nDisallow: /docs/secret\nAllow: /docs/secret/open\nCrawl-delay: 3' },
    '/docs/': formatTestPage({ title: 'Home', links: ['secret', 'secret/x', 'secret/open', 'way-in'] }),
    '/docs/way-in': { status: 302, headers: { location: '/docs/secret/redirected' } },
    '/docs/secret*': (): string => named('Secret'),
  })
  const clock = crawlClock(1e6)
  const site = await crawlSite(`${url}/docs/`, {}, { clock })
  expect(site.pages.map((page) => page.url.slice(url.length))).toEqual(['/docs/', '/docs/secret/open'])
  expect(site.problems).toEqual([{ url: `${url}/robots.txt`, message: expect.stringContaining('2 of its URLs') }])
  expect(site).toMatchObject({ total: 2, isCutShort: false })
  expect(requestedPaths).not.toContain('/docs/secret')
  // One pause between each two of robots.txt, the first page, two missing sitemaps and two pages.
  expect(clock.waits).toEqual([3000, 3000, 3000, 3000, 3000])
})

test('fails when robots.txt disallows the start page or returns an error', async () => {
  const page = { '/docs/': named('Home') }
  const closed = await serveWebsite({ ...page, '/robots.txt': { body: 'User-agent: *\nDisallow: /docs' } })
  await expect(crawlSite(`${closed.url}/docs/`)).rejects.toThrow(/disallows this URL/)
  const failing = await serveWebsite({ ...page, '/robots.txt': { status: 500 } })
  await expect(crawlSite(`${failing.url}/docs/`)).rejects.toThrow(/robots\.txt.*status 500/)
  expect([...closed.requestedPaths, ...failing.requestedPaths]).not.toContain('/docs/')
})

test('the same page at several URLs is imported once and found by all of them', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/docs': { status: 301, headers: { location: '/docs/' } },
    '/docs/': formatTestPage({
      title: 'Home',
      links: ['./', 'index.html', '../docs', 'a', 'a/', 'a?x=1', 'a#part', 'old-a', 'b', 'b-print', '%61'],
    }),
    '/docs/a': formatTestPage({ title: 'A', links: ['b', 'a', 'old-a'] }),
    '/docs/old-a': { status: 301, headers: { location: '/docs/a' } },
    '/docs/b': formatTestPage({ title: 'B', canonical: '/docs/bee' }),
    '/docs/b-print': formatTestPage({ title: 'B', canonical: '/docs/bee' }),
  })
  const site = await crawlSite(`${url}/docs`)
  expect(site.pages.map((page) => page.url.slice(url.length))).toEqual(['/docs/', '/docs/a', '/docs/b'])
  expect(requestedPaths.filter((path) => path === '/docs/index.html' || path.includes('?'))).toEqual([])
  expect(site).toMatchObject({ total: 3, isCutShort: false, problems: [] })
  const known = (path: string) => site.urlOfKey.get(url + path)?.slice(url.length)
  expect(['/docs', '/docs/old-a', '/docs/b-print', '/docs/bee'].map(known)).toEqual([
    '/docs/',
    '/docs/a',
    '/docs/b',
    '/docs/b',
  ])
})

test('a page found by a redirect is neither requested again nor counted twice', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Home', links: ['old', 'new'] }),
    '/docs/old': { status: 301, headers: { location: 'new' } },
    '/docs/new': named('New'),
  })
  const site = await crawlSite(`${url}/docs/`, { concurrency: 1 })
  expect(titles(site)).toEqual(['Home', 'New'])
  expect(site).toMatchObject({ total: 2, isCutShort: false })
  expect(requestedPaths.filter((path) => path === '/docs/new')).toHaveLength(1)
})

test('decodes pages in their declared encoding', async () => {
  const latin = Buffer.from(formatTestPage({ title: 'Café' }), 'latin1')
  const { url } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Été', links: ['said', 'within', 'unknown'] }),
    '/docs/said': { headers: { 'content-type': 'text/html; charset="ISO-8859-1"' }, body: latin },
    '/docs/within': {
      headers: { 'content-type': 'text/html' },
      body: Buffer.concat([Buffer.from('<meta charset=windows-1252>'), latin]),
    },
    '/docs/unknown': {
      headers: { 'content-type': 'text/html; charset=klingon' },
      body: formatTestPage({ title: 'Café' }),
    },
  })
  expect(titles(await crawlSite(`${url}/docs/`))).toEqual(['Été', 'Café', 'Café', 'Café'])
})

test('pages that all have the start page as their canonical URL remain separate pages', async () => {
  const { url } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Home', canonical: '/docs/', links: ['a', 'b'] }),
    '/docs/a': formatTestPage({ title: 'A', canonical: '/docs/' }),
    '/docs/b': formatTestPage({ title: 'B', canonical: '/docs/' }),
  })
  expect(titles(await crawlSite(`${url}/docs/`))).toEqual(['Home', 'A', 'B'])
})

test('reports pages that fail and silently skips URLs that are not pages of the site', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/docs/': formatTestPage({
      title: 'Home',
      links: [
        'gone',
        'looping',
        'unreadable',
        'large',
        'data',
        'manual.pdf',
        'good',
        'https://elsewhere.test/docs/x',
        '/blog',
        'out',
        'mailto:a@b.test',
      ],
    }),
    '/docs/looping': { status: 302, headers: { location: '/docs/looping' } },
    '/docs/unreadable': '<html></html>',
    '/docs/large': formatTestPage({ title: 'Large', content: 'x'.repeat(200_000) }),
    '/docs/data': { headers: { 'content-type': 'application/json' }, body: '{}' },
    '/docs/out': { status: 302, headers: { location: '/blog' } },
    '/blog': named('Blog'),
    '/docs/good': named('Good'),
  })
  const site = await crawlSite(`${url}/docs/`)
  expect(titles(site)).toEqual(['Home', 'Good'])
  expect(site.problems).toEqual([
    { url: `${url}/docs/gone`, message: 'The page returned the status 404' },
    { url: `${url}/docs/looping`, message: 'Too many redirects' },
    { url: `${url}/docs/unreadable`, message: 'The page could not be parsed' },
    { url: `${url}/docs/large`, message: 'The content exceeds the size limit' },
  ])
  expect(site).toMatchObject({ total: 6, isCutShort: false })
  expect(requestedPaths).not.toContain('/docs/manual.pdf')
})

test('retries a page once after the time in Retry-After', async () => {
  const { url, requestedPaths } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Home', links: ['a', 'b', 'c'] }),
    '/docs/a': once(503, { 'retry-after': '7' }),
    '/docs/b': once(429, { 'retry-after': '900' }),
    '/docs/c': { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:40 GMT' } },
  })
  const clock = crawlClock(1e6)
  const site = await crawlSite(`${url}/docs/`, { concurrency: 1 }, { clock })
  expect(titles(site)).toEqual(['Home', 'After 503', 'After 429'])
  expect(site.problems).toEqual([{ url: `${url}/docs/c`, message: 'The page returned the status 503' }])
  expect(requestedPaths.filter((path) => path === '/docs/c')).toHaveLength(2)
  expect(clock.waits).toEqual([7000, 30_000, 3000])
})

test('stops at the maximum number of pages', async () => {
  let day = 0
  const { url } = await serveWebsite({
    '/calendar/*': (): string =>
      formatTestPage({ title: `Day ${day}`, links: [`/calendar/${++day}`, `/calendar/${++day}`] }),
  })
  const progress: [done: number, found: number][] = []
  const site = await crawlSite(
    `${url}/calendar/`,
    { maxPages: 7 },
    { onProgress: ({ done, found }) => progress.push([done, found]) },
  )
  expect(site.pages).toHaveLength(7)
  expect(site.isCutShort).toBe(true)
  expect(site.total).toBeGreaterThan(7)
  expect(progress.map(([done]) => done)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(progress.every(([done, found]) => found >= done)).toBe(true)
})

test('keeps the crawled pages when the time limit is reached', async () => {
  const clock = crawlClock(1e6)
  const { url } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Home', links: ['a', 'slow', 'b'] }),
    '/docs/a': named('A'),
    '/docs/slow': null,
    '/docs/b': named('B'),
  })
  const onProgress = ({ done }: { done: number }) => {
    if (done === 2) clock.end()
  }
  const site = await crawlSite(`${url}/docs/`, { concurrency: 2 }, { clock, onProgress })
  expect(titles(site)).toEqual(['Home', 'A'])
  expect(site).toMatchObject({ isCutShort: true, problems: [], total: 4 })
})

test('fails when the start page cannot be read', async () => {
  const { url } = await serveWebsite({
    '/data': { headers: { 'content-type': 'text/plain' } },
    '/silent': null,
    '/nothing': '<p>',
  })
  await expect(crawlSite(`${url}/missing`)).rejects.toThrow(new WebsiteError('The URL returned the status 404'))
  await expect(crawlSite(`${url}/nothing`)).rejects.toThrow('The page at the URL could not be parsed')
  await expect(crawlSite(`${url}/data`)).rejects.toThrow('The URL is not a web page')
  await expect(crawlSite('ftp://x.test/')).rejects.toThrow('The URL is not the URL of a web page')
  const clock = crawlClock(1e6)
  const slow = crawlSite(`${url}/silent`, {}, { clock })
  clock.end()
  await expect(slow).rejects.toThrow('The website did not respond in time')
  const closed = createFetch({ allowPrivateNetwork: false })
  await expect(crawlSite(url, {}, { fetch: closed })).rejects.toThrow(/The host was not found or has a private address/)
})

test('rejects with the reason of the abort signal', async () => {
  const cancel = new AbortController()
  const { url } = await serveWebsite({
    '/docs/': formatTestPage({ title: 'Home', links: ['slow'] }),
    '/docs/slow': null,
  })
  const reason = new Error('No longer wanted')
  const crawling = crawlSite(`${url}/docs/`, {}, { signal: cancel.signal, onProgress: () => cancel.abort(reason) })
  await expect(crawling).rejects.toBe(reason)
})

test('follows a page that only contains a meta refresh', async () => {
  const { url } = await serveWebsite({
    '/': '<html><head><meta http-equiv="refresh" content="0; url=latest/"></head></html>',
    '/latest/': formatTestPage({ title: 'Home', links: ['old'] }),
    '/latest/old': '<meta content="0;url=\'/latest/new\'" http-equiv=refresh>',
    '/latest/new': named('New'),
  })
  const site = await crawlSite(url)
  expect(site.pages.map((page) => page.url.slice(url.length))).toEqual(['/latest/', '/latest/new'])
  expect(site.base).toBe(`${url}/latest/`)
})
