import { z } from 'zod'
import { operation } from './operation.ts'
import { Count, Id, ListQuery, Timestamp, paginated } from './shared.ts'

const Bytes = z.int().min(0).describe('Number of bytes')
const Limit = z.int().min(0).describe('0 for no limit')

export const Instance = z
  .object({
    object: z.literal('instance'),
    version: z.string(),
    build: z.iso.datetime().describe('Build time of this version'),
    node: z.string().describe('Version of Node.js'),
    startedAt: Timestamp.describe('Start of the process that sent the reply'),
    memory: Bytes.describe('Resident memory of the process that sent the reply, in bytes'),
    checks: z
      .object({ database: z.string(), files: z.string() })
      .describe('`ok`, or the reason why the database or the file storage cannot be used'),
    database: z.object({ engine: z.enum(['sqlite', 'postgres']), schema: Count.describe('Version of the tables') }),
    files: z.enum(['folder', 's3']).describe('Location of the files'),
    storage: z.object({
      used: Bytes,
      limit: Limit,
      organizations: z
        .array(z.object({ id: Id, title: z.string(), used: Bytes }))
        .describe('The organizations that use the most storage'),
    }),
    jobs: z.object({ queued: Count, running: Count, failed: Count }),
    limits: z.object({
      organizationStorage: Limit.describe('Bytes of files of an organization; 0 for no limit'),
      requestsPerMinute: Limit.describe('Requests of a caller; 0 for no limit'),
      requestBody: Bytes.describe('Maximum number of bytes of a request'),
      connections: Count,
      importPages: Count.describe('Maximum number of pages of an import'),
    }),
    features: z.object({
      mail: z.boolean().describe('Whether the server sends mail'),
      translation: z.boolean().describe('Whether the server has a translation engine'),
      pdf: z.boolean().describe('Whether the server can create PDFs'),
      secretKey: z.boolean().describe('Whether OCTAVO_SECRET_KEY is set'),
    }),
  })
  .meta({ id: 'Instance' })
export type Instance = z.infer<typeof Instance>

export const Job = z
  .object({
    object: z.literal('job'),
    id: Id,
    name: z.string(),
    state: z.enum(['queued', 'running', 'failed']),
    attempts: Count,
    error: z.string().optional().describe('Why the last attempt failed'),
    createdAt: Timestamp,
    runAt: Timestamp.describe('Time of the next attempt, or of the last one'),
    finishedAt: Timestamp.optional(),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>

const access = { access: 'operator', scope: 'unscoped' } as const

/** Operations for the people who run the server. */
export const operator = {
  getInstance: operation({
    method: 'GET',
    path: '/operator/instance',
    summary: 'Get the state of the server',
    ...access,
    reply: Instance,
  }),
  listJobs: operation({
    method: 'GET',
    path: '/operator/jobs',
    summary: 'List background jobs',
    description: 'Sorted by time, newest first. Successful jobs are not listed.',
    ...access,
    query: ListQuery.extend({ state: Job.shape.state.optional() }),
    reply: paginated(Job),
  }),
  retryJob: operation({
    method: 'POST',
    path: '/operator/jobs/{jobId}/retry',
    summary: 'Run a failed job again',
    ...access,
    reply: Job,
    errors: [404, 409],
  }),
}
