import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchScope } from '../../src/contract/site-search.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken, visit } from '../support/visits.ts'

let octavo: TestServer
let world: Awaited<ReturnType<typeof makeWorld>>
beforeAll(async () => {
  octavo = await startTestServer()
  world = await makeWorld()
})
afterAll(() => octavo.stop())

const forPro = "visitor.claims.plan == 'pro'"

/** Creates a site with two sections, the first of which has two variants. */
async function makeWorld() {
  const { admin } = octavo
  const { api, organizationId } = admin
  const spaces = { latest: '', old: '', api: '' }
  const texts = {
    latest: [insertPage('# Install\n\nThe lemur is installed'), insertPage('# Pro\n\nA lemur', { condition: forPro })],
    old: [insertPage('# Install before\n\nThe lemur was installed')],
    api: [insertPage(`# Calls\n\nCall the lemur\n\n{% if ${forPro} %}\n## Secret call\n\nA tamed lemur\n{% endif %}`)],
  }
  for (const name of ['latest', 'old', 'api'] as const) {
    spaces[name] = await emptySpace(admin, name)
    await editLive(admin, spaces[name], ...texts[name])
  }
  const body = { title: 'Zoo', spaces: [spaces.latest, spaces.old] }
  const site = await api.createSite({ params: { organizationId }, body })
  const params = { organizationId, siteId: site.id }
  await api.addSectionToSite({ params, body: { spaceId: spaces.api, title: 'API' } })
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  const address = (await api.publishSite({ params })).urls.published ?? ''
  for (const id of Object.values(spaces)) await waitUntilSearchable(octavo, id)
  const { items } = await api.listSiteSpaces({ params, query: {} })
  const siteSpaces = Object.fromEntries(items.map(({ title, id }) => [title, id])) as typeof spaces
  return {
    params,
    address,
    spaces,
    siteSpaces,
    visitor: await visit(octavo, address),
    pro: await visit(octavo, address, { jwtToken: await signVisitorToken(octavo, params, { plan: 'pro' }) }),
  }
}

interface Body {
  query: string
  scope?: SearchScope
  mode?: 'current' | 'specific' | 'all'
  siteSpaceId?: string
  siteSpaceIds?: string[]
}

async function found({ api }: Pick<Person, 'api'>, body: Body): Promise<string[]> {
  const { items } = await api.searchSiteContent({ params: world.params, query: {}, body })
  return items.flatMap(({ title, pages }) => pages.map((page) => `${title}: ${page.title}`)).toSorted()
}

const everything = ['api: Calls', 'latest: Install', 'old: Install before']

test('visitors find the pages they may see, and members find all', async () => {
  const { visitor, pro } = world
  expect(await found(visitor, { query: 'lemur', mode: 'all' })).toEqual(everything)
  expect(await found(pro, { query: 'lemur', mode: 'all' })).toEqual([...everything, 'latest: Pro'].toSorted())
  expect(await found(octavo.admin, { query: 'lemur' })).toEqual([...everything, 'latest: Pro'].toSorted())
  expect(await found(visitor, { query: 'tamed' })).toEqual([])
  expect(await found(pro, { query: 'tamed' })).toEqual(['api: Calls'])
})

test('restricts the search to the requested scope, with the current and the deprecated parameters', async () => {
  const { visitor, siteSpaces } = world
  const ask = (more: Omit<Body, 'query'>) => found(visitor, { query: 'lemur', ...more })
  expect(await ask({ scope: { mode: 'all' } })).toEqual(everything)
  expect(await ask({ scope: { mode: 'specific', siteSpaceIds: [siteSpaces.old] } })).toEqual(['old: Install before'])
  expect(await ask({ siteSpaceIds: [siteSpaces.old] })).toEqual(['old: Install before'])
  // The space of the visitor, and the default spaces of the other sections.
  const around = ['api: Calls', 'old: Install before']
  expect(await ask({ mode: 'current', siteSpaceId: siteSpaces.old })).toEqual(around)
  expect(await ask({ scope: { mode: 'default', currentSiteSpace: siteSpaces.old } })).toEqual(around)
  expect(await ask({ scope: { mode: 'default' } })).toEqual(['api: Calls', 'latest: Install'])
  const from = (restrictTo: 'currentSiteSpace' | 'otherSiteSpaces') =>
    ask({ scope: { mode: 'default', currentSiteSpace: siteSpaces.old, restrictTo } })
  expect(await from('currentSiteSpace')).toEqual(['old: Install before'])
  expect(await from('otherSiteSpaces')).toEqual(['api: Calls'])
})

