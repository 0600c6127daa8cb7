import { GitBookAPI, SiteRedirectOrderBy } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { SiteRedirectInputDestination } from '../../src/contract/site-redirects.ts'
import { editLive, emptySpace, insertPage, updatePage } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { addressOf, visit } from '../support/visits.ts'

let octavo: TestServer
let docs: string
let guides: string
let pages: { home: string; guide: string; setup: string; secret: string; inside: string }

beforeAll(async () => {
  octavo = await startTestServer()
  docs = await emptySpace(octavo.admin, 'Docs')
  guides = await emptySpace(octavo.admin, 'Guides')
  const [home = '', guide = '', secret = ''] = await editLive(
    octavo.admin,
    docs,
    insertPage('# Home'),
    insertPage('# Guide'),
    insertPage('# Secret', { condition: 'visitor.claims.unsigned.beta == true' }),
  )
  const [setup = '', inside = ''] = await editLive(
    octavo.admin,
    docs,
    insertPage('# Set up', { into: guide }),
    insertPage('# Inside', { into: secret }),
  )
  pages = { home, guide, setup, secret, inside }
  await editLive(octavo.admin, guides, insertPage('# Start'))
})
afterAll(() => octavo.stop())

type SiteParams = Record<'organizationId' | 'siteId', string>

/** A published site of two variants, Docs and Guides, unless it wants sections of them. */
async function newSite({
  sections = false,
  visibility = 'public',
}: { sections?: boolean; visibility?: 'public' | 'share-link' } = {}) {
  const { api, organizationId } = octavo.admin
  const created = await api.createSite({
    params: { organizationId },
    body: { title: 'Docs', visibility, spaces: sections ? [docs] : [docs, guides] },
  })
  const params = { organizationId, siteId: created.id }
  if (sections) await api.addSectionToSite({ params, body: { spaceId: guides, title: 'Guides' } })
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
  const site = await api.publishSite({ params })
  const items = (await api.listSiteSpaces({ params, query: {} })).items
  const siteSpace = (spaceId: string) => items.find(({ space }) => space.id === spaceId)?.id ?? ''
  return { params, site, docs: siteSpace(docs), guides: siteSpace(guides) }
}

const external = (url: string): SiteRedirectInputDestination => ({ kind: 'external', url })

const to = (name: string) => external(`https://${name}.example/`)

const create = (params: SiteParams, source: string, destination: SiteRedirectInputDestination, more: object = {}) =>
  octavo.admin.api.createSiteRedirect({ params, body: { source, destination, ...more } })

/** Where a path leads, or how the question was refused. */
async function follow(api: Client, params: SiteParams, source: string, shareKey?: string): Promise<string> {
  const query = { source, ...(shareKey !== undefined && { shareKey }) }
  const call = api.getSiteRedirectBySource({ params, query })
  return call.then(
    ({ target }) => target,
    () => refusal(call),
  )
}

test('a redirect is created once for each source, changed, listed and removed', async () => {
  const { api } = octavo.admin
  const { params } = await newSite()
  const created = await create(params, '/Old/Page', external('https://example.com/new'), { permanent: true })
  expect(created).toMatchObject({
    object: 'site-redirect',
    source: '/Old/Page',
    draft: false,
    captureWildcard: false,
    permanent: true,
    destination: { kind: 'external', url: 'https://example.com/new' },
  })
  expect(created).not.toHaveProperty('updatedAt')
  expect(await refusal(create(params, '/old/p%61ge', external('https://example.com/')))).toBe('409')
  const draft = await create(params, '/old/page', external('https://example.com/draft'), { draft: true })
  expect(await follow(api, params, '/OLD/page/')).toBe('https://example.com/draft')

  const named = { ...params, siteRedirectId: draft.id }
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: { draft: false } }))).toBe('409')
  const moved = await api.updateSiteRedirectById({ params: named, body: { source: '/older', draft: false } })
  expect(moved).toMatchObject({ id: draft.id, source: '/older', draft: false, destination: draft.destination })
  expect(moved.updatedAt).toMatch(/Z$/)
  expect(await follow(api, params, '/older')).toBe('https://example.com/draft')
  expect(await follow(api, params, '/old/page')).toBe('https://example.com/new')

  await api.deleteSiteRedirectById({ params: named })
  await api.deleteSiteRedirectById({ params: named })
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: {} }))).toBe('404')
  expect(await follow(api, params, '/older')).toBe('404')
  expect((await api.listSiteRedirects({ params, query: {} })).items).toEqual([created])
})

