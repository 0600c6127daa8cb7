// Resolving URLs and reading published sites, with few and with many spaces, compared with bare node:http
import { type RecordedReply, recordReply, startBareServer } from './support/bare.ts'
import { ApiClient } from './support/api-client.ts'
import { adminToken, serverEnv } from './support/environment.ts'
import { type Home, makeHomes } from './support/homes.ts'
import { startLoad } from './support/load.ts'
import { printTable } from './support/report.ts'
import { type Variant, formatComparison, measureRounds } from './support/rounds.ts'
import { type Octavo, startOctavo } from './support/server.ts'

const goals = { ratio: 5, growth: 1.5 }
const sizes = { few: 5, many: 500 }
type Size = keyof typeof sizes

const rounds = 7
const connections = 32

/** Measured requests of a site, each with bare node:http sending the same bytes. */
interface Measured {
  resolve: Variant
  published: Variant
  bare: { resolve: Variant; published: Variant }
}

interface Candidate {
  home: Home
  octavo: Octavo
  sites: Record<Size, Measured>
}

const homes = await makeHomes(serverEnv)
const stops: (() => unknown)[] = homes.map((home) => () => home.remove())
try {
  const load = startLoad()
  stops.unshift(() => load.stop())
  const candidates: Candidate[] = []
  for (const home of homes) {
    const octavo = await startOctavo(home.env)
    stops.unshift(() => octavo.stop())
    const sites = { few: await prepare(home, octavo, 'few'), many: await prepare(home, octavo, 'many') }
    candidates.push({ home, octavo, sites })
  }
  const variants = candidates.flatMap(({ sites: { few, many } }) =>
    [few, many].flatMap(({ resolve, published, bare }) => [bare.resolve, resolve, bare.published, published]),
  )
  await measureRounds(load, variants, rounds)
  report(candidates)
} finally {
  for (const stop of stops) await stop()
}

/** Publishes a site and prepares requests like those of a front end. */
async function prepare(home: Home, octavo: Octavo, size: Size): Promise<Measured> {
  const { address, token, path } = await publish(octavo, sizes[size])
  const question = JSON.stringify({ url: `${address}space-3/guide/first-steps` })
  const urls = { resolve: `${octavo.url}/v1/urls/published`, published: `${octavo.url}/v1${path}/published` }
  const replies = {
    '/resolve': await recordReply(urls.resolve, '', question),
    '/published': await recordReply(urls.published, token),
  }
  const bare = await startBareServer(replies)
  stops.unshift(() => bare.stop())
  const name = `${sizes[size]} spaces`
  const requests = size === 'few' ? 2000 : 300
  return {
    resolve: variant(`${home.engine}: an address, ${name}`, { url: urls.resolve, body: question }),
    published: variant(`${home.engine}: the site, ${name}`, { url: urls.published, token, requests }),
    bare: {
      resolve: variant(`node:http: ${formatSize(replies['/resolve'])} bytes`, {
        url: `${bare.url}/resolve`,
        body: question,
        requests: 4000,
      }),
      published: variant(`node:http: ${formatSize(replies['/published'])} bytes`, {
        url: `${bare.url}/published`,
        requests,
      }),
    },
  }
}

/** Creates a variant with default load options. */
function variant(what: string, load: Partial<Variant['load']> & { url: string }): Variant {
  return {
    name: what,
    measure: 'cpu',
    load: { token: '', connections, requests: 2000, ...load },
    samples: [],
  }
}

/** Publishes a site with a number of spaces. */
async function publish(octavo: Octavo, count: number): Promise<{ address: string; token: string; path: string }> {
  const caller = new ApiClient(octavo.url, adminToken)
  const [organization] = ((await caller.get('/orgs')).body as { items: { id: string }[] }).items
  const base = `/orgs/${organization?.id}`
  const spaces: string[] = []
  for (let index = 0; index < count; index++) {
    spaces.push(
      ((await caller.post(`${base}/spaces`, { title: `Space ${index}`, empty: true })).body as { id: string }).id,
    )
  }
  const site = (await caller.post(`${base}/sites`, { title: `Site of ${count}`, spaces })).body as { id: string }
  const path = `${base}/sites/${site.id}`
  const published = (await caller.post(`${path}/publish`)).body as { urls: { published: string } }
  const address = published.urls.published
  const shown = (await caller.post('/urls/published', { url: address })).body as { apiToken: string }
  caller.close()
  return { address, token: shown.apiToken, path }
}

function formatSize({ body }: RecordedReply): string {
  return Buffer.byteLength(body).toLocaleString('en')
}

function report(candidates: readonly Candidate[]): void {
  for (const { sites } of candidates) {
    const { few, many } = sites
    printTable([
      [`CPU of the server for one request, ${connections} connections`, 'us', 'ratio', 'goal'],
      formatComparison(few.bare.resolve, few.resolve, goals.ratio),
      formatComparison(many.bare.resolve, many.resolve, goals.ratio),
      formatComparison(few.resolve, { ...many.resolve, name: '  with many of with few' }, goals.growth),
      formatComparison(few.bare.published, few.published, goals.ratio),
      formatComparison(many.bare.published, many.published, goals.ratio),
    ])
  }
}
