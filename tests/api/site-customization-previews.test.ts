import { afterAll, beforeAll, expect, test } from 'vitest'
import { hours } from '../../src/kernel/time.ts'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { startSessionWithToken } from '../support/sign-in.ts'

// Unsaved settings of a site, which only the user who created the preview can see.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const publishGuide = () =>
  publishPages(octavo, [insertPage('# Home\n\nWelcome'), insertPage('# Guide\n\nRead this', { slug: 'guide' })])

async function openAs(userId: string | undefined, url: string, options: RequestInit = {}) {
  const cookie = userId === undefined ? '' : `octavo-session=${(await startSessionWithToken(octavo, userId)).token}`
  return fetch(url, { redirect: 'manual', ...options, headers: { cookie } })
}

/** Returns the body of a page without the path of its site. */
const bodyOf = (html: string, address: string) => {
  const { pathname } = new URL(address)
  return html.slice(html.indexOf('<body')).replaceAll(pathname, '/').replaceAll(encodeURIComponent(pathname), '/')
}

test('a preview shows unsaved settings on all pages and leaves the site unchanged', async () => {
  const { api, id } = octavo.admin
  const { params, base } = await publishGuide()
  const { url } = await api.createSiteCustomizationPreview({
    params,
    body: {
      changes: {
        title: 'Handbook of the future',
        styling: { primaryColor: { light: '#b3261e' } },
        footer: { copyright: 'Acme' },
      },
    },
  })
  const reply = await openAs(id, url)
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  const page = await reply.text()
  expect(page).toContain('Handbook of the future')
  expect(page).toContain('#b3261e')
  expect(page).not.toContain('class="preview-banner')
  const inside = new URL(url).pathname
  expect(page).toContain(`href="${inside}guide"`)
  expect(await (await openAs(id, `${url}guide`)).text()).toContain('Handbook of the future')
  expect((await openAs(id, `${url}~search.json?q=read`)).status).toBe(200)
  // Views of a preview are not counted.
  expect((await openAs(id, `${url}~events`, { method: 'POST' })).status).toBe(405)

  const published = await fetch(base)
  expect(published.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await published.text()).not.toContain('Handbook of the future')
  expect((await api.getSiteCustomizationById({ params })).title).toBeUndefined()
})

test('the published page is the same as the preview after the changes are saved', async () => {
  const { api, id } = octavo.admin
  const { params, base } = await publishGuide()
  const changes = { styling: { theme: 'bold' as const, corners: 'straight' as const }, pagination: { enabled: false } }
  const { url } = await api.createSiteCustomizationPreview({ params, body: { changes } })
  const preview = await (await openAs(id, `${url}guide`)).text()
  await api.changeSiteCustomizationById({ params, body: changes })
  const published = await (await fetch(`${base}guide`)).text()
  expect(bodyOf(preview, url) === bodyOf(published, base)).toBe(true)
})

test('overrides of a site space are previewed in this space only', async () => {
  const { api, organizationId, id } = octavo.admin
  const { params } = await publishGuide()
  const other = await api.createSpace({ params: { organizationId }, body: { title: 'Other' } })
  const item = await api.addSpaceToSite({ params, body: { spaceId: other.id } })
  const { url } = await api.createSiteCustomizationPreview({
    params,
    body: { siteSpaces: { [item.id]: { footer: { copyright: 'Only here' } } } },
  })
  expect(await (await openAs(id, url)).text()).not.toContain('Only here')
  expect(await (await openAs(id, `${url}${item.path}/`)).text()).toContain('Only here')
})

