import type { Site } from '../../../../contract/site.ts'
import { readAll } from '../../../data/list.ts'
import { toCsv } from '../../../ui/csv.ts'
import { downloadText } from '../../../ui/download.ts'

/** Downloads all redirects of a site as a file that can be imported again, except those to deleted pages. */
export async function exportRedirects(organizationId: string, site: Site): Promise<void> {
  const redirects = await readAll('GET /orgs/{organizationId}/sites/{siteId}/redirects', {
    params: { organizationId, siteId: site.id },
    query: { orderBy: 'source', resolve: true, limit: 500 },
  })
  const rows = redirects.flatMap(({ source, target, captureWildcard }) =>
    typeof target === 'string' ? [[source, captureWildcard ? `${target.replace(/\/$/, '')}/*` : target]] : [],
  )
  downloadText(`redirects-${site.basename}.csv`, 'text/csv', toCsv([['from', 'to'], ...rows]))
}
