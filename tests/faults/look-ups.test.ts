import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/server/stores.ts'
import { testOn } from '../support/engine.ts'
import { silentLog } from '../support/home.ts'
import { serverForTest, waitUntil } from '../support/server.ts'

test('concurrent requests are each answered for their own caller', async () => {
  const octavo = await serverForTest()
  const people = await Promise.all(Array.from({ length: 20 }, (_, index) => octavo.person(`Person ${index}`)))
  const replies = await Promise.all(
    people.flatMap(({ token }) => [
      octavo.fetch('/v1/user', { token }),
      octavo.fetch('/v1/user', { token: `${token}x` }),
      octavo.fetch(`/v1/spaces/${octavo.admin.spaceId}`, { token }),
      octavo.fetch(`/v1/spaces/${octavo.admin.spaceId}`, { token: octavo.admin.token }),
    ]),
  )
  for (const [index, { id }] of people.entries()) {
    const [own, wrong, hidden, seen] = replies.slice(index * 4) as [Response, Response, Response, Response]
    expect(await own.json()).toMatchObject({ id })
    expect(wrong.status).toBe(401)
    expect(hidden.status).toBe(404)
    expect(await seen.json()).toMatchObject({ id: octavo.admin.spaceId, permissions: { admin: true } })
  }
})

test('a column added to a table while the server runs does not change replies', async () => {
  const octavo = await serverForTest()
  const { spaceId, organizationId, api } = octavo.admin
  const reader = await octavo.member('read')
  const read = async () => ({
    space: await reader.api.getSpaceById({ params: { spaceId } }),
    spaces: await api.listSpacesInOrganizationById({ params: { organizationId } }),
    organization: await reader.api.getOrganizationById({ params: { organizationId } }),
    members: await api.listMembersInOrganizationById({ params: { organizationId } }),
  })
  const before = await read()
  await octavo.server.app.database.transaction(async (db) => {
    for (const table of ['spaces', 'organizations', 'users', 'members']) {
      await sql`alter table ${sql.table(table)} add column later text not null default 'new'`.execute(db)
    }
  })
  expect(await read()).toEqual(before)
})

// The embedded database has no connections that could be lost.
testOn('postgres')('lost database connections are replaced', async () => {
  const octavo = await serverForTest()
  const { api, spaceId } = octavo.admin
  const read = () => api.getSpaceById({ params: { spaceId } })
  const before = await read()
  await octavo.server.app.database.transaction((db) =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db),
  )
  const after = await waitUntil(() => read().catch(() => undefined), 'the space can be read again')
  expect(after).toEqual(before)
})

test('changes committed by another process apply to the next request', async () => {
  const octavo = await serverForTest()
  const { spaceId, organizationId } = octavo.admin
  const { id, token } = await octavo.member('read')
  const other = openDatabase(octavo.server.app.config, silentLog)
  onTestFinished(() => other.close())
  const titles = async () => {
    const reply = await octavo.fetch(`/v1/orgs/${organizationId}/spaces`, { token })
    const { items } = (await reply.json()) as { items: { id: string; title: string }[] }
    return items.filter((space) => space.id === spaceId).map(({ title }) => title)
  }
  const statusOf = async (path: string) => (await octavo.fetch(path, { token })).status
  for (let round = 0; round < 10; round++) {
    const disabled = (round % 2) as 0 | 1
    const title = `Title ${round}`
    await other.transaction(async (db) => {
      await db.updateTable('spaces').set({ title }).where('id', '=', spaceId).execute()
      await db.updateTable('members').set({ disabled }).where('user_id', '=', id).execute()
    })
    expect(await statusOf(`/v1/spaces/${spaceId}`)).toBe(disabled ? 404 : 200)
    expect(await statusOf(`/v1/spaces/${spaceId}/content/pages`)).toBe(disabled ? 404 : 200)
    expect(await statusOf(`/v1/users/${octavo.admin.id}`)).toBe(disabled ? 404 : 200)
    if (!disabled) expect(await titles()).toEqual([title])
  }
  expect(await statusOf('/v1/user')).toBe(200)
  await other.transaction((db) => db.deleteFrom('tokens').where('user_id', '=', id).execute())
  expect(await statusOf('/v1/user')).toBe(401)
})

test('a cache mark requested during another read includes commits made in between', async () => {
  const octavo = await serverForTest()
  const { database } = octavo.server.app
  const { spaceId } = octavo.admin
  const other = openDatabase(octavo.server.app.config, silentLog)
  onTestFinished(() => other.close())
  const busy = { isOver: false }
  // Reads marks continuously, so that most requests below arrive during another read.
  const asking = (async () => {
    for (; !busy.isOver; await nextTurn()) await Promise.all(Array.from({ length: 8 }, async () => database.mark()))
  })()
  let before = await database.mark()
  for (let round = 0; round < 30; round++) {
    await other.transaction((db) =>
      db
        .updateTable('spaces')
        .set({ title: `Title ${round}` })
        .where('id', '=', spaceId)
        .execute(),
    )
    // Clients that have seen the commit can only send requests in a later turn of the event loop.
    await nextTurn()
    const marks = await Promise.all(Array.from({ length: 4 }, async () => database.mark()))
    expect(marks).not.toContain(before)
    before = await database.mark()
  }
  busy.isOver = true
  await asking
})

// On SQLite the mark is read synchronously, so two reads never overlap.
testOn('postgres')('cache marks are read by one statement at a time', async () => {
  const octavo = await serverForTest()
  const { database } = octavo.server.app
  const { query: original } = pg.Client.prototype as unknown as {
    query: (this: void, ...args: unknown[]) => Promise<unknown>
  }
  const statements = { all: 0, underWay: 0, most: 0 }
  function counted(this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(original, this, args) as Promise<unknown>
    if ((args[0] as { name?: string }).name === 'snapshot') {
      statements.all++
      statements.most = Math.max(statements.most, ++statements.underWay)
      void result.finally(() => statements.underWay--)
    }
    return result
  }
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(counted)
  onTestFinished(() => query.mockRestore())
  const marks = Array.from({ length: 50 }, async (_, turn) => {
    for (let wait = 0; wait < turn; wait++) await nextTurn()
    return database.mark()
  })
  await Promise.all(marks)
  expect(statements.all).toBeGreaterThan(0)
  expect(statements.most).toBe(1)
})
