import { CustomizationHeaderPreset, CustomizationDefaultThemeMode, GitBookAPI } from '@gitbook/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteCustomization } from '../../src/contract/customization.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let spaces: string[]
beforeAll(async () => {
  octavo = await startTestServer()
  const { api, organizationId, spaceId } = octavo.admin
  const reference = await api.createSpace({ params: { organizationId }, body: { title: 'Reference', empty: true } })
  spaces = [spaceId, reference.id]
})
afterAll(() => octavo.stop())

/** Creates a site with two spaces. */
async function newSite() {
  const { api, organizationId } = octavo.admin
  const site = await api.createSite({ params: { organizationId }, body: { title: 'Docs', spaces } })
  const params = { organizationId, siteId: site.id }
  const { items } = await api.listSiteSpaces({ params })
  const [first = '', second = ''] = items.map(({ id }) => id)
  return { params, first: { ...params, siteSpaceId: first }, second: { ...params, siteSpaceId: second } }
}

type Params = Record<'organizationId' | 'siteId', string> & { siteSpaceId?: string }

const pathOf = ({ organizationId, siteId, siteSpaceId }: Params) =>
  `/v1/orgs/${organizationId}/sites/${siteId}${siteSpaceId === undefined ? '' : `/site-spaces/${siteSpaceId}`}/customization`

