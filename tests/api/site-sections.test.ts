import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, insertPage } from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { type TestSite, readItemIds, makeSite, readSiteOutline } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a site with a section for each name, each with a space of the same name. */
async function sectionedSite(names: string[]) {
  const make = await makeOrganization(octavo)
  const made = await makeSite(make)
  const { api } = make.owner
  const { params } = made
  const sections: Record<string, string> = {}
  for (const title of names)
    sections[title] = (await api.addSectionToSite({ params, body: { spaceId: null, title } })).id
  const update = (name: string, body: object) =>
    api.updateSiteSectionById({ params: { ...params, siteSectionId: sections[name] ?? '' }, body })
  return { make, api, params, sections, update, outline: () => readSiteOutline(make.owner, params) }
}

const first = ({ spaces }: TestSite, name: string) => spaces[name] ?? ''

test('adding the first section moves the existing site spaces into a default section and keeps their default', async () => {
  const make = await makeOrganization(octavo)
  const made = await makeSite(make, ['Guide', 'Guide 2.0'])
  const { params } = made
  const { api } = make.owner
  const before = await readItemIds(make.owner, params)
  await api.updateSiteById({ params, body: { defaultSiteSpace: before['Guide 2.0.'] ?? '' } })
  expect((await api.getSiteStructure({ params, query: {} })).type).toBe('siteSpaces')

  const reference = await make.space('Reference')
  const body = { spaceId: reference.id, title: 'API reference', icon: 'code' }
  const section = await api.addSectionToSite({ params, body })
  expect(section).toMatchObject({
    object: 'site-section',
    title: 'API reference',
    icon: 'code',
    path: 'api-reference',
    default: false,
    draft: false,
    siteSpaces: [{ title: 'Reference', section: section.id, default: true, path: 'reference' }],
  })
  expect(await readSiteOutline(make.owner, params)).toBe('Guide 2.0* (Guide, Guide 2.0*), API reference (Reference*)')
  const after = await readItemIds(make.owner, params)
  expect([after['Guide.'], after['Guide 2.0.']]).toEqual([before['Guide.'], before['Guide 2.0.']])
  expect((await api.getSiteStructure({ params, query: {} })).type).toBe('sections')
  expect((await api.getSiteById({ params })).siteSpaces).toBe(3)

  // Without a section, a space is added to the default one.
  await api.addSpaceToSite({ params, body: { spaceId: first(made, 'Guide'), title: 'Again' } })
  const { items } = await api.listSiteSpaces({ params, query: { default: 'false' } })
  expect(items.map(({ title, path }) => [title, path])).toEqual([
    ['Guide', 'guide'],
    ['Again', 'again'],
  ])
})

