import { GitBookAPI } from '@gitbook/api'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { signJwt } from '../../src/kernel/jwt.ts'
import { hours } from '../../src/kernel/time.ts'
import { emptySpace } from '../support/content.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { publishedUrl, resolveUrl, signVisitorToken, visit } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_SITES_DOMAIN: 'docs.example' })
})
afterAll(() => octavo.stop())

type Visibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth'

/** Creates a published site with one space per title. */
async function publish(
  titles: string[],
  { visibility = 'public', title = 'Handbook' }: { visibility?: Visibility; title?: string } = {},
) {
  const { api, organizationId } = octavo.admin
  const spaces = []
  for (const name of titles) spaces.push(await emptySpace(octavo.admin, name))
  const site = await api.createSite({ params: { organizationId }, body: { title, visibility, spaces } })
  const params = { organizationId, siteId: site.id }
  return { params, spaces, site: await api.publishSite({ params }), base: siteBase(site.basename) }
}

const siteBase = (basename: string) => `http://${octavo.admin.organizationId}.docs.example:${port()}/${basename}/`
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const port = () => new URL(octavo.url).port

test('the official client resolves a URL without a token', async () => {
  const { site, spaces, base } = await publish(['One'], { title: 'For the client' })
  expect(site.urls.published).toBe(base)
  const client = new GitBookAPI({ endpoint: octavo.url })
  const { data } = await client.urls.resolvePublishedContentByUrl({ url: `${base}guide/first-steps` })
  expect(data).toMatchObject({
    organization: octavo.admin.organizationId,
    site: site.id,
    space: spaces[0],
    pathname: '/guide/first-steps',
    basePath: '/for-the-client/',
    siteBasePath: '/for-the-client/',
    canonicalUrl: `${base}guide/first-steps`,
    complete: true,
  })
  const same = await client.urls.getPublishedContentByUrl({ url: `${base}guide/first-steps` })
  expect(same.data).toEqual(data)
  if (!('apiToken' in data)) throw new Error('The address leads elsewhere')
  const visitor = new GitBookAPI({ endpoint: octavo.url, authToken: data.apiToken })
  const published = await visitor.orgs.getPublishedContentSite(data.organization, data.site)
  expect(published.data.structure.type).toBe('siteSpaces')
  const space = await visitor.spaces.getSpaceById(data.space)
  expect(space.data.title).toBe('One')
})

test('ignores the protocol, the port and the case of the host, and unknown fields of the body', async () => {
  const { site, base } = await publish(['One'], { title: 'Anyhow' })
  const { hostname } = new URL(base)
  for (const url of [`https://${hostname}/anyhow`, `https://${hostname.toUpperCase()}/Anyhow/?a=b#c`]) {
    expect(await resolveUrl(octavo, url)).toMatchObject({ site: site.id, pathname: '/' })
  }
  const reply = await octavo.fetch('/v1/urls/published', {
    method: 'POST',
    body: JSON.stringify({ url: base, cacheBust: '1', visitor: { unknown: true } }),
  })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('cache-control')).toBe('no-store')
})

test('variants and sections have their own URLs, and default ones redirect to the shorter URL', async () => {
  const { site, params, spaces, base } = await publish(['Latest', 'Old one'], { title: 'Variants' })
  const { api } = octavo.admin
  expect(await resolveUrl(octavo, base)).toMatchObject({ space: spaces[0], complete: false })
  expect(await resolveUrl(octavo, `${base}old-one/page`)).toMatchObject({
    space: spaces[1],
    basePath: '/variants/old-one/',
    siteBasePath: '/variants/',
    pathname: '/page',
  })
  expect(await resolveUrl(octavo, `${base}latest/page?x=1`)).toEqual({
    target: 'content',
    redirect: `${base}page?x=1`,
  })
  expect(await resolveUrl(octavo, `${base}v/old-one/page`)).toEqual({
    target: 'content',
    redirect: `${base}old-one/page`,
  })

  const section = await api.addSectionToSite({ params, body: { spaceId: null, title: 'API' } })
  const found = await visit(octavo, `${base}api/page`)
  expect(found).toMatchObject({ site: site.id, siteSection: section.id, pathname: '/page', complete: true })
  const inDefault = await visit(octavo, `${base}old-one/page`)
  expect(inDefault.space).toBe(spaces[1])
  expect(inDefault.siteSection).toBeDefined()
  await api.updateSiteById({ params, body: { defaultSiteSection: section.id } })
  expect(await resolveUrl(octavo, `${base}api/page`)).toEqual({ target: 'content', redirect: `${base}page` })
  expect(await resolveUrl(octavo, `${base}latest/old-one/page`)).toMatchObject({ space: spaces[1] })
})

