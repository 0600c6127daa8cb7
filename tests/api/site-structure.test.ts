import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { readItemIds, makeSite, readSiteOutline } from '../support/sites.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

type Type = 'site-space' | 'site-section' | 'site-section-group' | 'site-external-link'

/** Creates a site with a section for each name, and functions that change its items by title. */
async function siteWith(names: string[]) {
  const make = await makeOrganization(octavo)
  const { params } = await makeSite(make)
  const { api } = make.owner
  for (const title of names) await api.addSectionToSite({ params, body: { spaceId: null, title } })
  const idOf = async (name: string) => (await readItemIds(make.owner, params))[name] ?? name
  const group = async (title: string, { parent, sections = [] }: { parent?: string; sections?: string[] } = {}) =>
    api.addSectionGroupToSite({
      params,
      body: {
        title,
        sections: await Promise.all(sections.map(idOf)),
        ...(parent !== undefined && { parent: await idOf(parent) }),
      },
    })
  const sort = async (item: [Type, string], position: { before?: [Type, string]; after?: [Type, string] }) => {
    const pointer = async ([type, name]: [Type, string]) => ({ type, id: await idOf(name) })
    return api.sortSiteStructure({
      params,
      body: {
        item: await pointer(item),
        position: {
          ...(position.before && { before: await pointer(position.before) }),
          ...(position.after && { after: await pointer(position.after) }),
        },
      },
    })
  }
  /** Returns the titles of the top-level items and, in brackets, of their children, in order. */
  const outline = async () => (await readSiteOutline(make.owner, params)).replaceAll(/\*| \([^)]*\)/g, '')
  return { make, api, params, idOf, group, sort, outline }
}

test('site spaces are moved before one, after one, between two, or to the end', async () => {
  const make = await makeOrganization(octavo)
  const { params } = await makeSite(make, ['Ann', 'Bob', 'Cid', 'Dan'])
  const { api } = make.owner
  const ids = await readItemIds(make.owner, params)
  const pointer = (name: string) => ({ type: 'site-space' as const, siteSpace: ids[`${name}.`] ?? name })
  const move = (name: string, position: object) =>
    api.moveSiteSpace({ params: { ...params, siteSpaceId: ids[`${name}.`] ?? name }, body: { position } })
  const order = async () => (await readSiteOutline(make.owner, params)).replaceAll(/\*|, /g, '')
  await move('Dan', { before: pointer('Ann') })
  expect(await order()).toBe('DanAnnBobCid')
  await move('Dan', { after: pointer('Bob') })
  expect(await order()).toBe('AnnBobDanCid')
  await move('Ann', {})
  expect(await order()).toBe('BobDanCidAnn')
  await move('Ann', { after: pointer('Bob'), before: pointer('Dan') })
  expect(await order()).toBe('BobAnnDanCid')
  await api.moveSiteSpace({ params: { ...params, siteSpaceId: ids['Bob.'] ?? '' }, body: {} })
  expect(await order()).toBe('AnnDanCidBob')
  // The first site space is the default unless one was chosen.
  expect(await readSiteOutline(make.owner, params)).toBe('Ann*, Dan, Cid, Bob')

  expect(await refusal(move('Ann', { before: pointer('unknown') }))).toBe('404 body.position.before')
  expect(await refusal(move('Ann', { after: pointer('Ann') }))).toBe('400 body.position.after')
  expect(await refusal(move('Ann', { after: pointer('Bob'), before: pointer('Dan') }))).toBe('400 body.position')
  expect(await refusal(move('Ann', { after: pointer('Dan'), before: pointer('Bob') }))).toBe('400 body.position')
  expect(await refusal(move('Ann', { before: { type: 'site-section', siteSection: 'x' } }))).toContain(
    '400 body.position',
  )
  expect(await refusal(move('unknown', {}))).toBe('404')
  expect(await order()).toBe('AnnDanCidBob')
})

