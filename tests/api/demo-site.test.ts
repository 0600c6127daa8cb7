import { expect, test } from 'vitest'
import { bootstrap } from '../../src/server/bootstrap.ts'
import { readManual } from '../../src/server/manual.ts'
import { serverForTest } from '../support/server.ts'

/** Returns the targets of links except those with `rel="nofollow"`, which create a PDF of each page. */
const addressesIn = (html: string, base: string): string[] =>
  Array.from(
    html.replace(/<a\b[^>]*\srel="nofollow"[^>]*>/g, '').matchAll(/<a\b[^>]*\shref="([^"]*)"/g),
    (match) => new URL((match[1] ?? '').replaceAll('&amp;', '&'), base).href,
  )

test('the first start publishes the manual without broken links', async () => {
  const octavo = await serverForTest({}, { readManual })
  const { admin, server, url } = octavo
  const { api, organizationId, spaceId } = admin
  const { items } = await api.listSites({ params: { organizationId } })
  expect(items).toMatchObject([{ title: 'Octavo', visibility: 'public', published: true, siteSpaces: 1 }])
  const home = items[0]?.urls.published ?? ''
  expect(home).toBe(`${url}/sites/${organizationId}/octavo/`)
  expect(server.firstStart?.site?.id).toBe(items[0]?.id)

  const first = await (await fetch(home)).text()
  expect(first).toContain('<h1 class="page-title" id=')
  expect(first).toContain('class="cards')
  expect(first).toContain('class="tabs')
  const mark = /<a class="brand"[^>]*><svg [^]*?<\/svg>Octavo<\/a>/
  expect(first).toMatch(mark)
  for (const own of ['/', '/docs/api']) expect(await (await octavo.fetch(own)).text()).toMatch(mark)
  const missing: string[] = []
  const pages = new Map<string, string>()
  const waiting = [home]
  for (const address of waiting) {
    const page = address.split('#')[0] ?? ''
    if (!page.startsWith(url) || pages.has(page)) continue
    const reply = await fetch(page)
    pages.set(page, await reply.text())
    if (!reply.ok) missing.push(page)
    else if (page.startsWith(home)) waiting.push(...addressesIn(pages.get(page) ?? '', page))
  }
  expect(missing).toEqual([])
  // Every URL fragment must match an element id of its page.
  const lost = waiting.filter((address) => {
    const [page = '', anchor = ''] = address.split('#')
    return anchor !== '' && page.startsWith(home) && !pages.get(page)?.includes(`id="${decodeURIComponent(anchor)}"`)
  })
  expect([...new Set(lost)]).toEqual([])
  const { pages: tree } = await api.listPages({ params: { spaceId } })
  // Published pages render a link to a missing file as text, so the stored documents are checked.
  const idsIn = (list: typeof tree): string[] =>
    list.flatMap((page) => [
      ...(page.type === 'document' ? [page.id] : []),
      ...('pages' in page ? idsIn(page.pages) : []),
    ])
  for (const pageId of idsIn(tree)) {
    const page = await api.getPageById({ params: { spaceId, pageId }, query: { format: 'document' } })
    const paths = JSON.stringify(page).match(/"kind":"url","url":"(?!https?:|mailto:|\/docs\/api)[^"]*"/g) ?? []
    expect([page.title, paths]).toEqual([page.title, []])
  }
  const documents = (list: typeof tree): number =>
    list.reduce(
      (sum, page) => sum + (page.type === 'document' ? 1 : 0) + ('pages' in page ? documents(page.pages) : 0),
      0,
    )
  const visited = [...pages.keys()].filter((page) => page.startsWith(home) && !page.slice(home.length).startsWith('~'))
  expect(visited.length).toBeGreaterThanOrEqual(documents(tree))

  const root = await (await octavo.fetch('/')).text()
  expect(root).toContain(`href="${home}"`)
  expect(root).toContain('href="/docs/api"')
})

test('the home page links to the manual only while it is public, and bootstrap does not recreate it', async () => {
  const octavo = await serverForTest()
  const { api, organizationId } = octavo.admin
  const { items } = await api.listSites({ params: { organizationId } })
  const site = items[0]
  const params = { organizationId, siteId: site?.id ?? '' }
  const isNamed = async () => (await (await octavo.fetch('/')).text()).includes('octavo/"')
  expect(await isNamed()).toBe(true)
  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  expect(await isNamed()).toBe(false)
  await api.updateSiteById({ params, body: { visibility: 'public' } })
  await api.unpublishSite({ params })
  expect(await isNamed()).toBe(false)
  await api.deleteSiteById({ params })
  expect((await octavo.fetch('/')).status).toBe(200)

  expect(await bootstrap(octavo.server.app)).toBeUndefined()
  expect(await api.listSites({ params: { organizationId } })).toMatchObject({ count: 0, items: [] })
})
