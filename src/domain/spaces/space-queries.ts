import { resolveRoleInRow, selectMemberGrantedRank } from '../../access/content-roles.ts'
import type { Role, RoleOrGuest } from '../../contract/roles.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import { toBatches } from '../../storage/batches.ts'
import { defineLookup } from '../../storage/lookup.ts'
import type { Db, Row } from '../../schema/tables.ts'
import * as store from './space-store.ts'

/** Lists the spaces of a collection that a member can see, in their order. */
export async function listSpacesInCollection(
  db: Db,
  viewer: Viewer,
  parentId: string,
  page: { after: Cursor | undefined; limit: number },
) {
  const found = await store.findSpacesInCollection(db, viewer, parentId, page)
  const rows = found.map((space) => ({ space, role: resolveRoleInRow(viewer, space) }))
  return { rows, count: await store.countSpaces(db, viewer, { parentId }) }
}

/** Lists the spaces that both `member` and the viewer can see, with the roles of both. */
export async function listMemberSpaces(
  db: Db,
  viewer: Viewer,
  member: Viewer,
  page: { after: Cursor | undefined; limit: number; direction: 'asc' | 'desc' },
) {
  const spaces = await store.findSpacesVisibleToBoth(db, viewer, member, page)
  const roles = await findSpaceRoles(
    db,
    member,
    spaces.map((space) => space.id),
  )
  const rows = spaces.map((space) => ({
    space,
    viewerRole: resolveRoleInRow(viewer, space),
    // Only spaces that the member sees were found, so there is a role.
    permission: roles.get(space.id) as Role,
  }))
  return { rows, count: await store.countSpaces(db, viewer, { alsoVisibleTo: member }) }
}

/** Returns the roles of a member in spaces; those that the member cannot see are missing. */
export async function findSpaceRoles(
  db: Db,
  viewer: Viewer,
  spaceIds: readonly string[],
): Promise<Map<string, RoleOrGuest>> {
  const rows = spaceIds.length === 0 ? [] : await store.findSpaceRanks(db, viewer, [...spaceIds])
  return new Map(rows.map((row) => [row.id, resolveRoleInRow(viewer, row)]))
}

/** Finds a space that is not deleted, without checking access. */
export function findLiveSpace(
  db: Db,
  { organization_id: organizationId, id }: Pick<Row<'spaces'>, 'organization_id' | 'id'>,
): Promise<Row<'spaces'> | undefined> {
  return db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the organization of a space that is not deleted, without checking access. */
export async function findOrganizationIdOfSpace(db: Db, spaceId: string): Promise<string | undefined> {
  const space = await db
    .selectFrom('spaces')
    .select('organization_id')
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return space?.organization_id
}

/** Finds spaces of an organization by their ids, without checking access. */
export function findSpacesById(db: Db, organizationId: string, ids: readonly string[]): Promise<Row<'spaces'>[]> {
  return db
    .selectFrom('spaces')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** Finds spaces by their ids with the rank of what is shared with a member, including spaces that the member cannot see. */
export function findSpacesWithRank(db: Db, { organizationId, userId }: Viewer, ids: readonly string[]) {
  return db
    .selectFrom('spaces')
    .innerJoin('members', 'members.organization_id', 'spaces.organization_id')
    .where('members.user_id', '=', userId)
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.id', 'in', ids)
    .selectAll('spaces')
    .select(selectMemberGrantedRank('spaces', userId).as('own_rank'))
    .execute()
}

/** Returns the ids of the spaces in collections, including deleted spaces. */
export async function findSpaceIdsInCollections(
  db: Db,
  organizationId: string,
  collectionIds: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const ids of toBatches(collectionIds)) {
    const rows = await db
      .selectFrom('spaces')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('parent_id', 'in', ids)
      .execute()
    found.push(...rows.map((row) => row.id))
  }
  return found
}

/** Selects the ids of the spaces of an organization that are not deleted, as a part of another query. */
export function selectLiveSpaceIds(db: Db, organizationId: string) {
  return db
    .selectFrom('spaces')
    .select('spaces.id')
    .where('spaces.organization_id', '=', organizationId)
    .where('spaces.deleted_at', 'is', null)
}

/** Selects the spaces that are not deleted, of one organization or of all. */
export function selectLiveSpaces(db: Db, organizationId: string | undefined) {
  return db
    .selectFrom('spaces')
    .where('deleted_at', 'is', null)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId as string))
}

/** Returns the columns that change whenever readers see other content of a space; undefined if the space is deleted. */
export const findSpaceHead = defineLookup(
  (db, { organizationId, spaceId }: { organizationId: string; spaceId: string }) =>
    db
      .selectFrom('spaces')
      .where('organization_id', '=', organizationId)
      .where('id', '=', spaceId)
      .where('deleted_at', 'is', null)
      .select(['revision_id', 'git_sync', 'computed_version']),
)
