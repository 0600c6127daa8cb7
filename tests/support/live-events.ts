import { onTestFinished } from 'vitest'
import type { LiveEvent } from '../../src/contract/live-events.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Person } from './server.ts'

export interface ReceivedEvent {
  kind: string
  data: LiveEvent
}

interface ReaderOptions {
  url: string
  organizationId: string
  headers: Record<string, string>
}

/** Reads a stream of events like a browser. */
export class EventStreamReader {
  readonly response: Response
  readonly events: ReceivedEvent[] = []
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  lastEventId: string | undefined
  readonly #abort: AbortController
  #notify = () => {}

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.ended = this.#read()
  }

  static async open({ url, organizationId, headers }: ReaderOptions): Promise<EventStreamReader> {
    const abort = new AbortController()
    const response = await fetch(`${url}/v1/orgs/${organizationId}/events`, { headers, signal: abort.signal })
    const reader = new EventStreamReader(response, abort)
    onTestFinished(() => reader.close())
    return reader
  }

  /** Waits until the stream is ready to resume, so that it receives everything that happens from now on. */
  async waitUntilReady(): Promise<this> {
    await this.#waitFor(() => this.lastEventId)
    return this
  }

  /** Returns the first event that matches, waiting for it if necessary. */
  find(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> {
    return this.#waitFor(() => this.events.find(matches))
  }

  /** Disconnects. */
  async close(): Promise<void> {
    this.#abort.abort()
    await this.ended
  }

  async #waitFor<T>(check: () => T | undefined): Promise<T> {
    for (;;) {
      const found = check()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of this.response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#receive(block)
        this.#notify()
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error
    }
  }

  #receive(block: string): void {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    this.lastEventId = fields.get('id') ?? this.lastEventId
    const data = fields.get('data')
    if (data !== undefined)
      this.events.push({ kind: fields.get('event') ?? 'message', data: JSON.parse(data) as LiveEvent })
  }
}

/** Opens a stream of the events of an organization for a person. */
export async function openEvents(
  { url }: { url: string },
  { token }: Pick<Person, 'token'>,
  organizationId: string,
  headers: Record<string, string> = {},
): Promise<EventStreamReader> {
  const reader = await EventStreamReader.open({
    url,
    organizationId,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return reader.waitUntilReady()
}

/** Somebody who can report their place in a space that a reader can view. */
interface Marker {
  by: Pick<Person, 'api'>
  spaceId: string
}

/** Returns the events that a stream receives because of an action, without those of earlier changes. */
export async function collectEvents(
  reader: EventStreamReader,
  marker: Marker,
  action: () => Promise<unknown>,
): Promise<ReceivedEvent[]> {
  const start = await waitForMarker(reader, marker)
  await action()
  const end = await waitForMarker(reader, marker)
  return reader.events.slice(start + 1, end)
}

/** Lets somebody move to another page and waits for the event, before which all earlier ones have arrived; returns its index. */
async function waitForMarker(reader: EventStreamReader, { by, spaceId }: Marker): Promise<number> {
  const page = newId()
  await by.api.updatePresence({ params: { spaceId }, body: { page, editing: false, tab: 'marker' } })
  await reader.find(({ data }) => data.page === page)
  return reader.events.findIndex(({ data }) => data.page === page)
}