test('results contain the URL, path and matching section', async () => {
  const { pro, params, address } = world
  const { items } = await pro.api.searchSiteContent({ params, query: {}, body: { query: 'tamed lemur' } })
  expect(items).toMatchObject([
    {
      type: 'space',
      title: 'api',
      pages: [
        {
          title: 'Calls',
          path: 'calls',
          rank: 1,
          ancestors: [],
          urls: { app: `${address}api/calls` },
          sections: [{ title: 'Secret call', path: 'calls#secret-call', body: 'A tamed lemur' }],
        },
      ],
    },
  ])
})

test('pages of draft site spaces, and of those whose condition fails, are not found by visitors', async () => {
  const { params, siteSpaces, address } = world
  const { api } = octavo.admin
  const place = { ...params, siteSpaceId: siteSpaces.old }
  await api.updateSiteSpaceById({ params: place, body: { condition: forPro } })
  const visitor = await visit(octavo, address)
  expect(await found(visitor, { query: 'lemur' })).toEqual(['api: Calls', 'latest: Install'])
  expect(await found(visitor, { query: 'lemur', siteSpaceIds: [siteSpaces.old] })).toEqual([])
  await api.updateSiteSpaceById({ params: place, body: { condition: null, draft: true } })
  expect(await found(visitor, { query: 'lemur' })).toEqual(['api: Calls', 'latest: Install'])
  await api.updateSiteSpaceById({ params: place, body: { draft: false } })
  expect(await found(visitor, { query: 'lemur' })).toEqual(everything)
})

test('paginates results, and members do not find pages of spaces they may not open', async () => {
  const { params, visitor, spaces } = world
  const seen: string[] = []
  let page: string | undefined
  do {
    const query: { limit: string; page?: string } = { limit: '1', ...(page !== undefined && { page }) }
    const reply = await visitor.api.searchSiteContent({ params, query, body: { query: 'lemur' } })
    expect(reply.count).toBe(3)
    seen.push(...reply.items.flatMap(({ pages }) => pages.map(({ title }) => title)))
    page = reply.next?.page
  } while (page !== undefined)
  expect(seen.toSorted()).toEqual(['Calls', 'Install', 'Install before'])
  await octavo.admin.api.updateSpaceById({ params: { spaceId: spaces.old }, body: { defaultLevel: null } })
  const reader = await octavo.member('read', 'Reader')
  expect(await found(reader, { query: 'before' })).toEqual([])
  expect(await found(visitor, { query: 'before' })).toEqual(['old: Install before'])
})

test('the official client searches a site, and invalid queries are rejected with 400', async () => {
  const { params, visitor, siteSpaces } = world
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: visitor.apiToken })
  const { organizationId, siteId } = params
  const { data } = await client.orgs.searchSiteContent(organizationId, siteId, {
    query: 'lemur',
    scope: { mode: 'specific', siteSpaceIds: [siteSpaces.api] },
  })
  expect(data.items.map((item) => item.title)).toEqual(['api'])
  const ask = (body: object) => refusal(visitor.api.searchSiteContent({ params, query: {}, body: body as Body }))
  expect(await ask({ query: '' })).toBe('400 body.query')
  expect(await ask({ query: 'x'.repeat(513) })).toBe('400 body.query')
  expect(await ask({ query: 'x', mode: 'current' })).toBe('400 body.siteSpaceId')
  expect(await ask({ query: 'x', scope: { mode: 'nowhere' } })).toBe('400 body.scope.mode')
  expect(await ask({ query: '" OR 1=1 -- NEAR( *' })).toBe('was not refused')
})
