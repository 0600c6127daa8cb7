import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates an empty site in a new organization. */
async function makeSite() {
  const acme = await makeOrganization(octavo)
  const { api } = acme.owner
  const { id: siteId } = await api.createSite({ params: acme.params, body: { title: 'Docs' } })
  return { ...acme, api, site: { ...acme.params, siteId } }
}

test('an empty site gets sections with documentation, whose links lead to each other', async () => {
  const { owner, api, site, params } = await makeSite()
  const path = `/v1/orgs/${site.organizationId}/sites/${site.siteId}/template`
  const reply = await octavo.fetch(path, { method: 'POST', token: owner.token })
  expect([reply.status, await reply.text()]).toEqual([200, ''])

  const sections = await api.listSiteSections({ params: site })
  expect(sections.items.map(({ title, path: at, default: isDefault }) => [title, at, isDefault])).toEqual([
    ['Documentation', 'documentation', true],
    ['API', 'api', false],
    ['Help center', 'help-center', false],
    ['Changelog', 'changelog', false],
  ])
  const spaces = await api.listSpacesInOrganizationById({ params })
  expect(spaces.items.map(({ title }) => title).sort()).toEqual([
    'API documentation',
    'Changelog',
    'Help center',
    'Product documentation',
  ])
  const byTitle = new Map(spaces.items.map(({ id, title }) => [title, id]))
  for (const [source, targets] of Object.entries({
    'Product documentation': ['API documentation', 'Help center'],
    'API documentation': ['Help center'],
    'Help center': [],
    Changelog: ['Help center', 'Product documentation'],
  })) {
    const links = await waitUntil(async () => {
      const list = await api.listSpaceLinks({
        params: { spaceId: byTitle.get(source) ?? '' },
        query: { limit: '1000' },
      })
      return list.stats.total > 0 && list
    }, `the links of ${source} are stored`)
    const linked = links.items.flatMap(({ status, targetReference }) =>
      targetReference.kind === 'space' ? [`${targetReference.space} ${status}`] : [],
    )
    expect(linked.sort()).toEqual(targets.map((title) => `${byTitle.get(title)} ok`).sort())
    expect(links.stats.broken.total).toBe(0)
  }

  const published = await api.publishSite({ params: site })
  const home = await octavo.fetch(new URL(published.urls.published ?? '').pathname)
  expect(home.status).toBe(200)
  const html = await home.text()
  for (const title of ['Documentation', 'API', 'Help center', 'Changelog']) expect(html).toContain(title)
})

test('a site that is not empty is refused and not changed', async () => {
  const { api, site, params } = await makeSite()
  const { id } = await api.addSpaceToSite({ params: site, body: { spaceId: null } })
  const before = await api.listSpacesInOrganizationById({ params })
  expect(await refusal(api.applyTemplateToSite({ params: site }))).toBe('409')
  expect((await api.listSpacesInOrganizationById({ params })).count).toBe(before.count)
  await api.deleteSiteSpaceById({ params: { ...site, siteSpaceId: id } })

  const applied = await Promise.allSettled(Array.from({ length: 4 }, () => api.applyTemplateToSite({ params: site })))
  expect(applied.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of applied) if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 })
  expect((await api.listSpacesInOrganizationById({ params })).count).toBe((before.count ?? 0) + 4)
  expect((await api.listSiteSections({ params: site })).count).toBe(4)
})

test('requires the roles for the site and for new spaces, and hides the site from others', async () => {
  const acme = await makeSite()
  const { api, site } = acme
  const editor = await acme.member('edit', 'Editor')
  await api.inviteToSite({ params: site, body: { role: 'create', users: [editor.id] } })
  const reader = await acme.member('read', 'Reader')
  const stranger = await makeOrganization(octavo, 'Other')
  expect(await refusal(editor.api.applyTemplateToSite({ params: site }))).toBe('403')
  expect(await refusal(reader.api.applyTemplateToSite({ params: site }))).toBe('403')
  expect(await refusal(stranger.owner.api.applyTemplateToSite({ params: site }))).toBe('404')
  const elsewhere = { ...stranger.params, siteId: site.siteId }
  expect(await refusal(stranger.owner.api.applyTemplateToSite({ params: elsewhere }))).toBe('404')
  expect((await api.listSiteSections({ params: site })).count).toBe(0)
  const creator = await acme.member('create', 'Creator')
  await creator.api.applyTemplateToSite({ params: site })
  expect((await api.listSiteSections({ params: site })).count).toBe(4)
})
