import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { databaseFile, openBlobs, openDatabase } from '../server/app.ts'
import type { Config } from '../server/config.ts'
import { countJobs } from '../jobs/queue.ts'
import { AppError } from '../kernel/errors.ts'
import { createLog } from '../kernel/log.ts'
import type { Database } from '../storage/database.ts'
import { folderIsInUse } from '../storage/lock.ts'
import { isSecretKeyInUse } from '../storage/instance.ts'
import { databaseVersion, newestVersion } from '../storage/migrate.ts'
import { assertPostgresVersion } from '../storage/postgres.ts'
import { isDamage } from '../storage/sqlite.ts'
import { findLargestUsages } from '../storage/storage-usage.ts'
import { findSpacesWithoutContent, verifyContent } from '../storage/verify.ts'
import type { Command } from './command.ts'
import { describeFailure } from './failure.ts'
import { configFromEnvironment } from './open.ts'

const lowSpace = 1024 ** 3

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the installation and report problems',
  options: { content: { description: 'Also read all content and files and verify their hashes' } },
  async run({ switches }) {
    let config: Config
    try {
      config = configFromEnvironment()
    } catch (error) {
      report('Configuration', false, describeFailure(error))
      return 1
    }
    report('Configuration', true, 'all values are valid')
    const healthy = [
      await check('Node.js', async () => process.version),
      await check('git', async () => (await promisify(execFile)('git', ['--version'])).stdout.trim()),
      await check('Data folder', () => checkFolder(config.dataFolder)),
      await check('Server', async () => describeServer(config)),
      await check('Files', () => checkBlobs(config)),
      (await check('Database', () =>
        withOpened(config, checkDatabase, 'does not exist; the first start creates it'),
      )) &&
        (await check('Secret key', () => withOpened(config, (database) => checkSecretKey(database, config), 'none'))) &&
        (await check('Storage', () => withOpened(config, (database) => checkStorage(database, config), 'none'))) &&
        (await check('Jobs', () => withOpened(config, checkJobs, 'none'))) &&
        (await check('Content', () =>
          withOpened(config, (database) => checkContent(database, config, switches.has('content')), 'none'),
        )),
    ].every(Boolean)
    console.log(healthy ? '\nNo problems were found.' : '\nProblems were found: see the lines marked ✗.')
    return healthy ? 0 : 1
  },
}

/** Runs one check and prints its result or its error. */
async function check(name: string, look: () => Promise<string>): Promise<boolean> {
  try {
    return report(name, true, await look())
  } catch (error) {
    return report(name, false, describeFailure(error))
  }
}

function report(name: string, healthy: boolean, found: string): boolean {
  console.log(`${healthy ? '✓' : '✗'} ${name.padEnd(14)} ${found}`)
  return healthy
}

