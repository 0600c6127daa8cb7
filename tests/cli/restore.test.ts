import { existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { timestamp } from '../../src/kernel/time.ts'
import { createUser } from '../../src/domain/users/accounts.ts'
import { latestSchemaVersion } from '../../src/storage/migrate.ts'
import { runCommand } from '../support/command.ts'
import { homeForTest, migratedHomeForTest, runTransaction } from '../support/home.ts'
import { runOctavo, startOctavo } from '../support/process.ts'

const folderOf = (env: Record<string, string>) => env['OCTAVO_DATA'] as string
const databaseFile = (env: Record<string, string>) => join(folderOf(env), 'octavo.db')
const making = { newId, now: () => timestamp(Date.now()) }

async function homeWith(email: string): Promise<Record<string, string>> {
  const env = await migratedHomeForTest()
  await runTransaction(env, (db) => createUser(db, making, { email, displayName: 'Somebody' }))
  return env
}

const emailsIn = async (env: Record<string, string>) => {
  const users = await runTransaction(env, (db) => db.selectFrom('users').select('email').execute())
  return users.map(({ email }) => email)
}

test('a killed restore applies all or nothing, and the next restore removes its temporary files', async () => {
  const [source, target] = [await homeWith('new@example.com'), await homeWith('old@example.com')]
  const file = join(folderOf(source), 'octavo.backup')
  await runCommand(['backup', file], source)

  const killed = startOctavo(['restore', file, '--replace'], target)
  await killed.waitForOutput(/Restoring \d+ rows/)
  killed.kill('SIGKILL')
  await killed.ended
  expect([['old@example.com'], ['new@example.com']]).toContainEqual(await emailsIn(target))

  expect(await runOctavo(['restore', file, '--replace'], target)).toMatchObject({ exitCode: 0 })
  expect(await emailsIn(target)).toEqual(['new@example.com'])
  expect(readdirSync(folderOf(target)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('restore --replace keeps an unreadable database under another name', async () => {
  const env = await homeForTest()
  const file = join(folderOf(await homeForTest()), 'octavo.backup')
  // Creates the user in a separate process, so that all content is in the database file.
  await runOctavo(['user', 'create', '--email', 'safe@example.com'], env)
  await runCommand(['backup', file], env)
  writeFileSync(databaseFile(env), 'overwritten by a careless script')

  const refused = await runCommand(['restore', file], env)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toMatch(/The data folder is not empty/)
  expect(readFileSync(databaseFile(env), 'utf8')).toBe('overwritten by a careless script')

  const restored = await runCommand(['restore', file, '--replace'], env)
  expect(restored.exitCode).toBe(0)
  const [, aside = ''] = /The damaged database is kept as (\S+)…/.exec(restored.stderr) ?? []
  expect(readFileSync(join(folderOf(env), aside), 'utf8')).toBe('overwritten by a careless script')
  expect(await emailsIn(env)).toEqual(['safe@example.com'])
  expect(await runCommand(['doctor'], env)).toMatchObject({ exitCode: 0 })
})

test('rejects a backup from a newer version of Octavo', async () => {
  const [env, target] = [await migratedHomeForTest(), await homeForTest()]
  const file = join(folderOf(env), 'octavo.backup')
  await runTransaction(env, (db) =>
    sql`insert into migrations (version, name, applied_at) values (${latestSchemaVersion + 1}, 'future', '')`.execute(
      db,
    ),
  )
  expect(await runCommand(['backup', file], env)).toMatchObject({ exitCode: 0 })
  const refused = await runCommand(['restore', file], target)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toMatch(/octavo restore: The database has version \d+, which is newer/)
  expect(existsSync(databaseFile(target))).toBe(false)
})

test('backup of a damaged database fails and writes no file', async () => {
  const env = await homeForTest()
  await runOctavo(['migrate'], env)
  truncateSync(databaseFile(env), 40_000)
  const file = join(folderOf(await homeForTest()), 'octavo.backup')
  const refused = await runCommand(['backup', file], env)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toMatch(/octavo backup: \S+ could not be copied to \S+: .*malformed/)
  expect(existsSync(file)).toBe(false)
})
