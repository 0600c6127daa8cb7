import { signal } from '@preact/signals'
import { apiUrl, sessionHeaders } from './api.ts'
import { isAccessChanged } from './connection.ts'
import { invalidate, invalidateAll, invalidateLists } from './data/query.ts'

/** Identifies changed resources; the data of the event contains only IDs. */
export interface LiveEvent {
  kind: string
  data: {
    organization?: string
    space?: string
    collection?: string
    site?: string
    changeRequest?: string
    page?: string
    comment?: string
    revision?: string
    job?: { type: string; id: string }
    user?: string
    by?: string
  }
}

/** The last event, for screens that do more than update the changed data. */
export const lastEvent = signal<LiveEvent | undefined>(undefined)

/** Delay before the stream is opened again, in milliseconds; it doubles with each failure up to the maximum. */
const minDelay = 1000
const maxDelay = 30_000
/** Everything is read again after this time if there is no stream, in milliseconds. */
const pollInterval = 15_000

/** Minimum time between two requests for the users in a space, in milliseconds, because cursors move often. */
const presenceInterval = 1000

/** ID of the last event before the page was loaded, so that changes between its requests and the stream are not missed. */
const firstEventId = document.querySelector<HTMLMetaElement>('meta[name="octavo-event-id"]')?.content ?? ''

let stream: AbortController | undefined
let streamedOrganization: string | undefined

/** Follows the changes in an organization, and reads visible data again when it changes. */
export function followOrganization(organizationId: string | undefined): void {
  if (organizationId === undefined || organizationId === streamedOrganization) return
  streamedOrganization = organizationId
  stream?.abort()
  stream = new AbortController()
  void follow(organizationId, stream.signal)
}

async function follow(organizationId: string, stopped: AbortSignal): Promise<void> {
  let lastId = firstEventId
  let delay = minDelay
  let polledAt = Date.now()
  let hadAccess = false
  while (!stopped.aborted) {
    await waitUntilVisible(stopped)
    const hidden = abortWhenHidden(stopped)
    try {
      const reply = await fetch(apiUrl(`/orgs/${organizationId}/events?lastEventId=${encodeURIComponent(lastId)}`), {
        headers: { ...sessionHeaders, accept: 'text/event-stream' },
        signal: hidden.signal,
      })
      if (hadAccess && [403, 404].includes(reply.status)) showLostAccess()
      hadAccess = reply.ok
      if (!reply.ok || !reply.body) throw new Error(`The server answered ${reply.status}`)
      delay = minDelay
      for await (const { id, kind, data } of readEvents(reply.body)) {
        lastId = id ?? lastId
        if (data !== undefined) applyEvent({ kind, data: JSON.parse(data) as LiveEvent['data'] })
      }
    } catch {
      if (stopped.aborted) return
      if (hidden.signal.aborted) continue
      if (Date.now() - polledAt >= pollInterval) {
        polledAt = Date.now()
        invalidateAll()
      }
    }
    hidden.abort()
    await wait(delay, stopped)
    delay = Math.min(delay * 2, maxDelay)
  }
}

/** Reads everything again when the organization was deleted or left, because its data must not remain on the screen. */
function showLostAccess(): void {
  isAccessChanged.value = true
  invalidateAll()
}

/**
 * Returns a controller that ends the stream while the tab is hidden: browsers open only six connections to a server without HTTP/2,
 * and streams of many tabs would leave none for requests.
 */
function abortWhenHidden(stopped: AbortSignal): AbortController {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const check = () => document.hidden && abort()
  stopped.addEventListener('abort', abort, { signal: controller.signal })
  document.addEventListener('visibilitychange', check, { signal: controller.signal })
  return controller
}

/** Waits while the tab is hidden. */
function waitUntilVisible(stopped: AbortSignal): Promise<void> {
  if (!document.hidden || stopped.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = new AbortController()
    const check = () => {
      if (document.hidden && !stopped.aborted) return
      done.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', check, { signal: done.signal })
    stopped.addEventListener('abort', check, { signal: done.signal })
  })
}

/** Waits for a time, or until the network returns. */
function wait(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    stopped.addEventListener('abort', done)
  })
}

interface StreamedEvent {
  id: string | undefined
  kind: string
  /** Undefined if only the ID is new. */
  data: string | undefined
}

/** Reads server-sent events. `EventSource` cannot send the header that proves the session. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield parseEvent(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

function parseEvent(text: string): StreamedEvent {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  return { id: fields.get('id'), kind: fields.get('event') ?? 'message', data: fields.get('data') }
}

/** Returns the paths of data that a background job changed. */
function listJobPaths({ organization, job }: LiveEvent['data'], space: string | undefined): string[] {
  const paths: Record<string, string[]> = {
    git: [...(space ? [`${space}/git`] : []), `/orgs/${organization}/git`],
    import: [`/org/${organization}/imports`],
    openapi: [`/orgs/${organization}/openapi`],
    translation: [`/orgs/${organization}/translations`, `/orgs/${organization}/translation-engine`],
  }
  return paths[job?.type ?? ''] ?? []
}

/** Reads a site and the lists of sites again; all sites if one was deleted. */
function invalidateSites({ organization, site }: LiveEvent['data']): void {
  const sites = `/orgs/${organization}/sites`
  if (site === undefined) invalidate(sites)
  else invalidate(`${sites}/${site}`)
  invalidateLists(sites)
}

/** Presence that was read recently, by its path, and whether it has changed since then. */
const recentPresence = new Map<string, boolean>()

function invalidatePresence(path: string): void {
  const isRecent = recentPresence.has(path)
  recentPresence.set(path, isRecent)
  if (isRecent) return
  invalidate(path)
  setTimeout(() => {
    const isChanged = recentPresence.get(path)
    recentPresence.delete(path)
    if (isChanged) invalidatePresence(path)
  }, presenceInterval)
}

/** Reads data again that an event has changed. */
function applyEvent(event: LiveEvent): void {
  const { kind, data } = event
  const space = data.space && `/spaces/${data.space}`
  const changeRequest = space && data.changeRequest && `${space}/change-requests/${data.changeRequest}`
  if (kind === 'reset') invalidateAll()
  else if (kind === 'head' && space) invalidate(space)
  else if (kind === 'notification') invalidate('/user/notifications')
  else if (kind === 'access') {
    // Any data may have become visible or hidden.
    if (data.user !== undefined) isAccessChanged.value = true
    invalidateAll()
  } else if (kind === 'space') invalidate(...(space ? [space] : []), `/orgs/${data.organization}`)
  else if (kind === 'collection') invalidate('/collections', `/orgs/${data.organization}/collections`)
  else if (kind === 'site') invalidateSites(data)
  else if (kind === 'presence' && space) invalidatePresence(`${space}/presence`)
  else if (kind === 'comment' && space) invalidate(`${changeRequest ?? space}/comments`, '/user/mentions')
  else if ((kind === 'change-request' || kind === 'review') && space)
    invalidate(`${space}/change-requests`, `/orgs/${data.organization}/change-requests`)
  else if (kind === 'job') invalidate(...listJobPaths(data, space))
  lastEvent.value = event
}
