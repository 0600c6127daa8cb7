import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './texts.ts'

/** Opens a change request, or one of its pages, on the first site of the space in a new tab. */
export async function openPreview(space: Space, { number }: ChangeRequest, pagePath = ''): Promise<void> {
  // Browsers allow a new tab only as the immediate result of a click, so it is opened before the URL is requested.
  const tab = window.open('', '_blank')
  try {
    const url = await createPreviewUrl(space, `~/changes/${number}/${pagePath}`)
    if (url === undefined) showToast(texts.noSite, { kind: 'error' })
    else if (tab) {
      tab.opener = null
      tab.location.replace(url)
      return
    }
  } catch (error) {
    tab?.close()
    throw error
  }
  tab?.close()
}

async function createPreviewUrl({ id, organization }: Space, path: string): Promise<string | undefined> {
  const params = { organizationId: organization }
  const sites = await request('GET /orgs/{organizationId}/sites', { params, query: { space: id, limit: 1 } })
  const [site] = sites.items
  if (!site) return undefined
  const siteParams = { ...params, siteId: site.id }
  const siteSpaces = await request('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params: siteParams,
    query: { limit: 1000 },
  })
  const siteSpace = siteSpaces.items.find(({ space }) => space.id === id)
  if (!siteSpace) return undefined
  const preview = await request('GET /orgs/{organizationId}/sites/{siteId}/publishing/preview', {
    params: siteParams,
    query: { siteSpace: siteSpace.id },
  })
  const url = new URL(preview.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}
