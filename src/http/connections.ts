import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../kernel/log.ts'
import { minutes, seconds } from '../kernel/time.ts'
import { callerAddress, networkOf } from './caller.ts'

export interface ConnectionSettings {
  /** Maximum number of open connections. */
  maxConnections: number
  /** Maximum number of open connections from one address, and of requests that are being handled for one. */
  maxConnectionsPerAddress: number
  /** Milliseconds in which the head of a request must arrive. */
  headerTimeout: number
  /** How many reverse proxies stand before this server. */
  trustedProxies: number
  log: Log
}

interface Connection {
  socket: Socket
  address: string
  /** Requests that are being received or answered. */
  requests: Set<IncomingMessage>
}

/** Longer than the largest upload may take at the lowest rate; bodies have limits of their own before that. */
const longestRequest = minutes(240)

/** How often a warning about refused connections is logged at most. */
const warningInterval = minutes(1)

/** Milliseconds until displaced connections are closed, and how many at a time: a socket takes longer to close than to accept. */
const closing = { delay: 20, atOnce: 50 }

/** How many displaced connections may wait to be closed. */
const mostDisplaced = 2000

/** These are answered even to an address that has too many requests: they say whether the server is alive. */
const alwaysAnswered = new Set(['/healthz', '/readyz'])

/**
 * Limits the connections of a server, for each address and in all. When there are too many, the oldest one that the
 * server is waiting for is closed: one that is idle, or whose request has not arrived yet. So a flood of connections
 * that send nothing displaces itself, and connections with requests are served.
 */
export class Connections {
  readonly #settings: ConnectionSettings
  /** In the order in which they were opened. */
  readonly #open = new Map<Socket, Connection>()
  readonly #byAddress = new Map<string, Set<Connection>>()
  readonly #requests = new Map<string, number>()
  /** Connections that are no longer read and wait to be closed, in the order in which they were displaced. */
  readonly #displaced = new Set<Socket>()
  #warnedAt = -Infinity

  constructor(server: Server, settings: ConnectionSettings) {
    this.#settings = settings
    server.headersTimeout = settings.headerTimeout
    server.requestTimeout = longestRequest
    server.on('connection', (socket) => this.#add(socket))
    server.prependListener('request', (request, reply) => this.#begin(request, reply))
  }

  /** Counts a request of its caller until it is answered; false when there are too many. */
  admits(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (alwaysAnswered.has(incoming.url ?? '')) return true
    const caller = networkOf(callerAddress(incoming, this.#settings.trustedProxies))
    const count = (this.#requests.get(caller) ?? 0) + 1
    if (count > this.#settings.maxConnectionsPerAddress) return false
    this.#requests.set(caller, count)
    outgoing.once('close', () => {
      const left = (this.#requests.get(caller) ?? 1) - 1
      if (left > 0) this.#requests.set(caller, left)
      else this.#requests.delete(caller)
    })
    return true
  }

  #add(socket: Socket): void {
    const { maxConnections, maxConnectionsPerAddress, trustedProxies } = this.#settings
    // All connections of a proxy come from one address, for all of its clients.
    const address = trustedProxies > 0 ? 'proxies' : networkOf(socket.remoteAddress ?? 'unknown')
    const connection = { socket, address, requests: new Set<IncomingMessage>() }
    let siblings = this.#byAddress.get(address)
    if (!siblings) this.#byAddress.set(address, (siblings = new Set()))
    const isOneTooMany = trustedProxies === 0 && siblings.size >= maxConnectionsPerAddress
    if (isOneTooMany && !this.#closeOldest(siblings)) return this.#refuse(socket, address)
    if (this.#open.size >= maxConnections && !this.#closeOldest(this.#largestGroup()))
      return this.#refuse(socket, address)
    siblings.add(connection)
    this.#byAddress.set(address, siblings)
    this.#open.set(socket, connection)
    socket.once('close', () => this.#remove(connection))
  }

  #begin(request: IncomingMessage, reply: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    if (!connection) return
    connection.requests.add(request)
    reply.once('close', () => {
      connection.requests.delete(request)
      if (!request.complete) closeUnlessComplete(request)
    })
  }

  /** Closes the oldest connection that the server waits for; false when it works for all of them. */
  #closeOldest(connections: Iterable<Connection>): boolean {
    for (const connection of connections) {
      const isWaiting = [...connection.requests].every(({ complete }) => !complete)
      if (!isWaiting) continue
      this.#remove(connection)
      this.#displace(connection.socket)
      return true
    }
    return false
  }

  /**
   * Closes a connection soon, but not at once: in a burst of connections, a request that arrives last would wait until all
   * of those before it were closed. Nothing more is read from it, so that no request is begun and then cut off.
   */
  #displace(socket: Socket): void {
    socket.pause()
    if (this.#displaced.size === 0) setTimeout(() => this.#closeDisplaced(), closing.delay)
    this.#displaced.add(socket)
    const isFull = this.#open.size + this.#displaced.size >= this.#settings.maxConnections
    if (isFull || this.#displaced.size > mostDisplaced) this.#closeFirstDisplaced(1)
  }

  #closeDisplaced(): void {
    this.#closeFirstDisplaced(closing.atOnce)
    if (this.#displaced.size > 0) setTimeout(() => this.#closeDisplaced(), closing.delay)
  }

  #closeFirstDisplaced(count: number): void {
    let left = count
    for (const socket of this.#displaced) {
      if (left-- === 0) return
      this.#displaced.delete(socket)
      socket.destroy()
    }
  }

  /** The connections of the address that has most. */
  #largestGroup(): Iterable<Connection> {
    let largest: ReadonlySet<Connection> = new Set()
    for (const group of this.#byAddress.values()) if (group.size > largest.size) largest = group
    return largest
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection.socket)
    const siblings = this.#byAddress.get(connection.address)
    siblings?.delete(connection)
    if (siblings?.size === 0) this.#byAddress.delete(connection.address)
  }

  #refuse(socket: Socket, address: string): void {
    socket.destroy()
    if (this.#byAddress.get(address)?.size === 0) this.#byAddress.delete(address)
    const now = performance.now()
    if (now - this.#warnedAt < warningInterval) return
    this.#warnedAt = now
    this.#settings.log.warn(
      'Connections are refused because too many are open. If this is the address of a reverse proxy, set OCTAVO_TRUSTED_PROXIES.',
      { address },
    )
  }
}

/** Milliseconds that the rest of a request may take to arrive after it was answered; closing at once could lose the reply. */
const lingering = seconds(2)

function closeUnlessComplete(request: IncomingMessage): void {
  setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingering).unref()
}

/** How often connections are looked at whose request has not arrived in time. */
export const connectionsCheckingInterval = seconds(1)