test('sections, groups, links and site spaces are sorted among their siblings', async () => {
  const { make, api, params, group, sort, outline } = await siteWith(['One', 'Two', 'Three'])
  await group('Group', { sections: ['Two'] })
  const link = await api.addExternalLinkToSite({ params, body: { title: 'Status', url: 'https://status.example/' } })
  expect(await outline()).toBe('One, Three, Group: [Two], -> Status')

  expect(await sort(['site-external-link', 'Status'], { before: ['site-section', 'One'] })).toMatchObject({
    object: 'site-external-link',
    id: link.id,
  })
  expect(await outline()).toBe('-> Status, One, Three, Group: [Two]')
  await sort(['site-section-group', 'Group'], { after: ['site-external-link', 'Status'] })
  expect(await outline()).toBe('-> Status, Group: [Two], One, Three')
  await sort(['site-section', 'One'], {})
  expect(await outline()).toBe('-> Status, Group: [Two], Three, One')
  await sort(['site-section', 'One'], { after: ['site-section-group', 'Group'], before: ['site-section', 'Three'] })
  expect(await outline()).toBe('-> Status, Group: [Two], One, Three')
  await api.addSpaceToSite({ params, body: { spaceId: null, title: 'Extra', sectionId: await idOfSection() } })
  await sort(['site-space', 'Extra.'], { before: ['site-space', 'Two.'] })
  expect(await readSiteOutline(make.owner, params)).toContain('Group: [Two* (Extra*, Two)]')

  expect(await refusal(sort(['site-section', 'unknown'], {}))).toBe('404 body.item')
  expect(await refusal(sort(['site-section', 'Group'], {}))).toBe('404 body.item')
  const one: [Type, string] = ['site-section', 'One']
  expect(await refusal(sort(one, { before: ['site-section', 'unknown'] }))).toBe('404 body.position.before')
  // An item cannot be placed next to an item with another parent.
  expect(await refusal(sort(one, { before: ['site-section', 'Two'] }))).toBe('400 body.position.before')
  expect(await refusal(sort(['site-space', 'One.'], { after: ['site-space', 'Two.'] }))).toBe('400 body.position.after')

  async function idOfSection() {
    return (await readItemIds(make.owner, params))['Two'] ?? ''
  }
})

test('sections are added to groups and removed from them, by updating the group or the section', async () => {
  const { api, params, idOf, group, outline } = await siteWith(['One', 'Two', 'Three'])
  const made = await group('Group', { sections: ['Three', 'One'] })
  expect(made).toMatchObject({ object: 'site-section-group', title: 'Group', draft: false })
  expect(made.sections.map(({ title, sectionGroup }) => [title, sectionGroup === made.id])).toEqual([
    ['Three', true],
    ['One', true],
  ])
  expect(await outline()).toBe('Two, Group: [Three, One]')
  const inGroup = { ...params, siteSectionGroupId: made.id }
  await api.addSectionToGroup({ params: inGroup, body: { sectionId: await idOf('Two') } })
  expect(await outline()).toBe('Group: [Three, One, Two]')
  await api.removeSectionFromGroup({ params: { ...inGroup, siteSectionId: await idOf('One') } })
  await api.removeSectionFromGroup({ params: { ...inGroup, siteSectionId: await idOf('One') } })
  expect(await outline()).toBe('Group: [Three, Two], One')
  const section = { ...params, siteSectionId: await idOf('Three') }
  await api.updateSiteSectionById({ params: section, body: { siteSectionGroupId: null } })
  expect(await outline()).toBe('Group: [Two], One, Three')
  await api.updateSiteSectionById({ params: section, body: { siteSectionGroupId: made.id } })
  expect(await outline()).toBe('Group: [Two, Three], One')
  await api.addSectionToSite({ params, body: { spaceId: null, title: 'Four', siteSectionGroupId: made.id } })
  expect(await outline()).toBe('Group: [Two, Three, Four], One')

  expect(await refusal(api.addSectionToGroup({ params: inGroup, body: { sectionId: made.id } }))).toBe(
    '404 body.sectionId',
  )
  expect(
    await refusal(api.updateSiteSectionById({ params: section, body: { siteSectionGroupId: await idOf('One') } })),
  ).toBe('404 body.siteSectionGroupId')
  expect(await refusal(group('Other', { sections: ['unknown'] }))).toBe('404 body.sections.0')
  expect(await outline()).toBe('Group: [Two, Three, Four], One')

  // The sections of a deleted group take its position.
  await api.deleteSiteSectionGroupById({ params: inGroup })
  await api.deleteSiteSectionGroupById({ params: inGroup })
  expect(await outline()).toBe('Two, Three, Four, One')
  expect((await api.listSiteSectionGroups({ params, query: {} })).count).toBe(0)
  expect((await api.listSiteSections({ params, query: {} })).items.every((one) => one.sectionGroup === undefined)).toBe(
    true,
  )
})

