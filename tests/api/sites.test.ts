import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { readItemIds, makeSite, readSiteOutline } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('creates a site without spaces, with a new space or with existing spaces', async () => {
  const make = await makeOrganization(octavo)
  const { params, owner } = make
  const { api } = owner
  const empty = await api.createSite({ params, body: {} })
  expect(empty).toMatchObject({
    object: 'site',
    type: 'basic',
    title: 'Acme',
    basename: 'acme',
    visibility: 'public',
    defaultLevel: 'inherit',
    published: false,
    siteSpaces: 0,
    adaptiveContent: { enabled: false },
    agentsContext: 'included',
  })
  expect(empty.urls.published).toBeUndefined()
  expect(await readSiteOutline(owner, { ...params, siteId: empty.id })).toBe('')
  expect(await api.getSiteById({ params: { ...params, siteId: empty.id } })).toEqual(empty)

  const fresh = await api.createSite({ params, body: { title: 'Handbook', type: 'premium', spaces: 'new' } })
  expect(fresh).toMatchObject({ title: 'Handbook', basename: 'handbook', type: 'premium', siteSpaces: 1 })
  expect(await readSiteOutline(owner, { ...params, siteId: fresh.id })).toBe('Handbook*')

  const [guide, reference] = [await make.space('Guide'), await make.space('Reference')]
  const spaces = [reference.id, guide.id, reference.id]
  const both = await api.createSite({ params, body: { visibility: 'unlisted', spaces } })
  expect(both).toMatchObject({ title: 'Reference', visibility: 'unlisted', siteSpaces: 2 })
  expect(await readSiteOutline(owner, { ...params, siteId: both.id })).toBe('Reference*, Guide')
})

test('adds only spaces that the caller sees and may publish, and a rejected request changes nothing', async () => {
  const make = await makeOrganization(octavo)
  const { params, owner } = make
  const foreign = await makeOrganization(octavo)
  const editor = await make.member('edit')
  const creator = await make.member('create')
  const [open, weak, hidden, elsewhere] = [
    await make.space('Open'),
    await make.space('Weak', { defaultLevel: 'review' }),
    await make.space('Hidden', { defaultLevel: null }),
    await foreign.space('Elsewhere'),
  ]
  const create = (...spaces: string[]) => creator.api.createSite({ params, body: { spaces } })
  expect(await refusal(create(open.id, hidden.id))).toBe('404 body.spaces.1')
  expect(await refusal(create(elsewhere.id))).toBe('404 body.spaces.0')
  expect(await refusal(create('unknown'))).toBe('404 body.spaces.0')
  expect(await refusal(create(open.id, weak.id))).toBe('403')
  expect(await refusal(editor.api.createSite({ params, body: {} }))).toBe('403')
  expect(await refusal(foreign.owner.api.createSite({ params, body: {} }))).toBe('404')
  expect((await owner.api.listSites({ params, query: {} })).count).toBe(0)

  const site = await create(open.id)
  const here = { ...params, siteId: site.id }
  const put = (spaceId: string | null) => creator.api.addSpaceToSite({ params: here, body: { spaceId } })
  expect(await refusal(put(hidden.id))).toBe('404 body.spaceId')
  expect(await refusal(put(elsewhere.id))).toBe('404 body.spaceId')
  expect(await refusal(put(weak.id))).toBe('403')
  expect(await refusal(creator.api.addSectionToSite({ params: here, body: { spaceId: weak.id } }))).toBe('403')
  const { 'Open.': siteSpaceId = '' } = await readItemIds(owner, here)
  const point = (spaceId: string) =>
    creator.api.updateSiteSpaceById({ params: { ...here, siteSpaceId }, body: { spaceId } })
  expect(await refusal(point(weak.id))).toBe('403')
  expect(await refusal(point(hidden.id))).toBe('404 body.spaceId')
  expect(await readSiteOutline(owner, here)).toBe('Open*')

  // A caller who may publish can add a new space, and lists spaces that they may not view.
  await put(null)
  expect(await readSiteOutline(owner, here)).toMatch(/^Open\*, /)
  await owner.api.addSpaceToSite({ params: here, body: { spaceId: hidden.id } })
  const { items } = await creator.api.listSiteSpaces({ params: here, query: {} })
  expect(items[2]).toMatchObject({ title: 'Hidden', space: { id: hidden.id, permissions: { view: false } } })
  expect(items[0]).toMatchObject({ title: 'Open', space: { permissions: { view: true, edit: true } } })
})

