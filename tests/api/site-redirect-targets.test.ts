import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { SiteRedirectInputDestination } from '../../src/contract/site-redirects.ts'
import { editLive, insertPage, updatePage } from '../support/content.ts'
import {
  type RedirectScenario,
  externalDestination,
  resolveRedirect,
  makeRedirectScenario,
} from '../support/redirects.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { publishedUrl, visit } from '../support/visits.ts'

let octavo: TestServer
let make: RedirectScenario
beforeAll(async () => {
  octavo = await startTestServer()
  make = await makeRedirectScenario(octavo)
})
afterAll(() => octavo.stop())

test('rejects redirects to their own source, and ignores those that become one when a page moves', async () => {
  const { api } = octavo.admin
  const { params, site, docs: siteSpace } = await make.site()
  const guide: SiteRedirectInputDestination = { kind: 'site-page', siteSpaceId: siteSpace, pageId: make.pages.guide }
  const refused = '400 body.destination'
  expect(await refusal(make.redirect(params, '/Guide', guide))).toBe(refused)
  expect(await refusal(make.redirect(params, '/guide/*', guide, { captureWildcard: true }))).toBe(refused)
  expect(await refusal(make.redirect(params, '/a', externalDestination(`${publishedUrl(site)}A`)))).toBe(refused)
  expect(await refusal(make.redirect(params, '/a*', externalDestination(`${publishedUrl(site)}about`)))).toBe(refused)
  const whole = await make.redirect(params, '/guide/*', guide)
  expect(await resolveRedirect(api, params, '/guide/gone')).toBe(`${publishedUrl(site)}guide`)
  expect(await resolveRedirect(api, params, '/guide')).toBe('404')
  const named = { ...params, siteRedirectId: whole.id }
  expect(await refusal(api.updateSiteRedirectById({ params: named, body: { captureWildcard: true } }))).toBe(refused)

  const old = await make.redirect(params, '/manual', guide)
  await editLive(octavo.admin, make.docs, updatePage(make.pages.guide, { slug: 'manual' }))
  expect(await resolveRedirect(api, params, '/manual')).toBe('404')
  await editLive(octavo.admin, make.docs, updatePage(make.pages.guide, { slug: 'guide' }))
  expect(await resolveRedirect(api, params, '/manual')).toBe(`${publishedUrl(site)}guide`)
  expect(old.destination).toEqual(guide)
})

test('destinations follow pages, spaces and sections that are moved or renamed', async () => {
  const { api } = octavo.admin
  const { params, site, docs: first, guides: second } = await make.site({ sections: true })
  const base = publishedUrl(site)
  const { items: sections } = await api.listSiteSections({ params, query: {} })
  const section = sections.find(({ title }) => title === 'Guides')
  await make.redirect(params, '/section', { kind: 'site-section', siteSectionId: section?.id ?? '' })
  await make.redirect(params, '/space', { kind: 'site-space', siteSpaceId: second })
  await make.redirect(params, '/page', { kind: 'site-page', siteSpaceId: first, pageId: make.pages.setup })
  await make.redirect(params, '/index', { kind: 'site-page', siteSpaceId: first, pageId: make.pages.home })
  const [temporary = ''] = await editLive(octavo.admin, make.docs, insertPage('# Temporary'))
  const byPath = await make.redirect(params, '/path', { kind: 'path', spaceId: make.docs, path: '/Temporary/' })
  expect(byPath.destination).toEqual({ kind: 'site-page', siteSpaceId: first, pageId: temporary })
  await make.redirect(params, '/top', { kind: 'path', spaceId: make.guides, path: '/' })

  const places = ['/section', '/space', '/page', '/index', '/path', '/top']
  const targets = () => Promise.all(places.map((place) => resolveRedirect(api, params, place)))
  expect(await targets()).toEqual([
    `${base}guides/`,
    `${base}guides/`,
    `${base}guide/set-up`,
    base,
    `${base}temporary`,
    `${base}guides/`,
  ])
  await editLive(octavo.admin, make.docs, updatePage(temporary, { slug: 'renamed', into: make.pages.guide }))
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: first }, body: { pageId: make.pages.setup } })
  await api.updateSiteSectionById({ params: { ...params, siteSectionId: section?.id ?? '' }, body: { path: 'howto' } })
  expect(await targets()).toEqual([
    `${base}howto/`,
    `${base}howto/`,
    base,
    `${base}home`,
    `${base}guide/renamed`,
    `${base}howto/`,
  ])
  await editLive(octavo.admin, make.docs, { operation: 'delete_page', page: temporary })
  expect(await resolveRedirect(api, params, '/path')).toBe('404')
  await api.deleteSiteSectionById({ params: { ...params, siteSectionId: section?.id ?? '' } })
  expect(await resolveRedirect(api, params, '/section')).toBe('404')
  const { items } = await api.listSiteRedirects({ params, query: { orderBy: 'source' } })
  expect(items.map(({ source }) => source)).toEqual(['/index', '/page', '/path'])
})