test('only sources and destinations that can work are taken', async () => {
  const { api } = octavo.admin
  const { params, docs: siteSpace } = await newSite()
  const ok = external('https://example.com/')
  for (const source of [
    '',
    '/',
    'a',
    '/*',
    '/a/',
    '//a',
    '/a*b',
    '/a/*/b',
    '/a**',
    '/a b',
    '/é',
    '/%4',
    '/a?b',
    `/${'a'.repeat(512)}`,
  ]) {
    expect([source, await refusal(create(params, source, ok))]).toEqual([source, '400 body.source'])
  }
  const page = (pageId: string) => ({ kind: 'site-page' as const, siteSpaceId: siteSpace, pageId })
  const elsewhere = await emptySpace(octavo.admin, 'Elsewhere')
  const [foreign = ''] = await editLive(octavo.admin, elsewhere, insertPage('# Foreign'))
  const [link = ''] = await editLive(octavo.admin, elsewhere, {
    operation: 'insert_link',
    title: 'Link',
    target: { kind: 'url', url: 'https://example.com' },
  })
  const refused: [SiteRedirectInputDestination, string][] = [
    [external('javascript:alert(1)'), '400 body.destination.url'],
    [external('ftp://example.com/'), '400 body.destination.url'],
    [{ kind: 'nothing' } as never, '400 body.destination.kind'],
    [{ kind: 'site-space', siteSpaceId: 'nobody' }, '404 body.destination.siteSpaceId'],
    [{ kind: 'site-section', siteSectionId: siteSpace }, '404 body.destination.siteSectionId'],
    [page('nobody'), '404 body.destination.pageId'],
    [page(foreign), '404 body.destination.pageId'],
    [{ kind: 'path', spaceId: elsewhere, path: 'foreign' }, '404 body.destination.spaceId'],
    [{ kind: 'path', spaceId: docs, path: 'no/where' }, '404 body.destination.path'],
    [{ kind: 'path', spaceId: docs, path: '%zz' }, '400 body.destination.path'],
  ]
  for (const [destination, answer] of refused) expect(await refusal(create(params, '/old', destination))).toBe(answer)
  const { id } = await api.addSpaceToSite({ params, body: { spaceId: elsewhere } })
  const toLink = create(params, '/old', { kind: 'site-page', siteSpaceId: id, pageId: link })
  expect(await refusal(toLink)).toBe('400 body.destination.pageId')
  expect((await api.listSiteRedirects({ params, query: {} })).count).toBe(0)
})

test('what leads to its own source is refused', async () => {
  const { api } = octavo.admin
  const { params, site, docs: siteSpace } = await newSite()
  const guide: SiteRedirectInputDestination = { kind: 'site-page', siteSpaceId: siteSpace, pageId: pages.guide }
  const refused = '400 body.destination'
  expect(await refusal(create(params, '/Guide', guide))).toBe(refused)
  expect(await refusal(create(params, '/guide/*', guide, { captureWildcard: true }))).toBe(refused)
  expect(await refusal(create(params, '/a', external(`${addressOf(site)}A`)))).toBe(refused)
  expect(await refusal(create(params, '/a*', external(`${addressOf(site)}about`)))).toBe(refused)
  const whole = await create(params, '/guide/*', guide)
  expect(await follow(api, params, '/guide/gone')).toBe(`${addressOf(site)}guide`)
  expect(await follow(api, params, '/guide')).toBe('404')
  const named = { ...params, siteRedirectId: whole.id }
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: { captureWildcard: true } }))).toBe(refused)

  const old = await create(params, '/manual', guide)
  await editLive(octavo.admin, docs, updatePage(pages.guide, { slug: 'manual' }))
  expect(await follow(api, params, '/manual')).toBe('404')
  await editLive(octavo.admin, docs, updatePage(pages.guide, { slug: 'guide' }))
  expect(await follow(api, params, '/manual')).toBe(`${addressOf(site)}guide`)
  expect(old.destination).toEqual(guide)
})

