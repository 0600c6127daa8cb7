import { type Change, editLive, emptySpace } from './content.ts'
import type { TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

type Api = TestServer['admin']['api']

/** What is said of a site beyond what stands on it; `look` is its customization. */
export type SiteSettings = NonNullable<Parameters<Api['updateSiteById']>[0]['body']> & {
  title?: string
  look?: Parameters<Api['updateSiteCustomizationById']>[0]['body']
}

export interface PublishedSite {
  params: SiteParams
  /** Where it is found. */
  base: string
}

/** A published site with these spaces. */
export async function publishSpaces(
  { admin: { api, organizationId }, url }: Pick<TestServer, 'admin' | 'url'>,
  spaces: string[],
  { title = 'Handbook', look, ...body }: SiteSettings = {},
): Promise<PublishedSite> {
  const site = await api.createSite({ params: { organizationId }, body: { title, spaces } })
  const params = { organizationId, siteId: site.id }
  if (look) await api.updateSiteCustomizationById({ params, body: look })
  await api.publishSite({ params })
  const { basename, urls } = await api.updateSiteById({ params, body })
  // Sites that want a share link tell no address.
  return { params, base: urls.published ?? `${url}/sites/${organizationId}/${basename}/` }
}

/** A published site with one space; `pages` are the ids of its pages in the order in which they were inserted. */
export async function publishPages(
  octavo: Pick<TestServer, 'admin' | 'url'>,
  changes: readonly Change[],
  settings?: SiteSettings,
): Promise<PublishedSite & { spaceId: string; pages: string[] }> {
  const spaceId = await emptySpace(octavo.admin, 'Guide')
  const pages = await editLive(octavo.admin, spaceId, ...changes)
  return { ...(await publishSpaces(octavo, [spaceId], settings)), spaceId, pages }
}
