import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { SiteVisibility } from '../../src/contract/site.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import type { SiteParams } from '../support/sites.ts'
import { visit } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a published site with one space. */
async function newSite(visibility: SiteVisibility = 'share-link') {
  const { api, organizationId, spaceId } = octavo.admin
  const site = await api.createSite({
    params: { organizationId },
    body: { title: 'Shared', visibility, spaces: [spaceId] },
  })
  const params = { organizationId, siteId: site.id }
  await api.publishSite({ params })
  return params
}

const create = (params: SiteParams, name = 'Reviewers') =>
  octavo.admin.api.createSiteShareLink({ params, body: { name } })
const list = (params: SiteParams, search?: string) =>
  octavo.admin.api.listSiteShareLinks({ params, query: { ...(search !== undefined && { search }) } })

/** Opens a URL as a visitor without an account. */
const open = (url: string) => visit(octavo, url)

test('a share link opens a site until it is deactivated or deleted', async () => {
  const { api } = octavo.admin
  const params = await newSite()
  expect((await api.getSiteById({ params })).urls).not.toHaveProperty('published')
  const [link, other] = [await create(params), await create(params)]
  expect(link).toMatchObject({ object: 'share-link', name: 'Reviewers', active: true })
  expect(link.key).toMatch(/^[a-z0-9][a-z0-9-]{25,}$/)
  expect(link.key).not.toBe(other.key)
  const url = link.urls.published ?? ''
  expect(url).toMatch(new RegExp(`^${octavo.url}/sites/.+/${link.key}/$`))

  const found = await open(url)
  expect(found).toMatchObject({ site: params.siteId, shareKey: link.key })
  const read = () => found.api.getPublishedContentSite({ params })
  expect((await read()).site.urls.published).toBe(url)

  const named = { ...params, shareLinkId: link.id }
  const revoked = await api.updateSiteShareLinkById({ params: named, body: { active: false } })
  expect([revoked.active, revoked.urls]).toEqual([false, {}])
  expect(await refusal(open(url))).toBe('404')
  expect(await refusal(read())).toBe('404')
  expect(await refusal(api.getPublishedContentSite({ params, query: { shareKey: link.key } }))).toBe('404')

  await api.updateSiteShareLinkById({ params: named, body: { active: true } })
  await read()
  await api.deleteSiteShareLinkById({ params: named })
  expect(await refusal(read())).toBe('404')
  expect(await refusal(open(url))).toBe('404')
  await open(other.urls.published ?? '')
})

test('a share link of one site opens no other site', async () => {
  const [mine, theirs] = [await newSite(), await newSite()]
  const [key, foreign] = [(await create(mine)).key, await create(theirs)]
  expect(await refusal(open((foreign.urls.published ?? '').replace(foreign.key, key)))).toBe('404')
  const { api } = octavo.admin
  const params = { ...mine, shareLinkId: foreign.id }
  expect(await refusal(api.updateSiteShareLinkById({ params, body: { name: 'Mine' } }))).toBe('404')
  await api.deleteSiteShareLinkById({ params })
  expect((await list(theirs)).items.map(({ id }) => id)).toEqual([foreign.id])
})

test('a share link has a URL only while its site is published with share-link visibility', async () => {
  const { api } = octavo.admin
  const params = await newSite('public')
  const { key } = await create(params)
  const addresses = async () => (await list(params)).items.map(({ urls }) => urls.published)
  expect(await addresses()).toEqual([undefined])
  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  expect(await addresses()).toEqual([expect.stringContaining(`/${key}/`)])
  await api.unpublishSite({ params })
  expect(await addresses()).toEqual([undefined])
})