test('destinations are found where they are now, in sections and out of them', async () => {
  const { api } = octavo.admin
  const { params, site, docs: first, guides: second } = await newSite({ sections: true })
  const base = addressOf(site)
  const { items: sections } = await api.listSiteSections({ params, query: {} })
  const section = sections.find(({ title }) => title === 'Guides')
  await create(params, '/section', { kind: 'site-section', siteSectionId: section?.id ?? '' })
  await create(params, '/space', { kind: 'site-space', siteSpaceId: second })
  await create(params, '/page', { kind: 'site-page', siteSpaceId: first, pageId: pages.setup })
  await create(params, '/index', { kind: 'site-page', siteSpaceId: first, pageId: pages.home })
  const [temporary = ''] = await editLive(octavo.admin, docs, insertPage('# Temporary'))
  const byPath = await create(params, '/path', { kind: 'path', spaceId: docs, path: '/Temporary/' })
  expect(byPath.destination).toEqual({ kind: 'site-page', siteSpaceId: first, pageId: temporary })
  await create(params, '/top', { kind: 'path', spaceId: guides, path: '/' })

  const places = ['/section', '/space', '/page', '/index', '/path', '/top']
  const targets = () => Promise.all(places.map((place) => follow(api, params, place)))
  expect(await targets()).toEqual([
    `${base}guides/`,
    `${base}guides/`,
    `${base}guide/set-up`,
    base,
    `${base}temporary`,
    `${base}guides/`,
  ])
  await editLive(octavo.admin, docs, updatePage(temporary, { slug: 'renamed', into: pages.guide }))
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: first }, body: { pageId: pages.setup } })
  await api.updateSiteSectionById({ params: { ...params, siteSectionId: section?.id ?? '' }, body: { path: 'howto' } })
  expect(await targets()).toEqual([
    `${base}howto/`,
    `${base}howto/`,
    base,
    `${base}home`,
    `${base}guide/renamed`,
    `${base}howto/`,
  ])
  await editLive(octavo.admin, docs, { operation: 'delete_page', page: temporary })
  expect(await follow(api, params, '/path')).toBe('404')
  await api.deleteSiteSectionById({ params: { ...params, siteSectionId: section?.id ?? '' } })
  expect(await follow(api, params, '/section')).toBe('404')
  const { items } = await api.listSiteRedirects({ params, query: { orderBy: 'source' } })
  expect(items.map(({ source }) => source)).toEqual(['/index', '/page', '/path'])
})

test('the very path wins, then the longest wildcard, which may carry the rest along', async () => {
  const { api } = octavo.admin
  const { params, site, guides: second } = await newSite()
  const base = addressOf(site)
  await create(params, '/v1*', external('https://old.example/'), {})
  await create(params, '/v1/*', { kind: 'site-space', siteSpaceId: second }, { captureWildcard: true })
  await create(params, '/v1/api/*', external('https://api.example/v1?from=docs'), { captureWildcard: true })
  await create(params, '/v1/api/auth', external('https://auth.example/'), {})
  expect(await follow(api, params, '/v1')).toBe('https://old.example/')
  expect(await follow(api, params, '/v1.2/x')).toBe('https://old.example/')
  expect(await follow(api, params, '/V1/Start')).toBe(`${base}guides/Start`)
  expect(await follow(api, params, '/v1/api')).toBe(`${base}guides/api`)
  expect(await follow(api, params, '/v1/api/a/B%20c')).toBe('https://api.example/v1/a/B%20c?from=docs')
  expect(await follow(api, params, '/v1/api/AUTH')).toBe('https://auth.example/')
  expect(await follow(api, params, '/v1/../x')).toBe('404')
  expect(await follow(api, params, '/')).toBe('404')
})

