import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestListener, createServer, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createDrain } from '../../src/http/drain.ts'
import { seconds } from '../../src/kernel/time.ts'
import { isCollected } from '../support/garbage.ts'
import { makeGate } from '../support/gate.ts'

async function serverForTest(listener: RequestListener) {
  const server = createServer(listener)
  const drain = createDrain(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const ask = async () => {
    const [reply] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage]
    return reply
  }
  return { drain, port, ask }
}

test('a reply that is still being sent arrives completely', async () => {
  // Larger than the socket buffers of both ends.
  const body = Buffer.alloc(50_000_000, 'x')
  const { drain, ask } = await serverForTest((_, reply) => reply.end(body))
  const reply = await ask()
  const ended = drain.drain(seconds(20))
  expect((await buffer(reply)).length).toBe(body.length)
  await ended
})

test('a reply that has not started is sent with "Connection: close"', async () => {
  const [asked, answer] = [makeGate(), makeGate()]
  const { drain, ask } = await serverForTest((_, reply) => {
    asked.open()
    void answer.passed.then(() => reply.end('late'))
  })
  const asking = ask()
  await asked.passed
  const ended = drain.drain(seconds(20))
  answer.open()
  const reply = await asking
  expect(reply.headers.connection).toBe('close')
  expect((await buffer(reply)).toString()).toBe('late')
  await ended
})

test('closes idle connections immediately and refuses new ones', async () => {
  const { drain, port, ask } = await serverForTest((_, reply) => reply.end('short'))
  await buffer(await ask())
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  // A reply to a later request proves that the server has accepted the connection.
  await buffer(await ask())
  const closed = once(silent, 'close')
  await drain.drain(seconds(20))
  await closed
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('cuts off a reply that takes longer than the timeout', async () => {
  const { drain, ask } = await serverForTest((_, reply) => void reply.write('for ever and'))
  const reply = await ask()
  await drain.drain(20)
  await expect(buffer(reply)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

async function startAndStopServer(): Promise<WeakRef<object>> {
  const server = createServer()
  const drain = createDrain(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await drain.drain(seconds(20))
  return new WeakRef(server)
}

test('nothing of a stopped server remains in memory', async () => {
  expect(await isCollected(await startAndStopServer())).toBe(true)
})
