import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/kernel/time.ts'
import { latestSchemaVersion } from '../../src/storage/migrate.ts'
import { testOn } from '../support/engine.ts'
import { openDatabaseForTest, homeForTest, migratedHomeForTest } from '../support/home.ts'
import { runOctavo, startServerProcess, serverEnv, startOctavo } from '../support/process.ts'

// The lock is on the folder of the embedded database.
testOn('sqlite')('a second server on the same data folder is refused until the first is killed', async () => {
  const env = await homeForTest()
  const first = await startServerProcess(env)
  const second = await runOctavo(['serve'], serverEnv(env))
  expect(second).toMatchObject({ exitCode: 1, stdout: '' })
  expect(second.stderr).toBe(
    `octavo serve: The data folder ${env['OCTAVO_DATA']} is in use by another Octavo server (process ${first.pid}). ` +
      'Stop that server first, or set OCTAVO_DATA to another folder.\n',
  )
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

  first.kill('SIGKILL')
  await first.ended
  const third = await startServerProcess(env)
  expect((await fetch(`${third.url}/readyz`)).status).toBe(200)
})

test('a database of a newer version is refused and remains unchanged', async () => {
  const env = await migratedHomeForTest()
  const database = openDatabaseForTest(env)
  await database.transaction((db) =>
    sql`insert into migrations (version, name, applied_at) values (${latestSchemaVersion + 1}, 'future', '')`.execute(
      db,
    ),
  )
  for (const words of [['serve'], ['user', 'create', '--email', 'early@example.com']]) {
    const process = startOctavo(words, serverEnv(env))
    await process.waitForOutput(/newer/)
    const printedAt = performance.now()
    const refused = await process.ended
    // Idle connections that are not closed would keep the process alive for 10 seconds after the message.
    expect(performance.now() - printedAt).toBeLessThan(seconds(9))
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      new RegExp(`^octavo [a-z ]+: The database has version ${latestSchemaVersion + 1}, which is newer .+\\n$`),
    )
  }
  expect(await database.reader.selectFrom('users').selectAll().execute()).toEqual([])
})

// Only PostgreSQL can be shared by several servers.
testOn('postgres')('several processes can start concurrently on an empty database', async () => {
  const env = await homeForTest()
  const servers = await Promise.all([startServerProcess(env), startServerProcess(env), startServerProcess(env)])
  // Only one process initializes the database.
  expect(servers.filter((server) => server.stdout.includes('Admin ')).length).toBe(1)
  for (const server of servers) {
    const { items } = await server.api().listOrganizationsForAuthenticatedUser()
    expect(items).toMatchObject([{ title: 'My organization' }])
  }
  const { rows } = await sql<{ version: number }>`select version from migrations order by version`.execute(
    openDatabaseForTest(env).reader,
  )
  expect(rows.map(({ version }) => version)).toEqual(
    Array.from({ length: latestSchemaVersion }, (_, index) => index + 1),
  )
})

// The embedded database is not reached over a network.
testOn('postgres')('serve exits with one line if the database is missing or unreachable', async () => {
  const env = await homeForTest()
  const absent = { ...env, DATABASE_URL: `${env['DATABASE_URL']}_absent` }
  const closed = { ...env, DATABASE_URL: `postgres://octavo@localhost:${await unusedPort()}/octavo` }
  const [unknown, unreachable] = await Promise.all([
    runOctavo(['serve'], serverEnv(absent)),
    runOctavo(['serve'], serverEnv(closed)),
  ])
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^octavo serve: .*database "\w+_absent" does not exist\n$/)
  expect(unreachable).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unreachable.stderr).toMatch(/^octavo serve: .*ECONNREFUSED.*\n$/)
})

// Opening a port does not depend on the engine.
testOn('sqlite')('serve exits with one line if the port is in use, and does not initialize the database', async () => {
  const env = await homeForTest()
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const refused = await runOctavo(['serve'], { ...env, PORT: String(port) })
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    new RegExp(`^octavo serve: the port is already in use: .*:${port}\\. Set PORT to another port\\n$`),
  )

  // The failed start must not initialize the database, because its token would never be printed.
  const started = startOctavo(['serve'], { ...env, PORT: '0' })
  await started.waitForOutput(/^ {2}Token +oct_\S+ +\(shown only once: save it now\)$/m)
})

// The configuration is checked before a database is opened.
testOn('sqlite')('serve reports every invalid variable on a separate line', async () => {
  const wrong = {
    PORT: 'eighty',
    OCTAVO_URL: 'docs.example.com',
    DATABASE_URL: 'mysql://example.com',
    ROLES: 'api,cook,gardener',
    OCTAVO_BOOTSTRAP_TOKEN: 'a b',
    OCTAVO_ADMIN_EMAIL: 'nobody',
    OCTAVO_RATE_LIMIT: '-1',
    OCTAVO_LOG_LEVEL: 'loud',
    OCTAVO_S3_BUCKET: 'files',
    OCTAVO_S3_SECRET_ACCESS_KEY: 'hush',
  }
  const { exitCode, stdout, stderr } = await runOctavo(['serve'], wrong)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  const [title, ...problems] = stderr.trimEnd().split('\n')
  expect(title).toBe('octavo serve: The configuration is invalid:')
  expect(problems.map((line) => line.trim().split(' ')[0]).sort()).toEqual(
    [
      ...Object.keys(wrong).filter((name) => !name.startsWith('OCTAVO_S3_')),
      'OCTAVO_S3_ENDPOINT',
      'OCTAVO_S3_ACCESS_KEY_ID',
    ].sort(),
  )
  expect(problems.filter((line) => !/^ {2}[A-Z0-9_]+ must \S/.test(line))).toEqual([])
  expect(stderr).not.toContain('hush')
})

async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
