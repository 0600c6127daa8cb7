import { type EmbedData, type FetchedEmbed, describeUrl, fetchEmbed } from '../../embeds/fetch-embed.ts'
import { createFetch, type Fetch } from '../../fetch/fetch.ts'
import { CallsPerMinute } from '../../kernel/calls-per-minute.ts'
import type { Enqueue, JobDescriptor } from '../../kernel/context.ts'
import { AppError, BusyError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { LruCache } from '../../kernel/lru-cache.ts'
import { type Clock, hours, minutes, seconds, timestamp } from '../../kernel/time.ts'
import { WorkQueue } from '../../kernel/work-queue.ts'
import type { Db } from '../../schema/tables.ts'
import type { Database } from '../../storage/database.ts'
import * as store from './embed-store.ts'

/** Time after which data is fetched again when it is shown. */
const lifetime = hours(24)
/** Time after which a URL is tried again that returned nothing, or no description. */
const failureLifetime = minutes(10)

/** Maximum number of stored URLs of an organization; those that expire first are deleted, some at a time. */
const maxEmbeds = 10_000
const deletedAtOnce = 100

/** Maximum length of a URL. */
export const maxEmbedUrlLength = 4096

/** Maximum number of embeds of one page whose data is shown. */
const maxEmbedsPerPage = 100

/** Maximum number of URLs that are read at once, for example for all pages of a PDF. */
const maxEmbedsRead = 1000

/** Maximum number of URLs that one caller can have fetched per minute. Stored ones are not counted. */
const maxFetchesPerMinute = 60

/** Time for which a page is not cached because data of its embeds is being fetched. */
const maxPendingTime = minutes(1)

/** Time after which the request to fetch a URL is repeated. */
const requestInterval = minutes(1)

/** Job that fetches the requested URLs of an organization. */
export const fetchEmbedsJob: JobDescriptor<{ organizationId: string }> = {
  name: 'embeds.fetch',
  key: ({ organizationId }) => organizationId,
}

export interface EmbedServices {
  fetch: Fetch
  /** Whether websites are contacted; otherwise only stored data and the information in URLs are shown. */
  fetchesEmbeds: boolean
  database: Database
  enqueue: Enqueue
  clock: Clock
  log: Log
}

/** Caller that needs the data of a URL. */
export interface EmbedCaller {
  /** Name by which requests are limited. */
  name: string
  /** Whether private addresses may be contacted if the server allows them; false for visitors of sites. */
  isTrusted: boolean
}

/** Returns the stored data of a URL. */
export type FindEmbed = (url: string) => EmbedData | undefined

/** Data of the embeds of a page. */
export interface PageEmbeds {
  find: FindEmbed
  /** Whether the data will not change soon, so that the page can be cached. */
  isComplete: boolean
}

/** Fetches and stores the data of embeds. */
export class Embeds {
  readonly #services: EmbedServices
  readonly #publicFetch = createFetch({ allowPrivateNetwork: false })
  readonly #calls = new CallsPerMinute()
  readonly #queue = new WorkQueue({
    maxRunning: 16,
    maxRunningPerCaller: 4,
    maxWaiting: 200,
    maxWaitingPerCaller: 40,
    maxWait: seconds(10),
  })
  /** Requests that are not stored yet, so that equal requests share the result. */
  readonly #resolving = new Map<string, Promise<EmbedData | undefined>>()
  /** Running fetches by URL, so that a URL is fetched once at a time. */
  readonly #running = new Map<string, Promise<FetchedEmbed>>()
  /** Times of the latest requests of pages. */
  readonly #requests = new LruCache<number>(5000)
  readonly #stopping = new AbortController()

  constructor(services: EmbedServices) {
    this.#services = services
  }

  /**
   * Returns the data of a URL, fetched if none is stored; undefined if there is none. Without an organization, nothing is
   * stored.
   */
  async resolve(organizationId: string | undefined, caller: EmbedCaller, url: string): Promise<EmbedData | undefined> {
    const key = JSON.stringify([organizationId, caller.isTrusted, url])
    const running = this.#resolving.get(key)
    if (running) return running
    const resolving = this.#resolve(organizationId, caller, url).finally(() => this.#resolving.delete(key))
    this.#resolving.set(key, resolving)
    return resolving
  }

  async #resolve(organizationId: string | undefined, caller: EmbedCaller, url: string): Promise<EmbedData | undefined> {
    const { database, clock } = this.#services
    const stored =
      organizationId === undefined
        ? undefined
        : (await store.findEmbeds(database.reader, organizationId, [url])).get(url)
    const isCurrent = stored !== undefined && stored.expires_at > timestamp(clock())
    if (organizationId !== undefined && stored?.state === 'found') {
      if (!isCurrent && this.#services.fetchesEmbeds) await this.#request(organizationId, [url])
      return toEmbedData(stored)
    }
    if (stored?.state === 'absent' && isCurrent) return undefined
    if (!this.#services.fetchesEmbeds) return describeUrl(new URL(url))
    this.#countFetch(caller.name)
    const fetched = await this.#fetch(caller, url)
    // A failure of a visitor's request is not stored: members may be allowed to reach the address.
    if (organizationId !== undefined && (caller.isTrusted || fetched.kind === 'found'))
      await this.#store(organizationId, url, fetched)
    return fetched.kind === 'found' ? fetched.data : undefined
  }

  /** Returns the stored data for the embeds of a page. What is missing or expired is fetched in the background. */
  async readForPage(organizationId: string, pageUrls: readonly string[]): Promise<PageEmbeds> {
    const urls = [...new Set(pageUrls.flatMap((url) => toEmbedUrl(url) ?? []))].slice(0, maxEmbedsPerPage)
    if (urls.length === 0) return { find: () => undefined, isComplete: true }
    const { database, clock, log, fetchesEmbeds } = this.#services
    const rows = await store.findEmbeds(database.reader, organizationId, urls)
    const now = clock()
    const expired = fetchesEmbeds ? urls.filter((url) => (rows.get(url)?.expires_at ?? '') <= timestamp(now)) : []
    const isFetchedSoon = (url: string) => {
      const requestedAt = rows.get(url)?.requested_at
      return !requestedAt || Date.parse(requestedAt) > now - maxPendingTime
    }
    if (expired.length > 0)
      void this.#request(organizationId, expired).catch((error: unknown) =>
        log.warn('Embeds could not be requested', { error }),
      )
    return { find: (url) => findIn(rows, url), isComplete: !expired.some(isFetchedSoon) }
  }

  /** Fetches the requested URLs of an organization; returns whether there are more. */
  async fetchRequested(organizationId: string, signal: AbortSignal): Promise<boolean> {
    const { database, fetchesEmbeds } = this.#services
    if (!fetchesEmbeds) return false
    const rows = await store.findRequested(database.unlimited.reader, organizationId, jobBatch + 1)
    const caller = { name: `organization ${organizationId}`, isTrusted: true }
    for (let start = 0; start < Math.min(rows.length, jobBatch); start += jobConcurrency) {
      const group = rows.slice(start, Math.min(start + jobConcurrency, jobBatch))
      const results = await Promise.all(group.map(({ url }) => this.#fetch(caller, url)))
      signal.throwIfAborted()
      for (const [index, { url }] of group.entries())
        await this.#store(organizationId, url, results[index] as FetchedEmbed)
    }
    return rows.length > jobBatch
  }

  /** Cancels running fetches. */
  close(): void {
    this.#stopping.abort()
  }

  #countFetch(caller: string): void {
    const now = this.#services.clock()
    const { count, windowEnd } = this.#calls.count(caller, now)
    if (count <= maxFetchesPerMinute) return
    const message = `The limit of ${maxFetchesPerMinute} new URLs per minute is exceeded. Try again later`
    throw new BusyError('rateLimited', message, Math.max(1, Math.ceil((windowEnd - now) / 1000)))
  }

  async #fetch({ name, isTrusted }: EmbedCaller, url: string): Promise<FetchedEmbed> {
    const key = `${isTrusted} ${url}`
    const running = this.#running.get(key)
    if (running) return running
    const fetch = isTrusted ? this.#services.fetch : this.#publicFetch
    const fetched = this.#queue
      .run(name, () => fetchEmbed(fetch, new URL(url), this.#stopping.signal))
      .catch((error: unknown) => {
        throw this.#stopping.signal.aborted ? new AppError('unavailable', 'The server is stopping') : error
      })
      .finally(() => this.#running.delete(key))
    this.#running.set(key, fetched)
    return fetched
  }

  async #store(organizationId: string, url: string, fetched: FetchedEmbed): Promise<void> {
    const { database, clock } = this.#services
    const isFailure = fetched.kind !== 'found' || fetched.isPartial
    const expiresAt = timestamp(clock() + (isFailure ? failureLifetime : lifetime))
    await this.#limitRows(organizationId)
    await database.transaction(async (db) => {
      const stored = (await store.findEmbeds(db, organizationId, [url])).get(url)
      // Data is kept while the website is unavailable.
      if (stored?.state === 'found' && isFailure && fetched.kind !== 'absent')
        await store.extendEmbed(db, organizationId, url, expiresAt)
      else {
        const data = fetched.kind === 'found' ? fetched.data : undefined
        await store.storeEmbed(db, organizationId, url, { data, expiresAt })
      }
    })
  }

  /** Requests a fetch in the background, unless that was done recently. */
  async #request(organizationId: string, urls: readonly string[]): Promise<void> {
    const { database, enqueue, clock } = this.#services
    const now = clock()
    const keyOf = (url: string) => `${organizationId} ${url}`
    const due = urls.filter((url) => (this.#requests.get(keyOf(url)) ?? 0) <= now - requestInterval)
    if (due.length === 0) return
    for (const url of due) this.#requests.set(keyOf(url), now)
    await this.#limitRows(organizationId)
    await database.transaction(async (db) => {
      await store.insertRequests(db, organizationId, due, timestamp(now))
      await enqueue(db, fetchEmbedsJob, { organizationId })
    })
  }

  /** Deletes rows if the organization has the maximum number. */
  async #limitRows(organizationId: string): Promise<void> {
    const { database } = this.#services
    if ((await store.countEmbeds(database.reader, organizationId, maxEmbeds)) < maxEmbeds) return
    await database.transaction((db) => store.deleteOldestEmbeds(db, organizationId, deletedAtOnce))
  }
}

/** Maximum number of URLs that one run of the job fetches, and how many of them at a time. */
const jobBatch = 40
const jobConcurrency = 4

/** Returns a URL as it is stored; undefined if it cannot be embedded. */
export function toEmbedUrl(address: string): string | undefined {
  if (address.length > maxEmbedUrlLength || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href
}

/** Finds the stored data of URLs. */
export async function findEmbedData(db: Db, organizationId: string, addresses: readonly string[]): Promise<FindEmbed> {
  const urls = [...new Set(addresses.flatMap((address) => toEmbedUrl(address) ?? []))].slice(0, maxEmbedsRead)
  const rows = await store.findEmbeds(db, organizationId, urls)
  return (address) => findIn(rows, address)
}

function findIn(rows: ReadonlyMap<string, store.EmbedRow>, address: string): EmbedData | undefined {
  const row = rows.get(toEmbedUrl(address) ?? '')
  return row && toEmbedData(row)
}

function toEmbedData({ state, title, site, description, icon, player }: store.EmbedRow): EmbedData | undefined {
  if (state !== 'found' || title === null || site === null) return undefined
  return {
    title,
    site,
    description: description ?? undefined,
    icon: icon ?? undefined,
    player: player ?? undefined,
  }
}
