import { GitBookAPI, SiteRedirectOrderBy } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { SiteRedirectInputDestination } from '../../src/contract/site-redirects.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import {
  type RedirectScenario,
  externalDestination,
  resolveRedirect,
  makeRedirectScenario,
} from '../support/redirects.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { publishedUrl } from '../support/visits.ts'

let octavo: TestServer
let make: RedirectScenario
beforeAll(async () => {
  octavo = await startTestServer()
  make = await makeRedirectScenario(octavo)
})
afterAll(() => octavo.stop())

const to = (name: string) => externalDestination(`https://${name}.example/`)

test('creates, updates, lists and deletes redirects, with one redirect per source', async () => {
  const { api } = octavo.admin
  const { params } = await make.site()
  const created = await make.redirect(params, '/Old/Page', externalDestination('https://example.com/new'), {
    permanent: true,
  })
  expect(created).toMatchObject({
    object: 'site-redirect',
    source: '/Old/Page',
    draft: false,
    captureWildcard: false,
    permanent: true,
    destination: { kind: 'external', url: 'https://example.com/new' },
  })
  expect(created).not.toHaveProperty('updatedAt')
  expect(await refusal(make.redirect(params, '/old/p%61ge', externalDestination('https://example.com/')))).toBe('409')
  const draft = await make.redirect(params, '/old/page', externalDestination('https://example.com/draft'), {
    draft: true,
  })
  expect(await resolveRedirect(api, params, '/OLD/page/')).toBe('https://example.com/draft')

  const named = { ...params, siteRedirectId: draft.id }
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: { draft: false } }))).toBe('409')
  const moved = await api.updateSiteRedirectById({ params: named, body: { source: '/older', draft: false } })
  expect(moved).toMatchObject({ id: draft.id, source: '/older', draft: false, destination: draft.destination })
  expect(moved.updatedAt).toMatch(/Z$/)
  expect(await resolveRedirect(api, params, '/older')).toBe('https://example.com/draft')
  expect(await resolveRedirect(api, params, '/old/page')).toBe('https://example.com/new')

  await api.deleteSiteRedirectById({ params: named })
  await api.deleteSiteRedirectById({ params: named })
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: {} }))).toBe('404')
  expect(await resolveRedirect(api, params, '/older')).toBe('404')
  expect((await api.listSiteRedirects({ params, query: {} })).items).toEqual([created])
})

test('rejects invalid sources and destinations', async () => {
  const { api } = octavo.admin
  const { params, docs: siteSpace } = await make.site()
  const ok = externalDestination('https://example.com/')
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
    expect([source, await refusal(make.redirect(params, source, ok))]).toEqual([source, '400 body.source'])
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
    [externalDestination('javascript:alert(1)'), '400 body.destination.url'],
    [externalDestination('ftp://example.com/'), '400 body.destination.url'],
    [{ kind: 'nothing' } as never, '400 body.destination.kind'],
    [{ kind: 'site-space', siteSpaceId: 'nobody' }, '404 body.destination.siteSpaceId'],
    [{ kind: 'site-section', siteSectionId: siteSpace }, '404 body.destination.siteSectionId'],
    [page('nobody'), '404 body.destination.pageId'],
    [page(foreign), '404 body.destination.pageId'],
    [{ kind: 'path', spaceId: elsewhere, path: 'foreign' }, '404 body.destination.spaceId'],
    [{ kind: 'path', spaceId: make.docs, path: 'no/where' }, '404 body.destination.path'],
    [{ kind: 'path', spaceId: make.docs, path: '%zz' }, '404 body.destination.path'],
  ]
  for (const [destination, answer] of refused)
    expect(await refusal(make.redirect(params, '/old', destination))).toBe(answer)
  const { id } = await api.addSpaceToSite({ params, body: { spaceId: elsewhere } })
  const toLink = make.redirect(params, '/old', { kind: 'site-page', siteSpaceId: id, pageId: link })
  expect(await refusal(toLink)).toBe('400 body.destination.pageId')
  expect((await api.listSiteRedirects({ params, query: {} })).count).toBe(0)
})

test('readers list and follow redirects, editors of the site write them, and strangers get 404', async () => {
  const { params } = await make.site()
  const [reader, stranger] = [await octavo.member('read'), await octavo.person()]
  const { id } = await make.redirect(params, '/old', externalDestination('https://example.com/'))
  const body = { source: '/new', destination: externalDestination('https://example.com/') }
  const attempts = ({ api }: { api: Client }) =>
    Promise.all([
      refusal(api.listSiteRedirects({ params, query: {} })),
      resolveRedirect(api, params, '/old'),
      refusal(api.createSiteRedirect({ params, body })),
      refusal(api.bulkUpsertSiteRedirects({ params, body: { redirects: [body] } })),
      refusal(api.updateSiteRedirectById({ params: { ...params, siteRedirectId: id }, body: {} })),
      refusal(api.deleteSiteRedirectById({ params: { ...params, siteRedirectId: id } })),
    ])
  expect(await attempts(reader)).toEqual(['was not refused', 'https://example.com/', '403', '403', '403', '403'])
  const refused = await attempts(stranger)
  expect(refused.slice(0, 5)).toEqual(['404', '404', '404', '404', '404'])
  const other = await make.site()
  const elsewhere = { ...other.params, siteRedirectId: id }
  expect(await refusal(octavo.admin.api.updateSiteRedirectById({ params: elsewhere, body: {} }))).toBe('404')
  await octavo.admin.api.deleteSiteRedirectById({ params: elsewhere })
  expect(await resolveRedirect(octavo.admin.api, params, '/old')).toBe('https://example.com/')
})

