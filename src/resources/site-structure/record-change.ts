import type { StoredSiteItem } from '../../access/sites.ts'
import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import type { SiteContext } from '../../kernel/context.ts'
import { itemTypeByKind } from './item-positions.ts'

export type StructureChange = 'added' | 'updated' | 'moved' | 'removed'

/** Records in the audit log that an item of a site was changed, with its values after the change. */
export function recordStructureChange(
  context: SiteContext,
  change: StructureChange,
  { id, kind, title, row }: StoredSiteItem,
): Promise<void> {
  const { path, space_id: space, url, condition, draft, hidden } = row
  const values = change === 'removed' ? {} : { path, space, url, condition, draft: draft === 1, hidden: hidden === 1 }
  return recordEventAbout(context, 'site', context.site, 'site.structure-update', {
    after: { change, type: itemTypeByKind[kind], id, title, ...values },
  })
}
