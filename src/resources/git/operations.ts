import { z } from 'zod'
import type { GitWarning } from '../../contract/git-sync.ts'
import { type GitCredentials, GitError } from '../../fetch/git.ts'
import { job } from '../../jobs/job.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, hours, timestamp } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { exportToBranch } from './export.ts'
import { importBranch } from './import.ts'
import { gitSyncJob } from '../../domain/git/git-sync-job.ts'
import { isSameBranch } from './permissions.ts'
import { type GitRequest, recordGitEvent } from '../../domain/git/queue-operation.ts'
import { recordNotificationEvent } from '../../domain/notifications/record-event.ts'
import { PendingRequestError } from './common-state.ts'
import { storeGitSyncState } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import {
  type GitServices,
  GitSyncError,
  NotConnectedError,
  type SyncResult,
  type SyncTask,
  getLiveSpace,
  storeSyncState,
} from './sync-task.ts'

type Operation = Row<'git_operations'>

/** Maximum number of attempts of an operation; less than the attempts of the job, so that the last one can record the failure. */
const maxAttempts = 4
/** Maximum number of attempts when others push at the same time. */
const maxPushAttempts = 5
/** Maximum number of stored warnings per operation. */
const maxWarnings = 1000
/** Maximum length of a stored warning. */
const maxWarningLength = 300
/** Maximum size of all cached copies of repositories. */
const maxCacheBytes = 10 * 1024 ** 3

/** Runs the next operation of a space. Each further operation gets a separate job with its own attempts. */
export const syncWithGit = (services: GitServices) => {
  let trimmedAt = 0
  return job({
    ...gitSyncJob,
    attempts: maxAttempts + 1,
    payload: z.object({ organizationId: z.string(), spaceId: z.string() }),
    async run(context, payload) {
      const space = { organization_id: payload.organizationId, id: payload.spaceId }
      const operation = await store.findNextGitOperation(context.db, space)
      if (!operation) return
      await runOperation(context, services, operation)
      await context.transaction(async (db) => {
        if (await store.findNextGitOperation(db, space)) await context.enqueue(db, gitSyncJob, payload)
      })
      if (Date.now() - trimmedAt < hours(1)) return
      trimmedAt = Date.now()
      await services.git
        .trim(maxCacheBytes)
        .catch((error: unknown) => context.log.warn('Copies of repositories could not be removed', { error }))
    },
  })
}

/** Deletes old operations, and enqueues unfinished ones again: their job was given up, or enqueued for another organization. */
export const sweepGitOperations = job({
  name: 'git.sweep',
  attempts: 3,
  payload: z.object({}),
  async run({ db: reader, transaction, enqueue, now }) {
    const cutoff = timestamp(Date.parse(now()) - days(90))
    await transaction((db) => store.deleteGitOperationsBefore(db, cutoff))
    for (const space of await store.findSpacesWithPendingGitOperations(reader))
      await transaction((db) => enqueue(db, gitSyncJob, space))
  },
})

async function runOperation(context: JobContext, services: GitServices, operation: Operation): Promise<void> {
  const { attempts } = operation
  if (attempts >= maxAttempts) {
    const error = 'The operation was interrupted by restarts of the server too many times'
    return endOperation(context, operation, { state: 'failure', error })
  }
  const timeout = AbortSignal.timeout(services.config.gitTimeout)
  const signal = AbortSignal.any([context.signal, timeout])
  const started = operation.started_at ?? context.now()
  await storeOperationState(context, operation, { state: 'running', attempts: attempts + 1, started_at: started })
  try {
    const task = await prepareTask(context, services, operation, signal)
    if (await isOutdated(task)) {
      const message = 'Skipped, because a newer event was already processed'
      return await endOperation(context, operation, { state: 'success' }, [{ file: '', message }])
    }
    const result = await runWithRetries(task)
    await storeNewestEvent(task)
    await endOperation(context, operation, toResultValues(result, task), result.warnings)
  } catch (error) {
    if (!context.signal.aborted) return endOperation(context, operation, toFailureValues(context, error, timeout))
    // The job was aborted and will run again, so this attempt is not counted.
    await context.transaction((db) => store.updateGitOperation(db, operation, { attempts }))
    throw error
  }
}

async function runWithRetries(task: SyncTask): Promise<SyncResult> {
  const repository = await task.services.git.open(cacheKey(task))
  const run = task.operation.direction === 'import' ? importBranch : exportToBranch
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(task, repository)
    } catch (error) {
      const isMoved = error instanceof GitError && error.failure === 'moved'
      if (!isMoved || attempt === maxPushAttempts) throw error
    }
  }
}

async function prepareTask(
  context: JobContext,
  services: GitServices,
  operation: Operation,
  signal: AbortSignal,
): Promise<SyncTask> {
  const space = { organization_id: operation.organization_id, id: operation.space_id }
  await getLiveSpace({ space }, context.db)
  const request = JSON.parse(operation.request) as GitRequest
  const connection = await store.findGitConnection(context.db, space)
  if (!request.standalone) assertConnected(connection, request)
  const sealed = operation.credentials ?? findStoredCredentials(connection, request)
  const opened = sealed === null ? undefined : context.sealer.open(sealed)
  if (sealed !== null && opened === undefined) {
    throw new GitError(
      'credentials',
      'The stored credentials cannot be decrypted, because OCTAVO_SECRET_KEY has changed. Set them again',
    )
  }
  const credentials = opened === undefined ? undefined : (JSON.parse(opened) as GitCredentials)
  const remote = { url: request.url, credentials }
  const provider = connection?.provider ?? null
  return { context, services, operation, space, request, remote, provider, signal, total: 0 }
}

