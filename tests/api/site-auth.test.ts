import { GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteVisibility } from '../../src/contract/site.ts'
import { signJwt } from '../../src/kernel/jwt.ts'
import { minutes } from '../../src/kernel/time.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import type { SiteParams } from '../support/sites.ts'
import { resolveUrl, visit as visitOn } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates an unpublished site with a space. */
async function newSite(visibility: SiteVisibility = 'visitor-auth') {
  const { api, organizationId, spaceId } = octavo.admin
  const site = await api.createSite({
    params: { organizationId },
    body: { title: 'Guarded', visibility, spaces: [spaceId] },
  })
  return { organizationId, siteId: site.id }
}

const pathOf = ({ organizationId, siteId }: SiteParams) => `/v1/orgs/${organizationId}/sites/${siteId}/publishing`

/** Resolves a URL and returns a client with its visit token. */
const visit = async (url: string, visitor?: { jwtToken: string }) => (await visitOn(octavo, url, visitor)).api

describe('key of a site', () => {
  test('admits visitors with a token signed by it until it is regenerated', async () => {
    const { api } = octavo.admin
    const params = await newSite()
    const published = (await api.publishSite({ params })).urls.published ?? ''
    const { privateKey } = await api.getSitePublishingAuthById({ params })
    const jwtToken = signJwt({ name: 'Ada' }, privateKey)
    const visitor = await visit(published, { jwtToken })
    expect((await visitor.getPublishedContentSite({ params })).site.id).toBe(params.siteId)

    const renewed = await api.regenerateSitePublishingAuthById({ params })
    expect(renewed.privateKey).not.toBe(privateKey)
    expect(await api.getSitePublishingAuthById({ params })).toEqual(renewed)
    expect(await refusal(visitor.getPublishedContentSite({ params }))).toBe('404')
    expect(await refusal(visit(published, { jwtToken }))).toBe('400 body.visitor.jwtToken')
    await visit(published, { jwtToken: signJwt({ name: 'Ada' }, renewed.privateKey) })
  })

  test('is different for each site and never stored or logged in plain text', async () => {
    const { api } = octavo.admin
    const [one, other] = [await newSite(), await newSite()]
    const { privateKey } = await api.getSitePublishingAuthById({ params: one })
    expect(privateKey.length).toBeGreaterThanOrEqual(43)
    expect((await api.getSitePublishingAuthById({ params: other })).privateKey).not.toBe(privateKey)
    const rows = await octavo.server.app.database.reader.selectFrom('sites').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(privateKey)
    expect(octavo.log.join('')).not.toContain(privateKey)
  })

  test('returns 409 when it cannot be decrypted and can be regenerated', async () => {
    const { api } = octavo.admin
    const params = await newSite()
    await octavo.server.app.database.transaction((db) =>
      db.updateTable('sites').set({ auth_key: 'sealed otherwise' }).where('id', '=', params.siteId).execute(),
    )
    await expect(api.getSitePublishingAuthById({ params })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Regenerate the key'),
    })
    const renewed = await api.regenerateSitePublishingAuthById({ params })
    expect(await api.getSitePublishingAuthById({ params })).toEqual(renewed)
  })

  test('cannot be regenerated with an idempotency key', async () => {
    const params = await newSite()
    const reply = await octavo.fetch(`${pathOf(params)}/auth/regenerate`, {
      method: 'POST',
      token: octavo.admin.token,
      headers: { 'idempotency-key': 'again' },
    })
    expect(reply.status).toBe(400)
  })
})

