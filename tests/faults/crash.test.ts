import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { readConfig } from '../../src/config.ts'
import { newId } from '../../src/kernel/ids.ts'
import { days, minutes, seconds, timestamp } from '../../src/kernel/time.ts'
import { createSpace } from '../../src/resources/spaces/create.ts'
import { startServer } from '../../src/server.ts'
import type { Database } from '../../src/storage/database.ts'
import { makeGate } from '../support/gate.ts'
import { databaseOf, homeForTest, silence } from '../support/home.ts'
import { octavo, serve, serverEnv, startOctavo } from '../support/process.ts'
import { between, seeded } from '../support/random.ts'
import { engine, until } from '../support/server.ts'
import { organizationOf, teamsIn } from '../support/teams.ts'

const rounds = 4
const writers = 4

test('every acknowledged write survives kill -9, and none is half there', { timeout: 60_000 }, async () => {
  const env = await homeForTest()
  const chance = seeded(1)
  /** What each team may be called: one title when the last change of it was acknowledged, else also the new one. */
  const titles = new Map<string, string[]>()
  let acknowledged = 0

  for (let round = 1; round <= rounds; round++) {
    const server = await serve(env)
    const api = server.api()
    const organizationId = await organizationOf(api)
    await expectTeams(api, organizationId, titles)

    const { id: admin } = await api.getAuthenticatedUser()
    const last = acknowledged + between(chance, 5, 60)
    const onAcknowledged = () => {
      if (++acknowledged >= last) server.kill('SIGKILL')
    }
    const write = async (writer: number) => {
      for (let number = 1; ; number++) {
        const title = `${round}-${writer}-${number}`
        const team = await api.createOrganizationTeam({ params: { organizationId }, body: { title, members: [admin] } })
        titles.set(team.id, [title])
        onAcknowledged()
        const renamed = `${title} renamed`
        titles.set(team.id, [title, renamed])
        await api.updateTeamInOrganizationById({
          params: { organizationId, teamId: team.id },
          body: { title: renamed },
        })
        titles.set(team.id, [renamed])
        onAcknowledged()
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: writers }, (_, writer) => write(writer)))
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 'rejected'))
    expect(await server.ended).toMatchObject({ signal: 'SIGKILL' })
  }

  const server = await serve(env)
  await expectTeams(server.api(), await organizationOf(server.api()), titles)
  expect(titles.size).toBeGreaterThan(rounds * 2)
  expect(await octavo(['doctor'], env)).toMatchObject({ exitCode: 0 })
})

async function expectTeams(api: Client, organizationId: string, titles: Map<string, string[]>): Promise<void> {
  const found = new Map<string, string>()
  for (const team of await teamsIn(api, organizationId)) {
    found.set(team.id, team.title)
    expect(team.members).toBe(1)
  }
  for (const [id, possible] of titles) {
    expect(possible).toContain(found.get(id))
    titles.set(id, [found.get(id) as string])
  }
}

test('a job that was half done when its process was killed is finished after the next start', async () => {
  const env = await homeForTest()
  const spaces = await makeDeletedSpaces(env, 10)
  const database = databaseOf(env)
  const left = async () => {
    const rows = await database.reader
      .selectFrom('spaces')
      .select('id')
      .where('deleted_at', 'is not', null)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const purges = () => database.reader.selectFrom('jobs').selectAll().where('name', '=', 'spaces.purge').execute()

  const unblock = await blockRemoval(database, spaces[6] as string)
  const first = startOctavo(['serve'], serverEnv(env))
  await until(async () => (await left()).length === 4, 'the job has come to the space that it cannot remove')
  first.kill('SIGKILL')
  await first.ended
  await unblock()
  expect(await left()).toEqual(spaces.slice(6))
  expect(await purges()).toMatchObject([{ state: 'running', attempts: 1 }])

  // In a cluster others may be at work, so the lease has to end first; here no minute passes, so it is ended by hand.
  if (engine === 'postgres') {
    const past = timestamp(Date.now() - minutes(1))
    await database.transaction((db) => db.updateTable('jobs').set({ lease_until: past }).execute())
  }
  const second = await serve(env)
  await until(async () => (await purges())[0]?.state === 'done', 'the job is done')
  expect(await left()).toEqual([])
  expect(await purges()).toMatchObject([{ state: 'done', attempts: 2 }])
  const organizationId = await organizationOf(second.api())
  const alive = await second.api().listSpacesInOrganizationById({ params: { organizationId } })
  expect(alive.items).toMatchObject([{ title: 'Welcome' }])
})

/** Makes spaces that were deleted, one after the other, longer ago than they can be restored; returns their ids. */
async function makeDeletedSpaces(env: Record<string, string>, count: number): Promise<string[]> {
  const server = await startServer(readConfig(serverEnv({ ...env, ROLES: 'api' })), { log: silence })
  const organizationId = server.firstStart?.organizationId ?? ''
  const making = { newId, now: () => timestamp(Date.now() - days(9)) }
  const ids = await server.app.database.transaction(async (db) => {
    const { id: createdBy } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const made: string[] = []
    for (let number = 0; number < count; number++) {
      const { id } = await createSpace(db, making, { organizationId, container: undefined, createdBy })
      const deletedAt = timestamp(Date.now() - days(8) + seconds(number))
      await db.updateTable('spaces').set({ deleted_at: deletedAt }).where('id', '=', id).execute()
      made.push(id)
    }
    return made
  })
  await server.stop()
  return ids
}

/** Makes the removal of one space take longer than any test, until it is told to end. */
async function blockRemoval(database: Database, spaceId: string): Promise<() => Promise<void>> {
  if (database.engine === 'sqlite') {
    const statements = [
      'create table obstacle (n integer)',
      `insert into obstacle with recursive c (n) as (select 1 union all select n + 1 from c where n < 1000) select n from c`,
      `create trigger obstacle_slow before delete on spaces when old.id = '${spaceId}'
        begin select count(*) from obstacle a, obstacle b, obstacle c, obstacle d where a.n + b.n + c.n + d.n < 0; end`,
    ]
    const execute = (lines: string[]) =>
      database.transaction(async (db) => {
        for (const line of lines) await sql.raw(line).execute(db)
      })
    await execute(statements)
    return () => execute(['drop trigger obstacle_slow', 'drop table obstacle'])
  }
  return new Promise((blocked, failed) => {
    const gate = makeGate()
    const holding = database.transaction(async (db) => {
      await db.selectFrom('spaces').selectAll().where('id', '=', spaceId).forUpdate().execute()
      blocked(async () => {
        gate.open()
        await holding
      })
      await gate.passed
    })
    holding.catch(failed)
  })
}
