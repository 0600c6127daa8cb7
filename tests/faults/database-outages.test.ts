import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/kernel/time.ts'
import { folderForTest } from '../support/disk.ts'
import { type OutageReply, sendAsAdmin, postgresForTest } from '../support/outages.ts'
import { runSql } from '../support/postgres-databases.ts'
import { type ServerProcess, startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

/** Starts a server with its own PostgreSQL; `write` creates a team. */
async function start(env: Record<string, string> = {}) {
  const postgres = await postgresForTest()
  const server = await startServerProcess({ OCTAVO_DATA: folderForTest(), DATABASE_URL: postgres.url, ...env })
  const organizationId = await getOrganizationId(server.api())
  const teams = `/v1/orgs/${organizationId}/teams`
  const write = (title: string) => sendAsAdmin(server, teams, { method: 'PUT', body: JSON.stringify({ title }) })
  return { postgres, server, organizationId, teams, write }
}

const isReady = async (server: ServerProcess) => (await sendAsAdmin(server, '/readyz')).status === 200

describe('an unresponsive database', () => {
  test('causes 503 replies within seconds, then immediately, until it responds again', async () => {
    const { postgres, server, organizationId, teams, write } = await start()
    expect(await write('Before')).toMatchObject({ status: 201 })

    postgres.pause()
    const askAll = () =>
      Promise.all([
        sendAsAdmin(server, '/readyz'),
        sendAsAdmin(server, '/v1/user'),
        sendAsAdmin(server, teams),
        sendAsAdmin(server, `/v1/orgs/${organizationId}/spaces`),
        write('Meanwhile'),
        ...Array.from({ length: 20 }, (_, index) => write(`Many ${index}`)),
      ])
    const [ready, ...others] = await askAll()
    expect(ready).toMatchObject({ status: 503 })
    expect(JSON.parse(ready.body)).toEqual({
      status: 'not ready',
      checks: { database: 'The database cannot be reached. Try again', files: 'ok' },
    })
    for (const { status, retryAfter } of others)
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' })
    // The server gives up after five seconds; the margin is for slow test machines.
    expect(Math.max(...[ready, ...others].map(({ milliseconds }) => milliseconds))).toBeLessThan(seconds(9))

    // After the first timeout, requests fail without waiting, and health and metrics remain available.
    const [, ...again] = await askAll()
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 503))
    expect(Math.max(...again.map(({ milliseconds }) => milliseconds))).toBeLessThan(seconds(1.5))
    expect(await sendAsAdmin(server, '/healthz')).toMatchObject({ status: 200 })
    const metrics = await sendAsAdmin(server, '/metrics')
    expect(metrics).toMatchObject({ status: 200 })
    expect(metrics.body).toContain('octavo_http_requests_total')

    postgres.resume()
    await waitUntil(() => isReady(server), 'the server is ready again')
    expect(await write('After')).toMatchObject({ status: 201 })
    expect(await sendAsAdmin(server, '/v1/user')).toMatchObject({ status: 200 })
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0 })
  })

  test('does not prevent the server from stopping', async () => {
    const { postgres, server, write } = await start()
    await write('Before')
    postgres.pause()
    onTestFinished(() => postgres.resume())
    server.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ exitCode: 0, signal: null })
  })
})

describe('a restarting database', () => {
  test('causes 503 replies with Retry-After and no 500', async () => {
    const { postgres, server, teams, write } = await start()
    const answers: OutageReply[] = []
    const over = new AbortController()
    const keepAsking = async (number: number) => {
      for (let round = 0; !over.signal.aborted; round++) {
        answers.push(await (number % 2 ? sendAsAdmin(server, teams) : write(`${number}-${round}`)))
        // Without pauses, the requests would take the processor time that the database needs to start.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const asking = Promise.all(Array.from({ length: 8 }, (_, number) => keepAsking(number)))
    const written = () => answers.filter(({ status }) => status === 201).length
    for (let round = 0; round < 3; round++) {
      const before = written()
      await waitUntil(async () => written() > before, 'something was written')
      await postgres.restart()
    }
    await waitUntil(() => isReady(server), 'the server is ready at the end')
    over.abort()
    await asking
    const statuses = [...new Set(answers.map(({ status }) => status))].sort()
    expect(statuses).toEqual([200, 201, 503])
    const failed = answers.filter(({ status }) => status === 503)
    expect(failed.filter(({ retryAfter }) => retryAfter === null)).toEqual([])
    expect(server.stdout + server.stderr).not.toContain('failed unexpectedly')
  })
})

/** Locks a table exclusively and returns a function that unlocks it. */
async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

describe('a slow statement', () => {
  test('is not aborted while the database responds to other statements', async () => {
    const { postgres, server, write } = await start()
    const unlock = await lockTable(postgres.url, 'teams')
    const written = write('Patient')
    // Longer than the timeout for an unresponsive database.
    for (const end = Date.now() + seconds(6); Date.now() < end;) {
      expect(await sendAsAdmin(server, '/v1/user')).toMatchObject({ status: 200 })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await unlock()
    expect(await written).toMatchObject({ status: 201 })
  })

  test('is canceled after the configured timeout and returns 503', async () => {
    const { postgres, write } = await start({ OCTAVO_STATEMENT_TIMEOUT: '1' })
    const unlock = await lockTable(postgres.url, 'teams')
    const refused = await write('Impatient')
    expect(refused).toMatchObject({ status: 503, retryAfter: '5' })
    expect(refused.body).toContain('did not respond in time')
    await unlock()
    expect(await write('Patient')).toMatchObject({ status: 201 })
  })
})

describe('a database with a full disk', () => {
  test('causes 507 for writes and makes the server not ready for a while', async () => {
    const { postgres, server, write } = await start()
    await runSql(
      postgres.url,
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert on teams for each row execute function full_disk()`,
    )
    const refused = await write('One too many')
    expect(refused).toMatchObject({ status: 507 })
    expect(refused.body).toContain('The disk of the database is full')
    const ready = await sendAsAdmin(server, '/readyz')
    expect(ready).toMatchObject({ status: 503 })
    expect(JSON.parse(ready.body)).toMatchObject({
      checks: { database: expect.stringContaining('is full'), files: 'ok' },
    })
    expect(await sendAsAdmin(server, '/v1/user')).toMatchObject({ status: 200 })
    await runSql(postgres.url, 'drop trigger full_disk on teams')
    expect(await write('Room again')).toMatchObject({ status: 201 })
    await waitUntil(() => isReady(server), 'the server is ready again')
  })
})
