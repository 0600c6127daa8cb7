import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TokenUseRecorder } from '../access/tokens.ts'
import { type Build, readBuild } from '../build.ts'
import type { Config } from './config.ts'
import { type Dns, createDns } from '../fetch/dns.ts'
import { type Fetch, createFetch } from '../fetch/fetch.ts'
import { type Git, createGit } from '../fetch/git.ts'
import { SpecDocuments } from '../domain/openapi/spec-documents.ts'
import { Highlighter } from '../highlight/highlight.ts'
import type { Metrics } from '../http/metrics.ts'
import { ReadinessChecks } from '../http/readiness.ts'
import { Queue } from '../jobs/queue.ts'
import { setCacheMemory } from '../kernel/cache.ts'
import type { OpenObjects, Urls } from '../kernel/context.ts'
import { newId } from '../kernel/ids.ts'
import { type Log, createLog } from '../kernel/log.ts'
import { type Sealer, createSealer } from '../kernel/sealer.ts'
import { type Signer, createSigner } from '../kernel/signer.ts'
import { type Clock, seconds, timestamp } from '../kernel/time.ts'
import { type Mailer, createMailer } from '../mail/mailer.ts'
import { createMetrics } from './metrics.ts'
import { buildSiteUrl, matchSitesByUrl } from '../publishing/site-urls.ts'
import { type ResolveEngine, createEngineResolver } from '../domain/translations/engines.ts'
import { Embeds } from '../domain/embeds/embeds.ts'
import { LiveStreams } from '../domain/live/live-streams.ts'
import { revalidationJob } from '../domain/revalidation/revalidate.ts'
import { BuiltInTemplates } from '../resources/templates/built-in-templates.ts'
import { root } from '../root.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Database } from '../storage/database.ts'
import { type FolderLock, getFolderId, lockFolder, createExclusiveFolder } from '../storage/lock.ts'
import { getInstanceSecret, recordSecretKey } from '../storage/instance.ts'
import { migrate } from '../storage/migrate.ts'
import { ObjectCache } from '../storage/object-cache.ts'
import { DatabaseObjects } from '../storage/objects.ts'
import { assertPostgresVersion } from '../storage/postgres.ts'
import { createDataFolder, openBlobs, openDatabase } from './stores.ts'

/** The parts of a running server. */
export interface App {
  config: Config
  build: Build
  log: Log
  clock: Clock
  database: Database
  blobs: Blobs
  documents: SpecDocuments
  fetch: Fetch
  /** Fetches URLs that the operator has configured, which may be in a private network. */
  operatorFetch: Fetch
  /** Finds the translation engine of an organization. */
  resolveEngine: ResolveEngine
  dns: Dns
  /** Absent if the operator has not configured mail. */
  mailer: Mailer | undefined
  embeds: Embeds
  live: LiveStreams
  openObjects: OpenObjects
  signer: Signer
  sealer: Sealer
  git: Git
  highlighter: Highlighter
  templates: BuiltInTemplates
  queue: Queue
  tokenUses: TokenUseRecorder
  metrics: Metrics
  readiness: ReadinessChecks
  urls: Urls & { base: string }
  checkReplies: boolean
  jobInterval: number
  close(): Promise<void>
}

export interface AppOptions {
  clock?: Clock
  log?: Log
  /** Whether to check every reply against its contract; for tests. */
  checkReplies?: boolean
  /** Milliseconds between two polls of the queue and of the schedules. */
  jobInterval?: number
}

const secretKeyWarning =
  'OCTAVO_SECRET_KEY differs from the key of the previous process. All processes must use the same key. ' +
  'If you changed it on purpose, set the credentials of repositories and the keys of translation engines again, and regenerate the private keys of sites with visitor authentication.'

/** Returns the names of jobs that this configuration does not need. */
export const ignoredJobs = (config: Config): string[] => (config.revalidation ? [] : [revalidationJob.name])

