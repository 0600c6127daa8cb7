import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Connections } from '../../src/http/connections.ts'
import { silentLog } from '../support/home.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  isPaused = false
  isClosed = false

  constructor(remoteAddress = '192.0.2.1') {
    super()
    this.remoteAddress = remoteAddress
  }

  pause(): void {
    this.isPaused = true
  }

  destroy(): void {
    this.isClosed = true
    this.emit('close')
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function accepting(limits: { maxConnections: number; maxConnectionsPerAddress: number }) {
  const server = new EventEmitter()
  const options = { ...limits, headerTimeout: 1000, trustedProxies: 0, log: silentLog }
  expect(new Connections(server as Server, options)).toBeInstanceOf(Connections)
  return (count: number) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket()
      server.emit('connection', socket)
      return socket
    })
}

const numberOf = (sockets: readonly FakeSocket[], field: 'isPaused' | 'isClosed') =>
  sockets.filter((socket) => socket[field]).length

test('pauses displaced connections and closes them in batches', () => {
  const accept = accepting({ maxConnections: 1000, maxConnectionsPerAddress: 10 })
  const sockets = accept(200)
  expect(numberOf(sockets, 'isPaused')).toBe(190)
  expect(numberOf(sockets, 'isClosed')).toBe(0)
  vi.advanceTimersByTime(20)
  expect(numberOf(sockets, 'isClosed')).toBe(50)
  vi.advanceTimersByTime(1000)
  expect(sockets.map(({ isClosed }) => isClosed)).toEqual(sockets.map((_, index) => index < 190))
  const [later] = accept(1)
  vi.advanceTimersByTime(1000)
  expect([numberOf(sockets, 'isClosed'), later?.isClosed]).toEqual([191, false])
})

test('displaced connections count toward the limit of all connections', () => {
  const accept = accepting({ maxConnections: 100, maxConnectionsPerAddress: 10 })
  const sockets = accept(500)
  expect(numberOf(sockets, 'isClosed')).toBe(400)
})
