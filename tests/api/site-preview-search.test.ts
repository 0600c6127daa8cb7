import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTree } from '../../src/content/revision/tree.ts'
import { search } from '../../src/search/search.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import { testOn } from '../support/engine.ts'
import { type Change, editLive, emptySpace, insertPage, propose, updatePage, writePage } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { type PublishedSite, publishPages, publishSpaces } from '../support/published-sites.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { waitUntilSearchable } from '../support/search.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Search in previews of change requests and revisions.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

interface Found {
  title: string
  href: string
  snippet: string[]
  sections: { title: string; href: string; snippet: string[] }[]
}

/** Opens a preview of a site; `found` returns the titles and relative paths of the search results in it. */
async function preview({ params, base }: PublishedSite, aside: string, claims?: string) {
  const browser = new CookieClient()
  const query = { target: base + aside, ...(claims !== undefined && { claims }) }
  const { url } = await octavo.admin.api.getSitePublishingPreviewById({ params, query })
  const page = await browser.text(url)
  const ask = async (path: string, q: string) =>
    (await (
      await browser.open(`${base}${path}~search.json?${new URLSearchParams({ q }).toString()}`)
    ).json()) as Found[]
  const pathIn = (path: string, href: string) => href.replace(new URL(base + path).pathname, '')
  const told = (path: string, found: Found[]) => found.map(({ title, href }) => `${title} ${pathIn(path, href)}`).sort()
  return {
    browser,
    page,
    ask: (q: string) => ask(`${aside}/`, q),
    found: async (q: string) => told(`${aside}/`, await ask(`${aside}/`, q)),
    live: async (q: string) => told('', await ask('', q)),
  }
}

test('the search in a change request finds its changed content with links into it, and not the replaced content', async () => {
  const site = await publishPages(octavo, [
    insertPage('# Home\n\nThe lemur sleeps.'),
    insertPage('# Feeding\n\nFruit for the okapi.', { slug: 'feeding' }),
    insertPage('# Walk\n\nPast the tapir.', { slug: 'walk' }),
    insertPage('# Cages\n\nNo gibbon any more.', { slug: 'cages' }),
    { operation: 'insert_reusable_content', ref: 'part', title: 'Part', document: { markdown: 'A quagga.' } },
    insertPage('# Notice\n\n{% include "./part" %}', { slug: 'notice' }),
  ])
  const { spaceId, base, pages } = site
  const [home = '', feeding = '', walk = '', cages = ''] = pages
  await waitUntilSearchable(octavo, spaceId)
  const { reusableContents } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  const reusableContent = reusableContents[0]?.id ?? ''
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(
    writePage(home, '# Home\n\nThe axolotl swims.\n\n## In the pool\n\nEvery axolotl.'),
    insertPage('# Pool\n\nWater.', { slug: 'pool', into: feeding }),
    updatePage(walk, { slug: 'path', into: feeding, title: 'Stroll' }),
    { operation: 'delete_page', page: cages },
    { operation: 'update_reusable_content', reusableContent, document: { markdown: 'A bongo.' } },
  )
  const { ask, found, live, page, browser } = await preview(site, '~/changes/1')

  const inside = `${new URL(base).pathname}~/changes/1`
  expect(await ask('axolotl')).toEqual([
    {
      title: 'Home',
      href: inside,
      trail: [],
      snippet: ['The ', 'axolotl', ' swims.'],
      sections: [{ title: 'In the pool', href: `${inside}#in-the-pool`, snippet: ['Every ', 'axolotl', '.'] }],
    },
  ])
  expect(await found('pool')).toEqual([`Home ${inside}`, 'Pool feeding/pool'])
  expect(await found('lemur')).toEqual([])
  expect(await found('gibbon')).toEqual([])
  expect(await found('okapi')).toEqual(['Feeding feeding'])
  expect(await found('tapir')).toEqual(['Stroll feeding/path'])
  expect([await found('stroll'), await found('walk')]).toEqual([['Stroll feeding/path'], []])
  expect([await found('bongo'), await found('quagga')]).toEqual([['Notice notice'], []])
  // If no page contains all words, pages with some of them are found, as in the search of live content.
  expect(await found('water quagga')).toEqual(['Pool feeding/pool'])

  expect(page).toContain(`action="${inside}/~search"`)
  const results = await browser.text(`${base}~/changes/1/~search?q=axolotl`)
  expect(results).toContain(`<a href="${inside}#in-the-pool" dir="auto">In the pool</a>`)
  expect(results).toContain('The <mark>axolotl</mark> swims.')
  expect(results).toContain(`action="${inside}/~search"`)
  const absent = await (await browser.open(`${base}~/changes/1/pool`)).text()
  expect(absent).toContain(`<li dir="auto"><a href="${inside}/feeding/pool">Pool</a>`)

  expect([await live('axolotl'), await live('lemur'), await live('tapir')]).toEqual([[], ['Home '], ['Walk walk']])
  for (const name of ['~search', '~search.json']) {
    expect((await new CookieClient().open(`${base}~/changes/1/${name}?q=axolotl`)).status).toBe(404)
    expect((await browser.open(`${base}~/changes/2/${name}?q=axolotl`)).status).toBe(404)
  }
})

