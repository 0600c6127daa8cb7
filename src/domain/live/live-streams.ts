import type { EventConnection } from '../../kernel/event-stream.ts'
import { BusyError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type Clock, minutes, seconds } from '../../kernel/time.ts'
import type { Database, DatabaseAccess } from '../../storage/database.ts'
import { formatEventId, parseEventId } from './event-id.ts'
import { type EventReader, type LiveEventRow, type Position, createEventReader } from './event-store.ts'
import { removeExpiredPresence } from './presence.ts'
import { hasLiveEvents } from './record-event.ts'
import { type EventReceiver, EventVisibility } from './visible-events.ts'

/** Maximum number of open streams of a user, and of this process. */
export const maxStreamsPerUser = 20
const maxStreams = 2000

/** Seconds after which a refused client may try again. */
const retryAfter = 30

/** Interval at which the events of other processes are read. */
const pollInterval = 500

/** Delay after a commit of this process, so that many commits are read together. */
const wakeDelay = 10

/** Minimum time between two checks whether a client still has access, and the maximum time if nothing was committed. */
const accessCheckIntervals = { min: seconds(2), max: seconds(10) }

/** Interval at which clients get a new `id` even if there are no events for them, so that they can resume. */
const idInterval = minutes(1)

/** Interval at which those are removed from the presence of spaces who have left. */
const presenceInterval = seconds(2)

/** Maximum number of events that are read together. If there are more, clients read everything again instead. */
const maxEvents = 1000

/** Milliseconds that clients should wait before they connect again. */
const reconnectDelay = seconds(2)

interface LiveStreamServices {
  database: Database
  clock: Clock
  log: Log
}

interface Stream extends EventReceiver {
  connection: EventConnection
  /** The `id` that the client has sent, until the stream was resumed from it. */
  resumedFrom: string | undefined
  /** Whether the client has received everything up to the position of all streams. */
  isCurrent: boolean
  idSentAt: number
  checkedAt: number
  /** Mark of the database at the last check of access. */
  checkedMark: string | undefined
}

/** Sends live events to connected clients. While none is connected, nothing is read from the database. */
export class LiveStreams {
  readonly #services: LiveStreamServices
  readonly #reader: EventReader
  readonly #streams = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isWoken = false
  /** Position up to which the current streams have received events, and the mark of the database at that time. */
  #position: Position | undefined
  #mark: string | undefined
  #presenceCheckedAt = 0

  constructor(services: LiveStreamServices) {
    this.#services = services
    this.#reader = createEventReader(services.database)
  }

