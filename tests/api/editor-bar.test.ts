import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, insertPage } from '../support/content.ts'
import { type PublishedSite, publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { startSessionWithToken } from '../support/sign-in.ts'

// The bar that editors see on published pages: a document for a frame that scripts of the page cannot read.

let octavo: TestServer
let site: PublishedSite & { spaceId: string; pages: string[] }
beforeAll(async () => {
  octavo = await startTestServer()
  site = await publishPages(octavo, [insertPage('# Home'), insertPage('# Guide\n\nFirst.', { slug: 'guide' })])
})
afterAll(() => octavo.stop())

const frameHeaders = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }

/** Requests the bar of the second page as a frame on it does. */
async function openBar(cookie: string, headers: Record<string, string> = frameHeaders): Promise<Response> {
  const [, page = ''] = site.pages
  const { items } = await octavo.admin.api.listSiteSpaces({ params: site.params, query: {} })
  const query = new URLSearchParams({
    path: new URL(`${site.base}guide`).pathname,
    'site-space': items[0]?.id ?? '',
    space: site.spaceId,
    page,
  })
  return fetch(`${octavo.url}/editor-bar?${query.toString()}`, { headers: { ...headers, cookie }, redirect: 'manual' })
}

const sessionOf = async (userId: string) => `octavo-session=${(await startSessionWithToken(octavo, userId)).token}`

/** Returns the texts of the links of a bar. */
const linksOf = (html: string) =>
  Array.from(html.matchAll(/<a href="[^"]*">(.*?)<\/a>/g), ([, text = '']) => text.replace(/<[^>]+>/g, ''))

test('editors get links to their work on the page, in a document that scripts of the page cannot read', async () => {
  const { api } = octavo.admin
  const [home = '', guide = ''] = site.pages
  const params = { spaceId: site.spaceId }
  await api.postCommentInSpace({ params, body: { body: { markdown: 'Is this true?' }, page: guide } })
  const changes = [
    { operation: 'update_page' as const, page: guide, document: { markdown: 'Second.' } },
    { operation: 'update_page' as const, page: home, document: { markdown: 'Other.' } },
  ]
  for (const [index, subject] of ['Rewrite the guide', 'Rewrite the home page'].entries()) {
    const { id } = await api.createChangeRequest({ params, body: { subject } })
    const change = changes[index]
    if (change)
      await api.updateChangeRequestContent({ params: { ...params, changeRequestId: id }, body: { changes: [change] } })
  }
  // A page that was edited and merged later is not changed by the open change requests.
  await editLive(octavo.admin, site.spaceId, { operation: 'update_page', page: home, title: 'Start' })
  const reply = await openBar(await sessionOf(octavo.admin.id))
  const html = await reply.text()
  expect(linksOf(html)).toEqual(['Edit', 'Comments 1', 'History', 'Insights', '#1 Rewrite the guide (preview)'])
  const policy = reply.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/sandbox (?!.*allow-same-origin)/)
  expect(policy).toContain("frame-ancestors 'self'")
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(html).not.toContain('octavo-session')
  const preview = /href="([^"]*~\/changes[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(new URL(preview).pathname).toMatch(/~\/changes\/1\/guide$/)
})

test('scripts, other sites and clients without the headers of a frame are refused', async () => {
  const cookie = await sessionOf(octavo.admin.id)
  const refused: Record<string, string>[] = [
    {},
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of refused) expect([headers, (await openBar(cookie, headers)).status]).toEqual([headers, 403])
})

test('readers, strangers and visitors get an empty document', async () => {
  const [reader, stranger] = [await octavo.member('read'), await octavo.person()]
  for (const cookie of [await sessionOf(reader.id), await sessionOf(stranger.id), ''])
    expect(await (await openBar(cookie)).text()).toBe('')
  // A browser whose session has ended does not ask again.
  expect((await openBar('')).headers.getSetCookie().join()).toContain(
    'octavo-editor=%2F; Path=/; SameSite=Lax; Max-Age=0',
  )
})
