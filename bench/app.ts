// The web app: script bytes of each screen, and the time until it is usable compared with an empty Preact page
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '../src/client/client.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { insertMembers } from '../tests/support/many-members.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type Home, makeHomes, withHomeDatabase } from './support/homes.ts'
import { waitForJobs } from './support/jobs.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { seedSpace } from './support/seed-space.ts'
import { startOctavo } from './support/server.ts'
import { createBrowserSession } from './support/session.ts'

const rounds = 5
const spaceCount = 1000
const siteCount = 100
const memberCount = 10_000
const redirectCount = 1000
/** Pages on each level: 5,050 pages in all. */
const pageCounts = [50, 100]
const changedPages = 500
/** Changes in one request. */
const batchSize = 50
const redirectBatchSize = 500
/** Goals: bytes of compressed script before the first screen is usable, and milliseconds. */
const goals = { script: 60 * 1024, editor: 170 * 1024, time: 1000 }

/** A screen, and an element that exists when it is usable. */
interface Screen {
  name: string
  url: string
  ready: string
  maxScript: number
}

interface Measured {
  time: number
  script: number
}

const executablePath = findChromium()
if (executablePath === undefined) console.log('There is no Chromium on this machine.')
else await measureApp(executablePath)

async function measureApp(path: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  const bare = await startBarePage()
  try {
    for (const home of await makeHomes(serverEnv)) {
      await measureHome(browser, home, bare.url)
      await home.remove()
    }
  } finally {
    bare.stop()
    await browser.close()
  }
}

async function measureHome(browser: Browser, home: Home, bareUrl: string): Promise<void> {
  // The first start creates the administrator.
  await (await startOctavo(home.env)).stop()
  const { token, spaceId } = await withHomeDatabase(home, async (database) => {
    const seeded = await seedSpace(database, { adminEmail, title: 'Large space', counts: pageCounts })
    const { organization_id: organizationId } = await database.reader
      .selectFrom('spaces')
      .select('organization_id')
      .where('id', '=', seeded.id)
      .executeTakeFirstOrThrow()
    await insertMembers(database, organizationId, memberCount)
    return { token: await createBrowserSession(database, adminEmail), spaceId: seeded.id }
  })
  const server = await startOctavo(home.env)
  try {
    const screens = await prepareScreens(server.url, spaceId)
    await waitForJobs(server)
    await report(browser, home.engine, token, bareUrl, screens)
  } finally {
    await server.stop()
  }
}

/** Creates spaces, sites and a change request, and returns the screens that show them. */
async function prepareScreens(url: string, spaceId: string): Promise<Screen[]> {
  const api = createClient({ url, token: adminToken })
  const { organization: organizationId } = await api.getSpaceById({ params: { spaceId } })
  for (let index = 0; index < spaceCount; index++)
    await api.createSpace({ params: { organizationId }, body: { title: `Space ${index}` } })
  for (let index = 0; index < siteCount; index++)
    await api.createSite({ params: { organizationId }, body: { title: `Site ${index}` } })
  const { id: siteId } = await api.createSite({ params: { organizationId }, body: { title: 'Redirected' } })
  const redirects = Array.from({ length: redirectCount }, (_, index) => ({
    source: `/old/${index}`,
    destination: { kind: 'external' as const, url: `https://example.com/${index}` },
  }))
  for (let at = 0; at < redirectCount; at += redirectBatchSize)
    await api.bulkUpsertSiteRedirects({
      params: { organizationId, siteId },
      body: { redirects: redirects.slice(at, at + redirectBatchSize) },
    })
  const { pages } = await api.getTableOfContents({ params: { spaceId } })
  const ids = pages.flatMap(({ id, pages: below = [] }) => [id, ...below.map((page) => page.id)])
  const { number } = await api.createChangeRequest({ params: { spaceId }, body: { subject: 'Many changes' } })
  const params = { spaceId, changeRequestId: String(number) }
  for (let at = 0; at < changedPages; at += batchSize) {
    const changes = ids.slice(at, at + batchSize).map((page) => ({
      operation: 'update_page' as const,
      page,
      document: { markdown: 'A new text.' },
    }))
    await api.updateChangeRequestContent({ params, body: { changes } })
  }
  const [page] = ids
  const space = `${url}/app/spaces/${spaceId}`
  const { script, editor } = goals
  return [
    { name: 'home, 1,000 spaces', url: `${url}/app/orgs/${organizationId}`, ready: '.section', maxScript: script },
    { name: 'sites, 100', url: `${url}/app/orgs/${organizationId}/sites`, ready: '.rows .row', maxScript: script },
    {
      name: 'members, 10,000',
      url: `${url}/app/orgs/${organizationId}/members`,
      ready: '.windowed-row',
      maxScript: script,
    },
    {
      name: 'redirects, 1,000',
      url: `${url}/app/orgs/${organizationId}/sites/${siteId}/redirects`,
      ready: 'main .windowed-row',
      maxScript: script,
    },
    { name: 'page, 5,050 in the tree', url: `${space}/pages/${page}`, ready: '.content p', maxScript: script },
    {
      name: 'change request',
      url: `${space}/change-requests/${number}`,
      ready: '.screen-title, h1',
      maxScript: script,
    },
    {
      name: 'changes, 500 pages',
      url: `${space}/change-requests/${number}/changes`,
      ready: '.content p',
      maxScript: script,
    },
    {
      name: 'visual editor',
      url: `${space}/change-requests/${number}/pages/${page}`,
      ready: '.content p',
      maxScript: editor,
    },
  ]
}

