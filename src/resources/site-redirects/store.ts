import { type Insertable, type Updateable, sql } from 'kysely'
import type { SiteRedirectOrder } from '../../contract/site-redirects.ts'
import type { Cursor } from '../../kernel/pagination.ts'
import type { Db, Row, SiteKey, Tables } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'
import { columnContains } from '../../storage/case-insensitive.ts'

function selectRedirects(db: Db, site: SiteKey) {
  return db
    .selectFrom('site_redirects')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
}

interface RedirectFilter {
  draft: boolean
  search?: string | undefined
}

function selectMatchingRedirects(db: Db, site: SiteKey, { draft, search }: RedirectFilter) {
  return selectRedirects(db, site)
    .where('draft', '=', toFlag(draft))
    .$if(search !== undefined, (query) => query.where(columnContains('source', search as string)))
}

/** Columns that redirects are sorted by. */
export const redirectSortColumns = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  source: 'source_key',
} as const satisfies Record<SiteRedirectOrder, keyof Tables['site_redirects']>

/** Finds redirects, newest first or by source. */
export function findRedirects(
  db: Db,
  site: SiteKey,
  filter: RedirectFilter,
  { orderBy, after, limit }: { orderBy: SiteRedirectOrder; after: Cursor | undefined; limit: number },
): Promise<Row<'site_redirects'>[]> {
  const column = redirectSortColumns[orderBy]
  const direction = orderBy === 'source' ? 'asc' : 'desc'
  const comparison = sql.raw(orderBy === 'source' ? '>' : '<')
  return selectMatchingRedirects(db, site, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${sql.ref(column)}, id) ${comparison} (${after?.[1]}, ${after?.[2]})`),
    )
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute()
}

export async function countRedirects(db: Db, site: SiteKey, filter: RedirectFilter): Promise<number> {
  return countRows(selectMatchingRedirects(db, site, filter))
}

/** Counts live redirects and drafts. */
export async function countAllRedirects(db: Db, site: SiteKey): Promise<number> {
  return countRows(selectRedirects(db, site))
}

async function countRows(query: ReturnType<typeof selectRedirects>): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

export function findRedirect(db: Db, site: SiteKey, id: string): Promise<Row<'site_redirects'> | undefined> {
  return selectRedirects(db, site).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the live redirects and drafts with one of the keys, through an index. */
export async function findRedirectsByKeys(
  db: Db,
  site: SiteKey,
  keys: readonly string[],
): Promise<Row<'site_redirects'>[]> {
  if (keys.length === 0) return []
  return selectRedirects(db, site).selectAll().where('source_key', 'in', keys).execute()
}

export async function insertRedirect(db: Db, redirect: Insertable<Tables['site_redirects']>): Promise<void> {
  await db.insertInto('site_redirects').values(redirect).execute()
}

export async function updateRedirect(
  db: Db,
  site: SiteKey,
  id: string,
  values: Updateable<Tables['site_redirects']>,
): Promise<void> {
  await db
    .updateTable('site_redirects')
    .set(values)
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a redirect; returns false if it did not exist. */
export async function deleteRedirect(db: Db, site: SiteKey, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('site_redirects')
    .where('organization_id', '=', site.organization_id)
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