/** Sends a body unchanged to a site (PUT) or to a site space (PATCH). */
async function send(params: Params, body: unknown, token = octavo.admin.token) {
  const reply = await octavo.fetch(pathOf(params), {
    method: params.siteSpaceId === undefined ? 'PUT' : 'PATCH',
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const json = (await reply.json()) as { error?: { message: string; details?: { path: string }[] } }
  return { status: reply.status, paths: json.error?.details?.map(({ path }) => path), json }
}

const withoutTime = (settings: SiteCustomization) => ({ ...settings, updatedAt: undefined })

test('stores the settings as sent, completes them with defaults and replaces them as a whole', async () => {
  const { api } = octavo.admin
  const { params } = await newSite()
  const defaults = await api.getSiteCustomizationById({ params, query: { unmasked: 'true' } })
  expect(defaults).toMatchObject({
    styling: { theme: 'clean', font: 'Inter' },
    header: { preset: 'default', links: [] },
  })
  expect(defaults.updatedAt).toBeUndefined()

  const link = { title: 'Guide', to: { kind: 'space' as const, space: octavo.admin.spaceId } }
  const body = {
    title: 'Handbook',
    styling: { theme: 'gradient' as const, primaryColor: { light: '#0a7', dark: '#3EC' } },
    header: { links: [{ ...link, links: [link], condition: 'visitor.claims.beta' }] },
    pdf: { enabled: false },
    ai: { integrationId: 'assistant-1' },
  }
  const replaced = await api.updateSiteCustomizationById({ params, body })
  expect(replaced).toMatchObject({ ...body, updatedAt: expect.stringMatching(/Z$/) })
  expect(replaced.pageActions.items).toEqual(['external-ai', 'markdown', 'mcp'])
  expect(replaced.footer).toEqual(defaults.footer)
  expect(await api.getSiteCustomizationById({ params })).toEqual(replaced)

  const again = await api.updateSiteCustomizationById({ params, body: { styling: { corners: 'straight' } } })
  expect(withoutTime(again)).toEqual({
    ...withoutTime(defaults),
    styling: { ...defaults.styling, corners: 'straight' },
  })
  expect((await send(params, '')).status).toBe(200)
  expect(withoutTime(await api.getSiteCustomizationById({ params }))).toEqual(withoutTime(defaults))
})

test('a site shows its configured favicon', async () => {
  const { api } = octavo.admin
  const { params } = await newSite()
  expect((await api.getSiteById({ params })).icon).toBeNull()
  await api.updateSiteCustomizationById({ params, body: { favicon: { icon: { light: 'https://x.example/i.png' } } } })
  const both = { light: 'https://x.example/i.png', dark: 'https://x.example/i.png' }
  expect((await api.getSiteById({ params })).icon).toEqual({ icon: both })
})

test('a site space overrides the settings of the site until the overrides are deleted', async () => {
  const { api } = octavo.admin
  const { params, first, second } = await newSite()
  await api.updateSiteCustomizationById({
    params,
    body: {
      styling: { theme: 'muted' },
      favicon: { emoji: '🦊' },
      socialAccounts: [{ platform: 'github', handle: 'us' }],
    },
  })
  const changed = await api.overrideSiteSpaceCustomizationById({
    params: first,
    body: {
      title: 'The guide',
      styling: { theme: 'bold', corners: 'circular' },
      favicon: {},
      header: { backgroundColor: { light: '#111', dark: '#222' }, linkColor: { light: '#eee' } },
      pdf: { enabled: false },
    },
  })
  expect(changed).toMatchObject({
    title: 'The guide',
    styling: { theme: 'bold', corners: 'circular', font: 'Inter' },
    favicon: {},
    header: { backgroundColor: { light: '#111', dark: '#222' }, linkColor: { light: '#eee', dark: '#eee' } },
    pdf: { enabled: false },
    pageActions: { items: ['external-ai', 'markdown', 'mcp'] },
    socialAccounts: [{ platform: 'github', handle: 'us' }],
    hasOverrides: true,
  })
  expect(changed.favicon).toEqual({})
  expect(await api.getSiteSpaceCustomizationById({ params: first })).toEqual(changed)

  // Omitted fields remain, null resets a field to the value of the site, and later changes of the site apply.
  const reset = { title: null, favicon: null, styling: { theme: null }, header: { backgroundColor: null } }
  await api.overrideSiteSpaceCustomizationById({ params: first, body: reset })
  await api.updateSiteCustomizationById({ params, body: { title: 'All', styling: { theme: 'gradient' } } })
  const rest = await api.getSiteSpaceCustomizationById({ params: first })
  expect(rest).toMatchObject({
    title: 'All',
    styling: { theme: 'gradient', corners: 'circular' },
    header: { linkColor: { light: '#eee', dark: '#eee' } },
    hasOverrides: true,
  })
  expect(rest.header.backgroundColor).toBeUndefined()

  const site = await api.getSiteCustomizationById({ params })
  expect(await api.getSiteSpaceCustomizationById({ params: second })).toEqual({ ...site, hasOverrides: false })
  await api.deleteSiteSpaceCustomizationById({ params: first })
  await api.deleteSiteSpaceCustomizationById({ params: second })
  for (const space of [first, second]) {
    const plain = await api.getSiteSpaceCustomizationById({ params: space })
    expect(plain).toMatchObject({ styling: site.styling, header: site.header, hasOverrides: false })
  }
})

test('hasOverrides is false after the last override is removed', async () => {
  const { api } = octavo.admin
  const { first } = await newSite()
  const change = (body: object) => api.overrideSiteSpaceCustomizationById({ params: first, body })
  expect((await change({})).hasOverrides).toBe(false)
  expect((await change({ styling: { sidebar: { list: 'pill' } } })).hasOverrides).toBe(true)
  expect((await change({ styling: { sidebar: { list: null } } })).hasOverrides).toBe(false)
})

test('keeps all concurrent overrides of a site space', async () => {
  const { api } = octavo.admin
  const { first } = await newSite()
  const bodies = [
    { title: 'Together' },
    { styling: { theme: 'bold' } },
    { styling: { corners: 'straight' } },
    { footer: { copyright: '© Us' } },
    { themes: { default: 'dark' } },
    { feedback: { enabled: true } },
  ] as const
  await Promise.all(bodies.map((body) => api.overrideSiteSpaceCustomizationById({ params: first, body })))
  expect(await api.getSiteSpaceCustomizationById({ params: first })).toMatchObject({
    title: 'Together',
    styling: { theme: 'bold', corners: 'straight' },
    footer: { copyright: '© Us' },
    themes: { default: 'dark' },
    feedback: { enabled: true },
  })
})

test('rejects invalid settings with their paths and stores nothing', async () => {
  const { api } = octavo.admin
  const { params, first } = await newSite()
  const before = await api.getSiteCustomizationById({ params })
  const bad = { title: 'Fine', styling: { primaryColor: { light: 'tomato' } } }
  expect(await send(params, bad)).toMatchObject({ status: 400, paths: ['body.styling.primaryColor.light'] })
  expect(await send(first, bad)).toMatchObject({ status: 400, paths: ['body.styling.primaryColor.light'] })
  const links = [{ title: 'x', to: { kind: 'url', url: 'javascript:alert(1)' }, condition: 'a ==' }]
  const paths = ['body.header.links.0.to.url', 'body.header.links.0.condition']
  expect(await send(params, { header: { links } })).toMatchObject({ status: 400, paths })
  expect(await send(first, { header: { links } })).toMatchObject({ status: 400, paths })
  for (const [body, path] of [
    [{ styling: { font: 'Inter' } }, 'body.styling.font'],
    [{ styling: { monospaceFont: 'FiraCode' } }, 'body.styling.monospaceFont'],
    [{ ai: { mode: 'none' } }, 'body.ai'],
    [{ advancedCustomization: {} }, 'body.advancedCustomization'],
    [{ pageActions: { items: [] } }, 'body.pageActions'],
    [{ insights: { trackingCookie: false } }, 'body.insights'],
    [{ announcement: { message: null } }, 'body.announcement.message'],
  ] as const)
    expect(await send(first, { title: 'Fine', ...body })).toMatchObject({ status: 400, paths: [path] })
  for (const body of [
    '[]',
    '7',
    '"x"',
    'null',
    '{',
    '{"title": "a\\u0000b"}',
    '{"styling": []}',
    '{"header": {"links": {}}}',
  ])
    expect([body, (await send(params, body)).status]).toEqual([body, 400])
  expect(await api.getSiteCustomizationById({ params })).toEqual(before)
  expect(await api.getSiteSpaceCustomizationById({ params: first })).toEqual({ ...before, hasOverrides: false })
})

const linkOf = (length: number) => ({
  title: 'x'.repeat(64),
  to: { kind: 'page', page: 'p'.repeat(length), space: 's'.repeat(length) },
})

const footerOf = (length: number) => {
  const group = { title: 'Group', links: Array.from({ length: 50 }, () => linkOf(length)) }
  return { groups: Array.from({ length: 20 }, () => group) }
}

test('limits the total size of the settings', async () => {
  const { params, first } = await newSite()
  const large = { footer: footerOf(50) }
  expect((await send(params, large)).status).toBe(200)
  expect((await send(first, large)).status).toBe(200)
  const tooLarge = { header: { links: Array.from({ length: 50 }, () => linkOf(500)) } }
  // The limit includes the overrides that are already stored.
  expect(await send(first, tooLarge)).toMatchObject({ status: 400, paths: ['body'] })
  expect(await send(params, { footer: footerOf(500) })).toMatchObject({ status: 400, paths: ['body'] })
  const endless = { header: { primaryLink: { kind: 'page', page: 'p'.repeat(5_000_000) } } }
  expect((await send(params, endless)).status).toBe(400)
  const many = { header: { links: Array.from({ length: 200_000 }, () => 0) } }
  const refused = await send(params, many)
  expect(refused).toMatchObject({ status: 400, paths: ['body.header.links'] })
  expect(JSON.stringify(refused.json).length).toBeLessThan(1000)
})

test('only members who can edit a site can change its settings, and strangers get 404', async () => {
  const { params, first } = await newSite()
  const reader = await octavo.member('read')
  const stranger = await octavo.person()
  const { id: elsewhere } = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  expect((await reader.api.getSiteCustomizationById({ params })).styling.theme).toBe('clean')
  for (const target of [params, first]) {
    expect((await send(target, { title: 'Mine' }, reader.token)).status).toBe(403)
    expect((await send(target, { title: 'Mine' }, stranger.token)).status).toBe(404)
    expect((await send({ ...target, organizationId: elsewhere }, { title: 'Mine' }, stranger.token)).status).toBe(404)
    expect((await octavo.fetch(pathOf(target), { token: stranger.token })).status).toBe(404)
  }
  const remove = (token: string) => octavo.fetch(pathOf(first), { method: 'DELETE', token })
  expect((await remove(reader.token)).status).toBe(403)
  expect((await remove(stranger.token)).status).toBe(404)
})

test('returns 404 for a space that is not part of the site', async () => {
  const { api, organizationId } = octavo.admin
  const { params, first } = await newSite()
  const other = await newSite()
  for (const siteSpaceId of ['nothing', other.first.siteSpaceId]) {
    const wrong = { ...params, siteSpaceId }
    expect((await send(wrong, { title: 'Lost' })).status).toBe(404)
    await expect(api.getSiteSpaceCustomizationById({ params: wrong })).rejects.toMatchObject({ status: 404 })
    // Deleting overrides that do not exist succeeds.
    await api.deleteSiteSpaceCustomizationById({ params: wrong })
  }
  expect((await send({ organizationId, siteId: 'nothing' }, {})).status).toBe(404)
  await api.overrideSiteSpaceCustomizationById({ params: first, body: { title: 'Here' } })
  await api.deleteSiteSpaceById({ params: first })
  await expect(api.getSiteSpaceCustomizationById({ params: first })).rejects.toMatchObject({ status: 404 })
})

test('the official client reads, replaces, overrides and resets settings', async () => {
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { first } = await newSite()
  const { organizationId: org, siteId, siteSpaceId } = first
  const { data: settings } = await client.orgs.getSiteCustomizationById(org, siteId, { unmasked: false })
  const { data: replaced } = await client.orgs.updateSiteCustomizationById(org, siteId, {
    ...settings,
    header: { ...settings.header, preset: CustomizationHeaderPreset.Bold },
    announcement: { enabled: true, message: 'Hello', style: 'info' },
  })
  expect(replaced.header.preset).toBe('bold')
  const { data: own } = await client.orgs.overrideSiteSpaceCustomizationById(org, siteId, siteSpaceId, {
    themes: { default: CustomizationDefaultThemeMode.Dark, toggeable: null },
    feedback: { enabled: true },
  })
  expect(own).toMatchObject({ themes: { default: 'dark', toggeable: true }, announcement: { message: 'Hello' } })
  await client.orgs.deleteSiteSpaceCustomizationById(org, siteId, siteSpaceId)
  const { data: reset } = await client.orgs.getSiteSpaceCustomizationById(org, siteId, siteSpaceId)
  expect(reset).toMatchObject({ themes: settings.themes, feedback: { enabled: false }, header: replaced.header })
})
