import { type ReadonlySignal, signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { type AnyRequest, type OperationOf, type RequestArguments, buildRequestPath } from '../../client/request.ts'
import { ApiError, type ReadRoute, type ReplyOfRoute, requestText } from '../api.ts'

/** A reply of the API that a screen shows, and how it was read. */
export interface Query<Reply> {
  /** The last reply; undefined until there is one. */
  data: Reply | undefined
  /** Why the last request failed. There may still be data of an earlier one. */
  error: ApiError | undefined
  isLoading: boolean
  /** Sends the request again. */
  reload: () => Promise<void>
  /** Reads the reply again after a change; a running request may have been answered before the change. */
  refresh: () => Promise<void>
}

interface State {
  data: unknown
  error: ApiError | undefined
  isLoading: boolean
}

const idle: State = { data: undefined, error: undefined, isLoading: false }

/** Cached replies are removed in the order of their last use when there are more. */
const maxEntries = 300

/** A cached reply is read again when a screen that shows it opens after this time, in milliseconds. */
const freshTime = 2000

/** A reply of the API by its path, shared by everything that shows the same path. */
class Entry {
  readonly state = signal<State>(idle)
  readonly #path: string
  /** Text of the reply that `data` was parsed from. */
  #text: string | undefined
  #running: Promise<void> | undefined
  /** Whether the reply became outdated after the last request was sent. */
  #isStale = true
  #isPaused = false
  #readAt = 0
  users = 0

  constructor(path: string) {
    this.#path = path
  }

  get isFresh(): boolean {
    return !this.#isStale && !this.state.value.error && Date.now() - this.#readAt < freshTime
  }

  /** Sends the request, unless one is running. */
  load(): Promise<void> {
    if (this.#isPaused) return Promise.resolve()
    return (this.#running ??= this.#load().finally(() => {
      this.#running = undefined
      if (this.#isStale && this.users > 0) void this.load()
    }))
  }

  /** Marks the reply as outdated, and reads it again if it is shown. */
  invalidate(): void {
    this.#isStale = true
    if (this.users > 0) void this.load()
  }

  /** Reads the reply again, even if a request is running. */
  async refresh(): Promise<void> {
    this.#isStale = true
    await this.load()
    await this.#running
  }

  /** Sends no request until `resume` is called. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    if (this.#isStale && this.users > 0) void this.load()
  }

  async #load(): Promise<void> {
    this.#isStale = false
    this.state.value = { ...this.state.value, isLoading: true }
    try {
      const text = await requestText(this.#path)
      this.#readAt = Date.now()
      // An equal reply keeps the same value, so that components that depend on it are not rendered or read again.
      const data: unknown = text === this.#text ? this.state.value.data : JSON.parse(text)
      this.#text = text
      this.state.value = { data, error: undefined, isLoading: false }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Deleted or hidden content must not remain on the screen. After the end of a session, the text that the user types remains
      // until they sign in again.
      const isGone = [403, 404].includes(error.status)
      if (isGone) this.#text = undefined
      this.state.value = { data: isGone ? undefined : this.state.value.data, error, isLoading: false }
    }
  }
}

const entries = new Map<string, Entry>()

function getEntry(path: string): Entry {
  const found = entries.get(path)
  const entry = found ?? new Entry(path)
  // The last used entry is the last of the map.
  entries.delete(path)
  entries.set(path, entry)
  if (entries.size > maxEntries) {
    const unused = [...entries].find(([, { users }]) => users === 0)
    if (unused) entries.delete(unused[0])
  }
  return entry
}

const idleSignal: ReadonlySignal<State> = signal(idle)

/**
 * Reads a reply of the API and shows it while the component is mounted. A cached reply is shown immediately and read again. Without
 * a route, nothing is read.
 */
export function useQuery<Route extends ReadRoute>(
  route: Route | undefined,
  ...[input]: RequestArguments<OperationOf<Route>>
): Query<ReplyOfRoute<Route>> {
  const path = route && buildRequestPath(route.slice('GET '.length), (input ?? {}) as AnyRequest)
  const entry = useMemo(() => (path === undefined ? undefined : getEntry(path)), [path])
  // A layout effect runs before the browser paints, so that the request is sent earlier.
  useLayoutEffect(() => {
    if (!entry) return undefined
    entry.users++
    if (!entry.isFresh) void entry.load()
    return () => void entry.users--
  }, [entry])
  const { data, error, isLoading } = (entry?.state ?? idleSignal).value
  return {
    data: data as ReplyOfRoute<Route> | undefined,
    error,
    // The effect that sends the request may not have run yet.
    isLoading: isLoading || (entry !== undefined && data === undefined && error === undefined),
    reload: async () => entry?.load(),
    refresh: async () => entry?.refresh(),
  }
}

/** Starts to read a reply of the API that a screen will show, while the module of the screen is being loaded. */
export function prefetch<Route extends ReadRoute>(
  route: Route,
  ...[input]: RequestArguments<OperationOf<Route>>
): void {
  void getEntry(buildRequestPath(route.slice('GET '.length), (input ?? {}) as AnyRequest)).load()
}

/** Reads all replies again whose path is one of the prefixes or below it: `invalidate('/spaces/1')`. */
export function invalidate(...prefixes: readonly string[]): void {
  for (const [path, entry] of entries) if (prefixes.some((prefix) => isBelow(path, prefix))) entry.invalidate()
}

/** Whether a path is a prefix or below it. */
const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && /^(?:$|[/?])/.test(path.slice(prefix.length))

/**
 * Deletes the replies that the screen shows, before the screen is left: a path and those below it are not read again. Otherwise an
 * event that arrives before the reply of the deletion would show an error on the screen.
 */
export async function deleteShown(path: string, sendDeletion: () => Promise<unknown>): Promise<void> {
  const deleted = [...entries].filter(([entryPath]) => isBelow(entryPath, path))
  for (const [, entry] of deleted) entry.pause()
  try {
    await sendDeletion()
  } catch (error) {
    for (const [, entry] of deleted) entry.resume()
    throw error
  }
  for (const [entryPath] of deleted) entries.delete(entryPath)
}

/** Reads lists again, with any query, but not the paths below them: `invalidateLists('/orgs/1/members')`. */
export function invalidateLists(...paths: readonly string[]): void {
  for (const [path, entry] of entries) if (paths.includes(path.replace(/\?.*$/, ''))) entry.invalidate()
}

/** Reads all visible replies again. */
export const invalidateAll = (): void => {
  for (const entry of entries.values()) entry.invalidate()
}
