import { z } from 'zod'
import { type GitCredentials, GitError } from '../../fetch/git.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext } from '../../kernel/context.ts'
import { days, timestamp } from '../../kernel/time.ts'
import type { Row } from '../../storage/tables.ts'
import { exportToBranch } from './export.ts'
import { importBranch } from './import.ts'
import { gitSync } from './names.ts'
import type { GitRequest } from './requests.ts'
import { UndecidedError } from './settle.ts'
import { showState } from './state.ts'
import * as store from './store.ts'
import { type GitServices, GitSyncError, type Outcome, type Work } from './work.ts'

type Operation = Row<'git_operations'>

/** How many warnings of an operation are kept. */
const maxWarnings = 1000
/** How much space copies of repositories may take. */
const maxCacheBytes = 10 * 1024 ** 3

/** Carries out what waits for a space. */
export const syncWithGit = (services: GitServices) =>
  job({
    ...gitSync,
    attempts: 5,
    payload: z.object({ organizationId: z.string(), spaceId: z.string() }),
    async run(context, { organizationId, spaceId }) {
      const space = { organization_id: organizationId, id: spaceId }
      for (;;) {
        const operation = await store.findNextOperation(context.db, space)
        if (!operation) break
        await carryOut(context, services, operation)
      }
      await services.git.trim(maxCacheBytes)
    },
  })

/** Removes what was done long ago. */
export const sweepGitOperations = job({
  name: 'git.sweep',
  attempts: 3,
  payload: z.object({}),
  async run({ transaction, now }) {
    const moment = timestamp(Date.parse(now()) - days(90))
    await transaction((db) => store.deleteOperationsBefore(db, moment))
  },
})

async function carryOut(context: JobContext, services: GitServices, operation: Operation): Promise<void> {
  const timeout = AbortSignal.timeout(services.config.gitTimeout)
  const signal = AbortSignal.any([context.signal, timeout])
  await note(context, operation, { state: 'running', started_at: operation.started_at ?? context.now() })
  try {
    const work = await prepare(context, services, operation, signal)
    if (await isOutdated(work)) {
      const message = 'Something newer was dealt with already, so nothing was done'
      return await end(context, operation, { state: 'success' }, [{ file: '', message }])
    }
    const repository = await services.git.open(cacheKey(work))
    const outcome = await (operation.direction === 'import' ? importBranch : exportToBranch)(work, repository)
    await noteEvent(work)
    await end(context, operation, valuesOf(outcome), outcome.warnings)
  } catch (error) {
    // Whoever takes the job over begins again.
    if (context.signal.aborted) throw error
    await end(context, operation, failureOf(context, error, timeout))
  }
}

async function prepare(
  context: JobContext,
  services: GitServices,
  operation: Operation,
  signal: AbortSignal,
): Promise<Work> {
  const space = { organization_id: operation.organization_id, id: operation.space_id }
  const request = JSON.parse(operation.request) as GitRequest
  const connection = await store.findConnection(context.db, space)
  const kept = connection?.url === request.url ? connection.credentials : null
  const sealed = operation.credentials ?? kept
  const opened = sealed === null ? undefined : context.sealer.open(sealed)
  if (sealed !== null && opened === undefined) {
    throw new GitSyncError('The credentials can no longer be read, as the key has changed; give them again')
  }
  const credentials = opened === undefined ? undefined : (JSON.parse(opened) as GitCredentials)
  const remote = { url: request.url, credentials }
  return { context, services, operation, space, request, remote, provider: connection?.provider ?? null, signal }
}

/** Copies are shared within an organization only. */
function cacheKey({ space, request }: Work): string {
  return JSON.stringify([space.organization_id, request.cacheId ?? space.id, request.url])
}

/** Whether something was dealt with that happened later. */
async function isOutdated({ context, space, operation, request }: Work): Promise<boolean> {
  if (request.force === true || request.isTimed !== true || request.standalone === true) return false
  const connection = await store.findConnection(context.db, space)
  return connection?.newest_event_at != null && operation.event_at < connection.newest_event_at
}

async function noteEvent({ context, space, operation, request }: Work): Promise<void> {
  if (request.isTimed !== true || request.standalone === true) return
  await context.transaction(async (db) => {
    const connection = await store.findConnection(db, space)
    if (!connection || (connection.newest_event_at ?? '') >= operation.event_at) return
    await store.updateConnection(db, connection, { newest_event_at: operation.event_at })
  })
}

type Values = Partial<Pick<Operation, 'state' | 'error' | 'commit_id' | 'revision_id' | 'change_request_id'>>

function valuesOf({ commit, revisionId, changeRequest }: Outcome): Values {
  return {
    commit_id: commit,
    revision_id: revisionId ?? null,
    ...(changeRequest
      ? { state: 'failure', change_request_id: changeRequest.id, error: new UndecidedError(changeRequest).message }
      : { state: 'success' }),
  }
}

/** What is told of a failure: sentences that were written for users, and no other. */
function failureOf({ log }: JobContext, error: unknown, timeout: AbortSignal): Values {
  if (timeout.aborted) return { state: 'timeout', error: 'It took longer than an operation may take' }
  if (error instanceof UndecidedError) {
    return { state: 'failure', error: error.message, change_request_id: error.changeRequest.id }
  }
  if (error instanceof GitError && error.failure === 'timeout') return { state: 'timeout', error: error.message }
  if (error instanceof GitError || error instanceof GitSyncError) return { state: 'failure', error: error.message }
  log.error('An operation with a repository failed', { error })
  return { state: 'failure', error: 'Something went wrong here; the log of the server tells more' }
}

async function end(
  context: JobContext,
  operation: Operation,
  values: Values,
  warnings: readonly { file: string; line?: number; message: string }[] = [],
): Promise<void> {
  await note(context, operation, {
    ...values,
    ended_at: context.now(),
    credentials: null,
    warnings: JSON.stringify(warnings.slice(0, maxWarnings)),
    warning_count: warnings.length,
  })
}

/** Writes down how an operation stands, where the space shows it too. */
async function note(context: JobContext, operation: Operation, values: Partial<Operation>): Promise<void> {
  await context.transaction(async (db) => {
    await store.updateOperation(db, operation, values)
    await showState({ ...context, db }, { organization_id: operation.organization_id, id: operation.space_id })
  })
}
