import { readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { latestSchemaVersion } from '../../src/storage/migrate.ts'
import { runCommand } from '../support/command.ts'
import { editLive, insertPage, updatePage } from '../support/content.ts'
import { homeForTest, migratedHomeForTest, runTransaction } from '../support/home.ts'
import { runOctavo, startServerProcess } from '../support/process.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { getOrganizationId } from '../support/teams.ts'
import { engineForTest, startOpenAiEngine } from '../support/translation-engines.ts'

const folderOf = (env: Record<string, string>) => env['OCTAVO_DATA'] as string
const databaseFile = (env: Record<string, string>) => join(folderOf(env), 'octavo.db')
const faults = (stdout: string) => [...stdout.matchAll(/^✗ ([A-Za-z. ]+?) {2,}/gm)].map(([, name]) => name)

test('reports no problems for an empty data folder and beside a running server', async () => {
  const env = await homeForTest()
  const empty = await runOctavo(['doctor'], env)
  expect(empty).toMatchObject({ exitCode: 0, stderr: '' })
  expect(empty.stdout).toMatch(/^✓ Server +is not running$/m)
  expect(empty.stdout).toMatch(/^✓ Database +does not exist/m)
  expect(empty.stdout).toMatch(/\nNo problems were found\.\n$/)
  expect(readdirSync(folderOf(env)).filter((name) => name.endsWith('.db'))).toEqual([])

  const server = await startServerProcess(env)
  const beside = await runOctavo(['doctor'], env)
  expect(beside).toMatchObject({ exitCode: 0, stderr: '' })
  expect(beside.stdout).toMatch(/^✓ Server +is running$/m)
  expect(beside.stdout).toMatch(/^✓ Storage +\d+\.\d\d GiB of 100\.00 GiB in files/m)
  expect(beside.stdout).toMatch(new RegExp(`^✓ Database +SQLite, intact, version ${latestSchemaVersion}$`, 'm'))
  expect(readFileSync(join(folderOf(env), 'server.pid'), 'utf8').trim()).toBe(String(server.pid))
})

test('checks the connection to the mail server', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const env = await homeForTest()
  const mail = { OCTAVO_SMTP_URL: `smtp://user:word@127.0.0.1:${smtp.port}`, OCTAVO_MAIL_FROM: 'docs@example.com' }
  expect((await runCommand(['doctor'], env)).stdout).toMatch(/^✓ Mail +not configured$/m)
  const connected = await runCommand(['doctor'], { ...env, ...mail })
  expect(connected.stdout).toMatch(new RegExp(`^✓ Mail +connected to 127\\.0\\.0\\.1:${smtp.port}$`, 'm'))
  expect(smtp.logins).toHaveLength(1)
  const refused = await runCommand(['doctor'], { ...env, ...mail, OCTAVO_SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(refused.exitCode).toBe(1)
  expect(faults(refused.stdout)).toEqual(['Mail'])
})

test('translates a text with the engine of the server', async () => {
  const env = await homeForTest()
  const service = await engineForTest(startOpenAiEngine())
  const translation = {
    OCTAVO_TRANSLATION: 'openai',
    OCTAVO_TRANSLATION_URL: service.url,
    OCTAVO_TRANSLATION_MODEL: 'small',
    OCTAVO_TRANSLATION_KEY: 'a-secret-key-of-the-service',
  }
  expect((await runCommand(['doctor'], env)).stdout).toMatch(
    /^✓ Translation +not configured; set OCTAVO_TRANSLATION to/m,
  )
  const working = await runCommand(['doctor'], { ...env, ...translation })
  expect(working.stdout).toMatch(
    /^✓ Translation +openai with the model small translated a text from English into French$/m,
  )
  service.misbehave('fail')
  const failing = await runCommand(['doctor'], { ...env, ...translation })
  expect(failing.exitCode).toBe(1)
  expect(faults(failing.stdout)).toEqual(['Translation'])
  expect(failing.stdout).toContain('The translation service is not available (status 500): Internal error')
  service.misbehave('reject-key', 'reject-key', 'reject-key')
  const refused = await runCommand(['doctor'], { ...env, ...translation })
  expect(refused.stdout).toMatch(/^✗ Translation +The translation service does not accept the key \(status 401\)$/m)
  // Only an engine whose program is missing is reported without a request.
  const missing = await runCommand(['doctor'], { ...env, OCTAVO_TRANSLATION: 'apertium', PATH: '/nowhere' })
  expect(missing.stdout).toMatch(/^✗ Translation +apertium cannot be started\. Install it on the server$/m)
})

test('reports a dead job with its error', async () => {
  const env = await migratedHomeForTest()
  const at = '2026-01-01T00:00:00.000Z'
  await runTransaction(env, (db) =>
    db
      .insertInto('jobs')
      .values({
        id: newId(),
        name: 'spaces.purge',
        key: '',
        payload: '{}',
        state: 'dead',
        attempts: 5,
        run_at: at,
        lease: null,
        lease_until: null,
        error: 'The moon was full',
        created_at: at,
        finished_at: at,
      })
      .execute(),
  )
  const { exitCode, stdout } = await runCommand(['doctor'], env)
  expect(exitCode).toBe(1)
  expect(faults(stdout)).toEqual(['Jobs'])
  expect(stdout).toContain('spaces.purge: The moon was full')
})

test('reports a data folder and a blob folder that are not writable', async () => {
  const env = await homeForTest()
  const file = join(folderOf(env), 'a-file')
  writeFileSync(file, '')
  const noFolder = await runCommand(['doctor'], { OCTAVO_DATA: file })
  expect(noFolder).toMatchObject({ exitCode: 1, stderr: '' })
  expect(faults(noFolder.stdout)).toEqual(expect.arrayContaining(['Data folder', 'Files']))
  expect(noFolder.stdout).toContain(file)

  writeFileSync(join(folderOf(env), 'blobs'), '')
  const noBlobs = await runCommand(['doctor'], env)
  expect(noBlobs).toMatchObject({ exitCode: 1, stderr: '' })
  expect(faults(noBlobs.stdout)).toEqual(['Files'])
})

test('distinguishes a newer database from a damaged one', async () => {
  const env = await homeForTest()
  // Migrates in a separate process, so that all content is in the database file.
  await runOctavo(['migrate'], env)
  await runTransaction(env, (db) =>
    sql`insert into migrations (version, name, applied_at) values (${latestSchemaVersion + 1}, 'future', '')`.execute(
      db,
    ),
  )
  const newer = await runCommand(['doctor'], env)
  await runTransaction(env, (db) => sql`delete from migrations where name = 'future'`.execute(db))
  truncateSync(databaseFile(env), 40_000)
  const cut = await runCommand(['doctor'], env)
  writeFileSync(databaseFile(env), 'overwritten by a careless script')
  const overwritten = await runCommand(['doctor'], env)

  for (const { exitCode, stdout } of [newer, cut, overwritten]) {
    expect(exitCode).toBe(1)
    expect(faults(stdout)).toEqual(['Database'])
  }
  expect(newer.stdout).toMatch(/^✗ Database +has version \d+, which is newer than this version of Octavo supports/m)
  expect(cut.stdout).toMatch(/^✗ Database +is damaged: .*\. Restore a backup$/m)
  expect(overwritten.stdout).toMatch(/^✗ Database +is damaged: file is not a database\. Restore a backup$/m)
})

test('reports an invalid configuration and stops', async () => {
  const { exitCode, stdout } = await runCommand(['doctor'], { PORT: 'none' })
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^✗ Configuration +The configuration is invalid:\n {2}PORT must be a whole number\n$/)
})

test('migrate prints the applied migrations and the database version', async () => {
  const env = await homeForTest()
  const first = await runCommand(['migrate'], env)
  expect(first).toMatchObject({ exitCode: 0, stderr: '' })
  expect(first.stdout).toMatch(/^(Applied: [a-z -]+\n)+The database has version \d+\.\n$/)
  const second = await runCommand(['migrate'], env)
  expect(second).toMatchObject({ exitCode: 0, stdout: `The database has version ${latestSchemaVersion}.\n` })
})

test('reports damaged objects and missing blobs with --content, and missing objects also without it', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const api = server.api()
  const organizationId = await getOrganizationId(api)
  const { id: spaceId } = await api.createSpace({ params: { organizationId }, body: { empty: true } })
  const [page = ''] = await editLive({ api }, spaceId, insertPage('# Page\n\nWords'), {
    operation: 'insert_files',
    files: [{ name: 'a.txt', contentType: 'text/plain', base64: btoa('Bytes') }],
  })
  const sound = await runCommand(['doctor', '--content'], env)
  expect(sound).toMatchObject({ exitCode: 0, stderr: '' })
  expect(sound.stdout).toMatch(/^✓ Content +\d+ objects and 1 files match their hashes$/m)

  await editLive({ api }, spaceId, updatePage(page, { document: { markdown: '# Page\n\nOther words' } }))
  server.kill('SIGTERM')
  await server.ended
  await runTransaction(env, (db) =>
    sql`update objects set body = replace(body, 'Other words', 'Forged words')`.execute(db),
  )
  for (const folder of readdirSync(join(folderOf(env), 'blobs'))) {
    // Folders that begin with a dot contain no blobs.
    if (!folder.startsWith('.')) rmSync(join(folderOf(env), 'blobs', folder), { recursive: true })
  }
  expect((await runCommand(['doctor'], env)).exitCode).toBe(0)
  const forged = await runCommand(['doctor', '--content'], env)
  expect(forged.exitCode).toBe(1)
  expect(faults(forged.stdout)).toEqual(['Content'])
  expect(forged.stdout).toMatch(
    /the content [0-9a-f]{64} of organization \w+ is damaged, the bytes [0-9a-f]{64} of a file/,
  )

  await runTransaction(env, (db) => sql`delete from objects`.execute(db))
  const lost = await runCommand(['doctor'], env)
  expect(faults(lost.stdout)).toEqual(['Content'])
  expect(lost.stdout).toContain(spaceId)
})