test('the hostname of an organization redirects to its default site', async () => {
  const { site, params } = await publish(['One'], { title: 'Default' })
  const { api, organizationId } = octavo.admin
  await api.updateOrganizationById({
    params: { organizationId },
    body: { hostname: 'acme', defaultContent: { type: 'site', site: site.id } },
  })
  const address = publishedUrl(await api.getSiteById({ params }))
  expect(address).toBe(`http://acme.docs.example:${port()}/default/`)
  expect(await resolveUrl(octavo, 'https://acme.docs.example/')).toEqual({ target: 'content', redirect: address })
  expect(await resolveUrl(octavo, address)).toMatchObject({ site: site.id })
})

test('a site can be hosted under a path of another domain', async () => {
  const { site, params } = await publish(['One'], { title: 'Hosted' })
  const { api } = octavo.admin
  const hosted = await api.updateSiteById({ params, body: { proxy: 'example.com/docs' } })
  expect(hosted.urls.published).toBe('https://example.com/docs/')
  expect(hosted.proxy).toEqual({
    origin: 'example.com/docs',
    target: expect.stringMatching(/\.docs\.example.*\/hosted\/$/),
  })
  expect(await resolveUrl(octavo, 'https://example.com/docs/a/b')).toMatchObject({
    site: site.id,
    siteBasePath: '/docs/',
    basePath: '/docs/',
    pathname: '/a/b',
  })
  expect(await refusal(resolveUrl(octavo, 'https://example.com/doc'))).toBe('404')
  const other = await publish(['Two'], { title: 'Other' })
  expect(await refusal(api.updateSiteById({ params: other.params, body: { proxy: 'example.com/docs' } }))).toBe('409')
  expect(await refusal(api.updateSiteById({ params, body: { proxy: 'https://example.com/docs' } }))).toBe(
    '400 body.proxy',
  )
  expect((await api.updateSiteById({ params, body: { proxy: null } })).proxy).toBeUndefined()
})

test('a share link gives access to a site until it is deactivated', async () => {
  const { site, params, base } = await publish(['One', 'Two'], { visibility: 'share-link', title: 'Shared' })
  const { api } = octavo.admin
  expect(site.urls.published).toBeUndefined()
  expect(await refusal(resolveUrl(octavo, base))).toBe('404')
  const link = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  const address = link.urls.published ?? ''
  const { shareKey, ...shown } = await visit(octavo, `${address}two/page`)
  expect(new URL(address).pathname).toBe(`/shared/${shareKey}/`)
  expect(shown).toMatchObject({ siteBasePath: `/shared/${shareKey}/`, pathname: '/page' })
  const seen = await shown.api.getPublishedContentSite({ params, query: {} })
  expect(seen.site.urls.published).toBe(address)
  expect(await refusal(resolveUrl(octavo, `${base}${shareKey}x/`))).toBe('404')

  await api.updateSiteShareLinkById({ params: { ...params, shareLinkId: link.id }, body: { active: false } })
  expect(await refusal(resolveUrl(octavo, address))).toBe('404')
  expect(await refusal(shown.api.getPublishedContentSite({ params, query: {} }))).toBe('404')
  expect(await refusal(shown.api.getSpaceById({ params: { spaceId: shown.space }, query: {} }))).toBe('404')
})

test('visitors who are not signed in are redirected to the fallback URL', async () => {
  const { params, base } = await publish(['One'], { visibility: 'visitor-auth', title: 'Members' })
  const { api } = octavo.admin
  expect(await refusal(resolveUrl(octavo, base))).toBe('403')
  const fallbackURL = 'https://login.example.com/start?from=docs'
  await api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  expect(await resolveUrl(octavo, `${base}page`)).toEqual({
    target: 'external',
    site: params.siteId,
    redirect: `${fallbackURL}&location=%2Fmembers%2Fpage`,
  })
  const jwtToken = await signVisitorToken(octavo, params)
  expect(await visit(octavo, base, { jwtToken })).toMatchObject({ site: params.siteId })
  expect(await visit(octavo, `${base}?jwt_token=${jwtToken}`)).toMatchObject({ site: params.siteId })
})