test('visitors are led only to what they see, and drafts are for those who preview them', async () => {
  const { api } = octavo.admin
  const { params, site, docs: first, guides: second } = await newSite()
  const base = addressOf(site)
  const page = (pageId: string) => ({ kind: 'site-page' as const, siteSpaceId: first, pageId })
  await create(params, '/s', page(pages.secret))
  await create(params, '/i', page(pages.inside))
  await create(params, '/g', page(pages.guide))
  await create(params, '/later', { kind: 'site-space', siteSpaceId: second })
  await create(params, '/g', external('https://draft.example/'), { draft: true })
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: second }, body: { draft: true } })

  const all = (as: Client) => Promise.all(['/s', '/i', '/g', '/later'].map((source) => follow(as, params, source)))
  const { api: anybody } = await visit(octavo, base)
  expect(await all(anybody)).toEqual(['404', '404', `${base}guide`, '404'])
  const { api: tester } = await visit(octavo, base, { unsignedClaims: { beta: true } })
  expect(await all(tester)).toEqual([`${base}secret`, `${base}secret/inside`, `${base}guide`, '404'])
  const everything = [`${base}secret`, `${base}secret/inside`, 'https://draft.example/', `${base}guides/`]
  expect(await all(api)).toEqual(everything)
  const { url } = await api.getSitePublishingPreviewById({ params, query: { claims: '{"unsigned":{"beta":true}}' } })
  expect(await all((await visit(octavo, url)).api)).toEqual(everything)
  const plain = await api.getSitePublishingPreviewById({ params, query: { draft: 'false' } })
  expect(await all((await visit(octavo, plain.url)).api)).toEqual(['404', '404', `${base}guide`, '404'])

  await api.unpublishSite({ params })
  expect(await all(anybody)).toEqual(['404', '404', '404', '404'])
  expect(await all(api)).toEqual(everything)
})

test('on a site that wants a share link, targets contain it', async () => {
  const { api } = octavo.admin
  const { params, guides: second } = await newSite({ visibility: 'share-link' })
  const { key, urls } = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  await create(params, '/old', { kind: 'site-space', siteSpaceId: second })
  const { api: friend } = await visit(octavo, urls.published ?? '')
  expect(await follow(friend, params, '/old')).toBe(`${urls.published}guides/`)
  expect(await follow(api, params, '/old', key)).toBe(`${urls.published}guides/`)
  expect(await follow(api, params, '/old', 'wrong')).toBe('404')
})

test('readers list redirects and follow them, editors of the site write them, strangers find nothing', async () => {
  const { params } = await newSite()
  const [reader, stranger] = [await octavo.member('read'), await octavo.person()]
  const { id } = await create(params, '/old', external('https://example.com/'))
  const body = { source: '/new', destination: external('https://example.com/') }
  const attempts = ({ api }: { api: Client }) =>
    Promise.all([
      refusal(api.listSiteRedirects({ params, query: {} })),
      follow(api, params, '/old'),
      refusal(api.createSiteRedirect({ params, body })),
      refusal(api.bulkUpsertSiteRedirects({ params, body: { redirects: [body] } })),
      refusal(api.updateSiteRedirectById({ params: { ...params, siteRedirectId: id }, body: {} })),
      refusal(api.deleteSiteRedirectById({ params: { ...params, siteRedirectId: id } })),
    ])
  expect(await attempts(reader)).toEqual(['was not refused', 'https://example.com/', '403', '403', '403', '403'])
  const refused = await attempts(stranger)
  expect(refused.slice(0, 5)).toEqual(['404', '404', '404', '404', '404'])
  const other = await newSite()
  const elsewhere = { ...other.params, siteRedirectId: id }
  expect(await refusal(octavo.admin.api.updateSiteRedirectById({ params: elsewhere, body: {} }))).toBe('404')
  await octavo.admin.api.deleteSiteRedirectById({ params: elsewhere })
  expect(await follow(octavo.admin.api, params, '/old')).toBe('https://example.com/')
})

