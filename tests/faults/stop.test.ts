import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/kernel/time.ts'
import { testOn } from '../support/engine.ts'
import { openDatabaseForTest, migratedHomeForTest } from '../support/home.ts'
import { type ServerProcess, bootstrapToken, startServerProcess, serverEnv, startOctavo } from '../support/process.ts'
import { blockRemoval, findDeletedSpaces, makeDeletedSpaces } from '../support/purge.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

const body = JSON.stringify({ title: 'Just in time' })

test('on SIGTERM, the server completes open requests, accepts no new ones, and exits with code 0', async () => {
  const env = await migratedHomeForTest()
  const server = await startServerProcess(env)
  const organizationId = await getOrganizationId(server.api())
  const underWay = await startRequest(server, organizationId)

  const stoppedAt = performance.now()
  server.kill('SIGTERM')
  const refuses = () =>
    fetch(server.url).then(
      () => false,
      () => true,
    )
  await waitUntil(refuses, 'no new connections are accepted')

  underWay.end(body)
  const [reply] = (await once(underWay, 'response')) as [IncomingMessage]
  expect(reply.statusCode).toBe(201)
  const { id } = (await json(reply)) as { id: string }
  expect(await server.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' })
  expect(performance.now() - stoppedAt).toBeLessThan(seconds(3))

  const again = await startServerProcess(env)
  const team = await again.api().getTeamInOrganizationById({ params: { organizationId, teamId: id } })
  expect(team.title).toBe('Just in time')
})

// A job on the embedded database never waits for another connection, so it cannot hang.
testOn('postgres')('the server stops in spite of an unfinished request and a blocked job', async () => {
  const env = await migratedHomeForTest()
  const spaces = await makeDeletedSpaces(env, 3)
  const database = openDatabaseForTest(env)
  onTestFinished(await blockRemoval(database, spaces[1] as string))
  const server = await startServerProcess(env)
  await waitUntil(async () => (await findDeletedSpaces(database)).length === 2, 'the job has come to where it hangs')
  const stuck = await startRequest(server, await getOrganizationId(server.api()))
  const cut = once(stuck, 'error').catch((error: unknown) => [error])

  const stoppedAt = performance.now()
  server.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ exitCode: 0, signal: null })
  expect(performance.now() - stoppedAt).toBeLessThan(seconds(10))
  expect(await cut).toMatchObject([{ code: 'ECONNRESET' }])
})

// Signals do not depend on the engine.
testOn('sqlite')('SIGINT stops a process without the API role', async () => {
  const env = await migratedHomeForTest()
  const server = startOctavo(['serve'], serverEnv({ ...env, ROLES: 'worker,scheduler' }))
  await server.waitForOutput(/is ready/)
  server.kill('SIGINT')
  expect(await server.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' })
})

/** Sends the headers of a request that creates a team, and waits for the reply 100 Continue. */
async function startRequest(server: ServerProcess, organizationId: string): Promise<ClientRequest> {
  // Uses keep-alive like browsers and proxies; the server must not wait for another request on the connection.
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const started = request(`${server.url}/v1/orgs/${organizationId}/teams`, {
    method: 'PUT',
    agent,
    headers: {
      authorization: `Bearer ${bootstrapToken}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  started.flushHeaders()
  await once(started, 'continue')
  return started
}