test('groups can be nested three levels deep, and never in themselves', async () => {
  const { api, params, idOf, group, outline } = await siteWith(['One', 'Two'])
  await group('Top', { sections: ['One'] })
  await group('Middle', { parent: 'Top', sections: ['Two'] })
  await group('Low', { parent: 'Middle' })
  expect(await outline()).toBe('Top: [One, Middle: [Two, Low: []]]')
  expect(await refusal(group('Too low', { parent: 'Low' }))).toBe('400 body.parent')
  expect(await refusal(group('Nowhere', { parent: 'unknown' }))).toBe('404 body.parent')
  const nest = async (name: string, parent: string | null) =>
    api.updateSiteSectionGroupById({
      params: { ...params, siteSectionGroupId: await idOf(name) },
      body: { parentSectionGroupId: parent === null ? null : await idOf(parent) },
    })
  for (const parent of ['Top', 'Middle', 'Low'])
    expect(await refusal(nest('Top', parent))).toBe('400 body.parentSectionGroupId')
  await nest('Low', null)
  expect(await outline()).toBe('Top: [One, Middle: [Two]], Low: []')
  await nest('Top', 'Low')
  expect(await outline()).toBe('Low: [Top: [One, Middle: [Two]]]')
  await group('Other')
  expect(await refusal(nest('Low', 'Other'))).toBe('400 body.parentSectionGroupId')
  const { items } = await api.listSiteSectionGroups({ params, query: {} })
  expect(items.map(({ title }) => title)).toEqual(['Low', 'Top', 'Middle', 'Other'])
  const moved = await api.moveSiteSectionGroup({
    params: { ...params, siteSectionGroupId: await idOf('Other') },
    body: { position: { before: { type: 'site-section-group', id: await idOf('Low') } } },
  })
  expect(moved.title).toBe('Other')
  expect(await outline()).toBe('Other: [], Low: [Top: [One, Middle: [Two]]]')
  const said = { title: 'Renamed', localizedTitle: { de: 'Umbenannt' }, icon: 'folder', draft: true }
  const top = { ...params, siteSectionGroupId: await idOf('Top') }
  expect(await api.updateSiteSectionGroupById({ params: top, body: said })).toMatchObject(said)
  await api.deleteSiteSectionGroupById({ params: { ...params, siteSectionGroupId: await idOf('Low') } })
  expect(await outline()).toBe('Other: [], Renamed: [One, Middle: [Two]]')
})

