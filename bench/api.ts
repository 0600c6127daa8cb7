// CPU time per request compared with bare node:http, lists in small and large organizations, start time and memory
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/server/stores.ts'
import { readConfig } from '../src/server/config.ts'
import { createLog } from '../src/kernel/log.ts'
import { recordReply, startBareServer } from './support/bare.ts'
import { ApiClient } from './support/api-client.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { type Home, withHomeDatabase, makeHomes } from './support/homes.ts'
import { startLoad } from './support/load.ts'
import { formatGoal, median, printTable } from './support/report.ts'
import { type Variant, formatComparison, measureRounds } from './support/rounds.ts'
import { type SeededOrganization, seedOrganization } from './support/seed.ts'
import { type SeededSpace, seedSpace } from './support/seed-space.ts'
import { type Octavo, readMetric, startOctavo } from './support/server.ts'

const goals = { resource: 2.5, list: 10, growth: 1.5, startTime: 3000, memory: 150 }

const sizes = { small: 100, large: 100_000 }
/** Number of members before the page in the middle. */
const middle = { small: 25, large: 50_000 }
/** Number of items in the lists whose CPU time is measured. */
const listSize = 50

const rounds = 5
const connections = 32
const laterStarts = 3
/** Number of requests between commits, for requests that are measured with concurrent commits. */
const commitEvery = 100
/** Idle time in milliseconds before the memory of a server is measured. */
const idleTime = 1000

/** Whether only the CPU time of requests is measured. */
const isCpuOnly = process.argv[3] === 'cpu'

/** Request whose CPU time is compared with bare node:http sending the same bytes. */
interface Request {
  name: string
  path: string
  token: string
  /** Maximum ratio to the CPU time of bare node:http. */
  goal?: number
  requests: number
  /** Whether unrelated data is committed during the measurement, which invalidates caches. */
  hasCommits?: boolean
}

interface Candidate {
  home: Home
  octavo: Octavo
  startTimes: number[]
  memory: number[]
  requests: { request: Request; variant: Variant }[]
  pages?: Record<keyof typeof sizes, { first: Variant; middle: Variant }>
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
  const requestVariants = bare.variants.flatMap((variant, index) => [
    variant,
    ...candidates.map(({ requests }) => (requests[index] as { variant: Variant }).variant),
  ])
  await measureRounds(load, [...requestVariants, ...candidates.flatMap(listPageVariants)], rounds)
  report(candidates, bare.variants)
} finally {
  for (const stop of stops) await stop()
}

/** Seeds a home, starts Octavo on it several times, and keeps the last server running. */
async function prepare(home: Home): Promise<Candidate> {
  await (await startOctavo(home.env)).stop()
  const { small, large, space } = await withHomeDatabase(home, async (database) => ({
    small: await seedOrganization(database, adminEmail, sizes.small),
    large: isCpuOnly ? undefined : await seedOrganization(database, adminEmail, sizes.large),
    space: await seedSpace(database, { adminEmail, title: 'Content', counts: [listSize] }),
  }))
  const startTimes: number[] = []
  const memory: number[] = []
  let octavo = await startOctavo(home.env)
  for (;;) {
    startTimes.push(octavo.startTime)
    await sleep(idleTime)
    memory.push((await readMetric(octavo.url, 'process_resident_memory_bytes')) / 1e6)
    if (isCpuOnly || startTimes.length === laterStarts) break
    await octavo.stop()
    octavo = await startOctavo(home.env)
  }
  const requests = await prepareRequests(octavo, small, space)
  const commit = createCommitter(home, space.id)
  return {
    home,
    octavo,
    startTimes,
    memory,
    requests: requests.map((request) => ({
      request,
      variant: {
        name: `${home.engine}: ${request.name}`,
        measure: 'cpu',
        load: {
          url: `${octavo.url}/v1${request.path}`,
          token: request.token,
          connections,
          requests: request.requests,
          ...(request.hasCommits && { commitEvery }),
        },
        commit,
        samples: [],
      },
    })),
    ...(large && {
      pages: {
        small: await createPageVariants(home, octavo, 'small', small.organizationId),
        large: await createPageVariants(home, octavo, 'large', large.organizationId),
      },
    }),
  }
}

function resource(name: string, path: string, token = adminToken): Request {
  return { name, path, token, goal: goals.resource, requests: 2000 }
}

function list(name: string, path: string): Request {
  return { name, path, token: adminToken, goal: goals.list, requests: 400 }
}

/** Returns the same request with concurrent commits, after which cached data has to be read again. */
function withCommits({ name, path, token }: Request): Request {
  const among = `${name}, a commit every ${commitEvery} requests`
  return { name: among, path, token, requests: 2000, hasCommits: true }
}