describe('authentication settings of a site', () => {
  test('set and remove the login and logout URLs of the site', async () => {
    const { api } = octavo.admin
    const params = await newSite()
    const before = await api.getSitePublishingAuthById({ params })
    expect(before).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey: before.privateKey })
    const urls = { fallbackURL: 'https://id.example.com/login?a=1', logoutURL: 'http://id.example.com/out' }
    const update = (body: Record<string, string | null>) =>
      api.updateSitePublishingAuthById({ params, body: { backend: 'custom', ...body } })
    expect(await update(urls)).toEqual({ ...before, ...urls })
    const site = await api.publishSite({ params })
    expect(site.urls).toMatchObject({ login: urls.fallbackURL, logout: urls.logoutURL })
    const published = site.urls.published ?? ''
    expect(await resolveUrl(octavo, published)).toMatchObject({
      target: 'external',
      redirect: expect.stringMatching(/^https:\/\/id\.example\.com\/login\?a=1&location=/),
    })
    expect(await update({ logoutURL: null })).toEqual({ ...before, fallbackURL: urls.fallbackURL })
    expect(await update({ fallbackURL: null })).toEqual(before)
  })

  test.each([
    [{}, 'body.backend'],
    [{ backend: 'integration' }, 'body.backend'],
    [{ backend: 'integration', integration: 'auth0' }, 'body.backend'],
    [{ backend: 'custom', fallbackURL: 'javascript:alert(1)' }, 'body.fallbackURL'],
    [{ backend: 'custom', logoutURL: '/out' }, 'body.logoutURL'],
  ])('reject %j with 400', async (body, field) => {
    const reply = await octavo.fetch(`${pathOf(await newSite())}/auth`, {
      method: 'PATCH',
      token: octavo.admin.token,
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { details: [{ path: field }] } })
  })

  test('are accessible to admins only', async () => {
    const params = await newSite()
    const { api } = await octavo.member('create')
    expect(await refusal(api.getSitePublishingAuthById({ params }))).toBe('403')
    expect(await refusal(api.updateSitePublishingAuthById({ params, body: { backend: 'custom' } }))).toBe('403')
    expect(await refusal(api.regenerateSitePublishingAuthById({ params }))).toBe('403')
  })
})

