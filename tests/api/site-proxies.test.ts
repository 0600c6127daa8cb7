import { beforeAll, afterAll, expect, test } from 'vitest'
import { insertPage, updatePage, editLive } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer({
    OCTAVO_URL: 'https://www.example.com/docs',
    OCTAVO_TRUSTED_PROXIES: '1',
    OCTAVO_HOSTNAMES: 'docs.example.net',
  })
})
afterAll(() => octavo.stop())

/** Sends a request as a proxy forwards it for the given host. */
const at = (
  host: string,
  path: string,
  { headers, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
) =>
  fetch(octavo.url + path, {
    redirect: 'manual',
    headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', ...headers },
    ...init,
  })

const scriptOf = (page: string) => /<script data-scripts="([^"]+)"/.exec(page)?.[1] ?? ''

test('a server below a base path answers whether or not its proxy strips the path', async () => {
  const { base, spaceId, pages } = await publishPages(octavo, [
    insertPage('# Home'),
    insertPage('# Two', { slug: 'two' }),
  ])
  await editLive(octavo.admin, spaceId, updatePage(pages[1] ?? '', { slug: 'second' }))
  expect(base).toMatch(/^https:\/\/www\.example\.com\/docs\/sites\//)
  const site = base.slice('https://www.example.com/docs'.length)
  const token = { authorization: `Bearer ${octavo.admin.token}` }

  for (const before of ['/docs', '']) {
    const ask = (path: string, headers = {}) => at('www.example.com', before + path, { headers })
    expect(await (await ask('/')).text()).toContain('<code>/docs/v1</code>')
    expect((await ask('/v1/')).status).toBe(200)
    expect((await ask(`/v1/spaces/${spaceId}`, token)).status).toBe(200)
    expect((await ask('/openapi.json')).status).toBe(200)
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/v1/nothing')).status).toBe(404)

    const home = await (await ask(site)).text()
    expect(home).toContain(`href="/docs${site}second"`)
    expect(scriptOf(home)).toMatch(/^\/docs\/sites\/.*\/~assets\//)
    const script = await ask(scriptOf(home).slice('/docs'.length))
    expect(script.headers.get('content-type')).toContain('javascript')
    // A cached reply is validated by its ETag.
    const again = await ask(site, { 'if-none-match': (await ask(site)).headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    const moved = await ask(`${site}two`)
    expect([moved.status, moved.headers.get('location')]).toEqual([307, `${base}second`])
  }
  // A path of the server may start with the same segment as the base path.
  expect((await at('www.example.com', '/docs/docs/api')).status).toBe(200)
  expect((await at('www.example.com', '/docs')).status).toBe(200)
  expect((await at('www.example.com', '/docs?from=mail')).status).toBe(200)
  expect((await at('www.example.com', '/docsv1/')).status).toBe(404)
})

test('the base path of the server has no effect on the hostnames of sites', async () => {
  const { params } = await publishPages(octavo, [
    insertPage('# Home'),
    insertPage('# Sites', { slug: 'docs' }),
    insertPage('# One', { slug: 'v1' }),
  ])
  await octavo.admin.api.updateSiteById({ params, body: { hostname: 'docs.example.net' } })
  expect(await (await at('docs.example.net', '/docs')).text()).toContain('<h1 class="page-title" id="sites">Sites</h1>')
  expect(await (await at('docs.example.net', '/v1')).text()).toContain('<h1 class="page-title" id="one">One</h1>')
  expect((await at('docs.example.net', '/docs/v1/')).status).toBe(404)
})

test('a page loads assets below the proxy path, and links to the proxied URL of the site', async () => {
  const { params, base } = await publishPages(octavo, [insertPage('# Home'), insertPage('# Two', { slug: 'two' })])
  const { proxy } = await octavo.admin.api.updateSiteById({ params, body: { proxy: 'www.example.org/guide' } })
  expect(proxy?.target).toBe(base)
  const { pathname } = new URL(base)

  // The server cannot distinguish a proxied from a direct request here, so the page must work for both.
  const target = await at('www.example.com', pathname)
  const page = await target.text()
  expect(page).toContain('href="https://www.example.org/guide/two"')
  expect(page).toContain('<link rel="canonical" href="https://www.example.org/guide/">')
  const loaded = [...page.matchAll(/[^"'(]*\/~assets\/[^"')]+/g)].map(([address]) => address)
  expect(loaded.length).toBeGreaterThan(2)
  for (const address of new Set(loaded)) {
    expect(address).toMatch(/^\/guide\/~assets\//)
    expect((await at('www.example.com', address)).status).toBe(200)
    expect((await at('www.example.com', address.replace('/guide/', pathname))).status).toBe(200)
  }
  // The search form submits to the proxied site, which is the only other allowed form target.
  expect(page).toContain('action="https://www.example.org/guide/~search"')
  expect(target.headers.get('content-security-policy')).toContain("form-action 'self' https://www.example.org;")
  const proxied = await at('www.example.org', '/guide/')
  expect(proxied.headers.get('content-security-policy')).toContain("form-action 'self';")
  expect(scriptOf(await proxied.text())).toBe(scriptOf(page))
})

/** Returns the status of an MCP request from a page of the given origin. */
async function askMcp(host: string, path: string, origin: string): Promise<number> {
  const headers = { origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return (await at(host, path, { method: 'POST', headers, body })).status
}

test('the MCP server of an unlisted site accepts the origin of its proxy on both hosts, and returns 403 to others', async () => {
  const { params, base } = await publishPages(octavo, [insertPage('# Home')], { visibility: 'unlisted' })
  await octavo.admin.api.updateSiteById({ params, body: { proxy: 'www.example.org/closed' } })
  const target = `${new URL(base).pathname}~mcp`
  expect(await askMcp('www.example.com', target, 'https://www.example.org')).toBe(200)
  expect(await askMcp('www.example.org', '/closed/~mcp', 'https://www.example.org')).toBe(200)
  expect(await askMcp('www.example.com', target, 'https://elsewhere.example.org')).toBe(403)
  expect(await askMcp('www.example.org', '/closed/~mcp', 'https://elsewhere.example.org')).toBe(403)
})
