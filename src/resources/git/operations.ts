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
import { gitSync } from '../../domain/git/git-sync-job.ts'
import { isSameBranch } from './permissions.ts'
import type { GitRequest } from '../../domain/git/queue-operation.ts'
import { UndecidedError } from './settle.ts'
import { storeGitState } from '../../domain/git/git-state.ts'
import * as store from '../../domain/git/git-store.ts'
import {
  type GitServices,
  GitSyncError,
  NotConnectedError,
  type Outcome,
  type Work,
  getLiveSpace,
  storeSyncState,
} from './work.ts'

type Operation = Row<'git_operations'>

/** How often an operation is begun anew after its process has ended: less often than the job, so that it hears of its end. */
const maxAttempts = 4
/** How often it is tried again when somebody else has pushed meanwhile. */
const maxRaces = 5
/** How many warnings of an operation are kept, and how much each may say. */
const maxWarnings = 1000
const maxWarningLength = 300
/** How much space copies of repositories may take. */
const maxCacheBytes = 10 * 1024 ** 3

/** Carries out what waits for a space: one operation, which the next one follows as a job of its own, with its own attempts. */
export const syncWithGit = (services: GitServices) => {
  let trimmedAt = 0
  return job({
    ...gitSync,
    attempts: maxAttempts + 1,
    payload: z.object({ organizationId: z.string(), spaceId: z.string() }),
    async run(context, payload) {
      const space = { organization_id: payload.organizationId, id: payload.spaceId }
      const operation = await store.findNextOperation(context.db, space)
      if (!operation) return
      await carryOut(context, services, operation)
      await context.transaction(async (db) => {
        if (await store.findNextOperation(db, space)) await context.enqueue(db, gitSync, payload)
      })
      if (Date.now() - trimmedAt < hours(1)) return
      trimmedAt = Date.now()
      await services.git
        .trim(maxCacheBytes)
        .catch((error: unknown) => context.log.warn('Copies of repositories could not be removed', { error }))
    },
  })
}

/** Removes what was done long ago, and takes up again what was left: by a job that was given up, or in another organization. */
export const sweepGitOperations = job({
  name: 'git.sweep',
  attempts: 3,
  payload: z.object({}),
  async run({ db: reader, transaction, enqueue, now }) {
    const moment = timestamp(Date.parse(now()) - days(90))
    await transaction((db) => store.deleteOperationsBefore(db, moment))
    for (const space of await store.findBusySpaces(reader)) await transaction((db) => enqueue(db, gitSync, space))
  },
})

async function carryOut(context: JobContext, services: GitServices, operation: Operation): Promise<void> {
  const { attempts } = operation
  if (attempts >= maxAttempts) {
    const error = 'The operation was interrupted by restarts of the server too many times'
    return end(context, operation, { state: 'failure', error })
  }
  const timeout = AbortSignal.timeout(services.config.gitTimeout)
  const signal = AbortSignal.any([context.signal, timeout])
  const started = operation.started_at ?? context.now()
  await note(context, operation, { state: 'running', attempts: attempts + 1, started_at: started })
  try {
    const work = await prepare(context, services, operation, signal)
    if (await isOutdated(work)) {
      const message = 'Skipped, because a newer event was already processed'
      return await end(context, operation, { state: 'success' }, [{ file: '', message }])
    }
    const outcome = await perform(work)
    await noteEvent(work)
    await end(context, operation, valuesOf(outcome, work), outcome.warnings)
  } catch (error) {
    if (!context.signal.aborted) return end(context, operation, failureOf(context, error, timeout))
    // Whoever takes the job over begins again, which is nobody's fault.
    await context.transaction((db) => store.updateOperation(db, operation, { attempts }))
    throw error
  }
}

async function perform(work: Work): Promise<Outcome> {
  const repository = await work.services.git.open(cacheKey(work))
  const run = work.operation.direction === 'import' ? importBranch : exportToBranch
  for (let race = 1; ; race++) {
    try {
      return await run(work, repository)
    } catch (error) {
      const isMoved = error instanceof GitError && error.failure === 'moved'
      if (!isMoved || race === maxRaces) throw error
    }
  }
}

