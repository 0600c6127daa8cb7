// CPU a request costs against bare node:http, start time, memory, and lists in small and large organizations
import { setTimeout as sleep } from 'node:timers/promises'
import { type RecordedReply, record, startBare } from './support/bare.ts'
import { type Home, inDatabase, makeHomes } from './support/homes.ts'
import { type Load, startLoad } from './support/load.ts'
import { judge, median, printTable } from './support/report.ts'
import { seedOrganization } from './support/seed.ts'
import { type Octavo, readMetric, startOctavo } from './support/server.ts'

const adminToken = 'oct_bench_administrator_of_this_run'
const adminEmail = 'admin@example.com'
const commonEnv = {
  OCTAVO_LOG_LEVEL: 'warn',
  OCTAVO_RATE_LIMIT: '0',
  OCTAVO_BOOTSTRAP_TOKEN: adminToken,
  OCTAVO_ADMIN_EMAIL: adminEmail,
}

const sizes = { small: 100, large: 100_000 }
/** How many members come before the page in the middle. */
const middle = { small: 25, large: 50_000 }

const rounds = 9
const connections = 8
const laterStarts = 3
/** How long a server is left alone before its memory is read. */
const idleTime = 1000

const goals = { ratio: 3, startTime: 3000, rss: 150, growth: 1.5 }

/** Something whose cost is measured in every round. */
interface Variant {
  name: string
  load: Load
  samples: number[]
}

interface Candidate {
  home: Home
  octavo: Octavo
  startTimes: number[]
  memory: number[]
  space: Variant
  spaceOfReader: Variant
  lists: Record<keyof typeof sizes, { first: Variant; middle: Variant }>
}

const homes = await makeHomes(commonEnv)
const stops: (() => unknown)[] = homes.map((home) => () => home.remove())
try {
  const load = startLoad()
  stops.unshift(() => load.stop())
  const candidates: Candidate[] = []
  for (const home of homes) {
    const candidate = await prepare(home)
    stops.unshift(() => candidate.octavo.stop())
    candidates.push(candidate)
  }
  const { bare, variants: bareVariants } = await prepareBare(candidates[0] as Candidate)
  stops.unshift(() => bare.stop())
  const variants = [...Object.values(bareVariants), ...candidates.flatMap(variantsOf)]
  for (let round = 0; round <= rounds; round++) {
    for (const variant of variants) {
      const cost = await cpuPerRequest(load, variant)
      // The first round warms everything up.
      if (round > 0) variant.samples.push(cost)
    }
  }
  report(candidates, bareVariants)
} finally {
  for (const stop of stops) await stop()
}

/** Fills a home, starts Octavo on it a few times, and leaves the last one running. */
async function prepare(home: Home): Promise<Candidate> {
  await (await startOctavo(home.env)).stop()
  const { small, large } = await inDatabase(home, async (database) => ({
    small: await seedOrganization(database, adminEmail, sizes.small),
    large: await seedOrganization(database, adminEmail, sizes.large),
  }))
  const startTimes: number[] = []
  const memory: number[] = []
  let octavo = await startOctavo(home.env)
  for (;;) {
    startTimes.push(octavo.startTime)
    await sleep(idleTime)
    memory.push((await readMetric(octavo.url, 'process_resident_memory_bytes')) / 1e6)
    if (startTimes.length === laterStarts) break
    await octavo.stop()
    octavo = await startOctavo(home.env)
  }
  const variant = (name: string, path: string, requests: number, token = adminToken): Variant => ({
    name: `${home.engine}: ${name}`,
    load: { url: `${octavo.url}/v1${path}`, token, connections, requests },
    samples: [],
  })
  const listsOf = async (size: keyof typeof sizes, organizationId: string) => {
    const path = `/orgs/${organizationId}/members`
    const name = `50 of ${sizes[size].toLocaleString('en')} members`
    const cursor = await cursorAfter(`${octavo.url}/v1${path}`, middle[size])
    return {
      first: variant(`${name}, first page`, `${path}?limit=50`, 400),
      middle: variant(`${name}, in the middle`, `${path}?limit=50&page=${cursor}`, 400),
    }
  }
  return {
    home,
    octavo,
    startTimes,
    memory,
    space: variant('a space, as administrator', `/spaces/${small.spaceId}`, 3000),
    spaceOfReader: variant('a space, as member', `/spaces/${small.spaceId}`, 3000, small.readerToken),
    lists: { small: await listsOf('small', small.organizationId), large: await listsOf('large', large.organizationId) },
  }
}

