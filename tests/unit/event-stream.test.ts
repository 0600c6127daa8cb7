import { expect, test } from 'vitest'
import { openEventStream } from '../../src/http/event-stream.ts'
import { type EventConnection, EventStream } from '../../src/kernel/event-stream.ts'
import { isCollected } from '../support/garbage.ts'

/** Opens a stream that nobody reads. */
function openUnread() {
  let connection: EventConnection | undefined
  let ends = 0
  const stream = new EventStream((opened) => {
    connection = opened
    opened.onEnd(() => ends++)
  })
  const abort = new AbortController()
  const body = openEventStream(stream, {
    lastEventId: undefined,
    isAllowed: async () => true,
    signal: abort.signal,
  })
  return { body, abort, connection: connection as EventConnection, countEnds: () => ends }
}

test('a client that does not read is disconnected', async () => {
  const { body, connection, countEnds } = openUnread()
  const data = JSON.stringify('x'.repeat(1000))
  let sent = 0
  while (!body.destroyed && sent < 1000) {
    connection.send({ event: 'head', data })
    sent++
  }
  expect(sent).toBeGreaterThan(200)
  expect(sent).toBeLessThan(300)
  await new Promise((resolve) => body.once('close', resolve))
  expect(countEnds()).toBe(1)
})

test('a stream contains what was sent before it ended', async () => {
  const { body, abort, connection, countEnds } = openUnread()
  connection.send({ retry: 5 })
  connection.send({ id: '1', event: 'head', data: '{}' })
  abort.abort()
  connection.send({ event: 'head', data: '{}' })
  const text = (await body.toArray()).join('')
  expect(text).toBe(': connected\n\nretry: 5\n\nid: 1\nevent: head\ndata: {}\n\n')
  expect(countEnds()).toBe(1)
})

/** Opens a stream whose client disconnects. */
function openDisconnected(): WeakRef<object> {
  const disconnection = new AbortController()
  const body = openEventStream(new EventStream(() => undefined), {
    lastEventId: undefined,
    isAllowed: async () => true,
    signal: AbortSignal.any([disconnection.signal, new AbortController().signal]),
  })
  disconnection.abort()
  body.destroy()
  return new WeakRef(body)
}

test('nothing of a stream remains in memory after the client disconnects', async () => {
  expect(await isCollected(openDisconnected())).toBe(true)
})
