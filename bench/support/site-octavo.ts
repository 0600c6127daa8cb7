import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/kernel/ids.ts'
import { randomInteger, seededRandom } from '../../tests/support/random.ts'
import { ApiClient } from './api-client.ts'
import { adminEmail, adminToken } from './environment.ts'
import { type Home, withHomeDatabase } from './homes.ts'
import { waitForJobs } from './jobs.ts'
import { type LeafPage, type SeededSpace, seedSpace, createPageMarkdown } from './seed-space.ts'
import { type Octavo, peakMemory, readMetric, startOctavo } from './server.ts'
import { type PlainPage, toMarkdown, partTitle, listParts } from './site-pages.ts'
import { Visitor, decodeHtml } from './site-visitor.ts'

/** Home with two published sites: the pages that all generators publish, and a large space. */
export interface PublishedHome {
  home: Home
  /** Paths of the pages in order, independent of the server's port. */
  paths: string[]
  large: { space: SeededSpace; base: string }
}

/** Number of pages below each page of the large space, by level: 10,000 in total. */
const largeShape = [4, 50, 49]

/** Idle time in milliseconds before the memory of a server is measured. */
const idleTime = 1000

/** Timeout in milliseconds until merged content is served. */
const timeout = 10_000

export async function publish(home: Home, pages: readonly PlainPage[]): Promise<PublishedHome> {
  const paths = await withServer(home, (octavo, caller) => publishPages(octavo, caller, pages))
  const space = await withHomeDatabase(home, (database) =>
    seedSpace(database, { adminEmail, title: 'Large', counts: largeShape }),
  )
  const base = await withServer(home, (_, caller) => publishSpace(caller, space.id))
  return { home, paths, large: { space, base } }
}

async function publishPages(octavo: Octavo, caller: ApiClient, pages: readonly PlainPage[]): Promise<string[]> {
  const [organization] = ((await caller.get('/orgs')).body as { items: { id: string }[] }).items
  const created = await caller.post(`/orgs/${organization?.id}/spaces`, { title: 'Handbook', empty: true })
  const { id } = created.body as { id: string }
  for (const part of listParts(pages)) {
    const group = { operation: 'insert_group', title: partTitle(part), slug: part, ref: part }
    const inserted = pages
      .filter((page) => page.part === part)
      .map((page) => ({
        operation: 'insert_page',
        document: { markdown: toMarkdown(page) },
        slug: page.slug,
        into: part,
      }))
    await caller.post(`/spaces/${id}/content`, { changes: [group, ...inserted] })
  }
  const { body } = await caller.get(`/spaces/${id}/content/pages`)
  const base = await publishSpace(caller, id)
  const paths: string[] = []
  for (const path of documentPaths((body as { pages: ListedPage[] }).pages)) {
    // The first page is at the URL of the site.
    const { headers } = await fetch(octavo.url + base + path, { redirect: 'manual' })
    const location = headers.get('location')
    paths.push(location === null ? base + path : new URL(location).pathname)
  }
  return paths
}

interface ListedPage {
  type: string
  path: string
  pages?: ListedPage[]
}

const documentPaths = (pages: readonly ListedPage[]): string[] =>
  pages.flatMap(({ type, path, pages: below = [] }) => [
    ...(type === 'document' ? [path] : []),
    ...documentPaths(below),
  ])

/** Publishes a site of one space; returns the path of its URL. */
async function publishSpace(caller: ApiClient, spaceId: string): Promise<string> {
  const { organization } = (await caller.get(`/spaces/${spaceId}`)).body as { organization: string }
  const made = await caller.post(`/orgs/${organization}/sites`, { title: 'Handbook', spaces: [spaceId] })
  const path = `/orgs/${organization}/sites/${(made.body as { id: string }).id}`
  const { urls } = (await caller.post(`${path}/publish`)).body as { urls: { published: string } }
  return new URL(urls.published).pathname
}

export interface FirstRenders {
  /** Milliseconds of the first request to each page. */
  pages: number[]
  large: number[]
  /** Memory in megabytes. */
  memory: { atRest: number; served: number; peak: number }
}

/** Starts a server and opens each page once, then as many pages of the large space. */
export async function measureFirstRenders({ home, paths, large }: PublishedHome): Promise<FirstRenders> {
  return withServer(home, async (octavo) => {
    const visitor = new Visitor()
    const openAll = async (all: readonly string[]) => {
      const times: number[] = []
      for (const path of all) times.push((await visitor.open(octavo.url + path)).milliseconds)
      return times
    }
    try {
      const atRest = await measureIdleMemory(octavo)
      const pages = await openAll(paths)
      const served = await measureIdleMemory(octavo)
      const leaves = pickLeaves(large.space, paths.length)
      const times = await openAll(leaves.map(({ path }) => large.base + path))
      return { pages, large: times, memory: { atRest, served, peak: await peakMemory(octavo) } }
    } finally {
      visitor.close()
    }
  })
}

export interface Merges {
  /** Milliseconds of the merge requests. */
  merge: number[]
  /** Milliseconds from the reply until the new page was served. */
  served: number[]
  /** Number of times that a page was still the old version. */
  stale: number
}

/** Merges changes of recently read pages anywhere in the large space, and reads them again. */
export async function measureMerges({ home, large }: PublishedHome, count: number): Promise<Merges> {
  return withServer(home, async (octavo, caller) => {
    const visitor = new Visitor()
    const measured: Merges = { merge: [], served: [], stale: 0 }
    try {
      for (const { id, path } of pickLeaves(large.space, count)) {
        const url = octavo.url + large.base + path
        await visitor.open(url)
        const created = (await caller.post(`/spaces/${large.space.id}/change-requests`)).body as { id: string }
        const request = `/spaces/${large.space.id}/change-requests/${created.id}`
        const mark = newId()
        const change = { operation: 'update_page', page: id, document: { markdown: createPageMarkdown(mark) } }
        await caller.post(`${request}/content`, { changes: [change] })
        measured.merge.push((await caller.post(`${request}/merge`)).milliseconds)
        const merged = performance.now()
        while (!decodeHtml(await visitor.open(url)).includes(mark)) {
          measured.stale++
          if (performance.now() - merged > timeout) throw new Error(`${url} does not show what was merged`)
        }
        measured.served.push(performance.now() - merged)
      }
      return measured
    } finally {
      visitor.close()
    }
  })
}

export async function withServer<T>(
  { env }: Home,
  work: (octavo: Octavo, caller: ApiClient) => Promise<T>,
): Promise<T> {
  const octavo = await startOctavo(env)
  const caller = new ApiClient(octavo.url, adminToken)
  try {
    await waitForJobs(octavo)
    const result = await work(octavo, caller)
    await waitForJobs(octavo)
    return result
  } finally {
    caller.close()
    await octavo.stop()
  }
}

async function measureIdleMemory({ url }: Octavo): Promise<number> {
  await sleep(idleTime)
  return (await readMetric(url, 'process_resident_memory_bytes')) / 1e6
}

function pickLeaves({ leaves }: SeededSpace, count: number): LeafPage[] {
  const chance = seededRandom(1)
  const chosen = new Set<LeafPage>()
  while (chosen.size < count) chosen.add(leaves[randomInteger(chance, 0, leaves.length - 1)] as LeafPage)
  return [...chosen]
}