test('rejects invalid settings of a site with 400, and applies valid ones', async () => {
  const make = await makeOrganization(octavo)
  const { params } = await makeSite(make)
  const { api } = make.owner
  const wrong: [object, string][] = [
    [{ title: 'x' }, 'body.title'],
    [{ title: 'x'.repeat(129) }, 'body.title'],
    [{ visibility: 'secret' }, 'body.visibility'],
    [{ basename: '' }, 'body.basename'],
    [{ basename: 'a b' }, 'body.basename'],
    [{ basename: 'a/b' }, 'body.basename'],
    [{ basename: '-a' }, 'body.basename'],
    [{ proxy: 'example.com' }, 'body.proxy'],
    [{ proxy: 'https://example.com/docs' }, 'body.proxy'],
    [{ agentsContext: true }, 'body.agentsContext'],
    [{ defaultLevel: 'owner' }, 'body.defaultLevel'],
    [{ adaptiveContent: {} }, 'body.adaptiveContent.enabled'],
  ]
  for (const [body, field] of wrong)
    expect(await refusal(api.updateSiteById({ params, body })), JSON.stringify(body).slice(0, 60)).toBe(`400 ${field}`)
  const before = await api.getSiteById({ params })
  const body = {
    title: 'New',
    agentsContext: 'excluded',
    adaptiveContent: { enabled: true },
    proxy: 'example.com/a/b',
  } as const
  const changed = await api.updateSiteById({ params, body })
  const { proxy, urls, ...rest } = changed
  expect(rest).toMatchObject({ title: 'New', agentsContext: 'excluded', adaptiveContent: { enabled: true } })
  expect(proxy).toEqual({ origin: 'example.com/a/b', target: expect.stringMatching(/\/docs\/$/) })
  expect(urls).toEqual(before.urls)
  const other = await makeSite(await makeOrganization(octavo))
  expect(await refusal(octavo.admin.api.updateSiteById({ params: other.params, body: { proxy: null } }))).toBe('404')
  const { proxy: none } = await api.updateSiteById({ params, body: { proxy: null } })
  expect(none).toBeUndefined()

  const path = `/v1/orgs/${params.organizationId}/sites/${params.siteId}`
  const minimal = await octavo.fetch(path, {
    method: 'PATCH',
    token: make.owner.token,
    body: JSON.stringify({ title: 'Quiet' }),
    headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
  })
  expect([minimal.status, minimal.headers.get('preference-applied')]).toEqual([204, 'return=minimal'])
  expect((await api.getSiteById({ params })).title).toBe('Quiet')
})

test('a basename is derived from the title, unique in its organization, and can be changed', async () => {
  const make = await makeOrganization(octavo)
  const { params, owner } = make
  const { api } = owner
  const titled = async (title: string) => (await api.createSite({ params, body: { title } })).basename
  expect([await titled('Our Docs!'), await titled('our docs'), await titled('Our  Docs')]).toEqual([
    'our-docs',
    'our-docs-1',
    'our-docs-2',
  ])
  expect(await titled('!!')).toBe('docs')
  expect(await titled('??')).toBe('docs-1')
  const site = await api.createSite({ params, body: { title: 'Other' } })
  const here = { ...params, siteId: site.id }
  const rename = (basename: string) => api.updateSiteById({ params: here, body: { basename } })
  expect(await refusal(rename('our-docs'))).toBe('409')
  expect(await refusal(rename('OUR-docs-1'))).toBe('409')
  expect((await api.getSiteById({ params: here })).basename).toBe('other')
  expect((await rename('Our-Docs.v2')).basename).toBe('our-docs.v2')
  expect((await rename('our-docs.v2')).basename).toBe('our-docs.v2')
  const elsewhere = await makeSite(await makeOrganization(octavo), [], { title: 'our docs' })
  expect(elsewhere.site.basename).toBe('our-docs')
})

