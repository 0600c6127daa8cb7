// Published pages: bytes and paint compared with VitePress and Starlight, requests with bare node:http, first renders, merges
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { serverEnv } from './support/environment.ts'
import { makeHomes } from './support/homes.ts'
import { measureRounds } from './support/rounds.ts'
import { type FirstVisit, type SiteBrowser, startBrowser } from './support/site-browser.ts'
import { startLoad } from './support/load.ts'
import {
  type FirstRenders,
  type PublishedHome,
  measureFirstRenders,
  measureMerges,
  publish,
  withServer,
} from './support/site-octavo.ts'
import { type PlainPage, renderBareHtml, choosePages } from './support/site-pages.ts'
import { buildSite, installPeers } from './support/site-peers.ts'
import {
  type PageLoad,
  type Site,
  reportBytes,
  reportPaint,
  reportRequests,
  reportServer,
} from './support/site-report.ts'
import { createReplies, startStaticServer } from './support/site-static.ts'
import { Visitor } from './support/site-visitor.ts'

const rounds = { paint: 3, requests: 5, starts: 3 }
const paintedPages = 20
const tabs = 4
const merges = 100
const connections = 32
const requests = 1000

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  options: { pages: { type: 'string', default: '100' } },
  allowPositionals: true,
})
// `npm run bench -- site alone`
const isAlone = positionals.includes('alone')
// `npm run bench -- site server`
const isServerOnly = positionals.includes('server')
const pages = choosePages(Number(values.pages))
if (pages.length > 0) await compare()

async function compare(): Promise<void> {
  const homes = await makeHomes(serverEnv)
  try {
    const published: PublishedHome[] = []
    for (const home of homes) published.push(await publish(home, pages))
    if (!isServerOnly) {
      await compareInBrowser(published[0] as PublishedHome)
      await compareRequests(published)
    }
    for (const one of published) await measureServer(one)
  } finally {
    for (const home of homes) await home.remove()
  }
  const load = loadavg().map((minutes) => minutes.toFixed(1))
  console.log(`Load of the machine in the last minutes: ${load.join(', ')}\n`)
}

async function compareInBrowser({ home, paths }: PublishedHome): Promise<void> {
  const browser = await startBrowser()
  if (!browser) {
    console.log('There is no Chromium on this machine: bytes and paint of pages are not measured.\n')
    return
  }
  const stops: (() => unknown)[] = [() => browser.close()]
  try {
    const others = await startOthers(stops)
    await withServer(home, async ({ url }) => {
      const octavo: Site = { name: 'Octavo', urls: paths.map((path) => url + path), isPeer: false }
      const generated = [octavo, ...others.filter(({ isPeer }) => isPeer)]
      reportBytes(pages.length, await visitAll(browser, generated))
      reportPaint(await paintAll(browser, [octavo, ...others]))
    })
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

/** Builds and serves the same pages with other generators, and as bare text. */
async function startOthers(stops: (() => unknown)[]): Promise<Site[]> {
  const peers = isAlone ? [] : installPeers()
  if (peers.length === 0 && !isAlone) {
    console.log('VitePress and Starlight cannot be installed: nothing is compared with them.\n')
  }
  const sites: Site[] = []
  const serve = async (name: string, files: Record<string, Buffer>, pathOf: (page: PlainPage) => string) => {
    const server = await startStaticServer(createReplies(files))
    stops.push(() => server.stop())
    return { name, urls: pages.map((page) => server.url + pathOf(page)) }
  }
  for (const peer of peers) {
    sites.push({ ...(await serve(peer.name, await buildSite(peer, pages), peer.pathOf)), isPeer: true })
  }
  const texts = Object.fromEntries(pages.map((page) => [`/${page.slug}.html`, Buffer.from(renderBareHtml(page))]))
  const bare = await serve('the bare text', texts, ({ slug }) => `/${slug}`)
  return [...sites, { ...bare, isPeer: false }]
}

async function visitAll(browser: SiteBrowser, sites: readonly Site[]): Promise<Map<Site, FirstVisit[]>> {
  const visits = new Map<Site, FirstVisit[]>(sites.map((site) => [site, []]))
  for (const [site, made] of visits) {
    const urls = site.urls.values()
    // The number of bytes does not depend on time, so pages are visited concurrently.
    const visitOn = async () => {
      for (const url of urls) made.push(await browser.firstVisit(url))
    }
    await Promise.all(Array.from({ length: tabs }, visitOn))
  }
  return visits
}

/** Measures the paint times of all sites, page by page in turn, so that all have the same conditions. */
async function paintAll(browser: SiteBrowser, sites: readonly Site[]): Promise<Map<Site, number[]>> {
  const times = new Map<Site, number[]>(sites.map((site) => [site, []]))
  const step = Math.max(1, Math.floor(pages.length / paintedPages))
  for (let round = 0; round < rounds.paint; round++) {
    for (let page = 0; page < pages.length; page += step) {
      for (const [site, made] of times) made.push(await browser.largestPaint(site.urls[page] as string))
    }
  }
  return times
}

/** Measures requests to the page of median size, compared with node:http sending the same bytes. */
async function compareRequests(published: readonly PublishedHome[]): Promise<void> {
  const readers = startLoad()
  try {
    for (const { home, paths } of published) {
      await withServer(home, async ({ url }) => {
        const { path, reply } = await findMedianPage(url, paths)
        const bare = await startStaticServer({ [path]: { identity: reply } })
        try {
          const name = `node:http: ${reply.body.length.toLocaleString('en')} bytes`
          const [ours, theirs] = [createPageLoad(home.engine, url + path), createPageLoad(name, bare.url + path)]
          await measureRounds(readers, [theirs.cpu, ours.cpu, theirs.time, ours.time], rounds.requests)
          reportRequests(home, ours, theirs)
        } finally {
          bare.stop()
        }
      })
    }
  } finally {
    readers.stop()
  }
}

async function findMedianPage(url: string, paths: readonly string[]) {
  const visitor = new Visitor()
  const opened: { path: string; reply: { headers: Record<string, string>; body: Buffer } }[] = []
  for (const path of paths) {
    const { headers, body } = await visitor.open(url + path)
    const kept = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    opened.push({ path, reply: { headers: Object.fromEntries(kept) as Record<string, string>, body } })
  }
  visitor.close()
  const sorted = opened.toSorted((a, b) => a.reply.body.length - b.reply.body.length)
  return sorted[Math.floor(sorted.length / 2)] as (typeof opened)[number]
}

function createPageLoad(name: string, url: string): PageLoad {
  const load = { url, token: '', isCompressed: true, connections, requests }
  return { cpu: { name, measure: 'cpu', load, samples: [] }, time: { name, measure: 'time', load, samples: [] } }
}

async function measureServer(published: PublishedHome): Promise<void> {
  const starts: FirstRenders[] = []
  for (let start = 0; start < rounds.starts; start++) starts.push(await measureFirstRenders(published))
  reportServer(published, starts, await measureMerges(published, merges))
}