test('later live changes are not found in older revisions and change requests, before and after indexing', async () => {
  const site = await publishPages(octavo, [
    insertPage('# Home\n\nThe lemur sleeps.'),
    insertPage('# Cages\n\nOne gibbon.', { slug: 'cages' }),
    insertPage('# Walk\n\nPast the tapir.', { slug: 'walk' }),
  ])
  const { spaceId, pages } = site
  const [home = '', cages = '', walk = ''] = pages
  await waitUntilSearchable(octavo, spaceId)
  const { revision } = await octavo.admin.api.getSpaceById({ params: { spaceId }, query: {} })
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(writePage(walk, '# Walk\n\nPast the okapi.'))
  const [proposed, former] = [await preview(site, '~/changes/1'), await preview(site, `~/revisions/${revision}`)]
  const tell = async ({ found }: typeof proposed) => [
    ...(await found('lemur')).map((one) => one.split(' ')[0]),
    ...(await found('axolotl')),
    ...(await found('gibbon')),
    ...(await found('cages')),
    ...(await found('tapir')),
    ...(await found('okapi')),
  ]
  const ofProposal = ['Home', 'Cages cages', 'Cages cages', 'Walk walk']
  const ofFormer = ['Home', 'Cages cages', 'Cages cages', 'Walk walk']
  expect([await tell(proposed), await tell(former)]).toEqual([ofProposal, ofFormer])
  await editLive(
    octavo.admin,
    spaceId,
    writePage(home, '# Home\n\nThe axolotl swims.'),
    { operation: 'delete_page', page: cages },
    insertPage('# Axolotl'),
  )
  expect([await tell(proposed), await tell(former)]).toEqual([ofProposal, ofFormer])
  await waitUntilSearchable(octavo, spaceId)
  expect([await tell(proposed), await tell(former)]).toEqual([ofProposal, ofFormer])
  expect(await proposed.live('axolotl')).toEqual(['Axolotl axolotl', 'Home '])
  await proposal.edit(writePage(walk, '# Walk\n\nPast the okapi and the axolotl.'))
  expect(await proposed.found('axolotl')).toEqual(['Walk walk'])
})

test('finds only what the visitor may see, and live content of the other spaces', async () => {
  const { api } = octavo.admin
  const forPro = "visitor.claims.plan == 'pro'"
  const guide = await emptySpace(octavo.admin, 'Guide')
  const full = '{% if space.vars.edition == "full" %}\nA lemur in full.\n{% endif %}'
  const [plain = ''] = await editLive(octavo.admin, guide, insertPage(`# Plain\n\n${full}`, { slug: 'plain' }))
  const calls = await emptySpace(octavo.admin, 'Calls')
  await editLive(octavo.admin, calls, insertPage('# Voices\n\nThe lemur calls.'))
  const site = await publishSpaces(octavo, [guide], { adaptiveContent: { enabled: true } })
  await api.addSectionToSite({ params: site.params, body: { spaceId: calls, title: 'Sounds' } })
  const proposal = await propose(octavo.admin, guide)
  await (await propose(octavo.admin, calls)).edit(insertPage('# Proposed\n\nAnother lemur.'))
  await proposal.edit(
    { operation: 'set_variables', variables: { edition: 'full' } },
    insertPage('# Pro\n\nA lemur.', { slug: 'pro', condition: forPro, into: plain }),
    insertPage(`# Part\n\n{% if ${forPro} %}\nA lemur for some.\n{% endif %}`, { slug: 'part' }),
    insertPage('# Hidden\n\nA lemur.', { hidden: true }),
    insertPage('# Left out\n\nA lemur.', { noIndex: true }),
  )
  for (const id of [guide, calls]) await waitUntilSearchable(octavo, id)
  const titles = async (aside: string, claims?: string) =>
    (await (await preview(site, aside, claims)).ask('lemur')).map(({ title }) => title)
  const pro = '{"plan":"pro"}'
  expect((await titles('~/changes/1')).sort()).toEqual(['Plain', 'Voices'])
  const found = await titles('~/changes/1', pro)
  expect([found.slice(0, -1).sort(), found.at(-1)]).toEqual([['Part', 'Plain', 'Pro'], 'Voices'])
  const { ask, live } = await preview(site, '~/changes/1', pro)
  expect((await ask('calls')).map(({ href }) => href)).toEqual([`${new URL(site.base).pathname}sounds/`])
  expect(await live('lemur')).toEqual(['Voices sounds/'])
})

const names = ['lemur', 'okapi', 'tapir', 'gibbon', 'axolotl', 'quagga', 'narwhal']

/** Returns a text of few different words, so that most words occur in many texts. */
function madeText(chance: () => number): string {
  const word = () => names[randomInteger(chance, 0, names.length - 1)] ?? ''
  const words = () => Array.from({ length: randomInteger(chance, 1, 8) }, word).join(' ')
  return `${words()}\n\n## ${word()}\n\n${words()}\n\n## Then\n\n${words()}`
}

