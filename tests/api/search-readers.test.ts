import { afterAll, beforeAll, expect, test } from 'vitest'
import { Viewpoint, anonymousVisitor } from '../../src/publishing/visibility.ts'
import { type Change, editLive, insertPage, updatePage } from '../support/content.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable, makeSearchableSpace, searchSnippets, searchTitles } from '../support/search.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function spaceWith(...changes: Change[]) {
  const { organizationId } = octavo.admin
  const { spaceId, pages } = await makeSearchableSpace(octavo, ...changes)
  return {
    spaceId,
    pages,
    /** Returns the results for a visitor with these claims. */
    tell: (query: string, claims: Record<string, unknown> = {}) => {
      const reader = Viewpoint.of({ ...anonymousVisitor, claims })
      return searchSnippets(octavo, { organizationId, spaceIds: [spaceId], query, reader })
    },
  }
}

const beta = 'visitor.claims.beta'
const reused = (text: string) => ({
  operation: 'insert_reusable_content',
  ref: 'part',
  title: 'Part',
  document: { markdown: text },
})
const given = (condition: string, text: string) => `{% if ${condition} %}\n${text}\n{% endif %}`

test('a visitor finds only the parts of a page that are visible to them', async () => {
  const { tell, spaceId } = await spaceWith(
    insertPage(
      `# Release\n\nCommon words\n\n${given(beta, 'The narwhal comes\n\n## Unicorn\n\nWith a horn')}\n\nAfterwards`,
    ),
    insertPage('# Other\n\nCommon words and a horn of plenty'),
  )
  expect(await tell('narwhal')).toEqual([])
  expect(await tell('unicorn')).toEqual([])
  expect(await tell('narwhal', { beta: true })).toEqual(['Release: The narwhal comes'])
  expect(await tell('unicorn', { beta: true })).toEqual(['Release: With a horn'])
  expect(await tell('horn')).toEqual(['Other: Common words and a horn of plenty'])
  // Results for a part of the query must not reveal whether hidden content matches all of it.
  expect(await tell('common narwhal')).toEqual(await tell('common nothingness'))
  expect(await tell('common')).toHaveLength(2)
  expect(await searchTitles(octavo.admin, spaceId, 'narwhal')).toEqual(['Release'])
})

test('a visitor without claims does not find conditional pages, their subpages, hidden or noIndex pages', async () => {
  const { tell, pages } = await spaceWith(
    insertPage('# Parent\n\nostrich', { ref: 'parent', condition: beta }),
    insertPage('# Child\n\nostrich', { into: 'parent' }),
    insertPage('# Hidden\n\nostrich', { hidden: true }),
    insertPage('# Left out\n\nostrich', { noIndex: true }),
    insertPage('# Plain\n\nostrich'),
  )
  expect(pages).toHaveLength(5)
  const titles = async (claims = {}) => (await tell('ostrich', claims)).map((one) => one.split(':')[0]).sort()
  expect(await titles()).toEqual(['Plain'])
  expect(await titles({ beta: true })).toEqual(['Child', 'Parent', 'Plain'])
})

test('pages with the word in their text are found unless 50 pages that the visitor can see have it in their title', async () => {
  const titled = Array.from({ length: 50 }, (_, index) =>
    insertPage(`# Pangolin ${index}`, index === 0 ? { condition: beta } : {}),
  )
  const { tell, spaceId } = await spaceWith(...titled)
  await editLive(octavo.admin, spaceId, insertPage('# Other\n\nA pangolin'))
  await waitUntilSearchable(octavo, spaceId)
  const withBeta = await tell('pangolin', { beta: true })
  expect(withBeta).toHaveLength(50)
  expect(withBeta).not.toContain('Other: A pangolin')
  const withoutBeta = await tell('pangolin')
  expect(withoutBeta).toHaveLength(50)
  expect(withoutBeta).toContain('Other: A pangolin')
})

test('conditions can use the variables of the space and of the page', async () => {
  const { tell } = await spaceWith(
    { operation: 'set_variables', variables: { edition: 'full' } },
    insertPage(
      `# Space\n\n${given('space.vars.edition == "full"', 'ibex')}\n\n${given('space.vars.edition == "small"', 'kudu')}`,
    ),
    insertPage(`# Page\n\n${given('page.vars.level == 2', 'gnu')}`, { variables: { level: 2 } }),
    insertPage(`# None\n\n${given('page.vars.level == 2', 'gnu')}`),
  )
  expect(await tell('ibex')).toEqual(['Space: ibex'])
  expect(await tell('kudu')).toEqual([])
  expect(await tell('gnu')).toEqual(['Page: gnu'])
})

test('a new condition applies to the results before the index is updated', async () => {
  const { tell, pages, spaceId } = await spaceWith(insertPage('# Page\n\nplatypus'))
  const [page = ''] = pages
  await editLive(octavo.admin, spaceId, updatePage(page, { condition: beta }))
  expect(await tell('platypus')).toEqual([])
  await editLive(
    octavo.admin,
    spaceId,
    updatePage(page, { condition: '', document: { markdown: `# Page\n\n${given(beta, 'platypus')}` } }),
  )
  expect(await tell('platypus')).toEqual([])
})

