import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Config } from '../server/config.ts'
import { databaseFile, openBlobs, openDatabase } from '../server/stores.ts'
import { countJobs } from '../jobs/queue.ts'
import { AppError } from '../kernel/errors.ts'
import { createLog } from '../kernel/log.ts'
import { createFetch } from '../fetch/fetch.ts'
import { createMailer } from '../mail/mailer.ts'
import type { Database } from '../storage/database.ts'
import { isFolderInUse } from '../storage/lock.ts'
import { isSecretKeyInUse } from '../storage/instance.ts'
import { readSchemaVersion, latestSchemaVersion } from '../storage/migrate.ts'
import { assertPostgresVersion } from '../storage/postgres.ts'
import { isSqliteCorrupt } from '../storage/sqlite.ts'
import { findLargestUsages } from '../storage/storage-usage.ts'
import { findProvidersToRenew } from '../domain/saml/certificate-expiry.ts'
import { findScriptsWithoutFont } from '../typesetting/fonts.ts'
import { isTypesetterInstalled } from '../typesetting/typesetter.ts'
import { probeEngine } from '../translators/probe-engine.ts'
import { findSpacesWithoutContent, verifyContent } from '../storage/verify.ts'
import type { Command } from './command.ts'
import { describeFailure } from './failure.ts'
import { configFromEnvironment, idsAndClock } from './environment.ts'
import { toPrintable } from './format.ts'

const minFreeSpace = 1024 ** 3

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
      await check('Data folder', () => checkDataFolder(config.dataFolder)),
      await check('Server', async () => describeServer(config)),
      await check('Files', () => checkBlobs(config)),
      await check('PDF', checkPdf),
      await check('Mail', () => checkMail(config)),
      await check('Translation', () => checkTranslation(config)),
      (await check('Database', () =>
        withOpenDatabase(config, checkDatabase, 'does not exist; the first start creates it'),
      )) &&
        (await check('Secret key', () =>
          withOpenDatabase(config, (database) => checkSecretKey(database, config), 'none'),
        )) &&
        (await check('Storage', () =>
          withOpenDatabase(config, (database) => checkStorage(database, config), 'none'),
        )) &&
        (await check('SSO', () => withOpenDatabase(config, checkSso, 'none'))) &&
        (await check('Jobs', () => withOpenDatabase(config, checkJobs, 'none'))) &&
        (await check('Content', () =>
          withOpenDatabase(config, (database) => checkContent(database, config, switches.has('content')), 'none'),
        )),
    ].every(Boolean)
    console.log(healthy ? '\nNo problems were found.' : '\nProblems were found: see the lines marked ✗.')
    return healthy ? 0 : 1
  },
}

/** Runs one check and prints its result or its error. */
async function check(name: string, runCheck: () => Promise<string>): Promise<boolean> {
  try {
    return report(name, true, await runCheck())
  } catch (error) {
    return report(name, false, describeFailure(error))
  }
}

function report(name: string, healthy: boolean, message: string): boolean {
  console.log(`${healthy ? '✓' : '✗'} ${name.padEnd(14)} ${message}`)
  return healthy
}

