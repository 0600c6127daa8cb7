import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../kernel/log.ts'
import { minutes, seconds } from '../kernel/time.ts'
import { callerAddress, networkOf } from './caller-address.ts'

export interface ConnectionSettings {
  /** Maximum number of open connections. */
  maxConnections: number
  /** Maximum number of open connections from one address, and of requests that are being handled for one. */
  maxConnectionsPerAddress: number
  /** Milliseconds in which the head of a request must arrive. */
  headerTimeout: number
  /** Number of reverse proxies in front of this server. */
  trustedProxies: number
  log: Log
}

interface Connection {
  socket: Socket
  address: string
  /** Requests that are being received or answered. */
  requests: Set<IncomingMessage>
}

/** Longer than the largest upload at the minimum rate; bodies have their own limits. */
const requestTimeout = minutes(240)

/**
 * Time after which an idle connection is closed. It is longer than the 60 seconds for which nginx and other reverse proxies reuse
 * connections; they could send a request while it is being closed, and would return 502.
 */
const keepAliveTimeout = seconds(75)

/** Minimum time between two warnings about refused connections. */
const warningInterval = minutes(1)

/** Displaced connections are closed in batches, after a delay in milliseconds, because closing is slower than accepting. */
const closeBatch = { delay: 20, size: 50 }

/** Maximum number of displaced connections that wait to be closed. */
const maxDisplaced = 2000

/** Health checks are answered even to an address that has too many requests. */
const exemptPaths = new Set(['/healthz', '/readyz'])

/**
 * Limits the connections of a server, per address and in total. When there are too many, the oldest one that is idle or whose
 * request is incomplete is closed, so that a flood of silent connections only closes its own connections.
 */
export class Connections {
  readonly #settings: ConnectionSettings
  /** In the order in which they were opened. */
  readonly #connections = new Map<Socket, Connection>()
  readonly #byAddress = new Map<string, Set<Connection>>()
  readonly #requestCounts = new Map<string, number>()
  /** Connections that are no longer read and wait to be closed, in the order in which they were displaced. */
  readonly #displaced = new Set<Socket>()
  #warnedAt = -Infinity

  constructor(server: Server, settings: ConnectionSettings) {
    this.#settings = settings
    server.headersTimeout = settings.headerTimeout
    server.requestTimeout = requestTimeout
    server.keepAliveTimeout = keepAliveTimeout
    server.on('connection', (socket) => this.#add(socket))
    server.prependListener('request', (request, reply) => this.#addRequest(request, reply))
  }

  /** Counts a request of its caller until the reply is sent; returns false when there are too many. */
  tryAcceptRequest(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (exemptPaths.has(incoming.url ?? '')) return true
    const caller = networkOf(callerAddress(incoming, this.#settings.trustedProxies))
    const count = (this.#requestCounts.get(caller) ?? 0) + 1
    if (count > this.#settings.maxConnectionsPerAddress) return false
    this.#requestCounts.set(caller, count)
    outgoing.once('close', () => {
      const remaining = (this.#requestCounts.get(caller) ?? 1) - 1
      if (remaining > 0) this.#requestCounts.set(caller, remaining)
      else this.#requestCounts.delete(caller)
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
    const isAddressFull = trustedProxies === 0 && siblings.size >= maxConnectionsPerAddress
    if (isAddressFull && !this.#closeOldest(siblings)) return this.#refuse(socket, address)
    if (this.#connections.size >= maxConnections && !this.#closeOldest(this.#largestGroup()))
      return this.#refuse(socket, address)
    siblings.add(connection)
    this.#byAddress.set(address, siblings)
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#remove(connection))
  }

  #addRequest(request: IncomingMessage, reply: ServerResponse): void {
    const connection = this.#connections.get(request.socket)
    if (!connection) return
    connection.requests.add(request)
    reply.once('close', () => {
      connection.requests.delete(request)
      if (!request.complete) closeUnlessComplete(request)
    })
  }

  /** Closes the oldest connection without a complete request; returns false when there is none. */
  #closeOldest(connections: Iterable<Connection>): boolean {
    for (const connection of connections) {
      const isIncomplete = [...connection.requests].every(({ complete }) => !complete)
      if (!isIncomplete) continue
      this.#remove(connection)
      this.#displace(connection.socket)
      return true
    }
    return false
  }

  /**
   * Stops reading from a connection and closes it a little later. Closing many at once would delay the requests that
   * arrive in the same burst.
   */
  #displace(socket: Socket): void {
    socket.pause()
    if (this.#displaced.size === 0) setTimeout(() => this.#closeDisplaced(), closeBatch.delay)
    this.#displaced.add(socket)
    const isFull = this.#connections.size + this.#displaced.size >= this.#settings.maxConnections
    if (isFull || this.#displaced.size > maxDisplaced) this.#closeFirstDisplaced(1)
  }

  #closeDisplaced(): void {
    this.#closeFirstDisplaced(closeBatch.size)
    if (this.#displaced.size > 0) setTimeout(() => this.#closeDisplaced(), closeBatch.delay)
  }

  #closeFirstDisplaced(count: number): void {
    let remaining = count
    for (const socket of this.#displaced) {
      if (remaining-- === 0) return
      this.#displaced.delete(socket)
      socket.destroy()
    }
  }

  /** Returns the connections of the address with the most connections. */
  #largestGroup(): Iterable<Connection> {
    let largest: ReadonlySet<Connection> = new Set()
    for (const group of this.#byAddress.values()) if (group.size > largest.size) largest = group
    return largest
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection.socket)
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

/** Milliseconds to wait for the rest of a request after its reply; closing immediately could lose the reply. */
const lingerTime = seconds(2)

function closeUnlessComplete(request: IncomingMessage): void {
  setTimeout(() => {
    if (!request.complete) request.socket.destroy()
  }, lingerTime).unref()
}

/** Interval at which Node checks the timeouts of incomplete requests. */
export const connectionsCheckingInterval = seconds(1)