test('the search in a preview returns the same results as the live search after the merge', async () => {
  const chance = seededRandom(7)
  const slugs = Array.from({ length: 9 }, (_, index) => `p${index}`)
  const page = (slug: string) =>
    insertPage(`# ${slug} ${names[randomInteger(chance, 0, 6)]}\n\n${madeText(chance)}`, { slug })
  const site = await publishPages(octavo, [insertPage('# Home'), ...slugs.map(page)])
  await waitUntilSearchable(octavo, site.spaceId)
  const proposal = await propose(octavo.admin, site.spaceId)
  const changes = site.pages.slice(1).map((id, index): Change[] => {
    const into = site.pages[randomInteger(chance, 1, index)]
    const done: Change[] = [
      writePage(id, madeText(chance)),
      updatePage(id, { title: `q${index} ${names[randomInteger(chance, 0, 6)]}` }),
      updatePage(id, { description: madeText(chance).slice(0, 100).replaceAll('\n', ' ') }),
      ...(index > 0 ? [updatePage(id, { into })] : []),
    ]
    return chance() < 0.3 ? [] : done.filter(() => chance() < 0.4)
  })
  await proposal.edit(...changes.flat(), page('new'))
  const { ask } = await preview(site, '~/changes/1')
  const queries = [...names, 'lem', 'then', 'lemur okapi', '"tapir gibbon"', 'q3', 'p5 axolotl', 'nothing narwhal']
  const tell = async () => {
    const told: string[] = []
    for (const query of queries) {
      const found = (await ask(query)).map(({ title, href, ...rest }) => JSON.stringify([title, href, rest]))
      told.push(`${query}: ${found.sort().join('\n')}`)
    }
    return told
  }
  const before = await tell()
  expect(before.filter((one) => one.length > 60).length).toBeGreaterThan(10)
  expect((await proposal.merge()).result).toBe('merge')
  await waitUntilSearchable(octavo, site.spaceId)
  expect(await tell()).toEqual(before)
})

// The limit is in code that both engines share, and creating 520 pages is slow.
testOn('sqlite')('of very many pages that differ, some are found by their texts and all by their titles', async () => {
  const site = await publishPages(octavo, [insertPage('# Home'), insertPage('# Book', { slug: 'book' })])
  const [, book = ''] = site.pages
  const count = 520
  const chapters = Array.from({ length: count }, (_, index) =>
    insertPage(`# Chapter ${index}\n\nA lemur.`, { slug: `c${index}`, into: book }),
  )
  while (chapters.length > 0) await editLive(octavo.admin, site.spaceId, ...chapters.splice(0, 50))
  const { revision } = await octavo.admin.api.getSpaceById({ params: { spaceId: site.spaceId }, query: {} })
  await editLive(octavo.admin, site.spaceId, { operation: 'delete_page', page: book })
  await waitUntilSearchable(octavo, site.spaceId)
  const { browser } = await preview(site, `~/revisions/${revision}`)
  const total = async (query: string) => {
    const page = await browser.text(`${site.base}~/revisions/${revision}/~search?q=${query}`)
    return Number(/class="results-count"[^>]*>\D*(\d+)/.exec(page)?.[1])
  }
  expect([await total('lemur'), await total('chapter')]).toEqual([500, count])
})

test('pages outside the index are ranked like indexed ones', async () => {
  const chance = seededRandom(11)
  const pages = Array.from({ length: 12 }, (_, index) =>
    insertPage(
      `# ${names[index % 7]} page\n\n${madeText(chance)}${index === 3 ? '\n\nA walrus, a walrus of the sea' : ''}`,
      { description: `About ${names[(index + 2) % 7]}` },
    ),
  )
  const spaceId = await emptySpace(octavo.admin)
  const ids = await editLive(octavo.admin, spaceId, ...pages)
  await waitUntilSearchable(octavo, spaceId)
  const { database, openObjects } = octavo.server.app
  const db = database.reader
  const { organizationId } = octavo.admin
  const { rootHash = '' } = (await findSpaceHead(db, spaceId)) ?? {}
  const requestedPreview = {
    spaceId,
    revisionId: 'old',
    tree: await openTree(openObjects(db, organizationId), rootHash),
  }
  const find = async (query: string, options: object) => {
    const request = { organizationId, spaceIds: [spaceId], query, reader: 'member' as const, ...options }
    const found = await search({ db, openObjects }, request)
    return found.map(({ lineage, hits }) => [lineage.at(-1)?.entry.id, ...hits.map(({ part }) => part)])
  }
  const queries = ['lemur', 'lem', 'okapi tapir', '"gibbon page" about', 'then narwhal quagga', 'walrus sea', 'narwhol']
  const indexed = await Promise.all(queries.map((query) => find(query, {})))
  expect(indexed.every((found) => found.length > 0)).toBe(true)
  await editLive(octavo.admin, spaceId, ...ids.map((page) => ({ operation: 'delete_page' as const, page })))
  await waitUntilSearchable(octavo, spaceId)
  expect(await Promise.all(queries.map((query) => find(query, { preview: requestedPreview })))).toEqual(indexed)
})
