import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openBlobs, openDatabase } from '../app.ts'
import type { Config } from '../config.ts'
import { countJobs } from '../jobs/queue.ts'
import { createLog } from '../kernel/log.ts'
import type { Database } from '../storage/database.ts'
import { folderIsInUse } from '../storage/lock.ts'
import { databaseVersion, newestVersion } from '../storage/migrate.ts'
import { assertPostgresVersion } from '../storage/postgres.ts'
import type { Command } from './command.ts'
import { configFromEnvironment } from './open.ts'

const lowSpace = 1024 ** 3

/** One thing that was looked at: what was found, or an error that says what is wrong. */
type Check = [name: string, look: () => Promise<string>]

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the installation and say what is wrong with it',
  async run() {
    let config: Config
    try {
      config = configFromEnvironment()
    } catch (error) {
      return report('Configuration', error as Error)
    }
    report('Configuration', 'all values are valid')
    const database = openDatabase(config, createLog({ level: 'silent', format: 'json' }))
    let exitCode = 0
    try {
      for (const [name, look] of checks(config, database)) {
        exitCode ||= report(
          name,
          await look().catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
        )
      }
    } finally {
      await database.close()
    }
    console.log(exitCode === 0 ? '\nEverything is in order.' : '\nSomething is wrong: see the lines marked ✗.')
    return exitCode
  },
}

function checks(config: Config, database: Database): Check[] {
  return [
    ['Node.js', async () => process.version],
    ['git', async () => (await promisify(execFile)('git', ['--version'])).stdout.trim()],
    ['Data folder', () => checkFolder(config.dataFolder)],
    ['Server', async () => describeServer(config)],
    ['Database', () => checkDatabase(database)],
    ['Files', () => checkBlobs(config)],
    ['Jobs', () => checkJobs(database)],
  ]
}

async function checkFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.R_OK | constants.W_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const told = `${folder}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
  if (free < lowSpace) throw new Error(`${told}: that is little`)
  return told
}

function describeServer(config: Config): string {
  if (config.databaseUrl) return 'a cluster on PostgreSQL: ask each process at /readyz'
  return folderIsInUse(config.dataFolder) ? 'runs on the data folder' : 'does not run'
}

async function checkDatabase(database: Database): Promise<string> {
  const version = await databaseVersion(database.reader, database.engine)
  if (version > newestVersion)
    throw new Error(`is at version ${version}, newer than this Octavo knows (${newestVersion})`)
  const state =
    version === newestVersion
      ? `version ${version}`
      : `version ${version} of ${newestVersion}: the next start migrates it`
  if (database.engine === 'postgres') return `PostgreSQL ${await assertPostgresVersion(database.reader)}, ${state}`
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.reader)
  if (rows[0]?.integrity_check !== 'ok') throw new Error(`is damaged: ${rows[0]?.integrity_check}; restore a backup`)
  return `SQLite, intact, ${state}`
}

async function checkBlobs(config: Config): Promise<string> {
  const blobs = openBlobs(config)
  const probe = randomBytes(16)
  const hash = await blobs.put(probe)
  const back = await blobs.get(hash)
  await blobs.delete(hash)
  if (!back || Buffer.compare(back, probe) !== 0) throw new Error('what was written could not be read back')
  return config.s3 ? `bucket ${config.s3.bucket} can be written and read` : 'the folder can be written and read'
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
  throw new Error(`${told}. These failed for good most recently:${last}`)
}

function report(name: string, found: string | Error): number {
  const failed = found instanceof Error
  console.log(`${failed ? '✗' : '✓'} ${name.padEnd(14)} ${failed ? found.message : found}`)
  return failed ? 1 : 0
}
