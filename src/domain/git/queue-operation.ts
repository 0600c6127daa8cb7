import type { BaseContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { type LiveEventContext, recordJobEvent } from '../live/record-event.ts'
import { storeGitSyncState } from './git-state.ts'
import { gitSyncJob } from './git-sync-job.ts'
import * as store from './git-store.ts'

type Connection = Row<'git_connections'>

/** The parameters of an operation, without credentials. */
export interface GitRequest {
  url: string
  ref: string
  directory: string
  treeUrl?: string | undefined
  commitUrl?: string | undefined
  cacheId?: string | undefined
  force?: boolean | undefined
  standalone?: boolean | undefined
  commitMessage?: string | undefined
  /** Whether the caller sent the time of the event. */
  isTimed?: boolean | undefined
  /** Whether the caller may use the credentials of the connection for any branch and folder of its repository. */
  anyBranch?: boolean | undefined
}

type QueueContext = Pick<BaseContext, 'enqueue' | 'newId' | 'urls'> & LiveEventContext
type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

interface NewGitOperation {
  request: GitRequest
  credentials: string | null
  eventAt: string
  createdBy: string | null
}

/** Queues an operation unless an equal one is queued already, which will include the same changes. */
export async function queueGitOperationOnce(
  context: QueueContext,
  space: SpaceKey,
  direction: 'import' | 'export',
  operation: NewGitOperation,
): Promise<void> {
  const same = { direction, request: JSON.stringify(operation.request), event_at: operation.eventAt }
  if (!(await store.refreshQueuedGitOperation(context.db, space, same)))
    await queueGitOperation(context, space, direction, operation)
}

/** Queues an operation of a space. */
export async function queueGitOperation(
  context: QueueContext,
  space: SpaceKey,
  direction: 'import' | 'export',
  operation: NewGitOperation,
): Promise<void> {
  const { db, enqueue, newId, now } = context
  const { id } = await store.insertGitOperation(db, {
    organization_id: space.organization_id,
    id: newId(),
    space_id: space.id,
    direction,
    state: 'queued',
    request: JSON.stringify(operation.request),
    credentials: operation.credentials,
    event_at: operation.eventAt,
    created_by: operation.createdBy,
    created_at: now(),
    started_at: null,
    ended_at: null,
    attempts: 0,
    done: 0,
    total: 0,
    failure: null,
    error: null,
    commit_id: null,
    revision_id: null,
    change_request_id: null,
    warnings: '[]',
    warning_count: 0,
  })
  await storeGitSyncState(context, space)
  await recordGitEvent(context, { organization_id: space.organization_id, space_id: space.id, id })
  await enqueue(db, gitSyncJob, { organizationId: space.organization_id, spaceId: space.id })
}

/** Records a new state or new progress of an operation. */
export function recordGitEvent(
  context: LiveEventContext,
  { organization_id, space_id, id }: Pick<Row<'git_operations'>, 'organization_id' | 'space_id' | 'id'>,
): Promise<void> {
  return recordJobEvent(context, { organizationId: organization_id, spaceId: space_id }, { type: 'git', id })
}

/** Returns the request of an operation that uses the connection as it is configured. */
export function toGitRequest(connection: Connection): GitRequest {
  return {
    url: connection.url,
    ref: connection.ref,
    directory: connection.directory,
    treeUrl: connection.tree_url ?? undefined,
    commitUrl: connection.commit_url ?? undefined,
    cacheId: connection.cache_id ?? undefined,
  }
}