test('external links keep their settings and position, and are omitted from the published structure', async () => {
  const { api, params, idOf, group, outline } = await siteWith(['One'])
  await group('Group', { sections: ['One'] })
  const said = {
    title: 'Status',
    url: 'https://status.example/',
    localizedTitle: { fr: 'État' },
    description: 'Whether it runs',
    icon: 'heart',
    condition: 'visitor.claims.beta',
    draft: false,
  }
  const link = await api.addExternalLinkToSite({ params, body: { ...said, parent: await idOf('Group') } })
  expect(link).toMatchObject({ object: 'site-external-link', ...said, sectionGroup: await idOf('Group') })
  expect(await outline()).toBe('Group: [One, -> Status]')
  const update = (body: object) =>
    api.updateSiteExternalLinkById({ params: { ...params, siteExternalLinkId: link.id }, body })
  const changed = await update({
    parent: null,
    condition: null,
    icon: null,
    description: null,
    localizedTitle: null,
    title: 'Health',
  })
  expect(changed).toEqual({
    object: 'site-external-link',
    id: link.id,
    title: 'Health',
    url: said.url,
    draft: false,
  })
  expect(await update({})).toEqual(changed)
  expect(await outline()).toBe('Group: [One], -> Health')
  expect(await refusal(update({ url: 'javascript:alert(1)' }))).toBe('400 body.url')
  expect(await refusal(update({ condition: '1 +' }))).toBe('400 body.condition')
  expect(await refusal(update({ parent: await idOf('One') }))).toBe('404 body.parent')
  const published = await api.getPublishedContentSite({ params, query: {} })
  expect(published.structure.structure.map(({ object }) => object)).toEqual(['site-section-group'])
  await api.deleteSiteExternalLinkById({ params: { ...params, siteExternalLinkId: link.id } })
  await api.deleteSiteExternalLinkById({ params: { ...params, siteExternalLinkId: link.id } })
  expect(await outline()).toBe('Group: [One]')
  expect(await refusal(update({ title: 'Gone' }))).toBe('404')
})

test('explains why a visitor does not see an item, including errors in conditions', async () => {
  const { make, api, params, idOf, group } = await siteWith(['Open', 'Draft', 'Beta', 'Broken'])
  const section = async (name: string, body: object) =>
    api.updateSiteSectionById({ params: { ...params, siteSectionId: await idOf(name) }, body })
  await section('Draft', { draft: true })
  await section('Beta', { condition: 'visitor.claims.beta == true' })
  await section('Broken', { condition: '(7).includes("x")' })
  await group('Group', { sections: ['Draft'] })
  await api.updateSiteSpaceById({
    params: { ...params, siteSpaceId: await idOf('Open.') },
    body: { hidden: true },
  })
  const explain = async (body: object) => {
    const { items, ...entry } = await api.explainSiteVisibility({ params, body })
    return { entry, verdicts: new Map(items.map((item) => [`${item.type} ${item.title}`, item])) }
  }
  const closed = await explain({})
  expect(closed.entry).toEqual({ enters: false, reason: 'unpublished' })
  expect([...closed.verdicts.values()].every(({ visible, listed }) => !visible && !listed)).toBe(true)

  await api.publishSite({ params })
  const { entry, verdicts } = await explain({})
  expect(entry).toEqual({ enters: true })
  expect(verdicts.get('site-section Open')).toMatchObject({ visible: true, listed: true })
  expect(verdicts.get('site-space Open')).toMatchObject({ visible: true, listed: false })
  expect(verdicts.get('site-section Draft')).toMatchObject({ visible: false, reason: 'draft' })
  expect(verdicts.get('site-space Draft')).toMatchObject({ visible: false, reason: 'inside' })
  expect(verdicts.get('site-section Beta')).toMatchObject({ visible: false, reason: 'condition' })
  expect(verdicts.get('site-section Broken')).toMatchObject({
    visible: false,
    reason: 'condition',
    error: expect.any(String),
  })
  expect(verdicts.get('site-section-group Group')).toMatchObject({ visible: true })
  expect((await explain({ draft: true })).verdicts.get('site-section Draft')).toMatchObject({ visible: true })

  // Claims apply only if the site is adaptive, and unsigned claims are separate from signed ones.
  const beta = async (body: object) => (await explain(body)).verdicts.get('site-section Beta')?.visible
  expect(await beta({ claims: { beta: true } })).toBe(false)
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  expect([await beta({ claims: { beta: true } }), await beta({ unsignedClaims: { beta: true } })]).toEqual([
    true,
    false,
  ])

  await api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  expect((await explain({})).entry).toEqual({ enters: false, reason: 'visitor-auth' })
  expect((await explain({ authenticated: true })).entry).toEqual({ enters: true })
  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  expect((await explain({ shareKey: 'guessed' })).entry).toEqual({ enters: false, reason: 'share-link' })
  const reader = await make.member('read')
  expect(await refusal(reader.api.explainSiteVisibility({ params, body: {} }))).toBe('403')
})
