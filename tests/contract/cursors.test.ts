import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildRequestPath } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { PdfQuery } from '../../src/contract/pdf.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type World, makeWorld } from '../support/world.ts'

const lists = (Object.entries(api) as [string, Operation][]).filter(
  // The parameter `page` of PDFs is the ID of a page.
  ([, { query }]) => query instanceof z.ZodObject && 'page' in query.shape && query !== PdfQuery,
)

let octavo: TestServer
let world: World
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeWorld(octavo)
})
afterAll(() => octavo.stop())

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Returns cursors of one to three keys with the broken key at every position, because lists sort by one to three
 * keys.
 */
const withBrokenKey = (broken: unknown) =>
  [1, 2, 3].flatMap((length) =>
    Array.from({ length }, (_, position) =>
      encode(Array.from({ length }, (__, index) => (index === position ? broken : '1'))),
    ),
  )

const brokenCursors = [
  ...withBrokenKey('\0'),
  ...withBrokenKey('a\0b'),
  ...withBrokenKey('\ud800'),
  ...withBrokenKey('\udc00a'),
  ...withBrokenKey(1),
  ...withBrokenKey(null),
  ...withBrokenKey(['1']),
  encode([]),
  encode(['1', '1', '1', '1']),
  encode('1'),
  encode({ 0: '1', length: 1 }),
  encode(['a'.repeat(1600)]),
  encode(['a'.repeat(100_000)]).slice(0, 6000),
  Buffer.from('['.repeat(1500)).toString('base64url'),
  '',
  '!',
]

test('the contract has more than 40 lists with cursors', () => expect(lists.length).toBeGreaterThan(40))

test.each(lists)('%s returns 400 for an invalid cursor', async (_, operation) => {
  for (const page of brokenCursors) {
    const reply = await octavo.fetch(
      `/v1${buildRequestPath(operation.path, { params: world.params, query: { query: 'a', page } })}`,
      {
        method: operation.method,
        token: octavo.admin.token,
        ...(operation.body && { body: '{"query":"a"}', headers: { 'content-type': 'application/json' } }),
      },
    )
    expect([page, reply.status, await reply.json()]).toMatchObject([
      page,
      400,
      { error: { details: [{ path: 'query.page' }] } },
    ])
  }
})
