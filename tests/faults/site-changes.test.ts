import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, updatePage, writePage } from '../support/content.ts'
import { publishPages, publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Tests the replies of a site after a change. All outputs are read before the change, so that an outdated cache entry
// would be noticed.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const open = (url: string) => fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })

async function read(url: string): Promise<string> {
  const reply = await open(url)
  return reply.status === 200 ? reply.text() : String(reply.status)
}

/** All outputs of a site, per page and for the whole site. */
const outputs = ['', 'two', 'two.md', 'llms.txt', 'llms-full.txt', 'sitemap.xml', '~search.json?q=second']

const publish = () =>
  publishPages(octavo, [insertPage('# One\n\nFirst words'), insertPage('# Two\n\nSecond words', { slug: 'two' })])

test('a deleted page returns 404 and is no longer in any output or link', async () => {
  const { base, spaceId, pages } = await publish()
  for (const output of outputs) await read(base + output)
  expect(await read(base)).toContain('/two"')
  await editLive(octavo.admin, spaceId, { operation: 'delete_page', page: pages[1] })
  const absent = await open(`${base}two`)
  expect([absent.status, await absent.text()]).toEqual([404, expect.stringContaining('Page not found')])
  expect((await open(`${base}two.md`)).status).toBe(404)
  for (const output of ['', 'llms.txt', 'llms-full.txt', 'sitemap.xml'])
    expect([output, await read(base + output)]).toEqual([output, expect.not.stringMatching(/\/two\b|Second words/)])
})

test('a site without pages does not fail, and shows a page added later', async () => {
  const { base, spaceId, pages } = await publish()
  await read(base)
  for (const page of pages) await editLive(octavo.admin, spaceId, { operation: 'delete_page', page })
  for (const output of [
    '',
    'two',
    'index.md',
    '~search?q=x',
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'robots.txt',
  ]) {
    const reply = await open(base + output)
    expect([output, [200, 404].includes(reply.status)]).toEqual([output, true])
    expect([output, await reply.text()]).toEqual([output, expect.not.stringMatching(/(First|Second) words/)])
  }
  await editLive(octavo.admin, spaceId, insertPage('# Three\n\nThird words'))
  expect(await read(base)).toContain('Third words')
})

test('removing and restoring a space, and unpublishing and deleting a site, apply to the next request', async () => {
  const { api, organizationId } = octavo.admin
  const [guide, notes] = [await emptySpace(octavo.admin, 'Guide'), await emptySpace(octavo.admin, 'Notes')]
  await editLive(octavo.admin, guide, insertPage('# Guide\n\nWords of the guide'))
  await editLive(octavo.admin, notes, insertPage('# Notes\n\nWords of the notes'))
  const { base, params } = await publishSpaces(octavo, [guide, notes])
  const { items } = await api.listSiteSpaces({ params })
  const place = items.find(({ space }) => space.id === notes)
  const notesBase = place?.urls.published ?? ''
  const expectNotes = async (isThere: boolean) => {
    expect([200, isThere]).toEqual([(await open(base)).status, isThere])
    expect((await read(notesBase)).includes('Words of the notes')).toBe(isThere)
    expect((await read(`${base}llms-full.txt`)).includes('Words of the notes')).toBe(isThere)
    expect((await read(base)).includes(new URL(notesBase).pathname)).toBe(isThere)
  }
  await expectNotes(true)
  await api.deleteSpaceById({ params: { spaceId: notes } })
  await expectNotes(false)
  await api.restoreSpace({ params: { spaceId: notes } })
  await expectNotes(true)
  await api.deleteSiteSpaceById({ params: { ...params, siteSpaceId: place?.id ?? '' } })
  await expectNotes(false)
  await api.unpublishSite({ params })
  for (const output of ['', 'llms.txt', 'robots.txt', '~search?q=words', '~mcp'])
    expect([output, (await open(base + output)).status]).toEqual([output, 404])
  await api.publishSite({ params })
  expect(await read(base)).toContain('Words of the guide')
  await api.deleteSiteById({ params: { organizationId, siteId: params.siteId } })
  expect((await open(base)).status).toBe(404)
})

test('an invalid share key opens nothing, and a revoked one returns 404 for all outputs', async () => {
  const { base, params } = await publish()
  const { api } = octavo.admin
  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  const link = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  const shared = link.urls.published ?? ''
  expect(await read(`${shared}two`)).toContain('Second words')
  const key = new URL(shared).pathname.split('/').at(-2) ?? ''
  for (const other of [
    key.toUpperCase(),
    key.slice(0, -1),
    `${key}x`,
    key.replace(/.$/, '%00'),
    '',
    `x/${key}`,
    `two/${key}`,
  ]) {
    const reply = await open(`${base}${other}${other && '/'}two`)
    expect([other, reply.status === 200]).toEqual([other, other === key])
  }
  await api.deleteSiteShareLinkById({ params: { ...params, shareLinkId: link.id } })
  for (const output of outputs) expect([output, (await open(shared + output)).status]).toEqual([output, 404])
})

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const documentOf = (...nodes: unknown[]) => ({ document: { object: 'document', data: {}, nodes } })

describe('invalid expressions', () => {
  const broken = [
    'visitor.claims.',
    'visitor.claims.a.b.c.d',
    'visitor()',
    ')(',
    '"',
    'visitor.claims.plan ==',
    'x'.repeat(500),
  ]

  test('hide a conditional block and keep the rest of the page', async () => {
    const hidden = broken.map((expression, index) => ({
      object: 'block',
      type: 'if',
      data: { expression },
      nodes: [paragraph(`Hidden ${index}`)],
    }))
    const document = documentOf(paragraph('Before'), ...hidden, paragraph('After'))
    const { base } = await publishPages(octavo, [insertPage('', { title: 'Home', document })])
    for (const output of ['', 'index.md', 'llms-full.txt']) {
      const text = await read(base + output)
      expect([output, text]).toEqual([output, expect.stringMatching(/Before[^]*After/)])
      expect([output, text.match(/Hidden \d/g)]).toEqual([output, null])
    }
  })

  test('hide a page whose condition fails until the condition is removed', async () => {
    const { base, params, spaceId, pages } = await publish()
    await octavo.admin.api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
    expect(await read(`${base}two`)).toContain('Second words')
    await editLive(octavo.admin, spaceId, updatePage(pages[1] ?? '', { condition: 'visitor.claims.a.b.c.d == 1' }))
    expect(await read(`${base}two`)).toBe('404')
    expect(await read(base)).not.toContain('/two"')
    await editLive(octavo.admin, spaceId, updatePage(pages[1] ?? '', { condition: '' }))
    expect(await read(`${base}two`)).toContain('Second words')
  })

  test('in a paragraph keep the surrounding text', async () => {
    const { base, spaceId, pages } = await publish()
    await read(base)
    const expressions = broken.map((source) => `Value <code class="expression">${source}</code> end`)
    await editLive(octavo.admin, spaceId, writePage(pages[0] ?? '', expressions.join('\n\n')))
    const { document } = parseHTML(await read(base))
    expect([...document.querySelectorAll('main p')].filter((one) => one.textContent?.includes('end')).length).toBe(
      broken.length,
    )
  })
})