async function withOpened(config: Config, look: (database: Database) => Promise<string>, none: string) {
  if (!config.databaseUrl && !existsSync(databaseFile(config))) return none
  try {
    const database = openDatabase(config, createLog({ level: 'silent', format: 'json' }))
    try {
      return await look(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    throw isDamage(error) ? wrong(`is damaged: ${(error as Error).message}. Restore a backup`) : error
  }
}

function wrong(what: string): AppError {
  return new AppError('unavailable', what)
}

async function checkFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.R_OK | constants.W_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const told = `${folder}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
  if (free < lowSpace) throw wrong(`${told}: free disk space is low`)
  return told
}

function describeServer(config: Config): string {
  if (config.databaseUrl) return 'PostgreSQL is used; check /readyz of each process'
  return folderIsInUse(config.dataFolder) ? 'is running' : 'is not running'
}

async function checkDatabase(database: Database): Promise<string> {
  const version = await databaseVersion(database.reader, database.engine)
  if (version > newestVersion)
    throw wrong(`has version ${version}, which is newer than this version of Octavo supports (${newestVersion})`)
  const state =
    version === newestVersion
      ? `version ${version}`
      : `version ${version} of ${newestVersion}; the next start migrates it`
  if (database.engine === 'postgres') return `PostgreSQL ${await assertPostgresVersion(database.reader)}, ${state}`
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.reader)
  if (rows[0]?.integrity_check !== 'ok') throw wrong(`is damaged: ${rows[0]?.integrity_check}. Restore a backup`)
  return `SQLite, intact, ${state}`
}

async function checkSecretKey({ reader, engine }: Database, { secretKey }: Config): Promise<string> {
  if ((await databaseVersion(reader, engine)) === 0) return 'none'
  const isInUse = await isSecretKeyInUse(reader, secretKey)
  if (isInUse === false) {
    throw wrong(
      'OCTAVO_SECRET_KEY differs from the key of the server that started last. Set the same key for every process and command',
    )
  }
  const told = secretKey === undefined ? 'OCTAVO_SECRET_KEY is not set' : 'OCTAVO_SECRET_KEY is set'
  return isInUse ? `${told}, same as on the server` : told
}

async function checkBlobs(config: Config): Promise<string> {
  const blobs = openBlobs(config)
  const probe = randomBytes(16)
  const hash = await blobs.put(probe)
  const back = await blobs.get(hash)
  await blobs.delete(hash)
  if (!back || Buffer.compare(back, probe) !== 0) throw wrong('a written file could not be read back')
  return config.s3 ? `bucket ${config.s3.bucket} is readable and writable` : 'the folder is readable and writable'
}

/** Checks how much of the storage quotas is used, and lists the organizations that use most. */
async function checkStorage({ reader, engine }: Database, { storageQuota }: Config): Promise<string> {
  if ((await databaseVersion(reader, engine)) < newestVersion) return 'not checked before the next start'
  const { total, organizations } = await findLargestUsages(reader)
  const full = organizations.filter(({ bytes }) => isNearlyFull(bytes, storageQuota.organization))
  const told = [
    `${share(total, storageQuota.instance)} in files`,
    ...organizations.map(({ title, id, bytes }) => `${title} (${id}) ${share(bytes, storageQuota.organization)}`),
  ].join(', ')
  if (isNearlyFull(total, storageQuota.instance)) throw wrong(`${told}: increase OCTAVO_STORAGE soon`)
  if (full.length > 0) throw wrong(`${told}: increase OCTAVO_ORGANIZATION_STORAGE soon`)
  return told
}

const isNearlyFull = (bytes: number, quota: number): boolean => quota > 0 && bytes > quota * 0.9

const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB`

const share = (bytes: number, quota: number): string =>
  quota === 0 ? `${gibibytes(bytes)} (no limit)` : `${gibibytes(bytes)} of ${gibibytes(quota)}`

async function checkContent({ reader, engine }: Database, config: Config, isWhole: boolean): Promise<string> {
  // Content of an older version is checked after it was migrated.
  if ((await databaseVersion(reader, engine)) < newestVersion) return 'not checked before the next start'
  const empty = await findSpacesWithoutContent(reader)
  if (empty.length > 0) throw wrong(`the content of ${listed(empty)} is missing. Restore a backup`)
  if (!isWhole) return 'every space has its content; --content verifies all of it'
  const { objects, files, faults } = await verifyContent(reader, openBlobs(config))
  if (faults.length > 0) throw wrong(`${listed(faults)}. Restore a backup`)
  return `${objects} objects and ${files} files match their hashes`
}

/** Returns the first five items and the number of the others. */
function listed(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ')
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown
}

async function checkJobs(database: Database): Promise<string> {
  if ((await databaseVersion(database.reader, database.engine)) === 0) return 'none'
  const counts = await countJobs(database.reader)
  const told = counts.map(({ name, state, count }) => `${name} ${state} ${count}`).join(', ') || 'none'
  const dead = await database.reader
    .selectFrom('jobs')
    .select(['name', 'error', 'finished_at'])
    .where('state', '=', 'dead')
    .orderBy('finished_at', 'desc')
    .limit(5)
    .execute()
  if (dead.length === 0) return told
  const last = dead.map((job) => `\n    ${job.finished_at} ${job.name}: ${job.error}`).join('')
  throw wrong(`${told}. Most recent permanent failures:${last}`)
}
