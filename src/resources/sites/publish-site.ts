import { recordEventAbout } from '../../domain/audit/record-event-about.ts'
import { updateSite } from '../../domain/sites/update-site.ts'
import type { OrganizationContext, SiteWithAddress } from '../../kernel/context.ts'

/** Publishes a site; returns it with its new version. */
export async function publishSite(context: OrganizationContext, site: SiteWithAddress): Promise<SiteWithAddress> {
  if (site.published === 0) await recordEventAbout(context, 'site', site, 'site.publish')
  return updateSite(context, site, { published: 1 })
}
