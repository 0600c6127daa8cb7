import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { visit } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function siteWith(...pages: string[]) {
  const { api, organizationId } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, ...pages.map((markdown) => insertPage(markdown)))
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Site', spaces: [spaceId] } })
  const params = { organizationId, siteId: site.id }
  await waitUntilSearchable(octavo, spaceId)
  return {
    params,
    found: async (query: string) => {
      const { items } = await api.searchSiteContent({ params, query: {}, body: { query } })
      return items.flatMap((space) => space.pages.map(({ title }) => title))
    },
    setSynonyms: (...synonyms: string[][]) => api.updateSiteSearchSettings({ params, body: { synonyms } }),
  }
}

test('a search for a word or phrase also finds its synonyms on the site', async () => {
  const { found, setSynonyms, params } = await siteWith(
    '# Identity\n\nUse SSO with your provider.',
    '# Single sign-on\n\nNothing more.',
    '# Callbacks\n\nA callback is sent.',
    '# Signs\n\nA single page with a sign.',
  )
  const { api } = octavo.admin
  expect(await api.getSiteSearchSettings({ params })).toEqual({ object: 'site-search-settings', synonyms: [] })
  expect(await found('webhook')).toEqual([])
  const synonyms = [
    ['SSO', 'single sign-on'],
    ['webhook', 'callback', 'push notification'],
  ]
  expect(await setSynonyms(...synonyms)).toEqual({ object: 'site-search-settings', synonyms })
  expect((await api.getSiteSearchSettings({ params })).synonyms).toEqual(synonyms)
  expect(await found('webhooks')).toEqual(['Callbacks'])
  expect(await found('push notifications')).toEqual(['Callbacks'])
  expect((await found('sso')).sort()).toEqual(['Identity', 'Single sign-on'])
  expect(await found('how do I use single sign on')).toEqual(['Single sign-on', 'Identity'])
  expect(await found('provider single sign on')).toEqual(['Identity'])
  expect(await found('"webhook"')).toEqual([])
  await setSynonyms()
  expect(await found('webhook')).toEqual([])
})

test('synonyms of one site do not affect another one, nor the search of a space', async () => {
  const one = await siteWith('# Callbacks\n\nText')
  const other = await siteWith('# Callbacks\n\nText')
  await one.setSynonyms(['webhook', 'callback'])
  expect(await one.found('webhook')).toEqual(['Callbacks'])
  expect(await other.found('webhook')).toEqual([])
})

test('visitors of a site search with its synonyms but cannot read or change them', async () => {
  const { params, setSynonyms } = await siteWith('# Callbacks\n\nText')
  await setSynonyms(['webhook', 'callback'])
  const { api } = octavo.admin
  const address = (await api.publishSite({ params })).urls.published ?? ''
  const results = await (await fetch(`${address}~search?q=webhook`)).text()
  expect(results).toContain('Callbacks')
  const visitor = await visit(octavo, address)
  expect(await refusal(visitor.api.getSiteSearchSettings({ params }))).toMatch(/^40[134]/)
})

test('rejects invalid synonyms and keeps the stored ones', async () => {
  const { params, setSynonyms } = await siteWith('# Page')
  const { api } = octavo.admin
  await setSynonyms(['a', 'b'])
  const invalid: [string[][], string][] = [
    [[['alone']], 'body.synonyms.0'],
    [[['a', '']], 'body.synonyms.0.1'],
    [[['a', '!?']], 'body.synonyms.0.1'],
    [[['a', 'x'.repeat(65)]], 'body.synonyms.0.1'],
    [[Array.from({ length: 9 }, (_, index) => `w${index}`)], 'body.synonyms.0'],
    [Array.from({ length: 201 }, () => ['a', 'b']), 'body.synonyms'],
  ]
  for (const [synonyms, field] of invalid) expect(await refusal(setSynonyms(...synonyms))).toBe(`400 ${field}`)
  expect((await api.getSiteSearchSettings({ params })).synonyms).toEqual([['a', 'b']])
})
