import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, editLive, emptySpace, insertPage, updatePage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a published site with one space. */
const publish = (changes: readonly Change[], body?: Record<string, unknown>) => publishPages(octavo, changes, body)

const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })

async function text(url: string): Promise<string> {
  const reply = await open(url)
  expect([url, reply.status]).toEqual([url, 200])
  return reply.text()
}

test('serves a published page with its text, navigation and an ETag', async () => {
  const { base } = await publish([
    insertPage('# Welcome\n\nHello **world**'),
    insertPage('# Install\n\nFirst, [go home](/pages/welcome)', { slug: 'install' }),
  ])
  const home = await text(base)
  expect(home).toContain('<h1 class="page-title" id="welcome">Welcome</h1>')
  const path = new URL(base).pathname
  expect(home).toContain('Hello <strong>world</strong>')
  expect(home).toContain(`href="${path}install"`)
  const install = await text(`${base}install`)
  expect(install).toContain(`<a href="${path}">go home</a>`)
  expect(install).toContain('aria-current="page"><span>Install</span></a>')
  const reply = await open(`${base}install`)
  expect(reply.headers.get('content-security-policy')).toContain(
    "default-src 'self'; object-src 'none'; script-src 'self' ",
  )
  const etag = reply.headers.get('etag') ?? ''
  expect((await open(`${base}install`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('lets browsers paint the first texts together with the title', async () => {
  const { base } = await publish([
    insertPage('# Texts\n\nOne\n\n## Two\n\n* Three\n* Four\n\nFive'),
    insertPage('# Short\n\nOnly one', { slug: 'short' }),
    insertPage('# Heading\n\n## Nothing else', { slug: 'heading' }),
  ])
  const awaited = '<link rel="expect" href="#~start" blocking="render">'
  const long = await text(base)
  expect(long.slice(0, long.indexOf('<body'))).toContain(awaited)
  expect(long.match(/<\w+ id="~start">[^<]*/g)).toEqual(['<li id="~start">Four'])
  expect((await text(`${base}short`)).match(/<\w+ id="~start">[^<]*/g)).toEqual(['<p id="~start">Only one'])
  expect(await text(`${base}heading`)).not.toContain('~start')
})

test('returns 404 for an unknown page and redirects the old path of a moved page', async () => {
  const { base, spaceId, pages } = await publish([insertPage('# One'), insertPage('# Two', { slug: 'two' })])
  const absent = await open(`${base}nowhere`)
  expect(absent.status).toBe(404)
  expect(await absent.text()).toContain('Page not found')
  expect((await open(`${octavo.url}/sites/unknown/site/`)).status).toBe(404)
  await editLive(octavo.admin, spaceId, updatePage(pages[1] ?? '', { slug: 'second' }))
  const moved = await open(`${base}two`)
  expect([moved.status, moved.headers.get('location')]).toEqual([307, `${base}second`])
  expect((await open(`${base}SECOND`)).headers.get('location')).toBe(`${base}second`)
  expect((await open(`${base}one`)).headers.get('location')).toBe(base)
})

test('paths of spaces are case-insensitive and redirect to their canonical URL', async () => {
  const { admin } = octavo
  const { base, params } = await publish([insertPage('# One')])
  const spaceId = await emptySpace(admin, 'Later')
  await editLive(admin, spaceId, insertPage('# Start'), insertPage('# Two'))
  await admin.api.addSpaceToSite({ params, body: { spaceId } })
  const leads = async (path: string) => {
    const reply = await open(base + path)
    return [reply.status, reply.headers.get('location')?.replace(base, '')]
  }
  expect(await leads('later/two')).toEqual([200, undefined])
  expect(await leads('LATER/two?a=b')).toEqual([307, 'later/two?a=b'])
  expect(await leads('Later')).toEqual([307, 'later/'])
  const markdown = await fetch(`${base}Later/TWO.md`)
  expect([markdown.status, markdown.url]).toEqual([200, `${base}later/two.md`])
})

test('a visitor without claims does not see conditional blocks and pages', async () => {
  const secret = "{% if visitor.claims.plan == 'pro' %}\nSecret words\n{% endif %}"
  const { base, params } = await publish(
    [
      insertPage(`# Home\n\nFor all\n\n${secret}`),
      insertPage('# For pro\n\nMore', { slug: 'pro', condition: "visitor.claims.plan == 'pro'" }),
    ],
    { adaptiveContent: { enabled: true } },
  )
  const token = await signVisitorToken(octavo, params, { plan: 'pro' })
  const anybody = await text(base)
  expect(anybody).not.toContain('Secret words')
  expect(anybody).not.toContain('For pro')
  expect((await open(`${base}pro`)).status).toBe(404)
  const arriving = await open(`${base}?jwt_token=${token}`)
  expect([arriving.status, arriving.headers.get('location')]).toEqual([307, base])
  const cookie = arriving.headers.get('set-cookie')?.split(';')[0] ?? ''
  const paying = await (await open(base, { headers: { cookie } })).text()
  expect(paying).toContain('Secret words')
  expect(paying).toContain('For pro')
})

test('a private site does not open without a share link or a signed-in visitor', async () => {
  const { base, params } = await publish([insertPage('# Home')], { visibility: 'share-link' })
  expect((await open(base)).status).toBe(404)
  const link = await octavo.admin.api.createSiteShareLink({ params, body: { name: 'Friends' } })
  const shared = await text(link.urls.published ?? '')
  expect(shared).toContain(`href="${new URL(link.urls.published ?? '').pathname}"`)
  await octavo.admin.api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  expect((await open(base)).status).toBe(403)
  const fallbackURL = 'https://login.example.com/'
  await octavo.admin.api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  expect((await open(base)).headers.get('location')).toContain(fallbackURL)
  await octavo.admin.api.unpublishSite({ params })
  expect((await open(base)).status).toBe(404)
})

test('outputs no scripts, event handlers or javascript: links from Markdown', async () => {
  const { base } = await publish([
    insertPage('# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) `<b>`'),
  ])
  const page = await text(base)
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('onerror=')
  expect(page).not.toContain('href="javascript:')
})

test('serves a page whose slug equals the path of its space', async () => {
  const { base } = await publish([insertPage('# Home'), insertPage('# Guide\n\nThe page itself', { slug: 'guide' })])
  expect(await text(`${base}guide`)).toContain('The page itself')
  expect((await open(`${base}guide/guide`)).headers.get('location')).toBe(`${base}guide`)
})

test('counts the replies of sites by status in the metrics', async () => {
  const { base } = await publish([insertPage('# Home')])
  await text(base)
  await text(base)
  await open(`${base}nowhere`)
  const metrics = await (await open(`${octavo.url}/metrics`)).text()
  const counted = (status: number) =>
    Number(new RegExp(`octavo_http_requests_total\\{operation="site",status="${status}"\\} (\\d+)`).exec(metrics)?.[1])
  expect(counted(200)).toBeGreaterThanOrEqual(2)
  expect(counted(404)).toBeGreaterThanOrEqual(1)
})

test('redirects other names of the local machine to the URL of the site', async () => {
  const { base } = await publish([insertPage('# Home')])
  const other = new URL(base)
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const headers = { host: other.host }
  const { status, location } = await new Promise<{ status?: number; location?: string }>((resolve, reject) => {
    const asked = request(base, { headers }, (reply) => {
      resolve({ status: reply.statusCode ?? 0, location: reply.headers.location ?? '' })
      reply.resume()
    })
    asked.on('error', reject).end()
  })
  expect({ status, location }).toEqual({ status: 307, location: base })
})

test('a space with its own colors keeps the fonts of its site, and page actions keep the configured order', async () => {
  const { base, params } = await publish([insertPage('# Home')])
  const { api } = octavo.admin
  const items = ['mcp', 'markdown'] as const
  const body = { styling: { monospaceFont: 'JetBrainsMono' as const }, pageActions: { items: [...items] } }
  await api.updateSiteCustomizationById({ params, body })
  const { items: spaces } = await api.listSiteSpaces({ params, query: {} })
  const inSpace = { ...params, siteSpaceId: spaces[0]?.id ?? '' }
  const own = { styling: { primaryColor: { light: '#ff0000', dark: '#ff0000' } } }
  await api.overrideSiteSpaceCustomizationById({ params: inSpace, body: own })
  const page = await text(base)
  expect(page.indexOf('data-page-action="mcp"')).toBeLessThan(page.indexOf('data-page-action="markdown"'))
  const [, styles = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? []
  expect(styles).toContain('JetBrains Mono')
  expect(styles).toContain('#ff0000')
})

const mention = (ref: Record<string, unknown>) => ({ object: 'inline', type: 'mention', isVoid: true, data: { ref } })

test('mentions show the names of users and tags in every output, but not of removed members', async () => {
  const { admin } = octavo
  const { id } = await octavo.member('read', 'Ada Lovelace')
  const nodes = [mention({ kind: 'user', user: id }), mention({ kind: 'tag', tag: 'new' })]
  const paragraph = { object: 'block', type: 'paragraph', nodes }
  const document = { document: { object: 'document', data: {}, nodes: [paragraph] } }
  const { base } = await publish([
    { operation: 'set_tags', tags: [{ slug: 'new', label: 'Hot off the press' }] },
    { operation: 'insert_page', title: 'Welcome', document },
  ])
  const forms = ['', 'index.md', 'llms-full.txt']
  const told = () =>
    Promise.all(
      forms.map(async (form) => (await text(base + form)).match(/Ada Lovelace|Hot off the press/g)?.join(', ')),
    )
  const before = await told()
  await admin.api.removeMemberFromOrganizationById({
    params: { organizationId: admin.organizationId, userId: id },
  })
  expect({ before, after: await told() }).toEqual({
    before: forms.map(() => 'Ada Lovelace, Hot off the press'),
    after: forms.map(() => 'Hot off the press'),
  })
})

test('covers have the hero size unless the layout of the page sets another size or hides them', async () => {
  const cover = { ref: { kind: 'url', url: 'https://example.com/c.png' }, yPos: 0 } as const
  const { base } = await publish([
    insertPage('# Welcome', { cover }),
    insertPage('# Edge', { slug: 'edge', cover, layout: { coverSize: 'full' } }),
    insertPage('# Without', { slug: 'without', cover, layout: { cover: false } }),
  ])
  const shown = async (path: string) => /class="cover-image ([^"]*)"/.exec(await text(base + path))?.[1]
  expect(await Promise.all(['', 'edge', 'without'].map(shown))).toEqual(['cover-hero', 'cover-full', undefined])
})
