import { hash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Change, editLive, emptySpace, insertPage } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { publishedUrl, signVisitorToken } from '../support/visits.ts'

// Attacks on published sites: reading content of other visitors, and injecting markup or scripts.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request without normalizing its path or headers. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Reply> {
  const { hostname, port } = new URL(octavo.url)
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', reject)
      reply.on('end', () => {
        const { statusCode: status = 0, headers: given } = reply
        resolve({ status, headers: given, body: Buffer.concat(chunks).toString() })
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

type Api = TestServer['admin']['api']
interface Settings {
  title?: string
  isAdaptive?: boolean
  look?: Parameters<Api['updateSiteCustomizationById']>[0]['body']
}

/** Creates a published site with one space. */
async function publish(changes: Change[], { title = 'Handbook', isAdaptive = false, look }: Settings = {}) {
  const { api, organizationId } = octavo.admin
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, ...changes)
  const site = await api.createSite({ params: { organizationId }, body: { title, spaces: [spaceId] } })
  const params = { organizationId, siteId: site.id }
  if (look) await api.updateSiteCustomizationById({ params, body: look })
  await api.updateSiteById({ params, body: { adaptiveContent: { enabled: isAdaptive } } })
  return { params, spaceId, path: new URL(publishedUrl(await api.publishSite({ params }))).pathname }
}

const forPro = "visitor.claims.plan == 'pro'"
const secret = `{% if ${forPro} %}\nSecret words\n{% endif %}`

/** Creates a site with a public and a conditional page, and the cookie of a visitor who has read both. */
async function adaptive() {
  const changes = [insertPage(`# Home\n\n${secret}`), insertPage('# Plan', { slug: 'plan', condition: forPro })]
  const { path, params } = await publish(changes, { isAdaptive: true })
  const cookie = `gitbook-visitor-token=${await signVisitorToken(octavo, params, { plan: 'pro' })}`
  const read = await send(path, { cookie })
  expect(read.body).toContain('Secret words')
  expect((await send(`${path}plan`, { cookie })).status).toBe(200)
  return { path, params, cookie, etag: String(read.headers['etag']) }
}

test('content cached for one visitor is not served to others, for any spelling of the request', async () => {
  const { path, cookie, etag } = await adaptive()
  const { host } = new URL(octavo.url)
  const requests: [path: string, headers: Record<string, string>][] = [
    [path, {}],
    [path, { host: host.toUpperCase() }],
    [path, { host: `${host}.` }],
    [path, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
    [path, { 'x-original-url': `${path}plan`, 'x-rewrite-url': `${path}plan` }],
    [path, { 'if-none-match': etag }],
    [path, { cookie: `gitbook-visitor-token=; ${cookie.replace('token=', 'token2=')}` }],
    [path, { cookie: cookie.replace('gitbook-visitor-token', 'Gitbook-Visitor-Token') }],
    [path, { cookie: `x="; ${cookie.slice(0, -3)}"` }],
    [path, { authorization: `Bearer ${cookie.split('=')[1]}` }],
    [path, { referer: `${octavo.url}${path}?jwt_token=${cookie.split('=')[1]}` }],
    [`${octavo.url}${path}`, {}],
    [path.slice(0, -1), {}],
    [`${path}?`, {}],
    [`${path}#/plan`, {}],
    [`/${path}`, {}],
    [`${path}plan`, {}],
    [`${path}plan/`, {}],
    [`${path}plan.md`, {}],
    [`${path}PLAN`, {}],
    [`${path}%70lan`, {}],
    [`${path}./plan`, {}],
    [`${path}x/../plan`, {}],
    [`${path}x/%2e%2e/plan`, {}],
    [`${path}x%2F..%2Fplan`, {}],
    [`${path}plan;x=1`, {}],
    [`${path}plan%00`, {}],
    [`${path}plan%zz`, {}],
    [`${path}pla\u006e%E2%80%8B`, {}],
    [`${path}__proto__`, {}],
    [`${path}constructor/prototype`, {}],
    [`${path}~navigation/__proto__/constructor`, {}],
    [`${path}~assets/constructor`, {}],
    [`${path}~social/toString/valueOf.png`, {}],
    [`${path}?visitor.__proto__.plan=pro`, {}],
    [`${path}?visitor.constructor.prototype.plan=pro`, {}],
    [`${path}?visitor.plan=pro`, {}],
    [`${path}?claims.plan=pro&plan=pro`, {}],
    [path, { cookie: `gitbook-visitor-public=${encodeURIComponent('{"__proto__":{"plan":"pro"},"plan":"pro"}')}` }],
    [path, { cookie: `gitbook-visitor-public=%7B${'x'.repeat(9000)}` }],
    [path, { cookie: 'gitbook-visitor-public=%E0%A4%A' }],
    [path, { cookie: 'octavo-preview=eyJhbGciOiJub25lIn0.eyJraW5kIjoic2l0ZSJ9.' }],
  ]
  for (const [asked, headers] of requests) {
    const reply = await send(asked, headers)
    const what = [asked, JSON.stringify(headers), reply.status].join(' ')
    expect(reply.status, what).toBeLessThan(500)
    expect(reply.status, what).not.toBe(304)
    expect(reply.body, what).not.toMatch(/Secret words|<h1[^>]*>Plan/)
    expect(String(reply.headers['location'] ?? ''), what).not.toMatch(/evil\.example|\/plan$/)
    expect(reply.body, what).not.toContain('evil.example')
  }
  // The visitor that the content was cached for still gets it.
  expect((await send(path, { cookie, 'if-none-match': etag })).status).toBe(304)
})

test('replies that depend on the visitor are not cacheable by shared caches', async () => {
  const { path, cookie } = await adaptive()
  for (const output of [
    '',
    'plan',
    'plan.md',
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'robots.txt',
    '~search?q=x',
  ]) {
    const { headers } = await send(path + output, { cookie })
    expect([output, headers['cache-control']]).toEqual([output, expect.stringMatching(/^private|no-store/)])
  }
})

test('visitor tokens are not passed to redirect targets, referrers or the page itself', async () => {
  const { params, path, cookie } = await adaptive()
  const destination = { kind: 'external' as const, url: 'https://elsewhere.example/' }
  await octavo.admin.api.createSiteRedirect({ params, body: { source: '/away', destination } })
  const token = cookie.split('=')[1] ?? ''
  const arriving = await send(`${path}away?jwt_token=${token}&preview=x&visitor.a=b&q=1`)
  const { location } = arriving.headers
  expect(location).toBe(`${octavo.url}${path}away?q=1`)
  const leaving = await send(`${path}away?q=1`, { cookie })
  expect(leaving.headers['location']).toBe('https://elsewhere.example/?q=1')
  const page = await send(path, { cookie })
  expect(page.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  expect(page.body).not.toContain(token)
})

describe('requests from other origins', () => {
  test('cannot read replies with the cookies of a visitor', async () => {
    const { path, cookie, params } = await adaptive()
    const headers = { cookie, origin: 'https://evil.example', 'content-type': 'application/json' }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pages', arguments: {} } }
    const ask = () => send(`${path}~mcp`, headers, 'POST', JSON.stringify(message))
    const open = await ask()
    expect(open.headers['access-control-allow-credentials']).toBeUndefined()
    expect(open.headers['access-control-allow-origin']).toBe('*')
    for (const output of ['', 'plan.md', 'llms.txt', '~search.json?q=x']) {
      const reply = await send(path + output, headers)
      expect([output, reply.headers['access-control-allow-origin']]).toEqual([output, undefined])
    }
    await octavo.admin.api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
    expect((await ask()).status).toBe(403)
  })

  test('cannot record events for a visitor or embed a page in a frame', async () => {
    const { path, cookie } = await adaptive()
    const events = JSON.stringify({ place: { url: octavo.url }, events: [{ type: 'page_view' }] })
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await send(
        `${path}~events`,
        { cookie, 'content-type': 'text/plain', ...headers } as never,
        'POST',
        events,
      )
      expect(reply.status).toBe(403)
    }
    expect((await send(path)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

const breakout = '</script><script>alert(1)</script><img src=x onerror=a()>"\'>'

/** Asserts that a text adds no element, event handler or script URL to the output. */
function expectHarmless(body: string, what: string): void {
  expect(body, what).not.toMatch(/<script>alert|<img src=x/)
  expect(body.replaceAll(/="[^"]*"/g, '=""'), what).not.toMatch(/<[^>]* on[a-z]+=[^>]*>/)
  expect(body, what).not.toMatch(/(?:href|src|action)=["']?\s*(?:javascript|data:text|vbscript)/i)
}

test('escapes titles, descriptions and settings in every output, and rejects unsafe link URLs', async () => {
  const to = { kind: 'url' as const, url: 'https://example.com/"><script>alert(1)</script>' }
  const scripted = { kind: 'url' as const, url: 'javascript:alert(1)' }
  const refused = publish([insertPage('# Home')], {
    look: { header: { links: [{ title: 'Run', to: scripted, links: [] }] } },
  })
  await expect(refused).rejects.toThrow('must be a URL or a path')
  for (const url of ['/\t/evil.example/', '//evil.example/', '/\\evil.example/']) {
    const look = { header: { links: [{ title: 'Away', to: { kind: 'url' as const, url }, links: [] }] } }
    await expect(publish([insertPage('# Home')], { look })).rejects.toThrow('must be a URL or a path')
  }
  const { path } = await publish(
    [
      insertPage('Text', { title: breakout, description: breakout }),
      insertPage(
        `${breakout}\n\n[a](javascript:alert(1)) [b](  JaVaScRiPt:alert(1)) [c](data:text/html,x)\n\n{% embed url="javascript:alert(1)" %}\n\n{% updates format="full" %}\n{% update date="2026-01-01" %}\n## ${breakout}\n\n]]> &lt;x&gt;\n{% endupdate %}\n{% endupdates %}`,
        { title: breakout, slug: 'news' },
      ),
    ],
    {
      title: breakout,
      look: {
        title: breakout,
        header: { links: [{ title: breakout, to, links: [{ title: breakout, to }] }] },
        footer: { copyright: breakout, groups: [{ title: breakout, links: [{ title: breakout, to }] }] },
        announcement: { enabled: true, message: breakout, style: 'info', link: { title: breakout, to } },
        socialAccounts: ['javascript:alert(1)', '"><script>alert(1)</script>', '//evil.example/', 'a@b"onerror=x'].map(
          (handle) => ({ platform: 'mastodon', handle, display: { header: true, footer: true } }) as const,
        ),
      },
    },
  )
  for (const output of [
    '',
    'news',
    '~search?q=%3Cscript%3Ealert(1)',
    '%3Cscript%3Ealert(1)',
    'nowhere',
    '~navigation/x',
  ]) {
    expectHarmless((await send(path + output, { accept: 'text/html' })).body, output)
  }
  const structured = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec((await send(path)).body)?.[1] ?? ''
  expect(JSON.stringify(JSON.parse(structured))).toContain('onerror')
  for (const output of ['sitemap.xml', 'news/rss.xml']) {
    const reply = await send(path + output)
    expect([output, reply.status]).toEqual([output, 200])
    expectHarmless(reply.body, output)
    expect(reply.body).not.toContain('<script')
  }
  for (const output of ['index.md', 'llms.txt', 'llms-full.txt', 'robots.txt', 'sitemap.xml', 'news/rss.xml']) {
    const { headers } = await send(path + output)
    expect(headers['content-type']).not.toContain('html')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  }
})

const face = (url: string) => ({ weight: 400, sources: [{ url, format: 'woff2' as const }] })

const font = (id: string, fontFamily: string, ...urls: string[]) => ({
  id,
  custom: true as const,
  fontFamily,
  permissions: { edit: true },
  fontFaces: urls.map(face),
})

test('custom fonts cannot inject styles or directives of the content security policy', async () => {
  const hostile = ['https://x;script-src-elem/a.woff2', 'https://evil.example/b.woff2', 'https://y,script-src/c.woff2']
  const styling = { font: font('f', 'Some Font', ...hostile) }
  const { path } = await publish([insertPage('# Home')], { look: { styling } })
  const page = await send(path)
  const policy = String(page.headers['content-security-policy'])
  const directives = policy.split(/[;,]/).map((directive) => directive.trim().split(/\s+/)[0])
  expect(new Set(directives).size).toBe(directives.length)
  expect(directives).not.toContain('script-src-elem')
  const styles = /<style>([^]*?)<\/style>/.exec(page.body)?.[1] ?? ''
  expect(styles).toContain('Some Font')
  expect(styles).not.toContain('body{background:url(//evil.example)}')
  // The policy allows inline styles by their hash, so that injected styles do not match.
  const allowed = /style-src 'self' '(sha256-[^']+)';/.exec(policy)?.[1]
  expect(allowed).toBe(`sha256-${hash('sha256', styles, 'base64')}`)
})

test('uploaded files are not served as pages or scripts of the site', async () => {
  const { path, spaceId } = await publish([insertPage('# Home')])
  const script = 'alert(document.domain)'
  const files = await addFiles(
    octavo.admin,
    spaceId,
    inlineFile('a.js', script, 'text/javascript'),
    inlineFile('b.html', `<script>${script}</script>`, 'text/html'),
    inlineFile('c.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"/>`, 'image/svg+xml'),
    inlineFile('d.css', 'body{}', 'text/css'),
    inlineFile('e"\r\nset-cookie: a=b;.txt', 'text', 'text/plain'),
    inlineFile('f.mjs', script, 'application/ecmascript; charset=utf-7'),
  )
  const shown = files.map(({ id }) => `{% file src="/files/${id}" %}\n\n![](/files/${id})`).join('\n\n')
  await editLive(octavo.admin, spaceId, insertPage(`# Files\n\n${shown}`, { slug: 'files' }))
  const page = await send(`${path}files`)
  expectHarmless(page.body, 'files')
  for (const { name, downloadURL } of files) {
    const { pathname, search } = new URL(downloadURL)
    const { status, headers } = await send(pathname + search, { 'sec-fetch-dest': 'script' })
    expect([name, status, headers['x-content-type-options'], headers['set-cookie']]).toEqual([
      name,
      200,
      'nosniff',
      undefined,
    ])
    expect([name, headers['content-security-policy']]).toEqual([name, expect.stringContaining('sandbox')])
    // Pages may run scripts of their own origin, which also serves files, so no file may have a script content type.
    if (name.endsWith('html')) expect(headers['content-disposition']).toMatch(/^attachment/)
    expect([name, headers['content-type']]).toEqual([name, expect.not.stringMatching(/javascript|ecmascript/i)])
  }
})
