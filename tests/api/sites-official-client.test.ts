import { GitBookAPI, type SiteSection, SiteType, SiteVisibility } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../support/server.ts'

// Compatibility with the official GitBook client.

let octavo: TestServer
let client: GitBookAPI
let org: string
beforeAll(async () => {
  octavo = await startTestServer()
  client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  org = octavo.admin.organizationId
})
afterAll(() => octavo.stop())

test('creates, publishes, lists and deletes a site', async () => {
  const { orgs } = client
  const { data: made } = await orgs.createSite(org, {
    type: SiteType.Premium,
    title: 'Client',
    visibility: SiteVisibility.Unlisted,
    spaces: [octavo.admin.spaceId],
  })
  expect(made).toMatchObject({ object: 'site', title: 'Client', basename: 'client', siteSpaces: 1, published: false })
  const { data: changed } = await orgs.updateSiteById(org, made.id, {
    title: 'Renamed',
    basename: 'renamed',
    visibility: SiteVisibility.Public,
  })
  expect(changed).toMatchObject({ title: 'Renamed', basename: 'renamed', visibility: 'public' })
  const { data: published } = await orgs.publishSite(org, made.id)
  expect(published).toMatchObject({ published: true, urls: { published: expect.stringContaining('/renamed/') } })
  const { data: found } = await orgs.listSites(org, { title: 'REN', published: true, space: octavo.admin.spaceId })
  expect(found.items).toEqual([published])
  expect((await orgs.getSiteById(org, made.id)).data).toEqual(published)
  const { data: content } = await orgs.getPublishedContentSite(org, made.id)
  expect(content).toMatchObject({ object: 'published-content-site', site: { id: made.id }, scripts: [] })
  expect(content.structure).toMatchObject({ type: 'siteSpaces', structure: [{ space: { id: octavo.admin.spaceId } }] })
  expect((await orgs.unpublishSite(org, made.id)).data.published).toBe(false)
  await orgs.deleteSiteById(org, made.id)
  await expect(orgs.getSiteById(org, made.id)).rejects.toMatchObject({ code: 404 })
})

const newSpace = async () => (await client.orgs.createSpace(org, { title: 'Arranged' })).data.id

test('arranges spaces, sections, groups and links on a site', async () => {
  const { orgs } = client
  const { data: site } = await orgs.createSite(org, { title: 'Arranged', spaces: [await newSpace()] })
  const { data: first } = await orgs.listSiteSpaces(org, site.id, { default: true, limit: 10 })
  const home = first.items[0]?.id ?? ''
  const { data: other } = await orgs.addSpaceToSite(org, site.id, { spaceId: octavo.admin.spaceId, draft: true })
  expect(other).toMatchObject({ object: 'site-space', draft: true, default: false })
  const { data: changed } = await orgs.updateSiteSpaceById(org, site.id, other.id, {
    path: 'other',
    condition: 'visitor.claims.beta',
    hidden: true,
    draft: false,
  })
  expect(changed).toMatchObject({ path: 'other', condition: 'visitor.claims.beta', hidden: true, draft: false })
  const position = { before: { type: 'site-space' as const, siteSpace: home } }
  expect((await orgs.moveSiteSpace(org, site.id, other.id, { position })).data.default).toBe(true)
  await orgs.updateSiteById(org, site.id, { defaultSiteSpace: home })

  const { data: section } = await orgs.addSectionToSite(org, site.id, { spaceId: null, title: 'News', icon: 'bell' })
  expect(section).toMatchObject({ object: 'site-section', title: 'News', siteSpaces: [{ section: section.id }] })
  const { data: sections } = await orgs.listSiteSections(org, site.id)
  const converted = sections.items.find(({ id }) => id !== section.id)
  expect(converted).toMatchObject({ default: true, siteSpaces: [{ id: other.id }, { id: home, default: true }] })
  const { data: described } = await orgs.updateSiteSectionById(org, site.id, section.id, {
    description: 'What happens',
    path: 'latest',
  })
  expect(described).toMatchObject({ description: 'What happens', path: 'latest' })
  const beforeConverted = { before: { type: 'site-section' as const, siteSection: converted?.id ?? '' } }
  await orgs.moveSiteSection(org, site.id, section.id, { position: beforeConverted })

  const { data: group } = await orgs.addSectionGroupToSite(org, site.id, { title: 'More', sections: [section.id] })
  expect(group).toMatchObject({ object: 'site-section-group', sections: [{ id: section.id }] })
  await orgs.updateSiteSectionGroupById(org, site.id, group.id, { title: 'Even more', icon: null })
  await orgs.moveSiteSectionGroup(org, site.id, group.id, {
    position: { before: { type: 'site-section', id: converted?.id ?? '' } },
  })
  const { data: groups } = await orgs.listSiteSectionGroups(org, site.id, { limit: 5 })
  expect(groups.items).toMatchObject([{ id: group.id, title: 'Even more', children: [{ id: section.id }] }])

  const url = 'https://elsewhere.example/'
  const { data: link } = await orgs.addExternalLinkToSite(org, site.id, { title: 'Elsewhere', url, parent: group.id })
  const { data: renamed } = await orgs.updateSiteExternalLinkById(org, site.id, link.id, {
    title: 'Away',
    localizedTitle: null,
    parent: null,
  })
  expect(renamed).toMatchObject({ object: 'site-external-link', title: 'Away', url })
  const { data: sorted } = await orgs.sortSiteStructure(org, site.id, {
    item: { type: 'site-external-link', id: link.id },
    position: { before: { type: 'site-section-group', id: group.id } },
  })
  expect(sorted).toMatchObject({ id: link.id })

  const { data: structure } = await orgs.getSiteStructure(org, site.id)
  if (structure.type !== 'sections') throw new Error('The site has sections')
  expect(structure.structure.map(({ id }) => id)).toEqual([link.id, group.id, converted?.id])
  expect((structure.structure[2] as SiteSection).siteSpaces.map(({ id }) => id)).toEqual([other.id, home])

  await orgs.deleteSiteExternalLinkById(org, site.id, link.id)
  await orgs.deleteSiteSectionGroupById(org, site.id, group.id)
  await orgs.deleteSiteSectionById(org, site.id, section.id)
  await orgs.deleteSiteSpaceById(org, site.id, other.id)
  const { data: left } = await orgs.listSiteSpaces(org, site.id)
  expect(left.items.map(({ id }) => id)).toEqual([home])
  await expect(
    orgs.updateSiteSectionById(org, site.id, section.id, { condition: 'visitor.claims' }),
  ).rejects.toMatchObject({ code: 404 })
  await expect(
    orgs.updateSiteSectionById(org, site.id, converted?.id ?? '', { condition: 'visitor.' }),
  ).rejects.toMatchObject({ code: 400 })
})
