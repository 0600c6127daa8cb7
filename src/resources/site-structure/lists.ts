import type { StoredSiteItem } from '../../access/sites.ts'
import type { ListQuery, Paginated } from '../../contract/shared.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { StructureView } from './structure-view.ts'

/** Returns a page of the items of a site, in the order of the navigation. */
export async function listSiteItems<Item>(
  context: SiteContext,
  items: readonly StoredSiteItem[],
  query: ListQuery & { shareKey?: string | undefined },
  present: (view: StructureView, item: StoredSiteItem) => Item,
): Promise<Paginated<Item>> {
  const after = decodeCursor(query.page, 2, ([index]) => /^\d{1,9}$/.test(index ?? ''))
  const start = after === undefined ? 0 : indexAfter(items, after[0] as string, after[1] as string)
  const rows = items.slice(start, start + query.limit + 1)
  const view = await StructureView.open(context, { shareKey: query.shareKey, only: rows })
  return toPage(
    rows,
    query,
    items.length,
    (item) => [String(items.indexOf(item)), item.id],
    (item) => present(view, item),
  )
}

/** Returns the index after the last item of the previous page, or the former index of that item if it was removed. */
function indexAfter(items: readonly StoredSiteItem[], index: string, id: string): number {
  const found = items.findIndex((item) => item.id === id)
  return found < 0 ? Number(index) : found + 1
}
