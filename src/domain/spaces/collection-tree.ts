import { sql } from 'kysely'
import { selectVisibleCollections, selectVisibleSpaces, resolveRoleInRow } from '../../access/content-roles.ts'
import type { Viewer } from '../../kernel/context.ts'
import { isActionAllowed } from '../../contract/roles.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Db, Row } from '../../schema/tables.ts'

/** Finds the collection that contains a space or a collection. */
export async function findParentCollection(
  db: Db,
  { organization_id, parent_id }: Pick<Row<'spaces'>, 'organization_id' | 'parent_id'>,
): Promise<Pick<Row<'collections'>, 'resolved_level'> | undefined> {
  if (parent_id === null) return undefined
  return db
    .selectFrom('collections')
    .select('resolved_level')
    .where('organization_id', '=', organization_id)
    .where('id', '=', parent_id)
    .executeTakeFirstOrThrow()
}

/** Stores the resolved level of a collection with all content below it that inherits the level. */
export async function propagateResolvedLevel(
  db: Db,
  collection: Pick<Row<'collections'>, 'organization_id' | 'id' | 'resolved_level'>,
): Promise<void> {
  const { organization_id: organizationId, id, resolved_level: level } = collection
  const below = sql`with recursive below (id) as (
      select id from collections where organization_id = ${organizationId} and id = ${id}
      union all
      select collections.id from collections join below on collections.parent_id = below.id
        where collections.organization_id = ${organizationId} and collections.default_level = 'inherit'
    )`
  await sql`${below} update collections set resolved_level = ${level}
    where organization_id = ${organizationId} and id in (select id from below)`.execute(db)
  await sql`${below} update spaces set resolved_level = ${level}
    where organization_id = ${organizationId} and default_level = 'inherit' and parent_id in (select id from below)`.execute(
    db,
  )
}

/** Returns the ids of a collection and of all collections below it. */
export async function findCollectionSubtreeIds(
  db: Db,
  { organization_id: organizationId, id }: Row<'collections'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive below (id) as (
      select id from collections where organization_id = ${organizationId} and id = ${id}
      union all
      select collections.id from collections join below on collections.parent_id = below.id
        where collections.organization_id = ${organizationId}
    ) select id from below`.execute(db)
  return rows.map((row) => row.id)
}

/** The action that each operation requires on all content of a subtree, and whether deleted spaces count because they can be restored. */
const subtreeOperations = {
  move: { action: 'create', includesDeleted: true },
  delete: { action: 'create', includesDeleted: false },
  transfer: { action: 'admin', includesDeleted: true },
} as const

/** Fails unless the viewer has the required role in all content of the collections. */
export async function requireRoleInSubtree(
  db: Db,
  viewer: Viewer,
  collectionIds: readonly string[],
  operation: keyof typeof subtreeOperations,
): Promise<void> {
  if (viewer.role === 'admin') return
  const { action, includesDeleted } = subtreeOperations[operation]
  const collections = await selectVisibleCollections(db, viewer)
    .where('collections.id', 'in', collectionIds)
    .select(['collections.resolved_level', 'own.rank as own_rank'])
    .execute()
  const spaces = await selectVisibleSpaces(db, viewer, { includesDeleted })
    .where('spaces.parent_id', 'in', collectionIds)
    .select(['spaces.resolved_level', 'own.rank as own_rank', 'above.rank as above_rank'])
    .execute()
  const { count } = await db
    .selectFrom('spaces')
    .where('organization_id', '=', viewer.organizationId)
    .where('parent_id', 'in', collectionIds)
    .$if(!includesDeleted, (query) => query.where('deleted_at', 'is', null))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const isAllVisible = collections.length === collectionIds.length && spaces.length === count
  if (
    !isAllVisible ||
    [...collections, ...spaces].some((row) => !isActionAllowed('space', action, resolveRoleInRow(viewer, row)))
  ) {
    throw new AppError('preconditionFailed', `The collection contains content that you are not allowed to ${operation}`)
  }
}
