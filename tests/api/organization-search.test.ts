import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAllPages } from '../support/lists.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function organizationWith(...titles: string[]) {
  const made = await makeOrganization(octavo)
  const { params, owner } = made
  // Empty spaces, because the text of the default first page would match too.
  for (const title of titles) await owner.api.createSpace({ params, body: { title, empty: true } })
  return {
    ...made,
    search: (person: Person, query: object) => person.api.searchOrganizationContent({ params, query }),
    found: async (person: Person, query: string) =>
      (await person.api.searchOrganizationContent({ params, query: { query } })).items.map(({ title }) => title),
  }
}

test('finds spaces by a substring of their title in any case, best match first', async () => {
  const { owner, search } = await organizationWith(
    'Our API guide',
    'api',
    'Guide',
    'API reference',
    'Therapist',
    'Handbook',
    'Api',
  )
  const { items, count, next } = await search(owner, { query: 'aPi' })
  expect(items.map(({ title }) => title)).toEqual(['api', 'Api', 'API reference', 'Our API guide', 'Therapist'])
  expect(count).toBe(5)
  expect(next).toBeUndefined()
  const scores = items.map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(new Set(scores).size).toBe(3)
  expect(items[0]).toMatchObject({ type: 'space', id: expect.any(String), pages: [] })
  expect(await search(owner, { query: 'nowhere' })).toEqual({ count: 0, items: [] })
})

test('matches LIKE wildcards, backslashes and quotes in a query literally', async () => {
  const { owner, found } = await organizationWith('100% sure', 'snake_case', 'back\\slash', "quo'te", 'plain')
  expect(await found(owner, '%')).toEqual(['100% sure'])
  expect(await found(owner, '_')).toEqual(['snake_case'])
  expect(await found(owner, '\\')).toEqual(['back\\slash'])
  expect(await found(owner, "'")).toEqual(["quo'te"])
})

test('ignores case in every alphabet and matches characters outside the BMP', async () => {
  const { owner, found } = await organizationWith(
    'Über uns',
    'ΑΛΦΑ βήτα',
    'ДОКУМЕНТ',
    'à la carte',
    'the 🦊 fox',
    '🦊 den',
  )
  expect(await found(owner, 'üBER')).toEqual(['Über uns'])
  expect(await found(owner, 'αλφα Β')).toEqual(['ΑΛΦΑ βήτα'])
  expect(await found(owner, 'Документ')).toEqual(['ДОКУМЕНТ'])
  expect(await found(owner, 'À LA')).toEqual(['à la carte'])
  // A title that starts with the query ranks before one that contains it elsewhere.
  expect(await found(owner, '🦊')).toEqual(['🦊 den', 'the 🦊 fox'])
  // A query with many letters to case-fold does not fail.
  expect(await found(owner, 'абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρσ')).toEqual([])
})

test('returns the results page by page in a stable order', async () => {
  const { owner, search } = await organizationWith(
    'a docs',
    'docs',
    'docs b',
    'Docs',
    'c docs',
    'docs d',
    'DOCS',
    'else',
  )
  const pages = await readAllPages((page) => search(owner, { query: 'docs', limit: 2, page }))
  expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1])
  expect(pages.flat().map(({ title }) => title)).toEqual([
    'docs',
    'Docs',
    'DOCS',
    'docs b',
    'docs d',
    'a docs',
    'c docs',
  ])
})

test('returns only the spaces that the caller can see', async () => {
  const { owner, found, member, space, collection, params, team } = await organizationWith('Docs for all')
  const closed = await space('Docs closed', { defaultLevel: null })
  const drawer = await collection('Drawer')
  const inner = await collection('Inner', drawer.id)
  await owner.api.updateCollectionById({ params: { collectionId: drawer.id }, body: { defaultLevel: null } })
  await space('Docs in drawer', { parent: inner.id })
  const reader = await member('read')
  const guest = await member(null)
  const outsider = await octavo.person('Outsider')

  expect(await found(owner, 'docs')).toEqual(['Docs for all', 'Docs closed', 'Docs in drawer'])
  expect(await found(reader, 'docs')).toEqual(['Docs for all'])
  expect(await found(guest, 'docs')).toEqual([])
  expect(await refusal(found(outsider, 'docs'))).toBe('404')

  await owner.api.inviteToSpace({ params: { spaceId: closed.id }, body: { role: 'read', users: [guest.id] } })
  const readers = await team('Readers', [reader])
  await owner.api.inviteToCollection({
    params: { collectionId: drawer.id },
    body: { role: 'read', teams: [readers.id] },
  })
  expect(await found(reader, 'docs')).toEqual(['Docs for all', 'Docs in drawer'])
  expect(await found(guest, 'docs')).toEqual(['Docs closed'])
  expect((await guest.api.searchOrganizationContent({ params, query: { query: 'docs' } })).count).toBe(1)

  await owner.api.deleteSpaceById({ params: { spaceId: closed.id } })
  expect(await found(guest, 'docs')).toEqual([])
  expect(await found(owner, 'docs')).toEqual(['Docs for all', 'Docs in drawer'])
})

test('requires a query of 1 to 512 characters and a limit of at most 1000', async () => {
  const { owner, search, params } = await organizationWith('Docs')
  expect(await refusal(owner.api.searchOrganizationContent({ params }))).toBe('400 query.query')
  for (const query of ['', 'x'.repeat(513)]) expect(await refusal(search(owner, { query }))).toBe('400 query.query')
  expect(await search(owner, { query: 'x'.repeat(512) })).toEqual({ count: 0, items: [] })
  for (const limit of ['1001', '-1', 'all'])
    expect(await refusal(search(owner, { query: 'docs', limit }))).toBe('400 query.limit')
  expect(await search(owner, { query: 'docs', limit: 1000 })).toMatchObject({ count: 1 })
  expect(await refusal(search(owner, { query: '', limit: 'all' }))).toBe('400 query.limit query.query')
})

test('rejects an invalid cursor and one of another list with 400', async () => {
  const { owner, search, member, params } = await organizationWith('Docs')
  await member('read')
  const { next } = await owner.api.listMembersInOrganizationById({ params, query: { limit: 1 } })
  const pages = [next?.page, 'nonsense', Buffer.from('["1"]').toString('base64url')]
  for (const page of pages) expect(await refusal(search(owner, { query: 'docs', page }))).toBe('400 query.page')
})
