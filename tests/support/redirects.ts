import type { Client } from '../../src/client/client.ts'
import type { SiteRedirectInputDestination } from '../../src/contract/site-redirects.ts'
import { editLive, emptySpace, insertPage } from './content.ts'
import { refusal } from './refusal.ts'
import type { TestServer } from './server.ts'
import type { SiteParams } from './sites.ts'

export const externalDestination = (url: string): SiteRedirectInputDestination => ({ kind: 'external', url })

/** Returns the target of a redirect, or how the request was refused. */
export async function resolveRedirect(
  api: Client,
  params: SiteParams,
  source: string,
  shareKey?: string,
): Promise<string> {
  const query = { source, ...(shareKey !== undefined && { shareKey }) }
  const call = api.getSiteRedirectBySource({ params, query })
  return call.then(
    ({ target }) => target,
    () => refusal(call),
  )
}

/** Creates two spaces, Docs and Guides, and returns functions to create sites of them with redirects. */
export async function makeRedirectScenario({ admin }: TestServer) {
  const { api, organizationId } = admin
  const docs = await emptySpace(admin, 'Docs')
  const guides = await emptySpace(admin, 'Guides')
  const [home = '', guide = '', secret = ''] = await editLive(
    admin,
    docs,
    insertPage('# Home'),
    insertPage('# Guide'),
    insertPage('# Secret', { condition: 'visitor.claims.unsigned.beta == true' }),
  )
  const [setup = '', inside = ''] = await editLive(
    admin,
    docs,
    insertPage('# Set up', { into: guide }),
    insertPage('# Inside', { into: secret }),
  )
  await editLive(admin, guides, insertPage('# Start'))
  return {
    docs,
    guides,
    /** Pages of Docs; Secret is only visible to visitors who claim to be beta testers. */
    pages: { home, guide, setup, secret, inside },

    /** Creates a published site with the variants Docs and Guides, or with sections of them. */
    async site({
      sections = false,
      visibility = 'public',
    }: { sections?: boolean; visibility?: 'public' | 'share-link' } = {}) {
      const created = await api.createSite({
        params: { organizationId },
        body: { title: 'Docs', visibility, spaces: sections ? [docs] : [docs, guides] },
      })
      const params = { organizationId, siteId: created.id }
      if (sections) await api.addSectionToSite({ params, body: { spaceId: guides, title: 'Guides' } })
      await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
      const site = await api.publishSite({ params })
      const { items } = await api.listSiteSpaces({ params, query: {} })
      const siteSpace = (spaceId: string) => items.find(({ space }) => space.id === spaceId)?.id ?? ''
      return { params, site, docs: siteSpace(docs), guides: siteSpace(guides) }
    },

    redirect: (params: SiteParams, source: string, destination: SiteRedirectInputDestination, more: object = {}) =>
      api.createSiteRedirect({ params, body: { source, destination, ...more } }),
  }
}

export type RedirectScenario = Awaited<ReturnType<typeof makeRedirectScenario>>
