import { afterAll, beforeAll, expect, test } from 'vitest'
import { signJwt } from '../../src/kernel/jwt.ts'
import { hours } from '../../src/kernel/time.ts'
import { editLive, insertPage } from '../support/content.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

// Requests of visitors to published sites: sign-in, cookies, claims and redirects.

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const open = (url: string, init: RequestInit = {}) => new CookieClient().open(url, init)
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forPro = "visitor.claims.plan == 'pro'"
const adaptive = { adaptiveContent: { enabled: true } }
const fallbackURL = 'https://login.example.com/start?from=docs'

const guarded = async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nInside words'), insertPage('# Two')], {
    visibility: 'visitor-auth',
  })
  const { api } = octavo.admin
  await api.updateSitePublishingAuthById({ params: site.params, body: { backend: 'custom', fallbackURL } })
  return site
}

test('redirects visitors who are not signed in to the login URL, with only the requested path', async () => {
  const { base } = await guarded()
  const { pathname } = new URL(base)
  for (const [path, location] of [
    ['', pathname],
    ['two?x=1', `${pathname}two`],
    ['/evil.example.com/%2F%5Cx', `${pathname}evil.example.com/%2F%5Cx`],
  ]) {
    const reply = await open(base + path)
    expect([path, reply.status]).toEqual([path, 307])
    const to = new URL(reply.headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe('https://login.example.com/start')
    expect([...to.searchParams]).toEqual([
      ['from', 'docs'],
      ['location', location],
    ])
    expect(reply.headers.getSetCookie()).toEqual([])
  }
})

test('stores a token from the URL in a cookie of the site, and accepts it until it expires', async () => {
  const { base, params } = await guarded()
  const browser = new CookieClient()
  const token = await signVisitorToken(octavo, params, { name: 'Ann' })
  const arriving = await browser.open(`${base}two?jwt_token=${token}&q=a%26b&visitor.plan=pro`)
  expect([arriving.status, arriving.headers.get('location')]).toEqual([307, `${base}two?q=a%26b`])
  expect(arriving.headers.get('cache-control')).toBe('no-store')
  const [cookie = '', ...others] = arriving.headers.getSetCookie()
  expect(others).toEqual([])
  const path = new URL(base).pathname.slice(0, -1)
  expect(cookie).toMatch(
    new RegExp(`^gitbook-visitor-token=${token}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=35\\d\\d$`),
  )
  expect(await browser.text(`${base}two`)).toContain('Two')
  expect(await browser.text(base.slice(0, -1))).toContain('Inside words')
  const page = await browser.open(base)
  expect(page.headers.get('cache-control')).toBe('private, no-cache')
  expect(page.headers.get('x-robots-tag')).toBe('noindex')
  octavo.clock.advance(hours(1))
  expect((await browser.open(base)).headers.get('location')).toContain('login.example.com')
})

test('ignores invalid, expired and foreign tokens, in the URL and in a cookie', async () => {
  const { base, params } = await guarded()
  const other = await guarded()
  const good = await signVisitorToken(octavo, params)
  const [head = '', body = '', signature = ''] = good.split('.')
  const now = Math.floor(octavo.clock.now() / 1000)
  const forged = [
    await signVisitorToken(octavo, params, { exp: now - 1 }),
    await signVisitorToken(octavo, other.params),
    signJwt({ exp: now + 100 }, ''),
    [head, encode({ exp: now + 9999 }), signature].join('.'),
    [encode({ alg: 'none' }), body, ''].join('.'),
    'x%0d%0aSet-Cookie:%20a=b',
    `${good}%0d%0aX-Evil:%20yes`,
    'a'.repeat(9000),
  ]
  for (const token of forged) {
    const reply = await open(`${base}?jwt_token=${token}`)
    expect([token.slice(0, 40), reply.status, reply.headers.getSetCookie()]).toEqual([token.slice(0, 40), 307, []])
    expect(reply.headers.get('location')).toMatch(/^https:\/\/login\.example\.com\/start\?from=docs&location=/)
    expect(reply.headers.has('x-evil')).toBe(false)
    const kept = await open(base, { headers: { cookie: `gitbook-visitor-token=${token}` } })
    expect(kept.status).toBe(307)
  }
  const signedIn = new CookieClient()
  await signedIn.openFollowingRedirects(`${base}?jwt_token=${good}`)
  expect(await signedIn.text(`${base}?jwt_token=${forged[0]}`)).toContain('Inside words')
  await octavo.admin.api.regenerateSitePublishingAuthById({ params })
  expect((await signedIn.open(base)).status).toBe(307)
})

test('answers HEAD like GET, and returns 405 for other methods', async () => {
  const { base, params } = await guarded()
  const token = await signVisitorToken(octavo, params)
  const arriving = await open(`${base}?jwt_token=${token}`, { method: 'HEAD' })
  expect([arriving.status, arriving.headers.get('location')]).toEqual([307, base])
  expect(arriving.headers.getSetCookie()).toHaveLength(1)
  const cookie = `gitbook-visitor-token=${token}`
  expect((await open(base, { method: 'HEAD', headers: { cookie } })).status).toBe(200)
  expect((await open(base, { method: 'POST', headers: { cookie } })).status).toBe(405)
  expect((await open(`${base}?jwt_token=${token}`, { method: 'POST' })).status).toBe(405)
  expect((await open(base, { method: 'DELETE' })).status).toBe(405)
})

test('signing out deletes the cookie and redirects to the logout URL', async () => {
  const { base, params } = await guarded()
  const logoutURL = 'https://login.example.com/out'
  await octavo.admin.api.updateSitePublishingAuthById({ params, body: { backend: 'custom', logoutURL } })
  const browser = new CookieClient()
  await browser.openFollowingRedirects(`${base}?jwt_token=${await signVisitorToken(octavo, params)}`)
  const reply = await browser.open(`${base}~logout`)
  expect([reply.status, reply.headers.get('location')]).toEqual([307, logoutURL])
  expect(browser.cookiesFor(new URL(base).pathname)).toBe('')
  expect((await browser.open(base)).headers.get('location')).toContain('login.example.com/start')
})

test('a public adaptive site evaluates claims of valid tokens and ignores invalid tokens', async () => {
  const { base, params } = await publishPages(
    octavo,
    [insertPage(`# Home\n\nFor all\n\n{% if ${forPro} %}\nFor pro\n{% endif %}`)],
    adaptive,
  )
  const [pro, free] = [
    await signVisitorToken(octavo, params, { plan: 'pro' }),
    await signVisitorToken(octavo, params, { plan: 'free' }),
  ]
  const read = async (token: string) =>
    (await open(base, { headers: { cookie: `gitbook-visitor-token=${token}` } })).text()
  for (let round = 0; round < 2; round++) {
    expect(await read(pro)).toContain('For pro')
    for (const token of [free, `${pro}x`, 'nonsense', '']) expect(await read(token)).not.toContain('For pro')
    expect(await (await open(base)).text()).not.toContain('For pro')
  }
  const bad = await open(`${base}?jwt_token=${pro}x&y=1`)
  expect([bad.status, bad.headers.get('location'), bad.headers.getSetCookie()]).toEqual([307, `${base}?y=1`, []])
})

test('unsigned claims are read from the URL and from cookies, and do not count as signed', async () => {
  const { base } = await publishPages(
    octavo,
    [
      insertPage(
        [
          '# Home',
          `{% if ${forPro} %}\nSigned pro\n{% endif %}`,
          "{% if visitor.claims.unsigned.plan == 'pro' %}\nSaid pro\n{% endif %}",
          "{% if visitor.claims.unsigned.team.size == '9' %}\nSaid nine\n{% endif %}",
        ].join('\n\n'),
      ),
    ],
    adaptive,
  )
  const browser = new CookieClient()
  const arriving = await browser.open(`${base}?visitor.plan=pro&utm_source=mail&visitor.team.size=9`)
  expect(arriving.headers.get('location')).toBe(`${base}?utm_source=mail`)
  for (const page of [
    await browser.text(base),
    await (
      await open(base, {
        headers: {
          cookie: `gitbook-visitor-public=${encodeURIComponent('{"plan":"pro"}')}; gitbook-visitor-public-x={"team":{"size":"9"}}`,
        },
      })
    ).text(),
  ]) {
    expect(page).toContain('Said pro')
    expect(page).toContain('Said nine')
    expect(page).not.toContain('Signed pro')
  }
  const odd = ['{', '[]', 'null', '"x"', '%', '{"__proto__":{"plan":"pro"}}'].map(
    (value, index) => `gitbook-visitor-public-${index}=${value}`,
  )
  expect(await (await open(base, { headers: { cookie: odd.join('; ') } })).text()).not.toContain('Said pro')
  const long = await browser.open(`${base}?visitor.plan=${'x'.repeat(5000)}`)
  expect([long.status, long.headers.getSetCookie()]).toEqual([307, []])
})

test('a public site without adaptive content sets no cookie', async () => {
  const { base } = await publishPages(octavo, [insertPage('# Home')])
  for (const query of ['jwt_token=a.b.c', 'visitor.plan=pro', 'preview=abc']) {
    const reply = await open(`${base}?${query}`)
    expect([query, reply.status, reply.headers.get('location')]).toEqual([query, 307, base])
    expect(reply.headers.getSetCookie()).toEqual([])
  }
  const page = await open(base)
  expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
  expect((await open(`${base}constructor`)).status).toBe(404)
})

test('a share link opens a site by its path, until it is deactivated', async () => {
  const { base, params } = await publishPages(octavo, [insertPage('# Home'), insertPage('# Two')], {
    visibility: 'share-link',
  })
  const { api } = octavo.admin
  const link = await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  const shared = link.urls.published ?? ''
  const { pathname } = new URL(shared)
  const page = await new CookieClient().text(shared)
  expect(page).toContain(`href="${pathname}two"`)
  expect(page).toContain('<meta name="robots" content="noindex">')
  expect((await open(`${shared}two`)).headers.get('x-robots-tag')).toBe('noindex')
  for (const address of [base, `${base}two`, `${shared.slice(0, -2)}/`, `${base}nobody/`])
    expect([address, (await open(address)).status]).toEqual([address, 404])
  await api.updateSiteShareLinkById({ params: { ...params, shareLinkId: link.id }, body: { active: false } })
  expect([(await open(shared)).status, (await open(`${shared}two`)).status]).toEqual([404, 404])
})

test('unlisted sites are marked noindex, and an unpublished site returns 404 at once', async () => {
  const { base, params, spaceId } = await publishPages(octavo, [insertPage('# Home'), insertPage('# Two')], {
    visibility: 'unlisted',
  })
  for (const address of [base, `${base}two`, `${base}nowhere`]) {
    const reply = await open(address)
    expect([address, reply.headers.get('x-robots-tag')]).toEqual([address, 'noindex'])
    expect(await reply.text()).toContain('<meta name="robots" content="noindex">')
  }
  await octavo.admin.api.unpublishSite({ params })
  expect((await open(base)).status).toBe(404)
  await octavo.admin.api.publishSite({ params })
  expect((await open(base)).status).toBe(200)
  await editLive(octavo.admin, spaceId, insertPage('# Three'))
  expect(await new CookieClient().text(base)).toContain('Three')
})

test('cookies and redirects use the public URL of the site behind a proxy', async () => {
  const proxied = await serverForTest({
    OCTAVO_URL: 'https://octavo.example.com',
    OCTAVO_TRUSTED_PROXIES: '1',
    OCTAVO_HOSTNAMES: 'docs.example.com',
  })
  const { params, base } = await publishPages(proxied, [insertPage('# Home\n\nInside'), insertPage('# Two')], {
    visibility: 'visitor-auth',
  })
  const { api } = proxied.admin
  await api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  const at = (host: string, path: string, headers: Record<string, string> = {}) =>
    open(proxied.url + path, { headers: { 'x-forwarded-host': host, 'x-forwarded-proto': 'https', ...headers } })
  const path = new URL(base).pathname
  const token = await signVisitorToken(proxied, params)

  const plain = await at('octavo.example.com', `${path}two?jwt_token=${token}`)
  expect(plain.headers.get('location')).toBe(`https://octavo.example.com${path}two`)
  expect(plain.headers.getSetCookie().join()).toContain(`Path=${path.slice(0, -1)}; HttpOnly; SameSite=Lax; Secure;`)

  await api.updateSiteById({ params, body: { hostname: 'docs.example.com' } })
  const own = await at('docs.example.com', `/two?jwt_token=${token}`)
  expect(own.headers.get('location')).toBe('https://docs.example.com/two')
  expect(own.headers.getSetCookie().join()).toContain('Path=/; HttpOnly; SameSite=Lax; Secure;')
  const asked = new URL((await at('docs.example.com', '//evil.example.com/x')).headers.get('location') ?? '')
  expect(asked.searchParams.get('location')).toBe('/evil.example.com/x')
  // A cookie of this host would not be sent to the hostname of the site, so the token is kept in the URL.
  const former = await at('octavo.example.com', `${path}two?jwt_token=${token}`)
  expect(former.headers.get('location')).toBe(`https://docs.example.com/two?jwt_token=${token}`)
  expect(former.headers.getSetCookie()).toEqual([])
  const page = await at('docs.example.com', '/', { cookie: `gitbook-visitor-token=${token}` })
  expect(await page.text()).toContain('href="/two"')
})
