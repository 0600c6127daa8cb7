import { type Insertable, type Updateable, sql } from 'kysely'
import { selectVisibleSpaces } from '../../access/content-roles.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { defineListQuery } from '../../storage/lookup.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

/** Selects visible spaces with the ranks of what is shared with the viewer. */
function selectSpaces(db: Db, viewer: Viewer) {
  return selectVisibleSpaces(db, viewer)
    .selectAll('spaces')
    .select(['own.rank as own_rank', 'above.rank as above_rank'])
}

type ViewerValues = Record<'organizationId' | 'userId', string>
type ViewerShape = Pick<Viewer, 'role'>

const listSpaces = defineListQuery(
  (db, values: ViewerValues & { after: string; limit: number }, { role }: ViewerShape) =>
    selectSpaces(db, { organizationId: values.organizationId, userId: values.userId, role })
      .where('spaces.id', '>', values.after)
      .orderBy('spaces.id')
      .limit(sql<number>`${values.limit}`),
)

export function findSpaces(
  db: Db,
  { organizationId, userId, role }: Viewer,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return listSpaces(db, { organizationId, userId, after: after?.[0] ?? '', limit: limit + 1 }, { role })
}

export function findSpacesInCollection(
  db: Db,
  viewer: Viewer,
  parentId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return selectSpaces(db, viewer)
    .where('spaces.parent_id', '=', parentId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(spaces.position, spaces.id) > (${after?.[0]}, ${after?.[1]})`),
    )
    .orderBy('spaces.position')
    .orderBy('spaces.id')
    .limit(limit + 1)
    .execute()
}

/** Finds the spaces that two members can both see. */
export function findSpacesVisibleToBoth(
  db: Db,
  viewer: Viewer,
  other: Viewer,
  { after, limit, direction }: { after: Cursor | undefined; limit: number; direction: 'asc' | 'desc' },
) {
  return selectSpaces(db, viewer)
    .where('spaces.id', 'in', selectVisibleSpaces(db, other).select('spaces.id'))
    .$if(after !== undefined, (query) =>
      query.where('spaces.id', direction === 'asc' ? '>' : '<', after?.[0] as string),
    )
    .orderBy('spaces.id', direction)
    .limit(limit + 1)
    .execute()
}

/** Finds the ranks of what is shared with a viewer in the spaces. */
export function findSpaceRanks(db: Db, viewer: Viewer, spaceIds: readonly string[]) {
  return selectVisibleSpaces(db, viewer)
    .where('spaces.id', 'in', spaceIds)
    .select(['spaces.id', 'spaces.title', 'spaces.resolved_level', 'own.rank as own_rank', 'above.rank as above_rank'])
    .execute()
}

const countVisibleSpaces = defineListQuery((db, { organizationId, userId }: ViewerValues, { role }: ViewerShape) =>
  selectVisibleSpaces(db, { organizationId, userId, role }).select((eb) => eb.fn.countAll<number>().as('count')),
)

export async function countSpaces(
  db: Db,
  viewer: Viewer,
  filter: { parentId?: string; alsoVisibleTo?: Viewer } = {},
): Promise<number> {
  const { parentId, alsoVisibleTo } = filter
  if (parentId === undefined && alsoVisibleTo === undefined) {
    const { organizationId, userId, role } = viewer
    const [row] = await countVisibleSpaces(db, { organizationId, userId }, { role })
    return row?.count ?? 0
  }
  const { count } = await selectVisibleSpaces(db, viewer)
    .$if(parentId !== undefined, (query) => query.where('spaces.parent_id', '=', parentId as string))
    .$if(alsoVisibleTo !== undefined, (query) =>
      query.where('spaces.id', 'in', selectVisibleSpaces(db, alsoVisibleTo as Viewer).select('spaces.id')),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function insertSpace(db: Db, space: Insertable<Tables['spaces']>) {
  return db.insertInto('spaces').values(space).returningAll().executeTakeFirstOrThrow()
}

type SpaceKey = Pick<Row<'spaces'>, 'organization_id' | 'id'>

export function updateSpace(db: Db, { organization_id, id }: SpaceKey, values: Updateable<Tables['spaces']>) {
  return db
    .updateTable('spaces')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteSpace(db: Db, { organization_id, id }: SpaceKey): Promise<void> {
  await db.deleteFrom('spaces').where('organization_id', '=', organization_id).where('id', '=', id).execute()
}

/** Finds spaces of an organization, also deleted ones. */
export const findSpaceKeys = (db: Db, organizationId: string, limit: number): Promise<SpaceKey[]> =>
  db
    .selectFrom('spaces')
    .select(['organization_id', 'id'])
    .where('organization_id', '=', organizationId)
    .limit(limit)
    .execute()

const selectDeletedSpaces = (db: Db, organizationId: string, since: string) =>
  db.selectFrom('spaces').where('organization_id', '=', organizationId).where('deleted_at', '>=', since)

/** Lists spaces that were deleted since a time, the last deleted first. */
export function findDeletedSpaces(
  db: Db,
  organizationId: string,
  since: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<Row<'spaces'>[]> {
  return selectDeletedSpaces(db, organizationId, since)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(deleted_at, id) < (${after?.[0]}, ${after?.[1]})`))
    .selectAll()
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countDeletedSpaces(db: Db, organizationId: string, since: string): Promise<number> {
  const { count } = await selectDeletedSpaces(db, organizationId, since)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Finds spaces that were deleted before a time, in the order of deletion. */
export function findSpacesDeletedBefore(db: Db, moment: string, limit: number) {
  return db
    .selectFrom('spaces')
    .select(['organization_id', 'id', 'title'])
    .where('deleted_at', '<', moment)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
}

/** Makes a revision the head of a space; returns false if the head has changed since the space was loaded. */
export async function updateSpaceHead(
  db: Db,
  space: Pick<Row<'spaces'>, 'organization_id' | 'id' | 'revision_id'>,
  revisionId: string,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spaces')
    .set({ revision_id: revisionId, updated_at: now })
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .where('revision_id', '=', space.revision_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Adds to the numbers of change requests of a space; returns the number of all change requests, which numbers a new one. */
export async function addChangeRequestCounts(
  db: Db,
  space: SpaceKey,
  added: { all?: number; open?: number; draft?: number },
): Promise<number> {
  const { change_requests } = await db
    .updateTable('spaces')
    .set((eb) => ({
      change_requests: eb('change_requests', '+', added.all ?? 0),
      change_requests_open: eb('change_requests_open', '+', added.open ?? 0),
      change_requests_draft: eb('change_requests_draft', '+', added.draft ?? 0),
    }))
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .returning('change_requests')
    .executeTakeFirstOrThrow()
  return change_requests
}

/** Adds to the number of open comments of a space, which does not include those of change requests. */
export async function addOpenCommentCount(db: Db, space: SpaceKey, added: number): Promise<void> {
  await db
    .updateTable('spaces')
    .set((eb) => ({ comments_open: eb('comments_open', '+', added) }))
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .execute()
}

/** Stores the state of the Git connection that replies about the space contain. */
export async function updateGitSyncState(db: Db, space: SpaceKey, gitSync: string | null): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ git_sync: gitSync })
    .where('organization_id', '=', space.organization_id)
    .where('id', '=', space.id)
    .execute()
}

/** Clears the state of Git connections in spaces. */
export async function clearGitSyncStates(db: Db, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ git_sync: null })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', spaceIds)
    .where('git_sync', 'is not', null)
    .execute()
}

/** Finds the merge rules of spaces that name users. */
export function findMergeRulesWithUsers(db: Db, organizationId: string, spaceIds: readonly string[]) {
  return db
    .selectFrom('spaces')
    .select(['id', 'merge_rules'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', spaceIds)
    .where('merge_rules', 'like', '%"users"%')
    .execute()
}

/** Deletes the spaces in collections. Restored spaces are in no collection and visible to no more people than before. */
export async function markSpacesInCollectionsDeleted(
  db: Db,
  organizationId: string,
  collectionIds: readonly string[],
  now: string,
): Promise<void> {
  await sql`update spaces set parent_id = null, deleted_at = coalesce(deleted_at, ${now}),
      visibility = case when visibility = 'in-collection' then 'private' else visibility end,
      default_level = case when default_level = 'inherit' and resolved_level <> 'organization' then resolved_level else default_level end
    where organization_id = ${organizationId} and parent_id in (${sql.join(collectionIds)})`.execute(db)
}
