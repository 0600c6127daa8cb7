import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

let octavo: TestServer
let zoo: Awaited<ReturnType<typeof makeZoo>>
beforeAll(async () => {
  octavo = await startTestServer()
  zoo = await makeZoo()
})
afterAll(() => octavo.stop())

const forPro = "visitor.claims.plan == 'pro'"

/** Creates a site with two sections, one of which has an old variant, and with conditional and hidden pages. */
async function makeZoo() {
  const { admin } = octavo
  const { api, organizationId } = admin
  const texts = {
    Guide: [
      insertPage('# Welcome\n\nThe lemur <b>lives</b> & sleeps'),
      insertPage('# Feeding\n\nWhat to give\n\n## For the lemur\n\nFruit for every lemur, and **leaves**', {
        slug: 'feeding',
      }),
      insertPage('# Night walk\n\nA lemur at night', { slug: 'night', condition: forPro }),
      insertPage('# Cellar\n\nThe hidden lemur', { slug: 'cellar', hidden: true }),
    ],
    Old: [insertPage('# Cages\n\nThe lemur was kept in a gibbet')],
    Calls: [
      insertPage(`# Voices\n\nThe lemur calls\n\n{% if ${forPro} %}\n## Alarm\n\nA whistling lemur\n{% endif %}`),
      insertPage('# Lemur', { slug: 'lemur' }),
    ],
  }
  const spaces = { Guide: '', Old: '', Calls: '' }
  for (const name of ['Guide', 'Old', 'Calls'] as const) {
    spaces[name] = await emptySpace(admin, name)
    await editLive(admin, spaces[name], ...texts[name])
  }
  const body = { title: 'Zoo', spaces: [spaces.Guide, spaces.Old] }
  const site = await api.createSite({ params: { organizationId }, body })
  const params = { organizationId, siteId: site.id }
  await api.addSectionToSite({ params, body: { spaceId: spaces.Calls, title: 'Sounds' } })
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  const base = (await api.publishSite({ params })).urls.published ?? ''
  for (const id of Object.values(spaces)) await waitUntilSearchable(octavo, id)
  const { items } = await api.listSiteSpaces({ params, query: {} })
  const ids = Object.fromEntries(items.map(({ title, id }) => [title, id])) as typeof spaces
  return { params, base, path: new URL(base).pathname, spaces, ids }
}

interface Found {
  title: string
  href: string
  trail: string[]
  snippet: string[]
  sections: { title: string; href: string; snippet: string[] }[]
}

const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: 'manual', headers })

const queryOf = (asked: Record<string, string>) => new URLSearchParams(asked).toString()

async function typed(asked: Record<string, string>, { base = zoo.base, cookie = '' } = {}): Promise<Found[]> {
  const reply = await open(`${base}~search.json?${queryOf(asked)}`, { cookie })
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  return (await reply.json()) as Found[]
}

const titles = (found: Found[]) => found.map(({ title }) => title).toSorted()

async function results(asked: Record<string, string>, { base = zoo.base, cookie = '' } = {}): Promise<string> {
  const reply = await open(`${base}~search?${queryOf(asked)}`, { cookie })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('x-robots-tag')).toBe('noindex')
  return reply.text()
}

const ask = (q: string, cookie: string) => typed({ q }, { cookie }).then(titles)

/** Returns the cookie of a visitor who arrives with claims. */
async function arrive(claims: Record<string, unknown>): Promise<string> {
  const token = await signVisitorToken(octavo, zoo.params, claims)
  const reply = await open(`${zoo.base}?jwt_token=${token}`)
  return reply.headers.get('set-cookie')?.split(';')[0] ?? ''
}