test('many are changed at once, in order, and one that fails does not stop the others', async () => {
  const { api } = octavo.admin
  const { params } = await newSite()
  const bulk = async (...redirects: object[]) =>
    (await api.bulkUpsertSiteRedirects({ params, body: { redirects: redirects as never } })).results
  const first = await bulk(
    { source: '/a', destination: to('a'), permanent: true },
    { source: '/b', destination: to('b'), intent: 'draft' },
    { source: '/c', destination: { kind: 'path', spaceId: docs, path: 'nowhere' } },
    { source: '/A', destination: to('again'), captureWildcard: true },
    { source: '/d', intent: 'publish' },
    { source: '/e', destination: null },
  )
  expect(first).toMatchObject([
    { status: 'created', source: '/a', draft: false },
    { status: 'created', source: '/b', draft: true },
    { status: 'error', source: '/c', draft: false, error: expect.stringContaining('redirects.2.destination.path') },
    { status: 'updated', source: '/A', draft: false },
    { status: 'error', source: '/d', draft: false, error: expect.stringContaining('/d') },
    { status: 'deleted', source: '/e', draft: false },
  ])
  const { items } = await api.listSiteRedirects({ params, query: {} })
  expect(items).toMatchObject([{ source: '/A', permanent: true, captureWildcard: true, destination: to('again') }])

  const published = await bulk({ source: '/b', intent: 'publish' })
  expect(published).toEqual([{ ...first[1], status: 'published', draft: false }])
  const over = await bulk(
    { source: '/B', destination: to('newer'), intent: 'draft', permanent: true },
    { source: '/b', intent: 'publish' },
    { source: '/b', intent: 'publish' },
    { source: '/a', destination: null },
  )
  expect(over.map(({ status }) => status)).toEqual(['created', 'published', 'error', 'deleted'])
  expect(over[1]).toMatchObject({ id: (first[1] as { id: string }).id })
  expect((await api.listSiteRedirects({ params, query: { draft: 'true' } })).count).toBe(0)
  expect((await api.listSiteRedirects({ params, query: {} })).items).toMatchObject([
    { source: '/B', permanent: true, destination: to('newer') },
  ])

  const wrong: [object[], string][] = [
    [
      [
        { source: '/x', destination: to('x') },
        { source: 'x', destination: to('x') },
      ],
      '400 body.redirects.1.source',
    ],
    [[{ source: '/x', destination: to('x') }, { source: '/y' }], '400 body.redirects.1.destination'],
    [[], '400 body.redirects'],
    [Array.from({ length: 501 }, (_, index) => ({ source: `/${index}`, destination: null })), '400 body.redirects'],
  ]
  for (const [redirects, answer] of wrong) expect(await refusal(bulk(...redirects))).toBe(answer)
  expect((await api.listSiteRedirects({ params, query: {} })).count).toBe(1)
})

test('of two who create the same redirect at once, one is told that it is there', async () => {
  const { params } = await newSite()
  const attempts = Array.from({ length: 4 }, (_, index) => refusal(create(params, '/same', to(`s${index}`))))
  expect((await Promise.all(attempts)).toSorted()).toEqual(['409', '409', '409', 'was not refused'])
})

test('a site has at most 10,000 redirects, among which one is found as fast as among few', async () => {
  const { api, organizationId } = octavo.admin
  const { params } = await newSite()
  const at = '2026-01-01T00:00:00.000Z'
  await octavo.server.app.database.transaction(async (db) => {
    for (let start = 0; start < 9999; start += 500) {
      const numbers = Array.from({ length: Math.min(500, 9999 - start) }, (_, index) => start + index)
      const rows = numbers.map((number) => ({
        organization_id: organizationId,
        site_id: params.siteId,
        id: `many-${number}`,
        source: `/many/${number}*`,
        source_key: `/many/${number}*`,
        draft: 0 as const,
        capture_wildcard: 0 as const,
        permanent: 0 as const,
        destination: JSON.stringify(external(`https://${number}.example/`)),
        item_id: null,
        created_at: at,
        updated_at: at,
      }))
      await db.insertInto('site_redirects').values(rows).execute()
    }
  })
  const { results } = await api.bulkUpsertSiteRedirects({
    params,
    body: {
      redirects: ['/one', '/more'].map((source) => ({ source, destination: external('https://example.com/') })),
    },
  })
  expect(results.map(({ status }) => status)).toEqual(['created', 'error'])
  expect(await refusal(create(params, '/more', external('https://example.com/')))).toBe('409')
  expect(await follow(api, params, '/many/9998/and/more')).toBe('https://9998.example/')
  expect(await follow(api, params, '/many/99985')).toBe('https://9998.example/')
})