test('an exact source precedes wildcards, a longer wildcard precedes a shorter one, and wildcards can append the rest', async () => {
  const { api } = octavo.admin
  const { params, site, guides: second } = await make.site()
  const base = publishedUrl(site)
  await make.redirect(params, '/v1*', externalDestination('https://old.example/'), {})
  await make.redirect(params, '/v1/*', { kind: 'site-space', siteSpaceId: second }, { captureWildcard: true })
  await make.redirect(params, '/v1/api/*', externalDestination('https://api.example/v1?from=docs'), {
    captureWildcard: true,
  })
  await make.redirect(params, '/v1/api/auth', externalDestination('https://auth.example/'), {})
  expect(await resolveRedirect(api, params, '/v1')).toBe('https://old.example/')
  expect(await resolveRedirect(api, params, '/v1.2/x')).toBe('https://old.example/')
  expect(await resolveRedirect(api, params, '/V1/Start')).toBe(`${base}guides/Start`)
  expect(await resolveRedirect(api, params, '/v1/api')).toBe(`${base}guides/api`)
  expect(await resolveRedirect(api, params, '/v1/api/a/B%20c')).toBe('https://api.example/v1/a/B%20c?from=docs')
  expect(await resolveRedirect(api, params, '/v1/api/AUTH')).toBe('https://auth.example/')
  expect(await resolveRedirect(api, params, '/v1/../x')).toBe('404')
  await make.redirect(params, '/w*', { kind: 'site-space', siteSpaceId: second }, { captureWildcard: true })
  expect(await resolveRedirect(api, params, '/w/a')).toBe(`${base}guides/a`)
  expect(await resolveRedirect(api, params, '/w../../x')).toBe('404')
  expect(await resolveRedirect(api, params, '/w%2e%2E/x')).toBe('404')
  expect(await resolveRedirect(api, params, '/')).toBe('404')
})

test('redirects resolve only to content the visitor may see, and drafts apply only to members and previews', async () => {
  const { api } = octavo.admin
  const { params, site, docs: first, guides: second } = await make.site()
  const base = publishedUrl(site)
  const page = (pageId: string) => ({ kind: 'site-page' as const, siteSpaceId: first, pageId })
  await make.redirect(params, '/s', page(make.pages.secret))
  await make.redirect(params, '/i', page(make.pages.inside))
  await make.redirect(params, '/g', page(make.pages.guide))
  await make.redirect(params, '/later', { kind: 'site-space', siteSpaceId: second })
  await make.redirect(params, '/g', externalDestination('https://draft.example/'), { draft: true })
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: second }, body: { draft: true } })

  const all = (as: Client) =>
    Promise.all(['/s', '/i', '/g', '/later'].map((source) => resolveRedirect(as, params, source)))
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

test('targets on a share-link site contain the key of the link', async () => {
  const { api } = octavo.admin
  const { params, guides: second } = await make.site({ visibility: 'share-link' })
  const { key, urls } = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  await make.redirect(params, '/old', { kind: 'site-space', siteSpaceId: second })
  const { api: friend } = await visit(octavo, urls.published ?? '')
  expect(await resolveRedirect(friend, params, '/old')).toBe(`${urls.published}guides/`)
  expect(await resolveRedirect(api, params, '/old', key)).toBe(`${urls.published}guides/`)
  expect(await resolveRedirect(api, params, '/old', 'wrong')).toBe('404')
})