test('sites are filtered by space, title, type and publication', async () => {
  const make = await makeOrganization(octavo)
  const { params, owner } = make
  const { api } = owner
  const space = await make.space('Shared')
  const made = [
    await api.createSite({ params, body: { title: 'Alpha handbook', spaces: [space.id] } }),
    await api.createSite({ params, body: { title: 'Beta HANDBOOK', type: 'premium', spaces: [space.id] } }),
    await api.createSite({ params, body: { title: '100% other', type: 'ultimate' } }),
  ]
  await api.publishSite({ params: { ...params, siteId: made[1]?.id ?? '' } })
  const titles = async (query: object) => {
    const { items, count } = await api.listSites({ params, query })
    expect(count).toBe(items.length)
    return items.map(({ title }) => title[0]).join('')
  }
  expect(await titles({})).toBe('AB1')
  expect(await titles({ space: space.id })).toBe('AB')
  expect(await titles({ space: 'unknown' })).toBe('')
  expect(await titles({ title: 'handbook' })).toBe('AB')
  expect(await titles({ title: '%' })).toBe('1')
  expect(await titles({ published: 'true' })).toBe('B')
  expect(await titles({ published: 'false' })).toBe('A1')
  expect(await titles({ type: 'premium' })).toBe('B')
  expect(await titles({ type: ['basic', 'ultimate'] })).toBe('A1')
  expect(await titles({ space: space.id, published: 'false', title: 'ALPHA', type: 'basic' })).toBe('A')
  expect(await refusal(api.listSites({ params, query: { type: 'huge' } }))).toBe('400 query.type')
  for (const limit of [1, 2]) {
    const pages = await readAllPages((page) => api.listSites({ params, query: { limit, page, title: 'h' } }))
    expect(pages.flat().map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  }
  await api.deleteSpaceById({ params: { spaceId: space.id } })
  expect(await titles({ space: space.id })).toBe('')
})

test('a site and its site spaces have public URLs only while the site is published', async () => {
  const make = await makeOrganization(octavo)
  const { params, spaces } = await makeSite(make, ['Guide', 'Notes'])
  const { api } = make.owner
  const { organizationId } = params
  const addresses = async (shareKey?: string) => {
    const query = shareKey === undefined ? {} : { shareKey }
    const site = await api.getSiteById({ params })
    const listed = (await api.listSiteSpaces({ params, query })).items.map(({ urls }) => urls.published)
    const inSpace = await api.getSpaceById({ params: { spaceId: spaces['Notes'] ?? '' }, query })
    const { items } = await api.listSites({ params: make.params, query: {} })
    expect(items[0]?.urls).toEqual(site.urls)
    return [site.urls.published, ...listed, inSpace.urls.published]
  }
  const none = [undefined, undefined, undefined, undefined]
  expect(await addresses()).toEqual(none)
  const published = await api.publishSite({ params })
  const base = `${octavo.url}/sites/${organizationId}/docs/`
  expect(published).toMatchObject({ published: true, urls: { published: base } })
  expect(await addresses()).toEqual([base, base, `${base}notes/`, `${base}notes/`])
  expect((await api.publishSite({ params })).published).toBe(true)
  const { structure } = await api.getSiteStructure({ params, query: {} })
  expect(structure[1]?.object === 'site-space' && structure[1].urls.published).toBe(`${base}notes/`)
  const whole = await api.getPublishedContentSite({ params, query: {} })
  expect(whole.site.urls.published).toBe(base)

  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  expect(await addresses()).toEqual(none)
  const { key } = await api.createSiteShareLink({ params, body: { name: 'For friends' } }).then(({ urls }) => ({
    key: new URL(urls.published ?? '').pathname.split('/').at(-2) ?? '',
  }))
  const withKey = await addresses(key)
  expect(withKey.slice(1)).toEqual([`${base}${key}/`, `${base}${key}/notes/`, `${base}${key}/notes/`])
  const inSpace = await api.getSpaceById({ params: { spaceId: spaces['Notes'] ?? '' }, query: { shareKey: 'guessed' } })
  expect(inSpace.urls.published).toBeUndefined()
  expect(await refusal(api.listSiteSpaces({ params, query: { shareKey: 'guessed' } }))).toBe('404')

  await api.updateSiteById({ params, body: { visibility: 'public', basename: 'other' } })
  const moved = `${octavo.url}/sites/${organizationId}/other/`
  expect(await addresses()).toEqual([moved, moved, `${moved}notes/`, `${moved}notes/`])
  // A draft has no URL on a published site.
  const { 'Notes.': siteSpaceId = '' } = await readItemIds(make.owner, params)
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId }, body: { draft: true } })
  expect((await addresses()).at(-1)).toBeUndefined()
  expect((await api.unpublishSite({ params })).published).toBe(false)
  expect(await addresses()).toEqual(none)
})