test('nobody else can open a preview, also at the same time, and it expires', async () => {
  const { api, id } = octavo.admin
  const { params } = await publishGuide()
  const editor = await octavo.member('create')
  const { url } = await api.createSiteCustomizationPreview({ params, body: { changes: { title: 'Secret' } } })
  const replies = await Promise.all([openAs(id, url), openAs(editor.id, url), openAs(undefined, url)])
  expect(replies.map(({ status }) => status)).toEqual([200, 404, 404])
  // A preview of the editor ends when they may no longer change the site.
  const own = await editor.api.createSiteCustomizationPreview({ params, body: {} })
  expect((await openAs(editor.id, own.url)).status).toBe(200)
  await api.updateMemberInOrganizationById({
    params: { organizationId: params.organizationId, userId: editor.id },
    body: { role: 'read' },
  })
  expect((await openAs(editor.id, own.url)).status).toBe(404)
  octavo.clock.advance(hours(1))
  expect((await openAs(id, url)).status).toBe(404)
})

test('a user has at most ten previews of a site, and an unpublished site can be previewed', async () => {
  const { api, id } = octavo.admin
  const { params } = await publishGuide()
  await api.unpublishSite({ params })
  const urls: string[] = []
  for (let count = 0; count < 11; count++) {
    octavo.clock.advance(1)
    urls.push((await api.createSiteCustomizationPreview({ params, body: {} })).url)
  }
  const statuses = await Promise.all(urls.map(async (url) => (await openAs(id, url)).status))
  expect(statuses).toEqual([404, ...Array.from({ length: 10 }, () => 200)])
})

test('changes keep what they do not name, null resets a setting, and bad changes change nothing', async () => {
  const { api } = octavo.admin
  const { params } = await publishGuide()
  await api.changeSiteCustomizationById({
    params,
    body: { title: 'First', styling: { theme: 'bold', tint: { color: { light: '#112233', dark: '#445566' } } } },
  })
  const changed = await api.changeSiteCustomizationById({
    params,
    body: { styling: { tint: null, corners: 'straight' }, ai: { mode: 'search' } },
  })
  expect(changed).toMatchObject({
    title: 'First',
    styling: { theme: 'bold', corners: 'straight' },
    ai: { mode: 'search' },
  })
  expect(changed.styling.tint).toBeUndefined()
  expect((await api.changeSiteCustomizationById({ params, body: { title: null } })).title).toBeUndefined()
  const bad = [
    { header: { links: [{ title: 'x', to: { kind: 'url' as const, url: 'javascript:alert(1)' } }] } },
    { styling: { primaryColor: { light: 'red' } } },
  ]
  for (const body of bad) {
    await expect(api.changeSiteCustomizationById({ params, body })).rejects.toMatchObject({ status: 400 })
    await expect(api.createSiteCustomizationPreview({ params, body: { changes: body } })).rejects.toMatchObject({
      status: 400,
    })
  }
  await expect(
    api.createSiteCustomizationPreview({ params, body: { siteSpaces: { nothing: { title: 'Lost' } } } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('an uploaded image is shown as the logo and cannot be anything but an image', async () => {
  const { api } = octavo.admin
  const { params, base } = await publishGuide()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
  const { url } = await api.addImageToSite({ params, body: { data: btoa(svg) } })
  expect((await api.addImageToSite({ params, body: { data: btoa(svg) } })).url).toBe(url)
  const image = await fetch(url)
  expect([image.headers.get('content-type'), image.headers.get('x-content-type-options')]).toEqual([
    'image/svg+xml',
    'nosniff',
  ])
  expect(await image.text()).toBe(svg)
  await api.changeSiteCustomizationById({ params, body: { header: { logo: { light: url, dark: url } } } })
  expect(await (await fetch(base)).text()).toContain(`src="${url}"`)
  for (const data of [btoa('<html>no</html>'), btoa('plain'), '!!!', 'A'.repeat(800_000)])
    await expect(api.addImageToSite({ params, body: { data } })).rejects.toMatchObject({ status: 400 })
  const reader = await octavo.member('read')
  await expect(reader.api.addImageToSite({ params, body: { data: btoa(svg) } })).rejects.toMatchObject({ status: 403 })
  expect((await fetch(url.replace(/[^/]+$/, 'other.svg'))).status).toBe(404)
})
