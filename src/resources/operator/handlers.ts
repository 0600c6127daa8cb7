import { type Instance, type Job, operator } from '../../contract/operator.ts'
import { recordAuditEvent } from '../../domain/audit/record-event.ts'
import { countJobs, countListedJobs, findJob, findJobs, requeueJob } from '../../jobs/queue.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { timestamp } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import type { Database } from '../../storage/database.ts'
import { latestSchemaVersion } from '../../storage/migrate.ts'
import { type StorageQuota, findLargestUsages } from '../../storage/storage-usage.ts'
import { isTypesetterInstalled } from '../../typesetting/typesetter.ts'

/** Data about the server that the operator can see, besides its database. */
export interface OperatorServices {
  database: Pick<Database, 'engine'>
  readiness: { run(): Promise<{ checks: Record<'database' | 'files', string> }> }
  config: {
    storageQuota: StorageQuota
    rateLimit: number
    bodyLimit: number
    maxConnections: number
    importLimits: { maxPages: number }
    s3: object | undefined
    mail: object | undefined
    translation: { engine: object | undefined }
    secretKey: string | undefined
  }
}

/** Number of organizations whose storage is listed. */
const listedOrganizations = 10

const storedStates = { queued: 'queued', running: 'running', failed: 'dead' } as const

export const operatorRoutes = (
  build: { version: string; builtAt: string },
  { database, readiness, config }: OperatorServices,
) =>
  implement(operator, {
    async getInstance({ db }): Promise<Instance> {
      const { checks } = await readiness.run()
      const { total, organizations } = await findLargestUsages(db, listedOrganizations)
      return {
        object: 'instance',
        version: build.version,
        build: build.builtAt,
        node: process.version,
        startedAt: timestamp(performance.timeOrigin),
        memory: process.memoryUsage.rss(),
        checks,
        database: { engine: database.engine, schema: latestSchemaVersion },
        files: config.s3 ? 's3' : 'folder',
        storage: {
          used: total,
          limit: config.storageQuota.instance,
          organizations: organizations.map(({ id, title, bytes }) => ({ id, title, used: bytes })),
        },
        jobs: summarizeJobs(await countJobs(db)),
        limits: {
          organizationStorage: config.storageQuota.organization,
          requestsPerMinute: config.rateLimit,
          requestBody: config.bodyLimit,
          connections: config.maxConnections,
          importPages: config.importLimits.maxPages,
        },
        features: {
          mail: config.mail !== undefined,
          translation: config.translation.engine !== undefined,
          pdf: isTypesetterInstalled(),
          secretKey: config.secretKey !== undefined,
        },
      }
    },

    async listJobs({ db }, { query }) {
      const state = query.state && storedStates[query.state]
      const after = decodeCursor(query.page, 2)
      const rows = await findJobs(db, state, { after, limit: query.limit })
      return toPage(rows, query, await countListedJobs(db, state), (row) => [row.created_at, row.id], presentJob)
    },

    async retryJob(context, { params }) {
      const { db, now } = context
      const job = await findJob(db, params.jobId)
      if (!job || job.state === 'done') throw notFound('job')
      if (job.state !== 'dead') throw conflict('The job has not failed; it will run again automatically')
      const requeued = await requeueJob(db, job, now())
      await recordAuditEvent(context, {
        action: 'job.retry',
        organizationId: null,
        target: { type: 'job', id: job.id, title: job.name },
      })
      return presentJob(requeued)
    },
  })

function summarizeJobs(counts: Awaited<ReturnType<typeof countJobs>>) {
  const countIn = (state: string) =>
    counts.filter((row) => row.state === state).reduce((sum, { count }) => sum + count, 0)
  return { queued: countIn('queued'), running: countIn('running'), failed: countIn('dead') }
}

const presentJob = (row: Row<'jobs'>): Job => ({
  object: 'job',
  id: row.id,
  name: row.name,
  state: row.state === 'running' ? 'running' : row.state === 'dead' ? 'failed' : 'queued',
  attempts: row.attempts,
  ...(row.error !== null && { error: row.error }),
  createdAt: row.created_at,
  runAt: row.run_at,
  ...(row.finished_at !== null && { finishedAt: row.finished_at }),
})
