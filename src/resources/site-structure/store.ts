import type { Insertable, Updateable } from 'kysely'
import type { Db, SiteKey, Tables } from '../../schema/tables.ts'

function selectItems(db: Db, site: SiteKey) {
  return db.selectFrom('site_items').where('organization_id', '=', site.organization_id).where('site_id', '=', site.id)
}

/**
 * Returns the ids of items by path: of the sections of a site, or of the site spaces in a section. Includes deleted
 * spaces, which may be restored.
 */
export async function findItemIdsByPath(
  db: Db,
  site: SiteKey,
  kind: 'section' | 'space',
  sectionId: string | null,
): Promise<Map<string, string>> {
  const rows = await selectItems(db, site)
    .where('kind', '=', kind)
    .$if(kind === 'space', (query) => query.where('parent_id', sectionId === null ? 'is' : '=', sectionId))
    .select(['id', 'path'])
    .execute()
  return new Map(rows.map(({ id, path }) => [path ?? '', id]))
}

/** Finds the children of an item, or the items at the top, in order. Includes deleted spaces, which keep their positions. */
export function findItemPositions(db: Db, site: SiteKey, parentId: string | null) {
  return selectItems(db, site)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'position'])
    .execute()
}

export async function insertItem(db: Db, item: Insertable<Tables['site_items']>): Promise<void> {
  await db.insertInto('site_items').values(item).execute()
}

export async function updateItem(
  db: Db,
  site: SiteKey,
  id: string,
  values: Updateable<Tables['site_items']>,
): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db
    .updateTable('site_items')
    .set(values)
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute()
}

/** Moves all site spaces at the top of a site into a section. */
export async function moveSpacesToSection(db: Db, site: SiteKey, sectionId: string): Promise<void> {
  await db
    .updateTable('site_items')
    .set({ parent_id: sectionId })
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('kind', '=', 'space')
    .where('parent_id', 'is', null)
    .execute()
}

/** Deletes an item with everything in it. */
export async function deleteItem(db: Db, site: SiteKey, id: string): Promise<void> {
  await db
    .updateTable('site_items')
    .set({ default_item_id: null })
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('default_item_id', '=', id)
    .execute()
  await db
    .deleteFrom('site_items')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute()
}
