import type { Insertable, Updateable } from 'kysely'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'
import { selectVisibleSpaceIds } from '../sites/visible-space-ids.ts'
import { findOrganizationIdOfSpace } from '../spaces/space-queries.ts'
import { clearGitSyncStates } from '../spaces/space-store.ts'

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>
type Connection = Row<'git_connections'>
type Operation = Row<'git_operations'>

export function findGitConnection(db: Db, space: SpaceKey): Promise<Connection | undefined> {
  return db
    .selectFrom('git_connections')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .executeTakeFirst()
}

/** Finds the connection of a space by the id alone, for webhooks. */
export async function findGitConnectionBySpaceId(db: Db, spaceId: string): Promise<Connection | undefined> {
  const organizationId = await findOrganizationIdOfSpace(db, spaceId)
  return organizationId === undefined
    ? undefined
    : findGitConnection(db, { organization_id: organizationId, id: spaceId })
}

export async function insertGitConnection(
  db: Db,
  connection: Insertable<Tables['git_connections']>,
): Promise<Connection> {
  return db.insertInto('git_connections').values(connection).returningAll().executeTakeFirstOrThrow()
}

export async function updateGitConnection(
  db: Db,
  { organization_id: organizationId, space_id: spaceId }: Pick<Connection, 'organization_id' | 'space_id'>,
  values: Updateable<Tables['git_connections']>,
): Promise<Connection> {
  return db
    .updateTable('git_connections')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The columns that describe the last common state of a space and a branch. */
export type SyncStateColumns = Partial<
  Pick<
    Connection,
    | 'synced_revision_id'
    | 'pushing_revision_id'
    | 'conflict_revision_id'
    | 'conflict_change_request_id'
    | 'newest_event_at'
  >
>

/** Updates the sync state of a connection unless the space has been connected to another branch in the meantime. */
export async function updateSyncState(
  db: Db,
  space: SpaceKey,
  { url, ref, directory }: Pick<Connection, 'url' | 'ref' | 'directory'>,
  values: SyncStateColumns,
): Promise<void> {
  await db
    .updateTable('git_connections')
    .set(values)
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('url', '=', url)
    .where('ref', '=', ref)
    .where('directory', '=', directory)
    .execute()
}

export async function deleteGitConnection(db: Db, space: SpaceKey): Promise<void> {
  await db
    .deleteFrom('git_connections')
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .execute()
}

/** Disconnects spaces from their repositories. */
export async function deleteGitConnections(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('git_connections')
    .where('organization_id', '=', organizationId)
    .where('space_id', 'in', spaceIds)
    .execute()
  await clearGitSyncStates(db, organizationId, spaceIds)
}

export async function insertGitOperation(db: Db, operation: Insertable<Tables['git_operations']>): Promise<Operation> {
  return db.insertInto('git_operations').values(operation).returningAll().executeTakeFirstOrThrow()
}

export async function updateGitOperation(
  db: Db,
  { organization_id: organizationId, id }: Pick<Operation, 'organization_id' | 'id'>,
  values: Updateable<Tables['git_operations']>,
): Promise<Operation | undefined> {
  return db
    .updateTable('git_operations')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export function findGitOperation(db: Db, space: SpaceKey, id: string): Promise<Operation | undefined> {
  return selectGitOperations(db, space).where('id', '=', id).executeTakeFirst()
}

/** Finds the next operation to run: one that is running, or the one with the oldest event. */
export function findNextGitOperation(db: Db, space: SpaceKey): Promise<Operation | undefined> {
  return selectGitOperations(db, space)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('state', 'desc')
    .orderBy('event_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export function findLatestGitOperation(db: Db, space: SpaceKey): Promise<Operation | undefined> {
  return selectGitOperations(db, space).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/**
 * Updates the event time of a queued operation with the same request; returns false when there is none. The update conflicts
 * with starting the operation at the same time, so an operation that starts includes the new event.
 */
export async function refreshQueuedGitOperation(
  db: Db,
  space: SpaceKey,
  { direction, request, event_at: eventAt }: Pick<Operation, 'direction' | 'request' | 'event_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('git_operations')
    .set({ event_at: eventAt })
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .where('state', '=', 'queued')
    .where('direction', '=', direction)
    .where('request', '=', request)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Finds the spaces that have operations to run. */
export function findSpacesWithPendingGitOperations(db: Db): Promise<{ organizationId: string; spaceId: string }[]> {
  return db
    .selectFrom('git_operations')
    .select(['organization_id as organizationId', 'space_id as spaceId'])
    .distinct()
    .where('ended_at', 'is', null)
    .execute()
}

export function findGitOperations(
  db: Db,
  space: SpaceKey,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Operation[]> {
  return selectGitOperations(db, space)
    .$if(after !== undefined, (query) => query.where('id', '<', after?.[0] as string))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Selects the operations of the spaces that a viewer can see. */
const selectVisibleGitOperations = (db: Db, viewer: Viewer) =>
  db
    .selectFrom('git_operations')
    .where('git_operations.organization_id', '=', viewer.organizationId)
    .where('git_operations.space_id', 'in', selectVisibleSpaceIds(db, viewer, {}))

export function findVisibleGitOperations(
  db: Db,
  viewer: Viewer,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Operation[]> {
  return selectVisibleGitOperations(db, viewer)
    .selectAll('git_operations')
    .$if(after !== undefined, (query) => query.where('git_operations.id', '<', after?.[0] as string))
    .orderBy('git_operations.id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countVisibleGitOperations(db: Db, viewer: Viewer): Promise<number> {
  const { count } = await selectVisibleGitOperations(db, viewer)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countGitOperations(db: Db, space: SpaceKey): Promise<number> {
  const { count } = await db
    .selectFrom('git_operations')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes operations that ended before a time. */
export async function deleteGitOperationsBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('git_operations').where('ended_at', '<', moment).execute()
}

function selectGitOperations(db: Db, space: SpaceKey) {
  return db
    .selectFrom('git_operations')
    .selectAll()
    .where('organization_id', '=', space.organization_id)
    .where('space_id', '=', space.id)
}
