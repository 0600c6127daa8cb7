import { type Change, editLive, emptySpace } from './content.ts'
import type { TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

type Api = TestServer['admin']['api']

/** Settings of a site; with its customization. */
export type SiteSettings = NonNullable<Parameters<Api['updateSiteById']>[0]['body']> & {
  title?: string
  customization?: Parameters<Api['updateSiteCustomizationById']>[0]['body']
}

export interface PublishedSite {
  params: SiteParams
  /** URL of the site. */
  base: string
}

/** Creates a published site with these spaces. */
export async function publishSpaces(
  { admin: { api, organizationId }, url }: Pick<TestServer, 'admin' | 'url'>,
  spaces: string[],
  { title = 'Handbook', customization, ...body }: SiteSettings = {},
): Promise<PublishedSite> {
  const site = await api.createSite({ params: { organizationId }, body: { title, spaces } })
  const params = { organizationId, siteId: site.id }
  if (customization) await api.updateSiteCustomizationById({ params, body: customization })
  await api.publishSite({ params })
  const { basename, urls } = await api.updateSiteById({ params, body })
  // Sites with share links have no published URL.
  return { params, base: urls.published ?? `${url}/sites/${organizationId}/${basename}/` }
}

/** Creates a published site with one space; `pages` are the ids of its pages in the order of insertion. */
export async function publishPages(
  octavo: Pick<TestServer, 'admin' | 'url'>,
  changes: readonly Change[],
  settings?: SiteSettings,
): Promise<PublishedSite & { spaceId: string; pages: string[] }> {
  const spaceId = await emptySpace(octavo.admin, 'Guide')
  const pages = await editLive(octavo.admin, spaceId, ...changes)
  return { ...(await publishSpaces(octavo, [spaceId], settings)), spaceId, pages }
}