test('sections keep their settings, reject invalid ones and are listed with pagination', async () => {
  const { make, api, params, sections, update } = await sectionedSite(['One', 'Two', 'Three'])
  const said = {
    title: 'First',
    localizedTitle: { fr: 'Premier' },
    description: 'What comes first',
    localizedDescription: { fr: 'Ce qui vient en premier' },
    icon: 'star',
    condition: 'visitor.claims.beta == true',
    draft: true,
    path: 'Start',
  }
  const changed = await update('One', said)
  expect(changed).toMatchObject({ ...said, path: 'start' })
  expect(await update('One', {})).toEqual(changed)
  const bare = await update('One', { condition: null, icon: null, description: null, draft: false })
  expect([bare.condition, bare.icon, bare.description, bare.draft]).toEqual([undefined, undefined, undefined, false])
  for (const limit of [1, 2, 1000]) {
    const pages = await readAllPages((page) => api.listSiteSections({ params, query: { limit, page } }))
    expect(pages.flat().map(({ id }) => id)).toEqual(Object.values(sections))
  }
  const wrong: [object, string][] = [
    [{ title: 'x' }, 'body.title'],
    [{ path: '' }, 'body.path'],
    [{ path: 'a/b' }, 'body.path'],
    [{ path: 'v' }, 'body.path'],
    [{ icon: 'x'.repeat(51) }, 'body.icon'],
    [{ description: 'x'.repeat(257) }, 'body.description'],
    [{ condition: '' }, 'body.condition'],
    [{ condition: 'visitor.claims.' }, 'body.condition'],
    [{ condition: 'x'.repeat(1025) }, 'body.condition'],
    [{ localizedTitle: { xx: 'No such language' } }, 'body.localizedTitle.xx'],
  ]
  for (const [body, field] of wrong)
    expect(await refusal(update('Two', body)), field).toContain(`400 ${field.split('.xx')[0]}`)
  expect(await refusal(update('Two', { path: 'START' }))).toBe('409')
  expect((await update('Two', { path: 'two' })).path).toBe('two')
  expect(await refusal(api.addSectionToSite({ params, body: { spaceId: 'unknown' } }))).toBe('404 body.spaceId')
  expect(await refusal(api.addSectionToSite({ params, body: { spaceId: null, siteSectionGroupId: 'unknown' } }))).toBe(
    '404 body.siteSectionGroupId',
  )
  expect(await readSiteOutline(make.owner, params)).toBe('First* (One*), Two (Two*), Three (Three*)')
})

test('the default of a site or section is the chosen one, or else the first that is not a draft', async () => {
  const { make, api, params, sections, update, outline } = await sectionedSite(['One', 'Two'])
  const extra = await api.addSpaceToSite({
    params,
    body: { spaceId: null, sectionId: sections['Two'], title: 'Extra' },
  })
  expect(await outline()).toBe('One* (One*), Two (Two*, Extra)')
  await update('Two', { defaultSiteSpace: extra.id })
  await api.updateSiteById({ params, body: { defaultSiteSection: sections['Two'] } })
  expect(await outline()).toBe('One (One*), Two* (Two, Extra*)')
  const ids = await readItemIds(make.owner, params)
  // In a site with sections, its default space is that of the default section.
  await api.updateSiteById({ params, body: { defaultSiteSpace: ids['Two.'] } })
  expect(await outline()).toBe('One (One*), Two* (Two*, Extra)')
  const wrong: [object, string][] = [
    [{ defaultSiteSpace: ids['One.'] }, 'body.defaultSiteSpace'],
    [{ defaultSiteSpace: sections['Two'] }, 'body.defaultSiteSpace'],
    [{ defaultSiteSpace: 'unknown' }, 'body.defaultSiteSpace'],
    [{ defaultSiteSection: ids['Two.'] }, 'body.defaultSiteSection'],
    [{ defaultSiteSection: sections['One'], defaultSiteSpace: ids['Two.'] }, 'body.defaultSiteSpace'],
  ]
  for (const [body, field] of wrong) expect(await refusal(api.updateSiteById({ params, body }))).toBe(`404 ${field}`)
  expect(await refusal(update('One', { defaultSiteSpace: extra.id }))).toBe('404 body.defaultSiteSpace')
  await api.updateSiteById({ params, body: { defaultSiteSection: sections['One'], defaultSiteSpace: ids['One.'] } })
  expect(await outline()).toBe('One* (One*), Two (Two*, Extra)')

  // A chosen default remains the default as a draft; otherwise it is the first that is not a draft.
  const plain = await sectionedSite(['One', 'Two'])
  await plain.update('One', { draft: true })
  expect(await plain.outline()).toBe('One (One*), Two* (Two*)')
  await plain.api.updateSiteById({ params: plain.params, body: { defaultSiteSection: plain.sections['One'] } })
  expect(await plain.outline()).toBe('One* (One*), Two (Two*)')
})