test('lists are ordered by time or source, filtered, and paged', async () => {
  const { api } = octavo.admin
  const { params } = await newSite()
  const ids: string[] = []
  for (const source of ['/b', '/A/x', '/c_d', '/cxd*']) {
    ids.push((await create(params, source, external('https://example.com/'))).id)
  }
  await create(params, '/draft', external('https://example.com/'), { draft: true })
  await api.updateSiteRedirectById({ params: { ...params, siteRedirectId: ids[1] ?? '' }, body: { permanent: true } })
  const list = async (query: object) => {
    const sources: string[] = []
    let page: string | undefined
    do {
      const reply = await api.listSiteRedirects({ params, query: { ...query, limit: '2', ...(page && { page }) } })
      sources.push(...reply.items.map(({ source }) => source))
      page = reply.next?.page
    } while (page !== undefined)
    return sources
  }
  expect(await list({})).toEqual(['/cxd*', '/c_d', '/A/x', '/b'])
  expect(await list({ orderBy: 'updatedAt' })).toEqual(['/A/x', '/cxd*', '/c_d', '/b'])
  expect(await list({ orderBy: 'source' })).toEqual(['/A/x', '/b', '/c_d', '/cxd*'])
  expect(await list({ draft: 'true' })).toEqual(['/draft'])
  expect(await list({ search: 'C_' })).toEqual(['/c_d'])
  expect(await list({ search: '/a' })).toEqual(['/A/x'])
  const { next, count } = await api.listSiteRedirects({ params, query: { limit: '1' } })
  expect(count).toBe(4)
  const mixed = api.listSiteRedirects({ params, query: { orderBy: 'source', page: next?.page ?? '' } })
  expect(await refusal(mixed)).toBe('400 query.page')
})

test('the official client does all of it', async () => {
  const { params, site, docs: siteSpaceId } = await newSite()
  const { organizationId, siteId } = params
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data: created } = await client.orgs.createSiteRedirect(organizationId, siteId, {
    source: '/old/*',
    captureWildcard: true,
    destination: { kind: 'site-space', siteSpaceId },
  })
  const { data: changed } = await client.orgs.updateSiteRedirectById(organizationId, siteId, created.id, {
    permanent: true,
    destination: { kind: 'site-page', siteSpaceId, pageId: pages.guide },
  })
  expect(changed).toMatchObject({ id: created.id, captureWildcard: true, permanent: true })
  const { data: found } = await client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/old/set-up' })
  expect(found).toEqual({ redirect: changed, target: `${addressOf(site)}guide/set-up` })
  const { data: bulk } = await client.orgs.bulkUpsertSiteRedirects(organizationId, siteId, {
    redirects: [
      { source: '/draft', intent: 'draft', destination: { kind: 'external', url: 'https://example.com' } },
      { source: '/draft', intent: 'publish' },
    ],
  })
  expect(bulk.results.map(({ status }) => status)).toEqual(['created', 'published'])
  const { data: list } = await client.orgs.listSiteRedirects(organizationId, siteId, {
    orderBy: SiteRedirectOrderBy.Source,
    draft: false,
    search: 'D',
    limit: 10,
  })
  expect(list.items.map(({ source }) => source)).toEqual(['/draft', '/old/*'])
  await client.orgs.deleteSiteRedirectById(organizationId, siteId, created.id)
  const gone = client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/old/set-up' })
  await expect(gone).rejects.toMatchObject({ code: 404 })
})