test('a bulk upsert applies entries in order, and an entry that fails does not stop the others', async () => {
  const { api } = octavo.admin
  const { params } = await make.site()
  const bulk = async (...redirects: object[]) =>
    (await api.bulkUpsertSiteRedirects({ params, body: { redirects: redirects as never } })).results
  const first = await bulk(
    { source: '/a', destination: to('a'), permanent: true },
    { source: '/b', destination: to('b'), intent: 'draft' },
    { source: '/c', destination: { kind: 'path', spaceId: make.docs, path: 'nowhere' } },
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

const sitePath = (path: string) => ({ kind: 'site-path' as const, path })

test('changes are checked without being stored, and paths of the site become pages', async () => {
  const { api } = octavo.admin
  const { params } = await make.site()
  const redirects = [
    { source: '/a', destination: sitePath('/guide/set-up') },
    { source: '/b', destination: sitePath('/guides/start/') },
    { source: '/c', destination: sitePath('/') },
    { source: '/d', destination: sitePath('/no/where') },
    { source: '/guide/set-up', destination: sitePath('/guide/set-up') },
  ]
  const checked = await api.checkSiteRedirects({ params, body: { redirects } })
  expect(checked.results.map(({ status }) => status)).toEqual(['created', 'created', 'created', 'error', 'error'])
  expect((await api.listSiteRedirects({ params, query: {} })).count).toBe(0)
  const stored = await api.bulkUpsertSiteRedirects({ params, body: { redirects } })
  expect(stored.results.map(({ status }) => status)).toEqual(checked.results.map(({ status }) => status))
  await make.redirect(params, '/e', externalDestination('https://example.com/'))
  const list = await api.listSiteRedirects({ params, query: { orderBy: 'source', resolve: 'true' } })
  expect(list.items.map(({ source, target }) => [source, target])).toEqual([
    ['/a', '/guide/set-up'],
    ['/b', '/guides/'],
    ['/c', '/'],
    ['/e', 'https://example.com/'],
  ])
  // A redirect whose page was deleted has no target.
  await editLive(octavo.admin, make.docs, { operation: 'delete_page', page: make.pages.setup })
  const after = await api.listSiteRedirects({ params, query: { search: '/a', resolve: 'true' } })
  expect(after.items).toMatchObject([{ source: '/a', target: null }])
  const reader = await octavo.member('read')
  expect(await refusal(reader.api.checkSiteRedirects({ params, body: { redirects } }))).toBe('403')
})

test('only one of several concurrent creations of the same redirect succeeds', async () => {
  const { params } = await make.site()
  const attempts = Array.from({ length: 4 }, (_, index) => refusal(make.redirect(params, '/same', to(`s${index}`))))
  expect((await Promise.all(attempts)).toSorted()).toEqual(['409', '409', '409', 'was not refused'])
})

test('a site has at most 10,000 redirects, and the right one is found among them', async () => {
  const { api, organizationId } = octavo.admin
  const { params } = await make.site()
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
        destination: JSON.stringify(externalDestination(`https://${number}.example/`)),
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
      redirects: ['/one', '/more'].map((source) => ({
        source,
        destination: externalDestination('https://example.com/'),
      })),
    },
  })
  expect(results.map(({ status }) => status)).toEqual(['created', 'error'])
  expect(await refusal(make.redirect(params, '/more', externalDestination('https://example.com/')))).toBe('409')
  expect(await resolveRedirect(api, params, '/many/9998/and/more')).toBe('https://9998.example/')
  expect(await resolveRedirect(api, params, '/many/99985')).toBe('https://9998.example/')
})

test('lists are ordered by time or source, filtered and paginated', async () => {
  const { api } = octavo.admin
  const { params } = await make.site()
  const ids: string[] = []
  for (const source of ['/b', '/A/x', '/c_d', '/cxd*']) {
    ids.push((await make.redirect(params, source, externalDestination('https://example.com/'))).id)
  }
  await make.redirect(params, '/draft', externalDestination('https://example.com/'), { draft: true })
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

test('the official client creates, updates, resolves, lists and deletes redirects', async () => {
  const { params, site, docs: siteSpaceId } = await make.site()
  const { organizationId, siteId } = params
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data: created } = await client.orgs.createSiteRedirect(organizationId, siteId, {
    source: '/old/*',
    captureWildcard: true,
    destination: { kind: 'site-space', siteSpaceId },
  })
  const { data: changed } = await client.orgs.updateSiteRedirectById(organizationId, siteId, created.id, {
    permanent: true,
    destination: { kind: 'site-page', siteSpaceId, pageId: make.pages.guide },
  })
  expect(changed).toMatchObject({ id: created.id, captureWildcard: true, permanent: true })
  const { data: found } = await client.orgs.getSiteRedirectBySource(organizationId, siteId, { source: '/old/set-up' })
  expect(found).toEqual({ redirect: changed, target: `${publishedUrl(site)}guide/set-up` })
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
