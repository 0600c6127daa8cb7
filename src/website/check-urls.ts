import { FetchError } from '../fetch/errors.ts'
import type { Fetch } from '../fetch/fetch.ts'
import { seconds } from '../kernel/time.ts'
import { loadRobots } from './host-robots.ts'
import { type CrawlClock, PoliteFetch, systemClock } from './polite-fetch.ts'

/** Result of requesting a URL; `unchecked` if the host did not allow the request or gave no definite answer. */
export interface UrlCheck {
  result: 'ok' | 'broken' | 'unchecked'
  /** Why the URL is broken or could not be checked. */
  reason?: string
}

interface CheckOptions {
  fetch: Fetch
  signal: AbortSignal
  clock?: CrawlClock
  /** Minimum milliseconds between requests to the same host; the host may require more. */
  delay?: number
  onCheck?: (url: string, check: UrlCheck) => void
}

/** Maximum number of hosts that are requested at the same time. */
const maxHosts = 8
const defaultDelay = seconds(1)
const goneStatuses = new Set([404, 410])
const busyStatuses = new Set([429, 503])

/** Requests URLs, those of each host one after the other and as its `robots.txt` allows. Bodies are not received. */
export async function checkUrls(urls: Iterable<string>, options: CheckOptions): Promise<Map<string, UrlCheck>> {
  const checks = new Map<string, UrlCheck>()
  const addCheck: AddCheck = (url, check) => {
    checks.set(url, check)
    options.onCheck?.(url, check)
  }
  const urlsByOrigin = new Map<string, string[]>()
  for (const url of new Set(urls)) {
    const origin = URL.canParse(url) ? new URL(url).origin : undefined
    if (origin === undefined) addCheck(url, { result: 'broken', reason: 'The URL is not valid' })
    else if (!/^https?:/.test(origin)) addCheck(url, { result: 'unchecked', reason: 'The URL is not http(s)' })
    else {
      const others = urlsByOrigin.get(origin)
      if (others) others.push(url)
      else urlsByOrigin.set(origin, [url])
    }
  }
  const pending = [...urlsByOrigin]
  const checkPending = async (): Promise<void> => {
    for (let next = pending.shift(); next; next = pending.shift()) await checkHost(next[0], next[1], options, addCheck)
  }
  await Promise.all(Array.from({ length: maxHosts }, checkPending))
  return checks
}

type AddCheck = (url: string, check: UrlCheck) => void

async function checkHost(
  origin: string,
  urls: readonly string[],
  { fetch: unlimited, signal, clock = systemClock, delay = defaultDelay }: CheckOptions,
  addCheck: AddCheck,
): Promise<void> {
  const fetch = new PoliteFetch({ fetch: unlimited, clock, signal, delay })
  const addToAll = (check: UrlCheck) => urls.forEach((url) => addCheck(url, check))
  const robots = await loadRobots(fetch, origin, delay).catch((error: unknown) => toUrlCheck(error, signal))
  if ('result' in robots) return addToAll(robots)
  if ('failedWith' in robots) {
    const reason = `The robots.txt of the host returned the status ${robots.failedWith}`
    return addToAll({ result: 'unchecked', reason })
  }
  // Fragments are not sent, so that URLs which differ only in them are requested once.
  const checksByAddress = new Map<string, UrlCheck>()
  let isBusy = false
  for (const url of urls) {
    const { pathname, search } = new URL(url)
    const address = `${origin}${pathname}${search}`
    let check = checksByAddress.get(address)
    if (!check && isBusy) check = { result: 'unchecked', reason: 'The host limits the number of requests' }
    if (!check && !robots.isAllowed(pathname + search))
      check = { result: 'unchecked', reason: 'The robots.txt of the host disallows the URL' }
    if (!check) {
      const response = await requestUrl(fetch, address, signal)
      isBusy = response.isBusy
      check = response.check
      checksByAddress.set(address, check)
    }
    addCheck(url, check)
  }
}

async function requestUrl(
  fetch: PoliteFetch,
  address: string,
  signal: AbortSignal,
): Promise<{ check: UrlCheck; isBusy: boolean }> {
  try {
    const reply = await fetch.get(address, Number.MAX_SAFE_INTEGER)
    reply.discard()
    const { status } = reply
    if (status < 400) return { check: { result: 'ok' }, isBusy: false }
    const result = goneStatuses.has(status) ? 'broken' : 'unchecked'
    return { check: { result, reason: `The host returned the status ${status}` }, isBusy: busyStatuses.has(status) }
  } catch (error) {
    return { check: toUrlCheck(error, signal), isBusy: false }
  }
}

/** Converts the error of a request; throws it if the check was cancelled. */
function toUrlCheck(error: unknown, signal: AbortSignal): UrlCheck {
  signal.throwIfAborted()
  if (!(error instanceof FetchError)) throw error
  const isBroken = error.failure === 'host' || error.failure === 'address' || error.failure === 'connection'
  return { result: isBroken ? 'broken' : 'unchecked', reason: error.message }
}