test('rejects an invalid visitor token with 400, or redirects to the fallback URL if requested', async () => {
  const { params, base } = await publish(['One'], { visibility: 'visitor-auth', title: 'Guarded' })
  const other = await publish(['One'], { visibility: 'visitor-auth', title: 'Elsewhere' })
  const now = Math.floor(octavo.clock.now() / 1000)
  const [head, body, signature] = (await signVisitorToken(octavo, params, { plan: 'free' })).split('.') as [
    string,
    string,
    string,
  ]
  const none = encode({ alg: 'none', typ: 'JWT' })
  const forged = {
    expired: await signVisitorToken(octavo, params, { exp: now - 1 }),
    early: await signVisitorToken(octavo, params, { nbf: now + 3600 }),
    foreign: await signVisitorToken(octavo, other.params),
    guessed: signJwt({ exp: now + 3600 }, 'secret'),
    changed: [head, encode({ plan: 'pro' }), signature].join('.'),
    unsigned: [none, body, ''].join('.'),
    'unsigned but signed': [none, body, signature].join('.'),
    'of another algorithm': [
      encode({ alg: 'HS512' }),
      body,
      createHmac('sha512', 'secret').update('x').digest('base64url'),
    ].join('.'),
    empty: 'a.b.c',
    text: 'not a token',
  }
  for (const [kind, jwtToken] of Object.entries(forged)) {
    expect([kind, await refusal(resolveUrl(octavo, base, { jwtToken }))]).toEqual([kind, '400 body.visitor.jwtToken'])
  }
  const fallbackURL = 'https://login.example.com/'
  await octavo.admin.api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  const sentOn = await resolveUrl(octavo, base, { jwtToken: forged.expired }, { redirectOnError: true })
  expect(sentOn).toMatchObject({ target: 'external', redirect: `${fallbackURL}?location=%2Fguarded%2F` })
})

test('a visit token expires with the JWT, when the key is regenerated, and after its own lifetime', async () => {
  const { params, base } = await publish(['One'], { visibility: 'visitor-auth', title: 'Ending' })
  const { api } = octavo.admin
  const reads = (visitor: { api: typeof api }) => refusal(visitor.api.getSiteById({ params }))
  const now = Math.floor(octavo.clock.now() / 1000)
  const brief = await visit(octavo, base, { jwtToken: await signVisitorToken(octavo, params, { exp: now + 60 }) })
  const long = await visit(octavo, base, { jwtToken: await signVisitorToken(octavo, params) })
  expect(await reads(brief)).toBe('was not refused')
  octavo.clock.advance(61_000)
  expect(await reads(brief)).toBe('401')
  expect(await reads(long)).toBe('was not refused')
  await api.regenerateSitePublishingAuthById({ params })
  expect(await reads(long)).toBe('404')

  const open = await publish(['One'], { title: 'Open' })
  const anybody = await visit(octavo, open.base)
  octavo.clock.advance(hours(3))
  expect(await refusal(anybody.api.getSiteById({ params: open.params }))).toBe('401')
})

test('an unpublished site returns 404, also for existing visit tokens', async () => {
  const { params, base } = await publish(['One'], { title: 'Short' })
  const { api } = octavo.admin
  const visitor = await visit(octavo, base)
  await api.unpublishSite({ params })
  expect(await refusal(resolveUrl(octavo, base))).toBe('404')
  expect(await refusal(visitor.api.getSiteById({ params }))).toBe('404')
  await api.publishSite({ params })
  expect(await refusal(visitor.api.getSiteById({ params }))).toBe('was not refused')
  await api.deleteSiteById({ params })
  expect(await refusal(visitor.api.getSiteById({ params }))).toBe('404')
})

test('a member can preview an unpublished site until they leave the organization', async () => {
  const { params, base, spaces } = await publish(['One', 'Two'], { title: 'Previewed' })
  const { api } = octavo.admin
  await api.unpublishSite({ params })
  const [first] = (await api.listSiteSpaces({ params, query: {} })).items
  await api.updateSiteSpaceById({ params: { ...params, siteSpaceId: first?.id ?? '' }, body: { draft: true } })
  const member = await octavo.member('create', 'Previewer')
  const { url } = await member.api.getSitePublishingPreviewById({ params, query: { siteSpace: first?.id ?? '' } })
  const shown = await visit(octavo, url)
  expect(shown).toMatchObject({ preview: true, space: spaces[0] })
  expect(await refusal(resolveUrl(octavo, base))).toBe('404')
  await api.removeMemberFromOrganizationById({ params: { organizationId: params.organizationId, userId: member.id } })
  expect(await refusal(resolveUrl(octavo, url))).toBe('404')
  expect(await refusal(shown.api.getSiteById({ params }))).toBe('404')
})

