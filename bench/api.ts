// CPU of a request against bare node:http, lists in small and large organizations, start time and memory
import { setTimeout as sleep } from 'node:timers/promises'
import { type RecordedReply, record, startBare } from './support/bare.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type Home, inDatabase, makeHomes } from './support/homes.ts'
import { startLoad } from './support/load.ts'
import { judge, median, printTable } from './support/report.ts'
import { type Variant, against, measureRounds } from './support/rounds.ts'
import { seedOrganization } from './support/seed.ts'
import { type Octavo, readMetric, startOctavo } from './support/server.ts'

const goals = { ratio: 3, growth: 1.5, startTime: 3000, memory: 150 }

const sizes = { small: 100, large: 100_000 }
/** How many members come before the page in the middle. */
const middle = { small: 25, large: 50_000 }

const rounds = 7
const connections = 32
const laterStarts = 3
/** How long a server is left alone before its memory is read. */
const idleTime = 1000

interface Candidate {
  home: Home
  octavo: Octavo
  startTimes: number[]
  memory: number[]
  spaces: Variant[]
  list: Variant
  pages: Record<keyof typeof sizes, { first: Variant; middle: Variant }>
}

const homes = await makeHomes(serverEnv)
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
  const bare = await prepareBare(candidates[0] as Candidate)
  stops.unshift(() => bare.stop())
  const variants = [bare.space, bare.list, ...candidates.flatMap(variantsOf)]
  await measureRounds(load, variants, rounds)
  report(candidates, bare)
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

  const underLoad = (name: string, path: string, requests: number, token = adminToken): Variant => ({
    name: `${home.engine}: ${name}`,
    measure: 'cpu',
    load: { url: `${octavo.url}/v1${path}`, token, connections, requests },
    samples: [],
  })
  const oneByOne = (name: string, path: string): Variant => ({
    ...underLoad(name, path, 100),
    measure: 'time',
    load: { url: `${octavo.url}/v1${path}`, token: adminToken, connections: 1, requests: 100 },
  })
  const pagesOf = async (size: keyof typeof sizes, organizationId: string) => {
    const path = `/orgs/${organizationId}/members`
    const name = `of ${sizes[size].toLocaleString('en')}`
    const cursor = await cursorAfter(`${octavo.url}/v1${path}`, middle[size])
    return {
      first: oneByOne(`first page ${name}`, `${path}?limit=50`),
      middle: oneByOne(`page in the middle ${name}`, `${path}?limit=50&page=${cursor}`),
    }
  }
  return {
    home,
    octavo,
    startTimes,
    memory,
    spaces: [
      underLoad('a space, as administrator', `/spaces/${small.spaceId}`, 4000),
      underLoad('a space, as member', `/spaces/${small.spaceId}`, 4000, small.readerToken),
    ],
    list: underLoad('50 members', `/orgs/${small.organizationId}/members?limit=50`, 400),
    pages: { small: await pagesOf('small', small.organizationId), large: await pagesOf('large', large.organizationId) },
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
async function prepareBare({ spaces: [space], list }: Candidate) {
  const replies = {
    '/space': await record((space as Variant).load.url, adminToken),
    '/list': await record(list.load.url, adminToken),
  }
  const bare = await startBare(replies)
  const underLoad = (path: keyof typeof replies): Variant => ({
    name: `node:http: ${bytesOf(replies[path])} bytes`,
    measure: 'cpu',
    load: { url: `${bare.url}${path}`, token: adminToken, connections, requests: 5000 },
    samples: [],
  })
  return { stop: () => bare.stop(), space: underLoad('/space'), list: underLoad('/list') }
}

function bytesOf({ body }: RecordedReply): string {
  return Buffer.byteLength(body).toLocaleString('en')
}

function variantsOf({ spaces, list, pages: { small, large } }: Candidate): Variant[] {
  return [...spaces, list, small.first, large.first, small.middle, large.middle]
}

function report(candidates: Candidate[], bare: { space: Variant; list: Variant }): void {
  printTable([
    [`CPU of the server for one request, ${connections} connections`, 'us', 'of bare', 'goal'],
    against(bare.space, bare.space),
    ...candidates.flatMap(({ spaces }) => spaces.map((space) => against(bare.space, space, goals.ratio))),
    against(bare.list, bare.list),
    ...candidates.map(({ list }) => against(bare.list, list)),
  ])
  printTable([
    ['Time until 50 members are there, one request at a time', 'us', 'of small', 'goal'],
    ...candidates.flatMap(({ pages: { small, large } }) =>
      (['first', 'middle'] as const).flatMap((page) => [
        against(small[page], small[page]),
        against(small[page], large[page], goals.growth),
      ]),
    ),
  ])
  printTable([
    ['A later start', '', '', 'goal'],
    ...candidates.flatMap(({ home, startTimes, memory }) => [
      [`${home.engine}: ready after`, ...amount(startTimes, 'ms', goals.startTime)],
      [`${home.engine}: memory when idle`, ...amount(memory, 'MB', goals.memory)],
    ]),
  ])
}

function amount(values: number[], unit: string, goal: number): string[] {
  return [String(Math.round(median(values))), unit, judge(median(values), goal, ` ${unit}`)]
}