async function report(
  browser: Browser,
  engine: string,
  token: string,
  bareUrl: string,
  screens: readonly Screen[],
): Promise<void> {
  const bare: Screen = { name: 'empty Preact page', url: bareUrl, ready: 'h1', maxScript: goals.script }
  const all = [bare, ...screens]
  const samples = new Map<Screen, Measured[]>(all.map((screen) => [screen, []]))
  for (let round = 0; round <= rounds; round++)
    for (const screen of all) {
      const measured = await openScreen(browser, screen, token)
      // The first round is a warm-up.
      if (round > 0) samples.get(screen)?.push(measured)
    }
  const bareTimes = samples.get(bare)?.map(({ time }) => time) ?? []
  console.log(`${engine}: median of ${rounds} visits with an empty cache`)
  printTable([
    ['screen', 'script, gzip', 'goal', 'usable', 'x empty page', 'goal'],
    ...all.map((screen) => {
      const measured = samples.get(screen) ?? []
      const time = median(measured.map((one) => one.time))
      const script = median(measured.map((one) => one.script))
      const ratio = median(measured.map((one, round) => one.time / (bareTimes[round] as number)))
      return [
        screen.name,
        `${(script / 1024).toFixed(1)} KB`,
        screen === bare ? '' : formatGoal(script / 1024, screen.maxScript / 1024, ' KB'),
        `${Math.round(time)} ms`,
        `${ratio.toFixed(1)} x`,
        screen === bare ? '' : formatGoal(time, goals.time, ' ms'),
      ]
    }),
  ])
}

/** Opens a screen in a new browser context; returns the time until it is usable and the bytes of its scripts. */
async function openScreen(browser: Browser, { url, ready }: Screen, token: string): Promise<Measured> {
  const { hostname } = new URL(url)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: 'octavo-session', value: token, domain: hostname, path: '/' }])
  try {
    const page = await context.newPage()
    const started = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForSelector(ready)
    const time = performance.now() - started
    const script = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
    return { time, script }
  } finally {
    await context.close()
  }
}

/** Serves a page that renders a heading with Preact. */
async function startBarePage(): Promise<{ url: string; stop: () => void }> {
  const preact = readFileSync(createRequire(import.meta.url).resolve('preact'))
  const html = `<!doctype html><title>Empty</title><div id="root"></div><script type="module">
    import { h, render } from './preact.js'
    render(h('h1', null, 'Empty'), document.getElementById('root'))</script>`
  const server = createServer(({ url }, reply) => {
    const isScript = url === '/preact.js'
    reply.setHeader('content-type', isScript ? 'text/javascript' : 'text/html').end(isScript ? preact : html)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => void server.close() }
}
