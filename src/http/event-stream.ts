import { Readable } from 'node:stream'
import type { EventConnection, EventStream, ServerSentEvent } from '../kernel/event-stream.ts'
import { seconds } from '../kernel/time.ts'

/** Interval of comments, which is shorter than the timeout of idle connections that proxies have. */
const keepAliveInterval = seconds(15)

/** Maximum number of bytes that wait for a client. */
const maxBufferedBytes = 256 * 1024

export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Otherwise nginx collects events before it sends them.
  'x-accel-buffering': 'no',
}

interface StreamOptions extends Pick<EventConnection, 'lastEventId' | 'isAllowed'> {
  /** Aborted when the client disconnects or the server stops. */
  signal: AbortSignal
  /** Checks the data of each event against the contract; for tests. */
  checkData?: (data: unknown) => void
}

/** Starts a stream of events and returns the body of its reply. */
export function openEventStream(stream: EventStream, options: StreamOptions): Readable {
  const connection = new Connection(options)
  try {
    stream.start(connection)
  } catch (error) {
    connection.body.destroy()
    throw error
  }
  return connection.body
}

class Connection implements EventConnection {
  readonly lastEventId: string | undefined
  readonly isAllowed: EventConnection['isAllowed']
  readonly body = new Readable({ read: () => undefined })
  readonly #checkData: StreamOptions['checkData']
  readonly #keepAlive: NodeJS.Timeout
  readonly #listeners: (() => void)[] = []
  #isOpen = true

  constructor({ lastEventId, isAllowed, signal, checkData }: StreamOptions) {
    this.lastEventId = lastEventId
    this.isAllowed = isAllowed
    this.#checkData = checkData
    this.#keepAlive = setInterval(() => this.#write(': keep-alive\n\n'), keepAliveInterval).unref()
    this.body.once('close', () => this.#close())
    this.#write(': connected\n\n')
    if (signal.aborted) this.end()
    // A composite signal with a listener is never collected, even after it was aborted.
    else signal.addEventListener('abort', () => this.end(), { once: true })
  }

  send(event: ServerSentEvent): void {
    if (event.data !== undefined) this.#checkData?.(JSON.parse(event.data))
    this.#write(formatEvent(event))
  }

  end(): void {
    if (!this.#isOpen) return
    this.body.push(null)
    this.#close()
  }

  onEnd(listener: () => void): void {
    if (this.#isOpen) this.#listeners.push(listener)
    else listener()
  }

  #write(text: string): void {
    if (!this.#isOpen) return
    this.body.push(text)
    if (this.body.readableLength > maxBufferedBytes) this.body.destroy()
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearInterval(this.#keepAlive)
    for (const listener of this.#listeners) listener()
  }
}

function formatEvent({ id, event, data, retry }: ServerSentEvent): string {
  const lines = Object.entries({ retry, id, event, data }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return `${lines.join('\n')}\n\n`
}
