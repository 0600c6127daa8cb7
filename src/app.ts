import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { TokenUses } from './access/tokens.ts'
import { type Build, readBuild } from './build.ts'
import type { Config } from './config.ts'
import { type Dns, createDns } from './fetch/dns.ts'
import { type Fetch, createFetch } from './fetch/fetch.ts'
import { type Git, createGit } from './fetch/git.ts'
import { Highlighter } from './highlight/highlight.ts'
import { Metrics } from './http/metrics.ts'
import { Queue } from './jobs/queue.ts'
import type { OpenObjects, Urls } from './kernel/context.ts'
import { randomText } from './kernel/ids.ts'
import { type Log, createLog } from './kernel/log.ts'
import { type Sealer, createSealer } from './kernel/sealer.ts'
import { type Signer, createSigner } from './kernel/signer.ts'
import { type Clock, seconds, timestamp } from './kernel/time.ts'
import { addressOfSite, sitesAt } from './publishing/addresses.ts'
import { type Blobs, folderBlobs, s3Blobs } from './storage/blobs.ts'
import type { Database } from './storage/database.ts'
import { type FolderLock, lockFolder, ownFolderIn } from './storage/lock.ts'
import { migrate } from './storage/migrate.ts'
import { ObjectCache } from './storage/object-cache.ts'
import { StoredObjects } from './storage/objects.ts'
import { assertPostgresVersion, openPostgres } from './storage/postgres.ts'
import { openSqlite } from './storage/sqlite.ts'
import type { Db } from './storage/tables.ts'

/** What the parts of a running server share. */
export interface App {
  config: Config
  build: Build
  log: Log
  clock: Clock
  database: Database
  blobs: Blobs
  fetch: Fetch
  dns: Dns
  openObjects: OpenObjects
  signer: Signer
  sealer: Sealer
  git: Git
  highlighter: Highlighter
  queue: Queue
  tokenUses: TokenUses
  metrics: Metrics
  urls: Urls & { base: string }
  checkReplies: boolean
  jobInterval: number
  close(): Promise<void>
}

export interface AppOptions {
  clock?: Clock
  log?: Log
  /** Checks every reply against its contract; for tests. */
  checkReplies?: boolean
  /** Milliseconds between looks into the queue and at the schedules. */
  jobInterval?: number
}

/** Opens the database that the configuration names. */
export function openDatabase(config: Config, log: Log): Database {
  if (config.databaseUrl) return openPostgres(config.databaseUrl, { poolSize: config.databasePool, log })
  makeDataFolder(config)
  return openSqlite(databaseFile(config))
}

/** For nobody else's eyes: it holds all content, and the hashes of all tokens. */
function makeDataFolder({ dataFolder }: Config): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
}

export function databaseFile({ dataFolder }: Config): string {
  return join(dataFolder, 'octavo.db')
}

export function openBlobs({ s3, dataFolder }: Config): Blobs {
  return s3 ? s3Blobs(s3) : folderBlobs(join(dataFolder, 'blobs'))
}

/** Puts the parts of a server together; starts none of its roles yet. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? Date.now
  const log = options.log ?? createLog({ level: config.logLevel, format: config.logFormat })
  let lock: FolderLock | undefined
  if (!config.databaseUrl) {
    makeDataFolder(config)
    lock = lockFolder(config.dataFolder)
  }
  const opened = openDatabase(config, log)
  try {
    if (opened.engine === 'postgres') await assertPostgresVersion(opened.reader)
    const steps = await migrate(opened)
    if (steps.length > 0) log.info('The database was migrated', { steps: steps.join(', ') })
    const queue = new Queue(opened, clock)
    // Whoever worked on jobs of an embedded database before is gone, as the folder was free.
    if (lock) await queue.releaseAll()
    const tokenUses = new TokenUses(opened, clock, log)
    const secret = await instanceSecret(opened)
    const gitFolder = ownFolderIn(join(config.dataFolder, 'git'))
    const highlighter = new Highlighter()
    const guard = { allowPrivateNetwork: config.allowPrivateNetwork }
    return {
      config,
      build: readBuild(),
      log,
      clock,
      database: queue.database,
      blobs: openBlobs(config),
      fetch: createFetch(guard),
      dns: createDns({ servers: config.dnsServers }),
      openObjects: createOpenObjects(clock),
      signer: createSigner(secret),
      sealer: createSealer(secret, config.secretKey),
      git: createGit({
        folder: gitFolder.path,
        environment: config.gitEnvironment,
        guard,
        limits: { maxBytes: config.gitMaxBytes, timeout: config.gitTimeout },
      }),
      highlighter,
      queue,
      tokenUses,
      metrics: new Metrics(),
      urls: createUrls(config),
      checkReplies: options.checkReplies ?? false,
      jobInterval: options.jobInterval ?? seconds(1),
      async close() {
        await tokenUses.stop()
        await highlighter.close()
        await opened.close()
        gitFolder.release()
        lock?.release()
      },
    }
  } catch (error) {
    await opened.close()
    lock?.release()
    throw error
  }
}

/** How many characters of content stay in memory; as values they take about three times as many bytes. */
const cacheSize = 24 * 1024 ** 2

export function createOpenObjects(clock: Clock): OpenObjects {
  const cache = new ObjectCache(cacheSize)
  return (db, organizationId) => new StoredObjects(db, organizationId, cache, () => timestamp(clock()))
}

/** What signatures are made with: made on the first start, and kept with the data. */
export async function instanceSecret({ reader, transaction }: Database): Promise<string> {
  const known = await findSecret(reader)
  if (known) return known.value
  return transaction(async (db) => {
    await db
      .insertInto('instance')
      .values({ key: 'secret', value: randomText(52) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await findSecret(db))?.value ?? ''
  })
}

const findSecret = (db: Db) => db.selectFrom('instance').select('value').where('key', '=', 'secret').executeTakeFirst()

/** The addresses in replies; `base` is settled once the port is known, when the configuration does not name it. */
export function createUrls({ url, host, port, sitesDomain }: Config): Urls & { base: string } {
  return {
    base: url ?? addressOf(host, port),
    site(place, options) {
      return addressOfSite({ base: this.base, sitesDomain }, place, options)
    },
    sitesAt(address) {
      return sitesAt({ base: this.base, sitesDomain }, address)
    },
    api(path) {
      return `${this.base}/v1${path}`
    },
    app(path) {
      return `${this.base}/app${path}`
    },
    plain(path) {
      return `${this.base}${path}`
    },
  }
}

/** Where a server on this host and port is reached from this machine. */
export function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