describe('preview of a site', () => {
  test.each(['public', 'share-link', 'visitor-auth'] as const)(
    'shows an unpublished %s site for one hour',
    async (visibility) => {
      const params = await newSite(visibility)
      const { url } = await octavo.admin.api.getSitePublishingPreviewById({ params })
      expect(await refusal(visit(url.split('?')[0] ?? ''))).toBe('404')
      const visitor = await visit(url)
      expect((await visitor.getPublishedContentSite({ params })).site.published).toBe(false)
      octavo.clock.advance(minutes(58))
      const late = await visit(url)
      octavo.clock.advance(minutes(3))
      expect(await refusal(visit(url))).toBe('404')
      expect(await refusal(late.getPublishedContentSite({ params }))).toBe('401')
    },
  )

  test('ends when the member who created it is removed', async () => {
    const params = await newSite()
    const member = await octavo.member('read')
    const { url } = await member.api.getSitePublishingPreviewById({ params })
    const visitor = await visit(url)
    await visitor.getPublishedContentSite({ params })
    await octavo.admin.api.removeMemberFromOrganizationById({
      params: { organizationId: params.organizationId, userId: member.id },
    })
    expect(await refusal(visitor.getPublishedContentSite({ params }))).toBe('404')
    expect(await refusal(visit(url))).toBe('404')
  })

  test('gives no access to another site', async () => {
    const { api } = octavo.admin
    const [mine, other] = [await newSite(), await newSite()]
    const { url } = await api.getSitePublishingPreviewById({ params: mine })
    const foreign = await api.getSitePublishingPreviewById({ params: other })
    const visitor = await visit(url)
    expect(await refusal(visitor.getPublishedContentSite({ params: other }))).toBe('404')
    expect(await refusal(visit((foreign.url.split('?')[0] ?? '') + new URL(url).search))).toBe('404')
  })

  test('shows drafts by default and conditional spaces for the given claims', async () => {
    const { api, organizationId } = octavo.admin
    const params = await newSite('public')
    await api.updateSiteById({ params, body: { adaptiveContent: { enabled: true } } })
    const add = async (title: string, values: { draft?: boolean; condition?: string }) => {
      const space = await api.createSpace({ params: { organizationId }, body: { title, empty: true } })
      const { id } = await api.addSpaceToSite({ params, body: { spaceId: space.id } })
      return api.updateSiteSpaceById({ params: { ...params, siteSpaceId: id }, body: values })
    }
    const draft = await add('Draft', { draft: true })
    const beta = await add('Beta', { condition: 'visitor.claims.beta == true' })
    const shown = async (query: { draft?: 'false'; claims?: string }) => {
      const { url } = await api.getSitePublishingPreviewById({ params, query })
      const { structure } = await (await visit(url)).getSiteStructure({ params })
      return structure.map(({ id }) => id).slice(1)
    }
    expect(await shown({})).toEqual([draft.id])
    expect(await shown({ claims: '(beta:!t)' })).toEqual([draft.id, beta.id])
    expect(await shown({ claims: '{"beta":true}', draft: 'false' })).toEqual([beta.id])
    expect(await shown({ claims: 'beta:!f', draft: 'false' })).toEqual([])
  })

  test('starts at the given space or URL, which must be on the site', async () => {
    const { api, organizationId } = octavo.admin
    const params = await newSite()
    const space = await api.createSpace({ params: { organizationId }, body: { title: 'Second', empty: true } })
    const second = await api.addSpaceToSite({ params, body: { spaceId: space.id } })
    const addressOf = async (query: { siteSpace?: string; target?: string }) => {
      const url = new URL((await api.getSitePublishingPreviewById({ params, query })).url)
      expect(url.searchParams.get('preview')).toBeTruthy()
      url.searchParams.delete('preview')
      return url.toString()
    }
    const base = await addressOf({})
    expect(await addressOf({ siteSpace: second.id })).toBe(`${base}second/`)
    expect(await addressOf({ target: `${base}second/a/page?q=1#part` })).toBe(`${base}second/a/page?q=1#part`)
    expect(await addressOf({ target: base.slice(0, -1) })).toBe(base)

    const read = (query: Record<string, string>) => refusal(api.getSitePublishingPreviewById({ params, query }))
    expect(await read({ siteSpace: 'none' })).toBe('404 query.siteSpace')
    const { origin } = new URL(base)
    const targets = [
      'https://elsewhere.example/',
      base.replace(origin, 'http://127.0.0.1:9'),
      base.replace('http:', 'https:'),
      base.replace('//', '//user@evil.example/'),
      `${origin}/`,
      `${base}../other/`,
      `${base.slice(0, -1)}x/`,
      'second/',
      'javascript:alert(1)',
      '',
    ]
    for (const target of targets) expect([target, await read({ target })]).toEqual([target, '400 query.target'])
    for (const claims of ['(a:', '!(1)', '{"a":', '[1]', `a:${'x'.repeat(7000)}`])
      expect([claims.slice(0, 9), await read({ claims })]).toEqual([claims.slice(0, 9), '400 query.claims'])
  })

  test('never starts on the proxy domain of the site, which is not verified', async () => {
    const { api } = octavo.admin
    const params = await newSite()
    const own = (await api.getSitePublishingPreviewById({ params })).url.split('?')[0] ?? ''
    await api.updateSiteById({ params, body: { proxy: `docs-${params.siteId}.example.com/guide` } })
    const target = `https://docs-${params.siteId}.example.com/guide/a/page`
    const { url } = await api.getSitePublishingPreviewById({ params, query: { target } })
    expect(url.startsWith(`${own}a/page?preview=`)).toBe(true)
    await visit(url)
  })
})

test('the official client reads, updates and regenerates the authentication and previews the site', async () => {
  const { organizationId, siteId } = await newSite()
  const { orgs } = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data: auth } = await orgs.getSitePublishingAuthById(organizationId, siteId)
  const { data: changed } = await orgs.updateSitePublishingAuthById(organizationId, siteId, {
    backend: 'custom',
    fallbackURL: 'https://id.example.com/',
  })
  expect(changed).toEqual({ ...auth, fallbackURL: 'https://id.example.com/' })
  const { data: renewed } = await orgs.regenerateSitePublishingAuthById(organizationId, siteId)
  expect(renewed).toEqual({ ...changed, privateKey: expect.not.stringContaining(auth.privateKey) })
  const { data } = await orgs.getSitePublishingPreviewById(organizationId, siteId, { draft: false, claims: '(a:b)' })
  await visit(data.url)
})