test('results link to pages and sections, with highlighted snippets', async () => {
  const { path, ids } = zoo
  const found = await typed({ q: 'lemur', from: ids.Guide })
  expect(found.map(({ title, href }) => [title, href])).toEqual([
    ['Feeding', `${path}feeding`],
    ['Welcome', path],
    ['Lemur', `${path}sounds/lemur`],
    ['Voices', `${path}sounds/`],
  ])
  expect(found[0]?.sections).toEqual([
    {
      title: 'For the lemur',
      href: `${path}feeding#for-the-lemur`,
      snippet: ['Fruit for every ', 'lemur', ', and leaves'],
    },
  ])
  expect(found[2]?.trail).toEqual(['Sounds'])
  const page = await results({ q: 'lemur', from: ids.Guide })
  expect(page).toContain(`<a href="${path}feeding#for-the-lemur" dir="auto">For the lemur</a>`)
  expect(page).toContain('Fruit for every <mark>lemur</mark>, and leaves')
  expect(page).toContain('The <mark>lemur</mark> lives &amp; sleeps')
  expect(page).toMatch(/<input[^>]* name="q" value="lemur"/)
  expect(page).toContain('Search results for “lemur”')
})

test('searches the current space and the other sections first, or only the requested space', async () => {
  const { ids } = zoo
  expect(titles(await typed({ q: 'lemur' }))).toEqual(['Feeding', 'Lemur', 'Voices', 'Welcome'])
  expect(titles(await typed({ q: 'lemur', from: ids.Old }))).toEqual(['Cages', 'Lemur', 'Voices'])
  expect(titles(await typed({ q: 'lemur', in: ids.Calls }))).toEqual(['Lemur', 'Voices'])
  expect((await typed({ q: 'lemur', from: ids.Calls }))[0]?.title).toBe('Lemur')
  // Other variants are searched only if there are no other results.
  expect(titles(await typed({ q: 'gibbet', from: ids.Guide }))).toEqual(['Cages'])
  expect(await typed({ q: 'gibbet', in: ids.Guide })).toEqual([])
  const page = await results({ q: 'lemur', from: ids.Calls, in: ids.Calls })
  expect(page).toMatch(/<a href="[^"]*q=lemur&amp;from=\w+"[^>]*>Everywhere<\/a>/)
  expect(page).toContain('aria-current="true">In Sounds</a>')
  expect(page).not.toContain('Feeding')
})

test('a visitor without claims does not find conditional content, and hidden pages are never found', async () => {
  const pro = await arrive({ plan: 'pro' })
  expect(await ask('lemur', pro)).toEqual(['Feeding', 'Lemur', 'Night walk', 'Voices', 'Welcome'])
  expect(await ask('whistling', pro)).toEqual(['Voices'])
  expect(await ask('whistling', '')).toEqual([])
  expect(await ask('night', '')).toEqual([])
  expect(await ask('hidden', pro)).toEqual([])
  expect(await results({ q: 'whistling' }, { cookie: pro })).toContain('>Alarm</a>')
  const none = await results({ q: 'whistling' })
  expect(none).toContain('Nothing found for “whistling”')
  expect(none).not.toContain('Alarm')
})

test('draft spaces are found only in previews', async () => {
  const { admin } = octavo
  const { api, organizationId } = admin
  const [live, draft] = [await emptySpace(admin, 'Live'), await emptySpace(admin, 'Coming')]
  await editLive(admin, live, insertPage('# Now\n\nThe okapi is here'))
  await editLive(admin, draft, insertPage('# Soon\n\nThe okapi will be there'))
  const created = await api.createSite({ params: { organizationId }, body: { title: 'Okapi', spaces: [live] } })
  const params = { organizationId, siteId: created.id }
  await api.addSectionToSite({ params, body: { spaceId: draft, title: 'Coming', draft: true } })
  const base = (await api.publishSite({ params })).urls.published ?? ''
  for (const id of [live, draft]) await waitUntilSearchable(octavo, id)
  expect(titles(await typed({ q: 'okapi' }, { base }))).toEqual(['Now'])
  const { url } = await api.getSitePublishingPreviewById({ params, query: {} })
  const cookie = (await open(url)).headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(titles(await typed({ q: 'okapi' }, { base, cookie }))).toEqual(['Now', 'Soon'])
  const { items } = await api.listSiteSpaces({ params, query: {} })
  const coming = items.find(({ title }) => title === 'Coming')?.id ?? ''
  expect(titles(await typed({ q: 'okapi', in: coming }, { base }))).toEqual(['Now'])
  expect(await results({ q: 'okapi', in: coming }, { base })).not.toContain('Soon')
})