test('share links are searched by parts of their names and keys, and paginated', async () => {
  const { api } = octavo.admin
  const params = await newSite()
  const links = [await create(params, 'Legal team'), await create(params, ''), await create(params, 'The 100% légal')]
  const namesOf = async (search: string) => (await list(params, search)).items.map(({ name }) => name)
  expect(await namesOf('LEGAL')).toEqual(['Legal team'])
  expect(await namesOf('LÉGAL')).toEqual(['The 100% légal'])
  expect(await namesOf('%')).toEqual(['The 100% légal'])
  expect(await namesOf(links[1]?.key.slice(8, 28) ?? '')).toEqual([''])
  expect(await namesOf('nothing')).toEqual([])
  const first = await api.listSiteShareLinks({ params, query: { limit: '2' } })
  const rest = await api.listSiteShareLinks({ params, query: { limit: '2', page: first.next?.page } })
  expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(links.map(({ id }) => id))
  expect([first.count, rest.next]).toEqual([3, undefined])
})

test('listing share links needs permission to edit the site, and a token with the scope', async () => {
  const params = await newSite()
  const link = await create(params)
  const reviewer = await octavo.member('review')
  const creator = await octavo.member('create')
  expect(await refusal(reviewer.api.listSiteShareLinks({ params }))).toBe('403')
  expect((await creator.api.listSiteShareLinks({ params })).items).toEqual([link])
  const { token } = await octavo.admin.api.createToken({ body: { label: 'Reader', scopes: ['site:read'] } })
  expect(await refusal(createClient({ url: octavo.url, token }).listSiteShareLinks({ params }))).toBe('403')
})

test.each([
  ['POST', {}, 'body.name'],
  ['POST', { name: 'x'.repeat(51) }, 'body.name'],
  ['PATCH', {}, 'body'],
  ['PATCH', { unknown: 1 }, 'body'],
  ['PATCH', { active: 'no' }, 'body.active'],
])('rejects %s of %j with 400', async (method, body, field) => {
  const params = await newSite()
  const { id } = await create(params)
  const path = `/v1/orgs/${params.organizationId}/sites/${params.siteId}/share-links`
  const reply = await octavo.fetch(method === 'POST' ? path : `${path}/${id}`, {
    method,
    token: octavo.admin.token,
    body: JSON.stringify(body),
  })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { details: [{ path: field }] } })
})

test('a site has at most 1,000 share links', async () => {
  const params = await newSite()
  const made = await create(params)
  const { database } = octavo.server.app
  await database.transaction(async (db) => {
    for (let index = 1; index < 1000; index++) {
      const link = { id: `link-${index}`, key: `${made.key}-${index}`, name: '', active: 1 as const }
      const site = { organization_id: params.organizationId, site_id: params.siteId, created_at: made.createdAt }
      await db
        .insertInto('share_links')
        .values({ ...site, ...link })
        .execute()
    }
  })
  expect(await refusal(create(params))).toBe('409')
  await octavo.admin.api.deleteSiteShareLinkById({ params: { ...params, shareLinkId: made.id } })
  await create(params)
})

test('the official client creates, updates, lists and deletes share links', async () => {
  const { organizationId, siteId } = await newSite()
  const { orgs } = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const created = await orgs.createSiteShareLink(organizationId, siteId, { name: 'Client' })
  const { data: link } = created
  expect([created.status, created.headers.get('location')]).toEqual([
    201,
    `${octavo.url}/v1/orgs/${organizationId}/sites/${siteId}/share-links/${link.id}`,
  ])
  const { data: renamed } = await orgs.updateSiteShareLinkById(organizationId, siteId, link.id, { name: 'Other' })
  expect(renamed).toEqual({ ...link, name: 'Other' })
  expect((await orgs.listSiteShareLinks(organizationId, siteId, { search: 'oth' })).data.items).toEqual([renamed])
  await orgs.deleteSiteShareLinkById(organizationId, siteId, link.id)
  await orgs.deleteSiteShareLinkById(organizationId, siteId, link.id)
  expect((await orgs.listSiteShareLinks(organizationId, siteId)).data).toEqual({ count: 0, items: [] })
})