async function withOpenDatabase(
  config: Config,
  runCheck: (database: Database) => Promise<string>,
  missingMessage: string,
) {
  if (!config.databaseUrl && !existsSync(databaseFile(config))) return missingMessage
  try {
    const database = openDatabase(config, createLog({ level: 'silent', format: 'json' }))
    try {
      return await runCheck(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    throw isSqliteCorrupt(error) ? createProblem(`is damaged: ${(error as Error).message}. Restore a backup`) : error
  }
}

function createProblem(message: string): AppError {
  return new AppError('unavailable', message)
}

async function checkDataFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await access(folder, constants.R_OK | constants.W_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const summary = `${folder}, ${(free / 1024 ** 3).toFixed(1)} GiB free`
  if (free < minFreeSpace) throw createProblem(`${summary}: free disk space is low`)
  return summary
}

function describeServer(config: Config): string {
  if (config.databaseUrl) return 'PostgreSQL is used; check /readyz of each process'
  return isFolderInUse(config.dataFolder) ? 'is running' : 'is not running'
}

async function checkDatabase(database: Database): Promise<string> {
  const version = await readSchemaVersion(database.reader, database.engine)
  if (version > latestSchemaVersion)
    throw createProblem(
      `has version ${version}, which is newer than this version of Octavo supports (${latestSchemaVersion})`,
    )
  const state =
    version === latestSchemaVersion
      ? `version ${version}`
      : `version ${version} of ${latestSchemaVersion}; the next start migrates it`
  if (database.engine === 'postgres') return `PostgreSQL ${await assertPostgresVersion(database.reader)}, ${state}`
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.reader)
  if (rows[0]?.integrity_check !== 'ok')
    throw createProblem(`is damaged: ${rows[0]?.integrity_check}. Restore a backup`)
  return `SQLite, intact, ${state}`
}

async function checkSecretKey({ reader, engine }: Database, { secretKey }: Config): Promise<string> {
  if ((await readSchemaVersion(reader, engine)) === 0) return 'none'
  const isInUse = await isSecretKeyInUse(reader, secretKey)
  if (isInUse === false) {
    throw createProblem(
      'OCTAVO_SECRET_KEY differs from the key of the server that started last. Set the same key for every process and command',
    )
  }
  const summary = secretKey === undefined ? 'OCTAVO_SECRET_KEY is not set' : 'OCTAVO_SECRET_KEY is set'
  return isInUse ? `${summary}, same as on the server` : summary
}

async function checkBlobs(config: Config): Promise<string> {
  const blobs = openBlobs(config)
  const probe = randomBytes(16)
  const hash = await blobs.put(probe)
  const back = await blobs.get(hash)
  await blobs.delete(hash)
  if (!back || Buffer.compare(back, probe) !== 0) throw createProblem('a written file could not be read back')
  return config.s3 ? `bucket ${config.s3.bucket} is readable and writable` : 'the folder is readable and writable'
}

/** Checks whether PDFs can be made, and which scripts have no font. Both are optional, so neither is a problem. */
async function checkPdf(): Promise<string> {
  if (!isTypesetterInstalled())
    return `not available: the compiler has no build for ${process.platform}-${process.arch}`
  const missing = findScriptsWithoutFont()
  if (missing.length === 0) return 'available, with fonts for all tested scripts'
  return `available; no font was found for ${missing.join(', ')}. Install one, for example fonts-noto-core and fonts-noto-cjk on Debian`
}

/** Checks whether certificates of identity providers have expired or expire soon. */
async function checkSso({ reader, engine }: Database): Promise<string> {
  if ((await readSchemaVersion(reader, engine)) < latestSchemaVersion) return 'not checked before the next start'
  const toRenew = await findProvidersToRenew(reader, idsAndClock.now())
  const descriptions = toRenew.map(
    ({ label, organization_id, certificate_expires_at }) =>
      `the certificate of ${toPrintable(label)} (organization ${organization_id}) expires on ${certificate_expires_at?.slice(0, 10)}`,
  )
  if (toRenew.length > 0) throw createProblem(`${formatList(descriptions)}. Replace it in the settings of the provider`)
  return 'no certificate of an identity provider expires within 30 days'
}

/** Checks the connection to the mail server, without sending a message. */
async function checkMail({ mail }: Config): Promise<string> {
  return mail ? createMailer(mail).check() : 'not configured'
}

/** Translates a short text with the engine of the server. */
async function checkTranslation({ translation: { engine, timeout } }: Config): Promise<string> {
  if (!engine) return 'not configured; set OCTAVO_TRANSLATION to openai, deepl, libretranslate or apertium'
  const fetch = createFetch({ allowPrivateNetwork: true })
  return probeEngine(engine, { fetch, timeout, showsDetails: true })
}

/** Checks how much of the storage quotas is used, and lists the organizations that use most. */
async function checkStorage({ reader, engine }: Database, { storageQuota }: Config): Promise<string> {
  if ((await readSchemaVersion(reader, engine)) < latestSchemaVersion) return 'not checked before the next start'
  const { total, organizations } = await findLargestUsages(reader)
  const full = organizations.filter(({ bytes }) => isNearlyFull(bytes, storageQuota.organization))
  const summary = [
    `${formatQuotaUsage(total, storageQuota.instance)} in files`,
    ...organizations.map(
      ({ title, id, bytes }) => `${title} (${id}) ${formatQuotaUsage(bytes, storageQuota.organization)}`,
    ),
  ].join(', ')
  if (isNearlyFull(total, storageQuota.instance)) throw createProblem(`${summary}: increase OCTAVO_STORAGE soon`)
  if (full.length > 0) throw createProblem(`${summary}: increase OCTAVO_ORGANIZATION_STORAGE soon`)
  return summary
}

const isNearlyFull = (bytes: number, quota: number): boolean => quota > 0 && bytes > quota * 0.9

const formatGibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB`

const formatQuotaUsage = (bytes: number, quota: number): string =>
  quota === 0 ? `${formatGibibytes(bytes)} (no limit)` : `${formatGibibytes(bytes)} of ${formatGibibytes(quota)}`

async function checkContent({ reader, engine }: Database, config: Config, verifiesHashes: boolean): Promise<string> {
  // Content of an older version is checked after it was migrated.
  if ((await readSchemaVersion(reader, engine)) < latestSchemaVersion) return 'not checked before the next start'
  const empty = await findSpacesWithoutContent(reader)
  if (empty.length > 0) throw createProblem(`the content of ${formatList(empty)} is missing. Restore a backup`)
  if (!verifiesHashes) return 'every space has its content; --content verifies all of it'
  const { objects, files, faults } = await verifyContent(reader, openBlobs(config))
  if (faults.length > 0) throw createProblem(`${formatList(faults)}. Restore a backup`)
  return `${objects} objects and ${files} files match their hashes`
}

/** Returns the first five items and the number of the others. */
function formatList(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ')
  return items.length > 5 ? `${shown} and ${items.length - 5} more` : shown
}

async function checkJobs(database: Database): Promise<string> {
  if ((await readSchemaVersion(database.reader, database.engine)) === 0) return 'none'
  const counts = await countJobs(database.reader)
  const summary = counts.map(({ name, state, count }) => `${name} ${state} ${count}`).join(', ') || 'none'
  const dead = await database.reader
    .selectFrom('jobs')
    .select(['name', 'error', 'finished_at'])
    .where('state', '=', 'dead')
    .orderBy('finished_at', 'desc')
    .limit(5)
    .execute()
  if (dead.length === 0) return summary
  const last = dead.map((job) => `\n    ${job.finished_at} ${job.name}: ${job.error}`).join('')
  throw createProblem(`${summary}. Most recent permanent failures:${last}`)
}