test('the results on a share-link site keep the key in their links, and without the key the search returns 404', async () => {
  const { admin } = octavo
  const { api, organizationId } = admin
  const spaceId = await emptySpace(admin, 'Secret')
  await editLive(admin, spaceId, insertPage('# First'), insertPage('# Tapir\n\nA shy tapir', { slug: 'tapir' }))
  const body = { title: 'Shared', spaces: [spaceId], visibility: 'share-link' as const }
  const params = { organizationId, siteId: (await api.createSite({ params: { organizationId }, body })).id }
  await api.publishSite({ params })
  const { urls } = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  await waitUntilSearchable(octavo, spaceId)
  const base = urls.published ?? ''
  const [found] = await typed({ q: 'tapir' }, { base })
  expect(found?.href).toBe(`${new URL(base).pathname}tapir`)
  expect((await open(`${new URL('..', base).href}~search.json?q=tapir`)).status).toBe(404)
})

test('paginates many results', async () => {
  const { admin } = octavo
  const { api, organizationId } = admin
  const spaceId = await emptySpace(admin, 'Many')
  const pages = Array.from({ length: 45 }, (_, index) => insertPage(`# Page ${index}\n\nOne more capybara`))
  await editLive(admin, spaceId, ...pages)
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Many', spaces: [spaceId] } })
  const base = (await api.publishSite({ params: { organizationId, siteId: site.id } })).urls.published ?? ''
  await waitUntilSearchable(octavo, spaceId)
  const found = new Set<string>()
  const collect = (page: string) => {
    for (const [, title = ''] of page.matchAll(/<span>(Page \d+)<\/span>/g)) found.add(title)
  }
  for (const page of ['1', '2', '3']) collect(await results({ q: 'capybara', page }, { base }))
  expect(found.size).toBe(45)
  const first = await results({ q: 'capybara' }, { base })
  expect(first).toContain('Results: 45')
  expect(first).toContain('<span>1 / 3</span>')
  expect(first).toContain('rel="next"')
  expect(await results({ q: 'capybara', page: '99999' }, { base })).toContain('<span>3 / 3</span>')
  expect(await typed({ q: 'capybara' }, { base })).toHaveLength(12)
  expect(first).not.toContain('Everywhere')
})

test('accepts any query without an error, and escapes it in the page', async () => {
  const hostile = [
    '',
    ' ',
    '" OR 1=1 --',
    '<script>alert(1)</script>',
    '\0\u0001\u001b[31m',
    '!!! ??? ***',
    'مرحبا בעולם ‮lemur',
    '🐒👩‍👩‍👧‍👦',
    '\ud800',
    'lemur '.repeat(200),
    'a'.repeat(5000),
    'NEAR(lemur, 5) AND title:*',
  ]
  for (const q of hostile) {
    const list = await open(`${zoo.base}~search.json?${queryOf({ q })}`)
    expect([q, list.status]).toEqual([q, 200])
    expect(await results({ q, page: '-1', in: "x'--", from: '__proto__' })).not.toContain('<script>alert')
  }
  for (const raw of ['', '?q=%ff%00', '?q=a&q=b', '?page=1e9&in=']) {
    expect((await open(`${zoo.base}~search${raw}`)).status).toBe(200)
  }
  expect(await results({})).toContain('Type to search')
  expect((await open(`${zoo.base}~search/more`)).status).toBe(404)
  const asJson = await open(`${zoo.base}~search?q=lemur`, { accept: 'application/json' })
  expect(asJson.headers.get('content-type')).toContain('application/json')
})