/** Opens a separate database connection for commits, so that they cost the server no CPU time. */
function createCommitter({ env }: Home, spaceId: string): () => Promise<void> {
  const database = openDatabase(readConfig(env), createLog({ level: 'error', format: 'json' }))
  stops.unshift(() => database.close())
  return async () => {
    await database.transaction((db) =>
      db.updateTable('spaces').set('title', sql.ref('title')).where('id', '=', spaceId).execute(),
    )
  }
}

/** Creates the change requests that are read, and returns the requests to measure. */
async function prepareRequests(octavo: Octavo, small: SeededOrganization, space: SeededSpace): Promise<Request[]> {
  const content = `/spaces/${space.id}`
  const caller = new ApiClient(octavo.url, adminToken)
  let changeRequest = ''
  for (let index = 0; index < listSize; index++) {
    const { body } = await caller.post(`${content}/change-requests`, { subject: `Change ${index}` })
    changeRequest = (body as { id: string }).id
  }
  caller.close()
  const organization = `/orgs/${small.organizationId}`
  const ofMember = resource('a space, as member', `/spaces/${small.spaceId}`, small.readerToken)
  const page = resource('a page', `${content}/content/page/${space.leaves[0]?.id}?format=document`)
  return [
    resource('an organization', organization),
    resource('a space, as administrator', `/spaces/${small.spaceId}`),
    ofMember,
    withCommits(ofMember),
    page,
    withCommits(page),
    resource('a change request', `${content}/change-requests/${changeRequest}`),
    resource('a user', `/users/${small.readerId}`),
    list(`${listSize} members`, `${organization}/members?limit=${listSize}`),
    list(`${listSize} spaces`, `${organization}/spaces?limit=${listSize}`),
    list(`${listSize} change requests`, `${content}/change-requests?status=draft&limit=${listSize}`),
    list(`${listSize} pages of a space`, `${content}/content/pages`),
  ]
}

async function createPageVariants(home: Home, octavo: Octavo, size: keyof typeof sizes, organizationId: string) {
  const url = `${octavo.url}/v1/orgs/${organizationId}/members`
  const cursor = await cursorAfter(url, middle[size])
  const oneByOne = (name: string, query: string): Variant => ({
    name: `${home.engine}: ${name} of ${sizes[size].toLocaleString('en')}`,
    measure: 'time',
    load: { url: `${url}?${query}`, token: adminToken, connections: 1, requests: 100 },
    samples: [],
  })
  return {
    first: oneByOne('first page', 'limit=50'),
    middle: oneByOne('page in the middle', `limit=50&page=${cursor}`),
  }
}

/** Returns the cursor of the page after a number of members by following the pages of the list. */
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

/** Starts the bare server with the recorded replies of a candidate. */
async function prepareBare({ requests }: Candidate): Promise<{ variants: Variant[]; stop(): void }> {
  const replies = await Promise.all(requests.map(({ variant: { load } }) => recordReply(load.url, load.token)))
  const bare = await startBareServer(Object.fromEntries(replies.map((reply, index) => [`/${index}`, reply])))
  const variants = replies.map(({ body }, index): Variant => {
    const bytes = Buffer.byteLength(body).toLocaleString('en')
    const load = { url: `${bare.url}/${index}`, token: adminToken, connections, requests: 2000 }
    return { name: `node:http: ${bytes} bytes`, measure: 'cpu', load, samples: [] }
  })
  return { variants, stop: () => bare.stop() }
}

function listPageVariants({ pages }: Candidate): Variant[] {
  return pages ? [pages.small, pages.large].flatMap(({ first, middle: inside }) => [first, inside]) : []
}

function report(candidates: Candidate[], bare: Variant[]): void {
  printTable([
    [`CPU of the server for one request, ${connections} connections`, 'us', 'of bare', 'goal'],
    ...bare.flatMap((base, index) => [
      formatComparison(base, base),
      ...candidates.map(({ requests }) => {
        const { variant, request } = requests[index] as Candidate['requests'][number]
        return formatComparison(base, variant, request.goal)
      }),
    ]),
  ])
  if (isCpuOnly) return
  printTable([
    ['Time until 50 members are there, one request at a time', 'us', 'of small', 'goal'],
    ...candidates.flatMap(({ pages }) =>
      pages
        ? (['first', 'middle'] as const).flatMap((page) => [
            formatComparison(pages.small[page], pages.small[page]),
            formatComparison(pages.small[page], pages.large[page], goals.growth),
          ])
        : [],
    ),
  ])
  printTable([
    ['A later start', '', '', 'goal'],
    ...candidates.flatMap(({ home, startTimes, memory }) => [
      [`${home.engine}: ready after`, ...formatAmount(startTimes, 'ms', goals.startTime)],
      [`${home.engine}: memory when idle`, ...formatAmount(memory, 'MB', goals.memory)],
    ]),
  ])
}

function formatAmount(values: number[], unit: string, goal: number): string[] {
  return [String(Math.round(median(values))), unit, formatGoal(median(values), goal, ` ${unit}`)]
}
