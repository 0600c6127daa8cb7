import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { hours, timestamp } from '../../src/kernel/time.ts'
import { openDatabaseForTest, migratedHomeForTest } from '../support/home.ts'
import { runOctavo, startServerProcess, serverEnv, startOctavo } from '../support/process.ts'
import { blockRemoval, findDeletedSpaces, makeDeletedSpaces } from '../support/purge.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId, listAllTeams } from '../support/teams.ts'

const rounds = 2
const writers = 4

test('acknowledged writes survive kill -9, and no write is applied partially', async () => {
  const env = await migratedHomeForTest()
  const chance = seededRandom(1)
  /** Possible titles of each team: one if its last change was acknowledged, otherwise also the new one. */
  const titles = new Map<string, string[]>()
  let acknowledged = 0

  for (let round = 1; round <= rounds; round++) {
    const server = await startServerProcess(env)
    const api = server.api()
    const organizationId = await getOrganizationId(api)
    await expectTeams(api, organizationId, titles)

    const { id: admin } = await api.getAuthenticatedUser()
    const last = acknowledged + randomInteger(chance, 5, 60)
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

  const server = await startServerProcess(env)
  await expectTeams(server.api(), await getOrganizationId(server.api()), titles)
  expect(titles.size).toBeGreaterThan(rounds * 2)
  expect(await runOctavo(['doctor'], env)).toMatchObject({ exitCode: 0 })
})

async function expectTeams(api: Client, organizationId: string, titles: Map<string, string[]>): Promise<void> {
  const found = new Map<string, string>()
  for (const team of await listAllTeams(api, organizationId)) {
    found.set(team.id, team.title)
    expect(team.members).toBe(1)
  }
  for (const [id, possible] of titles) {
    expect(possible).toContain(found.get(id))
    titles.set(id, [found.get(id) as string])
  }
}

test('a job that was interrupted by kill -9 is completed after the next start', async () => {
  const env = await migratedHomeForTest()
  const spaces = await makeDeletedSpaces(env, 10)
  const database = openDatabaseForTest(env)
  const left = () => findDeletedSpaces(database)
  const purges = () => database.reader.selectFrom('jobs').selectAll().where('name', '=', 'spaces.purge').execute()

  const unblock = await blockRemoval(database, spaces[6] as string)
  const first = startOctavo(['serve'], serverEnv(env))
  await waitUntil(async () => (await left()).length === 4, 'the job has come to the space that it cannot remove')
  first.kill('SIGKILL')
  await first.ended
  await unblock()
  expect(await left()).toEqual(spaces.slice(6))
  expect(await purges()).toMatchObject([{ state: 'running', attempts: 1 }])

  // Extends the lease beyond the duration of the test, so that only the new process can release it earlier.
  const later = timestamp(Date.now() + hours(1))
  await database.transaction((db) => db.updateTable('jobs').set({ lease_until: later }).execute())
  const second = await startServerProcess(env)
  await waitUntil(async () => (await purges())[0]?.state === 'done', 'the job is done')
  expect(await left()).toEqual([])
  expect(await purges()).toMatchObject([{ state: 'done', attempts: 2 }])
  const organizationId = await getOrganizationId(second.api())
  const alive = await second.api().listSpacesInOrganizationById({ params: { organizationId } })
  expect(alive.items).toMatchObject([{ title: 'Octavo' }])
})

test('the deletion of an organization that was interrupted by kill -9 is completed after the next start', async () => {
  const env = await migratedHomeForTest()
  const database = openDatabaseForTest(env)
  const first = await startServerProcess(env)
  const { id: organizationId } = await first.api().createOrganization({ body: { title: 'Acme' } })
  const params = { organizationId }
  const left = () =>
    database.reader
      .selectFrom('spaces')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  for (let number = 0; number < 4; number++) await first.api().createSpace({ params, body: {} })
  const unblock = await blockRemoval(database, (await left())[2]?.id ?? '')
  await first.api().deleteOrganizationById({ params, query: { title: 'Acme' } })
  await waitUntil(async () => (await left()).length === 2, 'the job has come to the space that it cannot remove')
  first.kill('SIGKILL')
  await first.ended
  await unblock()

  const second = await startServerProcess(env)
  const isDeleted = async () =>
    (await database.reader.selectFrom('organizations').select('id').where('id', '=', organizationId).execute())
      .length === 0
  await waitUntil(isDeleted, 'the organization is deleted')
  expect(await left()).toEqual([])
  expect((await second.api().listOrganizationsForAuthenticatedUser({})).items).toHaveLength(1)
})
