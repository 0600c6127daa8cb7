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

const withKey = (broken: unknown, length: number, position: number) =>
  encode(Array.from({ length }, (_, index) => (index === position ? broken : '1')))

/** Lists sort by one to three keys. */
const lengths = [1, 2, 3]

/** Returns cursors with the broken key at every position. */
const withBrokenKey = (broken: unknown) =>
  lengths.flatMap((length) => Array.from({ length }, (_, position) => withKey(broken, length, position)))

/** Returns cursors whose last key is broken. */
const withBrokenLastKey = (broken: unknown) => lengths.map((length) => withKey(broken, length, length - 1))

const brokenCursors = [
  ...withBrokenKey('\0'),
  ...withBrokenLastKey('\ud800'),
  ...withBrokenLastKey(1),
  ...withBrokenLastKey(null),
  ...withBrokenLastKey(['1']),
  encode(['a\0b', '\udc00a', '1']),
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
      `/v1${buildRequestPath(operation.path, { params: world.params, query: { query: 'a', text: 'a', page } })}`,
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
