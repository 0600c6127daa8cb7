/** Part of a stream of server-sent events. Without `data`, clients only remember the `id`. */
export interface ServerSentEvent {
  /** Position from which a client resumes. */
  id?: string
  event?: string
  /** JSON without line breaks. */
  data?: string
  /** Milliseconds that clients wait before they connect again. */
  retry?: number
}

/** Open connection of a client to a stream of events. */
export interface EventConnection {
  /** The `id` that the client received last, if it connects again. */
  readonly lastEventId: string | undefined
  /** Sends an event; disconnects a client that reads too slowly. */
  send(event: ServerSentEvent): void
  /** Ends the stream. */
  end(): void
  /** Calls a function when the stream has ended, for whatever reason. */
  onEnd(listener: () => void): void
  /** Checks again whether the client is authenticated and has access. */
  isAllowed(): Promise<boolean>
}

/** Reply that is sent as server-sent events, until the client disconnects or loses its access, or the server stops. */
export class EventStream<Event = unknown> {
  /** Type of the data of events; exists only at compile time. */
  declare readonly event?: Event
  /** Starts to send events. It may throw, for example if too many streams are open. */
  readonly start: (connection: EventConnection) => void

  constructor(start: (connection: EventConnection) => void) {
    this.start = start
  }
}
