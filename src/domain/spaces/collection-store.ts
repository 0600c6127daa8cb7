import { type Insertable, type Updateable, sql } from 'kysely'
import { selectVisibleCollections } from '../../access/content-roles.ts'
import type { Viewer } from '../../kernel/context.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, Tables } from '../../schema/tables.ts'

interface CollectionFilter {
  /** Also those inside other collections. */
  nested: boolean
}

function selectMatchingCollections(db: Db, viewer: Viewer, { nested }: CollectionFilter) {
  return selectVisibleCollections(db, viewer).$if(!nested, (query) => query.where('collections.parent_id', 'is', null))
}

export function findCollections(
  db: Db,
  viewer: Viewer,
  filter: CollectionFilter,
  { after, limit }: { after: Cursor | undefined; limit: number },
) {
  return selectMatchingCollections(db, viewer, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(collections.position, collections.id) > (${after?.[0]}, ${after?.[1]})`),
    )
    .selectAll('collections')
    .select('own.rank as own_rank')
    .orderBy('collections.position')
    .orderBy('collections.id')
    .limit(limit + 1)
    .execute()
}

export async function countCollections(db: Db, viewer: Viewer, filter: CollectionFilter): Promise<number> {
  const { count } = await selectMatchingCollections(db, viewer, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function findCollectionsById(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom('collections')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

export function insertCollection(db: Db, collection: Insertable<Tables['collections']>) {
  return db.insertInto('collections').values(collection).returningAll().executeTakeFirstOrThrow()
}

type CollectionKey = Pick<Row<'collections'>, 'organization_id' | 'id'>

export function updateCollection(
  db: Db,
  { organization_id, id }: CollectionKey,
  values: Updateable<Tables['collections']>,
) {
  return db
    .updateTable('collections')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteCollection(db: Db, { organization_id, id }: CollectionKey): Promise<void> {
  await db.deleteFrom('collections').where('organization_id', '=', organization_id).where('id', '=', id).execute()
}