/** The cursor of a page that so many members come before, found as a client finds it. */
async function cursorAfter(url: string, count: number): Promise<string> {
  const limit = Math.min(count, 1000)
  let cursor = ''
  for (let passed = 0; passed < count; passed += limit) {
    const reply = await fetch(`${url}?limit=${limit}${cursor && `&page=${cursor}`}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    })
    cursor = ((await reply.json()) as { next: { page: string } }).next.page
  }
  return cursor
}

/** Starts the bare server with the replies that a candidate gives. */
async function prepareBare({ space, lists }: Candidate) {
  const replies = {
    '/space': await record(space.load.url, adminToken),
    '/list': await record(lists.small.first.load.url, adminToken),
  }
  const bare = await startBare(replies)
  const variant = (path: keyof typeof replies, requests: number): Variant => ({
    name: `node:http: ${bytesOf(replies[path])} bytes`,
    load: { url: `${bare.url}${path}`, token: adminToken, connections, requests },
    samples: [],
  })
  return { bare, variants: { space: variant('/space', 6000), list: variant('/list', 4000) } }
}

function bytesOf({ body }: RecordedReply): string {
  return Buffer.byteLength(body).toLocaleString('en')
}

function variantsOf({ space, spaceOfReader, lists: { small, large } }: Candidate): Variant[] {
  return [space, spaceOfReader, small.first, large.first, small.middle, large.middle]
}

/** Microseconds of CPU that the server's process spends on one request. */
async function cpuPerRequest(load: ReturnType<typeof startLoad>, { load: request }: Variant): Promise<number> {
  const before = await cpuOf(request)
  await load.run(request)
  return (((await cpuOf(request)) - before) / request.requests) * 1e6
}

function cpuOf({ url }: Load): Promise<number> {
  return readMetric(new URL(url).origin, 'process_cpu_seconds_total')
}

/** How many times as much one costs as another: the median over rounds, in which both met the same conditions. */
function ratio(variant: Variant, base: Variant): number {
  return median(variant.samples.map((cost, round) => cost / (base.samples[round] as number)))
}

function against(variant: Variant, base: Variant, goal = ''): string[] {
  return [variant.name, String(Math.round(median(variant.samples))), `${ratio(variant, base).toFixed(2)} x`, goal]
}

function report(candidates: Candidate[], bare: { space: Variant; list: Variant }): void {
  printTable([
    ['CPU of one request (the server alone)', 'us', 'of bare', 'goal'],
    against(bare.space, bare.space),
    ...candidates
      .flatMap(({ space, spaceOfReader }) => [space, spaceOfReader])
      .map((variant) => against(variant, bare.space, judge(ratio(variant, bare.space), goals.ratio, ' x'))),
    against(bare.list, bare.list),
    ...candidates.map(({ lists }) => against(lists.small.first, bare.list)),
  ])
  printTable([
    ['The same list in a large organization', 'us', 'of small', 'goal'],
    ...candidates.flatMap(({ lists: { small, large } }) =>
      (['first', 'middle'] as const).flatMap((page) => [
        against(small[page], small[page]),
        against(large[page], small[page], judge(ratio(large[page], small[page]), goals.growth, ' x')),
      ]),
    ),
  ])
  printTable([
    ['A later start', '', '', 'goal'],
    ...candidates.flatMap(({ home, startTimes, memory }) => [
      [
        `${home.engine}: ready after`,
        Math.round(median(startTimes)).toString(),
        'ms',
        judge(median(startTimes), goals.startTime, ' ms'),
      ],
      [
        `${home.engine}: memory when idle`,
        Math.round(median(memory)).toString(),
        'MB',
        judge(median(memory), goals.rss, ' MB'),
      ],
    ]),
  ])
}
