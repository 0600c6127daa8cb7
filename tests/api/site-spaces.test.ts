import { afterAll, beforeAll, expect, test } from 'vitest'
import { days, hours } from '../../src/kernel/time.ts'
import { propose } from '../support/content.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer, waitUntil } from '../support/server.ts'
import { readItemIds, makeSite, readSiteOutline } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

test('a space has its own title, path and position on each site that contains it', async () => {
  const make = await makeOrganization(octavo)
  const [one, two] = [await makeSite(make, ['Guide', 'Notes']), await makeSite(make)]
  const { api } = make.owner
  const spaceId = one.spaces['Guide'] ?? ''
  const other = await api.addSpaceToSite({ params: two.params, body: { spaceId, title: 'Handbook' } })
  expect(other).toMatchObject({ title: 'Handbook', path: 'handbook', default: true, space: { id: spaceId } })
  // A site can contain the same space several times, under different paths.
  const again = await api.addSpaceToSite({ params: two.params, body: { spaceId } })
  expect([again.path, again.default]).toEqual(['guide', false])
  expect((await api.addSpaceToSite({ params: two.params, body: { spaceId } })).path).toBe('guide-1')
  const update = (body: object) => api.updateSiteSpaceById({ params: { ...two.params, siteSpaceId: again.id }, body })
  expect(await refusal(update({ path: 'Handbook' }))).toBe('409')
  expect(await refusal(update({ path: 'v' }))).toBe('400 body.path')
  expect(await refusal(update({ condition: 'visitor.' }))).toBe('400 body.condition')
  const said = { path: 'v2', title: 'Second', localizedTitle: { de: 'Zweites' }, hidden: true, condition: 'true' }
  expect(await update(said)).toMatchObject(said)
  const bare = await update({ title: null, condition: null, hidden: false })
  expect([bare.title, bare.condition, bare.hidden]).toEqual(['Guide', undefined, false])

  await api.updateSpaceById({ params: { spaceId }, body: { title: 'Renamed' } })
  expect(await readSiteOutline(make.owner, one.params)).toBe('Renamed*, Notes')
  expect(await readSiteOutline(make.owner, two.params)).toBe('Handbook*, Renamed, Renamed')
  await api.deleteSiteSpaceById({ params: { ...two.params, siteSpaceId: other.id } })
  await api.deleteSiteSpaceById({ params: { ...two.params, siteSpaceId: other.id } })
  expect(await readSiteOutline(make.owner, two.params)).toBe('Renamed*, Renamed')
  expect(await readSiteOutline(make.owner, one.params)).toBe('Renamed*, Notes')
})

test('a space in the trash is on no site, and returns to its position when it is restored', async () => {
  const make = await makeOrganization(octavo)
  const { params, spaces } = await makeSite(make, ['Ann', 'Bob', 'Cid'])
  const { api } = make.owner
  const outline = () => readSiteOutline(make.owner, params)
  const bob = { spaceId: spaces['Bob'] ?? '' }
  const ids = await readItemIds(make.owner, params)
  await api.updateSiteById({ params, body: { defaultSiteSpace: ids['Bob.'] } })
  await api.publishSite({ params })
  await api.deleteSpaceById({ params: bob })
  expect(await outline()).toBe('Ann*, Cid')
  expect((await api.listSiteSpaces({ params, query: {} })).count).toBe(2)
  expect((await api.getSiteById({ params })).siteSpaces).toBe(2)
  expect((await api.listSites({ params: make.params, query: {} })).items[0]?.siteSpaces).toBe(2)
  expect((await api.getPublishedContentSite({ params, query: {} })).structure.structure).toHaveLength(2)
  expect(await refusal(api.moveSiteSpace({ params: { ...params, siteSpaceId: ids['Bob.'] ?? '' }, body: {} }))).toBe(
    '404',
  )
  const again = { before: { type: 'site-space' as const, siteSpace: ids['Bob.'] ?? '' } }
  const cid = { ...params, siteSpaceId: ids['Cid.'] ?? '' }
  expect(await refusal(api.moveSiteSpace({ params: cid, body: { position: again } }))).toBe('404 body.position.before')
  await api.moveSiteSpace({
    params: cid,
    body: { position: { after: { type: 'site-space', siteSpace: ids['Ann.'] ?? '' } } },
  })
  await api.addSpaceToSite({ params, body: { spaceId: null, title: 'Dan' } })
  // Its path remains reserved.
  expect(await refusal(api.updateSiteSpaceById({ params: cid, body: { path: 'bob' } }))).toBe('409')
  await api.restoreSpace({ params: bob })
  expect(await outline()).toBe('Ann, Cid, Bob*, Dan')
  await api.moveSiteSpace({
    params: { ...params, siteSpaceId: ids['Ann.'] ?? '' },
    body: { position: { after: { type: 'site-space', siteSpace: ids['Bob.'] ?? '' } } },
  })
  expect(await outline()).toBe('Cid, Bob*, Ann, Dan')

  // If the only space of a site is in the trash while sections are added, it is restored as a variant.
  const lone = await makeSite(make, ['Lone'])
  await api.deleteSpaceById({ params: { spaceId: lone.spaces['Lone'] ?? '' } })
  await api.addSectionToSite({ params: lone.params, body: { spaceId: null, title: 'Section' } })
  expect(await readSiteOutline(make.owner, lone.params)).toBe('Section* (Section*)')
  await api.restoreSpace({ params: { spaceId: lone.spaces['Lone'] ?? '' } })
  expect(await readSiteOutline(make.owner, lone.params)).toBe('Section* (Lone*, Section)')
})