  /** Adds a client; throws if too many are connected. */
  open(receiver: EventReceiver, lastEventId: string | undefined, connection: EventConnection): void {
    const ofUser = [...this.#streams].filter(({ userId }) => userId === receiver.userId)
    if (ofUser.length >= maxStreamsPerUser || this.#streams.size >= maxStreams)
      throw new BusyError('rateLimited', 'Too many streams of events are open. Close others first', retryAfter)
    const now = performance.now()
    const stream: Stream = {
      ...receiver,
      connection,
      resumedFrom: connection.lastEventId ?? lastEventId,
      isCurrent: false,
      idSentAt: now,
      checkedAt: now,
      checkedMark: undefined,
    }
    this.#streams.add(stream)
    connection.onEnd(() => this.#streams.delete(stream))
    connection.send({ retry: reconnectDelay })
    this.#wake()
  }

  /** Returns the `id` of now, from which a client can resume: what it reads afterwards contains all earlier changes. */
  async readEventId(): Promise<string> {
    const now = this.#services.clock()
    return formatEventId(now, await this.#reader.readPosition())
  }

  /** Returns the database with transactions that wake the streams of this process after they have recorded events. */
  wakeAfterCommit(database: Database): Database {
    const withWakeUp = ({ reader, transaction }: DatabaseAccess): DatabaseAccess => ({
      reader,
      transaction: async (work) => {
        let hasEvents = false
        const result = await transaction(async (db) => {
          const value = await work(db)
          hasEvents = hasLiveEvents(db)
          return value
        })
        if (hasEvents) this.#wake()
        return result
      },
    })
    return { ...database, ...withWakeUp(database), unlimited: withWakeUp(database.unlimited) }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const { connection } of this.#streams) connection.end()
  }

  #wake(): void {
    if (this.#isPolling) this.#isWoken = true
    else if (this.#streams.size > 0) this.#schedule(wakeDelay)
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#poll(), delay).unref()
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    this.#isWoken = false
    try {
      await this.#sendNewEvents()
      await this.#checkAccess()
      await this.#checkPresence()
    } catch (error) {
      // The next round continues where this one failed.
      this.#services.log.warn('Live events could not be read', { error })
    }
    this.#isPolling = false
    if (this.#streams.size > 0) this.#schedule(this.#isWoken ? wakeDelay : pollInterval)
    else this.#position = undefined
  }

  async #sendNewEvents(): Promise<void> {
    const mark = await this.#services.database.mark()
    const streams = [...this.#streams]
    const [current, added] = [streams.filter(({ isCurrent }) => isCurrent), streams.filter((one) => !one.isCurrent)]
    if (mark === this.#mark && this.#position !== undefined && added.length === 0) return
    const until = await this.#reader.readPosition()
    const visibility = new EventVisibility(this.#services.database.reader)
    const after = this.#position
    const events = after === undefined ? [] : await this.#findEvents(after, until, current)
    const batches = await Promise.all([
      ...current.map(async (stream) => ({ stream, events: events && (await visibility.filter(stream, events)) })),
      ...added.map(async (stream) => ({ stream, events: await this.#findMissedEvents(stream, until, visibility) })),
    ])
    // Nothing was sent so far, so that no event is sent twice if reading fails.
    for (const batch of batches) this.#send(batch.stream, batch.events, until)
    this.#position = until
    this.#mark = mark
  }

  /** Finds the events between two positions for streams; returns undefined if there are too many. */
  async #findEvents(
    after: Position,
    until: Position,
    receivers: readonly EventReceiver[],
  ): Promise<LiveEventRow[] | undefined> {
    const organizationIds = [...new Set(receivers.map(({ organizationId }) => organizationId))]
    if (organizationIds.length === 0 || after === until) return []
    const events = await this.#reader.findEvents({ after, until, organizationIds, limit: maxEvents + 1 })
    return events.length > maxEvents ? undefined : events
  }

  /** Finds the events that a client has missed since it was disconnected; returns undefined if that is not possible. */
  async #findMissedEvents(
    stream: Stream,
    until: Position,
    visibility: EventVisibility,
  ): Promise<LiveEventRow[] | undefined> {
    if (stream.resumedFrom === undefined) return []
    const after = parseEventId(stream.resumedFrom, this.#services.clock())
    if (after === undefined || !this.#reader.isUsable(after, until)) return undefined
    const events = await this.#findEvents(after, until, [stream])
    return events && visibility.filter(stream, events)
  }

  /** Sends events to a client; `undefined` if some are missing. Only the last one has an `id`, so that resuming repeats the others. */
  #send(stream: Stream, events: readonly LiveEventRow[] | undefined, until: Position): void {
    const { connection, organizationId } = stream
    const sent = events ?? [{ kind: 'reset', data: JSON.stringify({ organization: organizationId }) } as const]
    for (const { kind, data } of sent.slice(0, -1)) connection.send({ event: kind, data })
    const last = sent.at(-1)
    const now = performance.now()
    if (last || !stream.isCurrent || now - stream.idSentAt > idInterval) {
      const id = formatEventId(this.#services.clock(), until)
      connection.send({ id, ...(last && { event: last.kind, data: last.data }) })
      stream.idSentAt = now
    }
    stream.isCurrent = true
  }

  /** Ends the streams of clients whose token, session or membership has ended. */
  async #checkAccess(): Promise<void> {
    const now = performance.now()
    const due = [...this.#streams].filter(({ checkedAt, checkedMark }) => {
      const { min, max } = accessCheckIntervals
      return now - checkedAt > (checkedMark === this.#mark ? max : min)
    })
    await Promise.all(
      due.map(async (stream) => {
        if (!(await stream.connection.isAllowed())) return stream.connection.end()
        stream.checkedAt = now
        stream.checkedMark = this.#mark
      }),
    )
  }

  async #checkPresence(): Promise<void> {
    const now = performance.now()
    if (now - this.#presenceCheckedAt < presenceInterval) return
    this.#presenceCheckedAt = now
    await removeExpiredPresence(this.#services)
  }
}
