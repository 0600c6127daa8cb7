import { sql } from 'kysely'
import { resolveLevel, visibleCollections, visibleSpaces, roleInRow } from '../../access/content.ts'
import type { Viewer } from '../../kernel/context.ts'
import { may } from '../../contract/roles.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Db, Row } from '../../storage/tables.ts'
import type { ResolvedLevel, StoredLevel } from '../../storage/tables/values.ts'

/** What a level comes to for something in a collection, or (undefined) at the top of its organization. */
export function levelIn(
  parent: Pick<Row<'collections'>, 'resolved_level'> | undefined,
  level: StoredLevel,
): ResolvedLevel {
  return resolveLevel(level, parent?.resolved_level ?? 'organization')
}

/** The collection that a space or a collection is in, if it is in one. */
export async function findParentOf(
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

/** Hands a collection's level down to everything below that inherits it. */
export async function propagateLevel(
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

/** The collection and all collections below it. */
export async function subtreeOf(
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

/** What each way to take content away needs in all of it; also in deleted spaces, where they could be restored at the new place. */
const takings = {
  move: { action: 'create', includesDeleted: true },
  delete: { action: 'create', includesDeleted: false },
  transfer: { action: 'admin', includesDeleted: true },
} as const

/** Fails when the collections hold anything that the viewer may not take away: then none of it is. */
export async function demandWholeSubtree(
  db: Db,
  viewer: Viewer,
  collectionIds: readonly string[],
  taking: keyof typeof takings,
): Promise<void> {
  if (viewer.role === 'admin') return
  const { action, includesDeleted } = takings[taking]
  const collections = await visibleCollections(db, viewer)
    .where('collections.id', 'in', collectionIds)
    .select(['collections.resolved_level', 'own.rank as own_rank'])
    .execute()
  const spaces = await visibleSpaces(db, viewer, { includesDeleted })
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
  const isWhole = collections.length === collectionIds.length && spaces.length === count
  if (!isWhole || [...collections, ...spaces].some((row) => !may('space', action, roleInRow(viewer, row)))) {
    throw new AppError('preconditionFailed', `The collection holds content that you may not ${taking}`)
  }
}