test('deleting or transferring a collection removes its spaces from sites', async () => {
  const make = await makeOrganization(octavo)
  const there = await makeOrganization(octavo)
  const { api } = make.owner
  await there.add(make.owner, 'admin')
  const [doomed, leaving] = [await make.collection('Doomed'), await make.collection('Leaving')]
  const spaces = [
    await make.space('Stays'),
    await make.space('Doomed', { parent: doomed.id }),
    await make.space('Leaves', { parent: leaving.id }),
    await make.space('Alone'),
  ].map(({ id }) => id)
  const site = await api.createSite({ params: make.params, body: { title: 'Docs', spaces } })
  const params = { ...make.params, siteId: site.id }
  const outline = () => readSiteOutline(make.owner, params)
  const organization = there.organization.id
  expect(await outline()).toBe('Stays*, Doomed, Leaves, Alone')
  await api.deleteCollectionById({ params: { collectionId: doomed.id } })
  expect(await outline()).toBe('Stays*, Leaves, Alone')
  await api.transferCollection({ params: { collectionId: leaving.id }, body: { organization } })
  expect(await outline()).toBe('Stays*, Alone')
  await api.transferSpace({ params: { spaceId: spaces[3] ?? '' }, body: { organization } })
  expect(await outline()).toBe('Stays*')
  // A space that is transferred back is not added to the site again.
  await api.transferSpace({ params: { spaceId: spaces[3] ?? '' }, body: { organization: make.organization.id } })
  expect(await outline()).toBe('Stays*')
  await api.restoreSpace({ params: { spaceId: spaces[1] ?? '' } })
  expect(await outline()).toBe('Stays*, Doomed')
})

test('a space that is permanently deleted leaves its section empty', async () => {
  const own = await serverForTest()
  const make = await makeOrganization(own)
  const { params, spaces } = await makeSite(make, ['Guide'])
  const { api } = make.owner
  await api.addSectionToSite({ params, body: { spaceId: null, title: 'Other' } })
  const spaceId = spaces['Guide'] ?? ''
  await api.deleteSpaceById({ params: { spaceId } })
  const versionOf = async () =>
    (
      await own.server.app.database.reader
        .selectFrom('sites')
        .select('version')
        .where('id', '=', params.siteId)
        .executeTakeFirstOrThrow()
    ).version
  const before = await versionOf()
  own.clock.advance(days(8) + hours(1))
  await waitUntil(async () => (await versionOf()) !== before, 'the space is removed for good')
  expect(await refusal(api.restoreSpace({ params: { spaceId } }))).toBe('404')
  expect(await readSiteOutline(make.owner, params)).toBe('Guide* (), Other (Other*)')
})

test('change requests and imports are filtered by the site that contains their space', async () => {
  const make = await makeOrganization(octavo)
  const { params, spaces } = await makeSite(make, ['Guide'])
  const { api } = make.owner
  const beside = await make.space('Beside')
  const here = await propose(make.owner, spaces['Guide'] ?? '')
  await propose(make.owner, beside.id)
  const found = async (site: string, who = make.owner) =>
    (
      await who.api.listChangeRequestsForOrganization({ params: make.params, query: { site, status: ['draft'] } })
    ).items.map(({ id }) => id)
  expect(await found(params.siteId)).toEqual([here.id])
  expect(await found('unknown')).toEqual([])
  const source = { type: 'website' as const, url: 'http://localhost/none' }
  const run = await api.startImportRun({
    params: make.params,
    body: { source, target: { space: spaces['Guide'] ?? '' } },
  })
  await api.startImportRun({ params: make.params, body: { source, target: { space: beside.id } } })
  const runs = async (site: string) =>
    (await api.listImportRuns({ params: make.params, query: { site } })).items.map(({ id }) => id)
  expect([await runs(params.siteId), await runs('unknown')]).toEqual([[run.id], []])

  // A site that the caller cannot see matches nothing.
  const member = await make.member('edit')
  expect(await found(params.siteId, member)).toEqual([here.id])
  await api.updateSiteById({ params, body: { defaultLevel: null } })
  expect(await found(params.siteId, member)).toEqual([])
  const { 'Guide.': siteSpaceId = '' } = await readItemIds(make.owner, params)
  await api.deleteSiteSpaceById({ params: { ...params, siteSpaceId } })
  expect([await found(params.siteId), await runs(params.siteId)]).toEqual([[], []])
})