/** Fails if the space was disconnected, or connected to a branch that the operation may not use, after it was requested. */
function assertConnected(connection: Row<'git_connections'> | undefined, request: GitRequest): void {
  if (!connection) throw new NotConnectedError()
  if (request.anyBranch || isSameBranch(connection, request)) return
  throw new GitSyncError(
    'The Git connection of the space was changed after this operation was requested. Start it again',
  )
}

/** Returns the stored credentials of a connection; null if the request may not use them. */
function findStoredCredentials(connection: Row<'git_connections'> | undefined, request: GitRequest): string | null {
  if (connection?.url !== request.url) return null
  return request.anyBranch || isSameBranch(connection, request) ? connection.credentials : null
}

/** Returns the cache key of a repository; copies are shared only within an organization. */
function cacheKey({ space, request }: SyncTask): string {
  return JSON.stringify([space.organization_id, request.cacheId ?? space.id, request.url])
}

/** Whether a newer event was already processed. */
async function isOutdated({ context, space, operation, request }: SyncTask): Promise<boolean> {
  if (request.force === true || request.isTimed !== true || request.standalone === true) return false
  const connection = await store.findGitConnection(context.db, space)
  return operation.event_at < (connection?.newest_event_at ?? '')
}

async function storeNewestEvent(task: SyncTask): Promise<void> {
  const { context, space, operation, request } = task
  if (request.isTimed !== true || request.standalone === true) return
  await context.transaction(async (db) => {
    const newest = (await store.findGitConnection(db, space))?.newest_event_at ?? ''
    if (newest < operation.event_at) await storeSyncState(task, db, { newest_event_at: operation.event_at })
  })
}

type OperationValues = Partial<
  Pick<Operation, 'state' | 'failure' | 'error' | 'done' | 'total' | 'commit_id' | 'revision_id' | 'change_request_id'>
>

function toResultValues({ commit, revisionId, pending }: SyncResult, { total }: SyncTask): OperationValues {
  return {
    done: total,
    total,
    commit_id: commit ?? null,
    revision_id: revisionId ?? null,
    ...(pending
      ? {
          state: 'failure',
          change_request_id: pending.changeRequest.id,
          error: new PendingRequestError(pending).message,
        }
      : { state: 'success' }),
  }
}

/** Returns the state to store for a failure; it contains only messages that were written for users. */
function toFailureValues({ log }: JobContext, error: unknown, timeout: AbortSignal): OperationValues {
  if (timeout.aborted) return { state: 'timeout', error: 'The operation exceeded its time limit' }
  if (error instanceof PendingRequestError) {
    return { state: 'failure', error: error.message, change_request_id: error.changeRequest.id }
  }
  if (error instanceof GitError && error.failure === 'timeout') return { state: 'timeout', error: error.message }
  if (error instanceof GitSyncError || error instanceof AppError) return { state: 'failure', error: error.message }
  if (error instanceof GitError) {
    if (error.failure === 'broken') log.error('Git failed', { error })
    const failure = error.failure === 'credentials' ? error.failure : null
    return { state: 'failure', failure, error: error.message }
  }
  log.error('An operation with a repository failed', { error })
  return { state: 'failure', error: 'Internal error. The server log contains details' }
}

async function endOperation(
  context: JobContext,
  operation: Operation,
  values: OperationValues,
  warnings: readonly GitWarning[] = [],
): Promise<void> {
  await storeOperationState(context, operation, {
    revision_id: null,
    ...values,
    ended_at: context.now(),
    credentials: null,
    warnings: JSON.stringify(warnings.slice(0, maxWarnings).map(truncateWarning)),
    warning_count: warnings.length,
  })
}

/** Records a failed operation for those who started it, connected the repository, or follow the space. */
async function recordFailure(
  context: JobContext,
  { organization_id, space_id, created_by }: Operation,
  error: string,
): Promise<void> {
  const connection = await store.findGitConnection(context.db, { organization_id, id: space_id })
  const receivers = [created_by, connection?.created_by ?? null].filter((id) => id !== null)
  await recordNotificationEvent(context, {
    organization_id,
    space_id,
    cause: 'git-failure',
    receivers: [...new Set(receivers)],
    details: { error },
  })
}

/** Shortens a warning, which can quote text as long as a file. */
function truncateWarning({ message, ...where }: GitWarning): GitWarning {
  return {
    ...where,
    message: message.length > maxWarningLength ? `${message.slice(0, maxWarningLength).toWellFormed()}…` : message,
  }
}

/** Stores the state of an operation, and updates the Git state of the space with it. */
async function storeOperationState(
  context: JobContext,
  operation: Operation,
  values: Partial<Operation>,
): Promise<void> {
  await context.transaction(async (db) => {
    await store.updateGitOperation(db, operation, values)
    await storeGitSyncState({ ...context, db }, { organization_id: operation.organization_id, id: operation.space_id })
    await recordGitEvent({ ...context, db }, operation)
    if (values.state === 'failure' || values.state === 'timeout')
      await recordFailure({ ...context, db }, operation, values.error ?? '')
  })
}