test('deleting a section deletes its site spaces and resets the default, and keeps the spaces', async () => {
  const { make, api, params, sections, outline } = await sectionedSite(['One', 'Two', 'Three'])
  const spacesBefore = (await api.listSpacesInOrganizationById({ params: make.params })).count
  await api.updateSiteById({ params, body: { defaultSiteSection: sections['Two'] } })
  const remove = (name: string) =>
    api.deleteSiteSectionById({ params: { ...params, siteSectionId: sections[name] ?? '' } })
  await remove('Two')
  await remove('Two')
  expect(await outline()).toBe('One* (One*), Three (Three*)')
  expect((await api.listSiteSpaces({ params, query: {} })).count).toBe(2)
  expect((await api.getSiteById({ params })).siteSpaces).toBe(2)
  await remove('One')
  await remove('Three')
  expect(await api.getSiteStructure({ params, query: {} })).toEqual({ type: 'siteSpaces', structure: [] })
  const published = await api.getPublishedContentSite({ params, query: {} })
  expect(published.structure).toEqual({ type: 'siteSpaces', structure: [] })
  expect((await api.listSpacesInOrganizationById({ params: make.params })).count).toBe(spacesBefore)
  await api.addSpaceToSite({ params, body: { spaceId: null, title: 'Anew' } })
  expect(await outline()).toBe('Anew*')
})

test('a variant with the same name as a section has its own URL', async () => {
  const { api, params, sections } = await sectionedSite(['Guide', 'Cloud'])
  const variant = await api.addSpaceToSite({
    params,
    body: { spaceId: null, sectionId: sections['Guide'], title: 'Cloud' },
  })
  await api.publishSite({ params })
  const { items } = await api.listSiteSpaces({ params, query: {} })
  const addresses = items.map(({ urls }) => urls.published)
  expect(new Set(addresses).size).toBe(3)
  for (const { id, urls } of items) {
    const resolved = await api.resolvePublishedContentByUrl({ body: { url: urls.published ?? '' } })
    expect(resolved).toMatchObject({ siteSpace: id })
  }
  expect(variant.path).toBe('cloud')
})

test('a site space opens at a chosen page of its space, or at the first one', async () => {
  const make = await makeOrganization(octavo)
  const { params, spaces } = await makeSite(make, ['Guide', 'Other'])
  const { api } = make.owner
  const pages: string[] = []
  for (const name of ['Guide', 'Other']) {
    const [page = ''] = await editLive(make.owner, spaces[name] ?? '', insertPage(`# In ${name}`))
    pages.push(page)
  }
  const [inGuide = '', inOther = ''] = pages
  const { 'Guide.': siteSpaceId = '' } = await readItemIds(make.owner, params)
  const update = (body: object) => api.updateSiteSpaceById({ params: { ...params, siteSpaceId }, body })
  expect((await update({})).pageId).toBe(null)
  expect((await update({ pageId: inGuide })).pageId).toBe(inGuide)
  expect(await refusal(update({ pageId: inOther }))).toBe('404 body.pageId')
  // Changing the space resets the page.
  expect(await update({ spaceId: spaces['Other'] })).toMatchObject({ pageId: null, space: { id: spaces['Other'] } })
  expect(await update({ spaceId: spaces['Guide'], pageId: inGuide })).toMatchObject({ pageId: inGuide })
  expect(await refusal(update({ spaceId: spaces['Other'], pageId: inGuide }))).toBe('404 body.pageId')
  const body = { spaceId: spaces['Other'] ?? '', pageId: inGuide }
  expect(await refusal(api.addSpaceToSite({ params, body }))).toBe('404 body.pageId')
  expect(await refusal(api.addSectionToSite({ params, body }))).toBe('404 body.pageId')
  expect(await refusal(api.addSpaceToSite({ params, body: { spaceId: null, pageId: inGuide } }))).toBe(
    '400 body.pageId',
  )
  const section = await api.addSectionToSite({ params, body: { ...body, pageId: inOther } })
  expect(section.siteSpaces[0]?.pageId).toBe(inOther)
})