test('a preview shows only published spaces and spaces that its creator can see', async () => {
  const { params, spaces } = await publish(['One', 'Two'], { title: 'Partly open' })
  const { api } = octavo.admin
  const [one = '', two = ''] = spaces
  await api.updateSpaceById({ params: { spaceId: two }, body: { defaultLevel: null } })
  const reader = await octavo.member('read', 'Reader')
  const { url } = await reader.api.getSitePublishingPreviewById({ params, query: {} })
  const reads = async (spaceId: string) =>
    refusal((await visit(octavo, url)).api.getCurrentRevision({ params: { spaceId }, query: {} }))
  expect(await reads(two)).toBe('was not refused')
  await api.unpublishSite({ params })
  expect(await reads(one)).toBe('was not refused')
  expect(await reads(two)).toBe('404')
})

test('a preview shows a change request or a revision, and visitors get 404 for them', async () => {
  const { params, base, spaces } = await publish(['One'], { title: 'Proposed' })
  const { api } = octavo.admin
  const spaceId = spaces[0] ?? ''
  const request = await api.createChangeRequest({ params: { spaceId }, body: { subject: 'Better' } })
  const { url } = await api.getSitePublishingPreviewById({ params, query: {} })
  const token = new URL(url).searchParams.get('preview')
  const shown = await visit(octavo, `${base}~/changes/${request.number}/page?preview=${token}`)
  expect(shown).toMatchObject({ changeRequest: request.id, pathname: '/page', preview: true })
  const read = { spaceId, changeRequestId: request.id }
  expect((await shown.api.getChangeRequestById({ params: read })).subject).toBe('Better')
  const revisionId = request.revision
  expect((await shown.api.getRevisionById({ params: { spaceId, revisionId }, query: {} })).id).toBe(revisionId)
  const past = await visit(octavo, `${base}~/revisions/${revisionId}/?preview=${token}`)
  expect(past.revision).toBe(revisionId)
  expect(await refusal(resolveUrl(octavo, `${base}~/changes/${request.number}/`))).toBe('404')
  const visitor = await visit(octavo, base)
  expect(await refusal(visitor.api.getChangeRequestById({ params: read }))).toBe('404')
})

test('answers malformed, unknown and hostile URLs with 200, 400 or 404 only', async () => {
  const { base } = await publish(['One'], { title: 'Sturdy' })
  const client = createClient({ url: octavo.url })
  const answers = await Promise.all(
    [
      '',
      'x'.repeat(9000),
      'not an address',
      'http://',
      'javascript:alert(1)',
      'https://unknown.example/',
      `${base}%ff`,
      `${base}%00`,
      `${base}../../etc/passwd`,
      'http://[::1/',
      `${base}~/changes/1/`,
      `${base}${'a/'.repeat(2000)}`,
    ].map((url) => refusal(client.resolvePublishedContentByUrl({ body: { url } }))),
  )
  expect(new Set(answers)).toEqual(new Set(['400 body.url', '404', 'was not refused']))
})

test('a visit token can read its site and nothing else', async () => {
  const { params, base, spaces } = await publish(['One'], { title: 'Reading' })
  const hidden = await emptySpace(octavo.admin, 'Private')
  const { api } = await visit(octavo, base)
  const { organizationId } = params
  const spaceId = spaces[0] ?? ''
  expect(await refusal(api.getSpaceById({ params: { spaceId: hidden }, query: {} }))).toBe('404')
  expect(await refusal(api.updateSiteById({ params, body: { title: 'Mine' } }))).toBe('403')
  expect(await refusal(api.listSites({ params: { organizationId }, query: {} }))).toBe('403')
  expect(await refusal(api.getAuthenticatedUser())).toBe('403')
  expect(await refusal(api.updateSpaceContent({ params: { spaceId }, body: { changes: [] } }))).toBe('403')
  const other = await publish(['Two'], { title: 'Not mine' })
  expect(await refusal(api.getSiteById({ params: other.params }))).toBe('404')
  const space = await api.getSpaceById({ params: { spaceId }, query: {} })
  expect(space.permissions).toMatchObject({ view: true, edit: false, admin: false })
})