test('new conditions in reusable content apply before the index is updated', async () => {
  const { admin } = octavo
  const { tell, spaceId } = await spaceWith(reused('axolotl'), insertPage('# Page\n\n{% include "./part" %}'))
  const { reusableContents } = await admin.api.getCurrentRevision({ params: { spaceId }, query: {} })
  expect(await tell('axolotl')).toEqual(['Page: axolotl'])
  await editLive(admin, spaceId, {
    operation: 'update_reusable_content',
    reusableContent: reusableContents[0]?.id ?? '',
    document: { markdown: given(beta, 'axolotl') },
  })
  expect(await tell('axolotl')).toEqual([])
  await waitUntilSearchable(octavo, spaceId)
  expect(await tell('axolotl')).toEqual([])
  expect(await tell('axolotl', { beta: true })).toEqual(['Page: axolotl'])
})

test('search never returns content of another organization', async () => {
  const [ours, theirs] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const space = await theirs.space('Theirs')
  await editLive(theirs.owner, space.id, insertPage('# Secret\n\ncapybara'))
  await waitUntilSearchable(octavo, space.id)
  const everywhere = { spaceIds: [space.id], query: 'capybara', reader: 'member' as const }
  expect(await searchSnippets(octavo, { ...everywhere, organizationId: theirs.params.organizationId })).toEqual([
    'Secret: capybara',
  ])
  expect(await searchSnippets(octavo, { ...everywhere, organizationId: ours.params.organizationId })).toEqual([])
  expect(await refusal(searchTitles(ours.owner, space.id, 'capybara'))).toBe('404')
  // A list of spaces that is too long for single lookups has the same restriction.
  const many = [space.id, ...Array.from({ length: 300 }, (_, index) => `none${index}`)]
  const asked = { ...everywhere, spaceIds: many }
  expect(await searchSnippets(octavo, { ...asked, organizationId: theirs.params.organizationId })).toHaveLength(1)
  expect(await searchSnippets(octavo, { ...asked, organizationId: ours.params.organizationId })).toEqual([])
})

test('search in an organization matches titles of spaces and pages that the caller can see', async () => {
  const { owner, space, member, params } = await makeOrganization(octavo)
  const [open, closed, named] = [
    await space('Open'),
    await space('Closed', { defaultLevel: null }),
    await space('Okapi handbook'),
  ]
  for (const { id } of [open, closed]) {
    await editLive(owner, id, insertPage('# Animals\n\nokapi'), insertPage('# Okapi\n\nmore'))
    await waitUntilSearchable(octavo, id)
  }
  const found = async (person: Person, query: object) => {
    const reply = await person.api.searchOrganizationContent({ params, query })
    const items = reply.items.map(({ title, pages }) => [title, ...pages.map((page) => page.title)])
    return { count: reply.count, items, next: reply.next?.page }
  }
  const reader = await member('read')
  expect(await found(reader, { query: 'okapi' })).toEqual({
    count: 2,
    items: [['Okapi handbook'], ['Open', 'Okapi', 'Animals']],
    next: undefined,
  })
  expect((await found(owner, { query: 'okapi' })).count).toBe(3)
  const first = await found(owner, { query: 'okapi', limit: 2 })
  const second = await found(owner, { query: 'okapi', limit: 2, page: first.next })
  expect([...first.items, ...second.items].map(([title]) => title).sort()).toEqual(['Closed', 'Okapi handbook', 'Open'])
  expect(second.next).toBeUndefined()
  expect(named.id).not.toBe(open.id)

  await owner.api.deleteSpaceById({ params: { spaceId: open.id } })
  expect((await found(reader, { query: 'okapi' })).items).toEqual([['Okapi handbook']])
})

test('a transferred space is searchable only in its new organization', async () => {
  const [from, to] = [await makeOrganization(octavo), await makeOrganization(octavo)]
  const { id } = await from.space('Moving')
  await editLive(from.owner, id, insertPage('# Page\n\nlemming'))
  await waitUntilSearchable(octavo, id)
  const body = { organization: to.params.organizationId }
  await to.owner.api.inviteUsersToOrganization({
    params: to.params,
    body: { emails: [{ email: from.owner.email, role: 'admin' }] },
  })
  await from.owner.api.transferSpace({ params: { spaceId: id }, body })
  const asked = { spaceIds: [id], query: 'lemming', reader: 'member' as const }
  expect(await searchSnippets(octavo, { ...asked, organizationId: to.params.organizationId })).toEqual([
    'Page: lemming',
  ])
  expect(await searchSnippets(octavo, { ...asked, organizationId: from.params.organizationId })).toEqual([])
  await editLive(from.owner, id, insertPage('# New\n\nmarmot'))
  await waitUntilSearchable(octavo, id)
  expect(await searchTitles(from.owner, id, 'marmot')).toEqual(['New'])
})
