import type { Site } from '../../../../contract/site.ts'
import { request } from '../../../api.ts'
import { toCsv } from '../../../ui/csv.ts'
import { downloadText } from '../../../ui/download.ts'

/** Number of redirects in a request. */
const portion = 500

/** Saves all redirects of a site as a file that can be imported again. */
export async function exportRedirects(organizationId: string, site: Site): Promise<void> {
  const rows: string[][] = [['from', 'to']]
  for (let page: string | undefined, isFirst = true; isFirst || page !== undefined; isFirst = false) {
    const reply = await request('GET /orgs/{organizationId}/sites/{siteId}/redirects', {
      params: { organizationId, siteId: site.id },
      query: { orderBy: 'source', resolve: true, limit: portion, page },
    })
    for (const { source, target, captureWildcard } of reply.items)
      if (typeof target === 'string') rows.push([source, captureWildcard ? `${target.replace(/\/$/, '')}/*` : target])
    page = reply.next?.page
  }
  downloadText(`redirects-${site.basename}.csv`, toCsv(rows))
}