/** Opens the parts of a server without starting a role. */
export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? Date.now
  setCacheMemory(config.cacheMemory)
  const log = options.log ?? createLog({ level: config.logLevel, format: config.logFormat })
  let lock: FolderLock | undefined
  if (!config.databaseUrl) {
    createDataFolder(config)
    lock = lockFolder(config.dataFolder)
  }
  const opened = openDatabase(config, log, config.statementTimeout)
  const ownFolder = createExclusiveFolder(join(config.dataFolder, 'git'))
  try {
    if (opened.engine === 'postgres') await assertPostgresVersion(opened.reader)
    const steps = await migrate(opened)
    if (steps.length > 0) log.info('The database was migrated', { steps: steps.join(', ') })
    const workerId = config.roles.has('worker') ? getFolderId(ownFolder.path()) : newId()
    const queue = new Queue(opened, clock, { workerId, ignored: ignoredJobs(config) })
    // The lock on the folder guarantees that no other process runs jobs of an embedded database.
    if (lock) await queue.releaseAll()
    else await queue.releaseOwn()
    const live = new LiveStreams({ database: opened, clock, log })
    const database = live.wakeAfterCommit(queue.database)
    const tokenUses = new TokenUseRecorder(opened, clock, log)
    const secret = await getInstanceSecret(opened)
    const highlighter = new Highlighter()
    const sealer = createSealer(secret, config.secretKey)
    if (!(await recordSecretKey(opened, sealer))) log.warn(secretKeyWarning)
    const blobs = openBlobs(config)
    const guard = { allowPrivateNetwork: config.allowPrivateNetwork }
    const fetch = createFetch(guard)
    const operatorFetch = createFetch({ allowPrivateNetwork: true })
    const embeds = new Embeds({
      fetch,
      fetchesEmbeds: config.fetchesEmbeds,
      database,
      enqueue: queue.enqueue,
      clock,
      log,
    })
    return {
      config,
      build: readBuild(),
      log,
      clock,
      database,
      blobs,
      documents: new SpecDocuments(blobs),
      fetch,
      operatorFetch,
      resolveEngine: createEngineResolver({ fetch, operatorFetch, translation: config.translation }),
      dns: createDns({ servers: config.dnsServers }),
      mailer: config.mail && createMailer(config.mail),
      embeds,
      live,
      openObjects: createOpenObjects(clock),
      signer: createSigner(secret),
      sealer,
      git: createGit({
        folder: ownFolder.path,
        environment: config.gitEnvironment,
        guard,
        limits: { maxBytes: config.gitMaxBytes, timeout: config.gitTimeout },
      }),
      highlighter,
      templates: new BuiltInTemplates(fileURLToPath(new URL('templates', root))),
      queue,
      tokenUses,
      metrics: createMetrics(database),
      readiness: new ReadinessChecks({ database: () => opened.check(), files: () => blobs.check() }, log),
      urls: createUrls(config),
      checkReplies: options.checkReplies ?? false,
      jobInterval: options.jobInterval ?? seconds(1),
      async close() {
        embeds.close()
        live.close()
        await tokenUses.stop()
        await highlighter.close()
        await opened.close()
        ownFolder.release()
        lock?.release()
      },
    }
  } catch (error) {
    await opened.close()
    ownFolder.release()
    lock?.release()
    throw error
  }
}

export function createOpenObjects(clock: Clock): OpenObjects {
  const cache = new ObjectCache()
  return (db, organizationId) => new DatabaseObjects(db, organizationId, cache, () => timestamp(clock()))
}

/** Creates the builder of URLs in replies; `base` is set again when the server listens on its port. */
export function createUrls({ url, host, port, sitesDomain }: Config): Urls & { base: string } {
  return {
    base: url ?? toLocalUrl(host, port),
    site(siteAddress, options) {
      return buildSiteUrl({ base: this.base, sitesDomain }, siteAddress, options)
    },
    sitesAt(address) {
      return matchSitesByUrl({ base: this.base, sitesDomain }, address)
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

/** Returns the URL of a server on a host and port, as seen from this machine. */
export function toLocalUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