async function prepare(
  context: JobContext,
  services: GitServices,
  operation: Operation,
  signal: AbortSignal,
): Promise<Work> {
  const space = { organization_id: operation.organization_id, id: operation.space_id }
  await getLiveSpace({ space }, context.db)
  const request = JSON.parse(operation.request) as GitRequest
  const connection = await store.findConnection(context.db, space)
  if (!request.standalone) demandConnected(connection, request)
  const sealed = operation.credentials ?? storedCredentials(connection, request)
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

/** Fails when the space was disconnected after an operation was requested, or connected with something that the operation may not use. */
function demandConnected(connection: Row<'git_connections'> | undefined, request: GitRequest): void {
  if (!connection) throw new NotConnectedError()
  if (request.anyBranch || isSameBranch(connection, request)) return
  throw new GitSyncError(
    'The Git connection of the space was changed after this operation was requested. Start it again',
  )
}

/** The credentials of a connection, as far as a request may use them. */
function storedCredentials(connection: Row<'git_connections'> | undefined, request: GitRequest): string | null {
  if (connection?.url !== request.url) return null
  return request.anyBranch || isSameBranch(connection, request) ? connection.credentials : null
}

/** Copies are shared within an organization only. */
function cacheKey({ space, request }: Work): string {
  return JSON.stringify([space.organization_id, request.cacheId ?? space.id, request.url])
}

/** Whether something was dealt with that happened later. */
async function isOutdated({ context, space, operation, request }: Work): Promise<boolean> {
  if (request.force === true || request.isTimed !== true || request.standalone === true) return false
  const connection = await store.findConnection(context.db, space)
  return operation.event_at < (connection?.newest_event_at ?? '')
}

async function noteEvent(work: Work): Promise<void> {
  const { context, space, operation, request } = work
  if (request.isTimed !== true || request.standalone === true) return
  await context.transaction(async (db) => {
    const newest = (await store.findConnection(db, space))?.newest_event_at ?? ''
    if (newest < operation.event_at) await storeSyncState(work, db, { newest_event_at: operation.event_at })
  })
}

type Values = Partial<
  Pick<Operation, 'state' | 'failure' | 'error' | 'done' | 'total' | 'commit_id' | 'revision_id' | 'change_request_id'>
>

function valuesOf({ commit, revisionId, pending }: Outcome, { total }: Work): Values {
  return {
    done: total,
    total,
    commit_id: commit ?? null,
    revision_id: revisionId ?? null,
    ...(pending
      ? { state: 'failure', change_request_id: pending.changeRequest.id, error: new UndecidedError(pending).message }
      : { state: 'success' }),
  }
}

/** What is told of a failure: sentences that were written for users, and no other. */
function failureOf({ log }: JobContext, error: unknown, timeout: AbortSignal): Values {
  if (timeout.aborted) return { state: 'timeout', error: 'The operation exceeded its time limit' }
  if (error instanceof UndecidedError) {
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

async function end(
  context: JobContext,
  operation: Operation,
  values: Values,
  warnings: readonly GitWarning[] = [],
): Promise<void> {
  await note(context, operation, {
    revision_id: null,
    ...values,
    ended_at: context.now(),
    credentials: null,
    warnings: JSON.stringify(warnings.slice(0, maxWarnings).map(shortened)),
    warning_count: warnings.length,
  })
}

/** What a warning quotes can be as long as a file. */
function shortened({ message, ...where }: GitWarning): GitWarning {
  return {
    ...where,
    message: message.length > maxWarningLength ? `${message.slice(0, maxWarningLength).toWellFormed()}…` : message,
  }
}

/** Writes down how an operation stands, where the space shows it too. */
async function note(context: JobContext, operation: Operation, values: Partial<Operation>): Promise<void> {
  await context.transaction(async (db) => {
    await store.updateOperation(db, operation, values)
    await storeGitState({ ...context, db }, { organization_id: operation.organization_id, id: operation.space_id })
  })
}
