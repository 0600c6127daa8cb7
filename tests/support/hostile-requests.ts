import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

// Requests that are cheap for the sender and expensive for a careless server; the benchmark of attacks sends them, too.

/** Returns JSON of about this many bytes that consists of empty objects. */
export function emptyObjects(bytes: number, field = 'commits'): string {
  return `{"${field}":[${'{},'.repeat(Math.floor(bytes / 3))}{}]}`
}

/** Returns JSON of about this many bytes that consists of nested lists. */
export function nestedLists(bytes: number, field = 'commits'): string {
  const depth = Math.floor(bytes / 2)
  return `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`
}

/** Returns JSON of about this many bytes that is one object with many keys. */
export function manyKeys(bytes: number): string {
  const names: string[] = []
  for (let length = 2; length < bytes; length += (names.at(-1) as string).length + 1) names.push(`"k${names.length}":1`)
  return `{${names.join(',')}}`
}

export interface HeldConnection {
  /** Returns the bytes received so far. */
  received(): string
  /** Whether the server has closed the connection. */
  isClosed(): boolean
  send(bytes: string): void
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>
  destroy(): void
}

/** Opens a connection and sends bytes. */
export async function openConnection(server: string, bytes: string): Promise<HeldConnection> {
  const { hostname, port } = new URL(server)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  const received: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk) => received.push(chunk))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  await Promise.race([once(socket, 'connect'), closed])
  if (!isClosed) socket.write(bytes)
  return {
    received: () => Buffer.concat(received).toString('latin1'),
    isClosed: () => isClosed,
    send: (more) => void (isClosed || socket.write(more)),
    closed,
    destroy: () => socket.destroy(),
  }
}

interface RequestHead {
  method?: string
  path: string
  /** Declared number of bytes of the body. */
  length: number
  headers?: readonly string[]
}

/** Returns the head of a request with a JSON body. */
export const formatRequestHead = ({ method = 'POST', path, length, headers = [] }: RequestHead): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...headers,
    '\r\n',
  ].join('\r\n')

/** Sends a body except for its end, and keeps the connection open. */
export function withholdEnd(
  server: string,
  head: Omit<RequestHead, 'length'>,
  body: string,
  withheld: number,
): Promise<HeldConnection> {
  return openConnection(
    server,
    formatRequestHead({ ...head, length: body.length }) + body.slice(0, body.length - withheld),
  )
}

/** Opens many connections whose first request never ends. */
export function openHalfRequests(server: string, count: number): Promise<HeldConnection[]> {
  return Promise.all(
    Array.from({ length: count }, () => openConnection(server, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n')),
  )
}
