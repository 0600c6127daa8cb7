import type { SiteRedirect, SiteRedirectDestination } from '../../contract/site-redirects.ts'
import type { Row } from '../../schema/tables.ts'

export function presentRedirect(row: Row<'site_redirects'>): SiteRedirect {
  return {
    object: 'site-redirect',
    id: row.id,
    source: row.source,
    draft: row.draft === 1,
    captureWildcard: row.capture_wildcard === 1,
    permanent: row.permanent === 1,
    destination: parseDestination(row),
    createdAt: row.created_at,
    ...(row.updated_at !== row.created_at && { updatedAt: row.updated_at }),
  }
}

export const parseDestination = (row: Pick<Row<'site_redirects'>, 'destination'>): SiteRedirectDestination =>
  JSON.parse(row.destination) as SiteRedirectDestination
