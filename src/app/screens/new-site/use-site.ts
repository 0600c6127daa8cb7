import { useQuery } from '../../data/query.ts'

/** Reads the site of a step and its first space. */
export function useNewSite(params: Readonly<Record<string, string>>) {
  const { organizationId = '', siteId = '' } = params
  const ids = { organizationId, siteId }
  const site = useQuery('GET /orgs/{organizationId}/sites/{siteId}', { params: ids })
  const { data: spaces } = useQuery('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params: ids,
    query: { limit: 10 },
  })
  return { ids, path: `/orgs/${organizationId}/new-site/${siteId}`, ...site, spaces: spaces?.items }
}