test('deleting a site removes it from lists and the default content, and keeps its spaces and other sites', async () => {
  const make = await makeOrganization(octavo)
  const { params, spaces } = await makeSite(make, ['Guide'])
  const { api } = make.owner
  const beside = await api.createSite({ params: make.params, body: { spaces: [spaces['Guide'] ?? ''] } })
  await api.updateOrganizationById({
    params: make.params,
    body: { defaultContent: { type: 'site', site: params.siteId } },
  })
  await api.publishSite({ params })
  await api.deleteSiteById({ params })
  await api.deleteSiteById({ params })
  expect(await refusal(api.getSiteById({ params }))).toBe('404')
  expect(await refusal(api.getSiteStructure({ params, query: {} }))).toBe('404')
  expect((await api.listSites({ params: make.params, query: {} })).items.map(({ id }) => id)).toEqual([beside.id])
  expect((await api.getOrganizationById({ params: make.params })).defaultContent).toBeUndefined()
  const space = await api.getSpaceById({ params: { spaceId: spaces['Guide'] ?? '' } })
  expect(space.urls.published).toBeUndefined()
  expect(await readSiteOutline(make.owner, { ...make.params, siteId: beside.id })).toBe('Guide*')
})

test('a site cannot be accessed through another organization or another site', async () => {
  const [make, foreign] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const [here, there] = [await makeSite(make, ['Guide']), await makeSite(foreign, ['Guide'])]
  const { 'Guide.': siteSpaceId = '' } = await readItemIds(make.owner, here.params)
  const { api } = foreign.owner
  const mixed = { organizationId: there.params.organizationId, siteId: here.params.siteId }
  for (const params of [here.params, mixed]) {
    expect(await refusal(api.getSiteById({ params }))).toBe('404')
    expect(await refusal(api.getSiteStructure({ params, query: {} }))).toBe('404')
    expect(await refusal(api.publishSite({ params }))).toBe('404')
    await refusal(api.deleteSiteById({ params }))
  }
  const across = { ...there.params, siteSpaceId }
  expect(await refusal(api.updateSiteSpaceById({ params: across, body: { hidden: true } }))).toBe('404')
  expect(await refusal(api.moveSiteSpace({ params: across, body: {} }))).toBe('404')
  expect(await refusal(api.updateSiteById({ params: there.params, body: { defaultSiteSpace: siteSpaceId } }))).toBe(
    '404 body.defaultSiteSpace',
  )
  await api.deleteSiteSpaceById({ params: across })
  expect(await readSiteOutline(make.owner, here.params)).toBe('Guide*')
  expect(await readSiteOutline(foreign.owner, there.params)).toBe('Guide*')
})
