import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertPage } from '../support/content.ts'
import { type PublishedSite, publishPages } from '../support/published-sites.ts'
import { type RawReply, type RawRequest, sendRaw } from '../support/raw-http.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Requests to published pages that browsers do not send, or not in this form.

const hosts = { docs: 'docs.example.com', help: 'help.example.com' }

let octavo: TestServer
let docs: PublishedSite
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_HOSTNAMES: Object.values(hosts).join(',') })
  docs = await publishPages(octavo, [
    insertPage('# Docs\n\nWords of the docs'),
    insertPage('# Install\n\nHow to install', { slug: 'install' }),
    insertPage('# Long\n\n' + 'A line that says something. '.repeat(200), { slug: 'long' }),
  ])
  const help = await publishPages(octavo, [insertPage('# Help\n\nWords of the help')])
  const { api } = octavo.admin
  await api.updateSiteById({ params: docs.params, body: { hostname: hosts.docs } })
  await api.updateSiteById({ params: help.params, body: { hostname: hosts.help } })
})
afterAll(() => octavo.stop())

/** Sends a request to the site at docs.example.com. */
const ask = (target: string, { headers = [], ...request }: RawRequest = {}) =>
  sendRaw(octavo.url, target, { headers: [`Host: ${hosts.docs}`, ...headers], ...request })

const asked = (reply: RawReply, what: string) => `${reply.status} to ${what.slice(0, 120)}`

/** Expects a reply without a server error, without internals such as a stack trace, and with a body. */
function expectProper(reply: RawReply, what: string): void {
  expect(reply.status, asked(reply, what)).toBeLessThan(500)
  expect(reply.body, asked(reply, what)).not.toMatch(/node_modules|\bat \S+ \(|\.ts:\d+|TypeError/)
  if (reply.status < 300 || reply.status === 404) expect(reply.body, asked(reply, what)).not.toBe('')
}

beforeEach(async () => {
  // The cached page must still be correct after the requests of the previous test.
  const page = await ask('/', { headers: ['Accept: text/html'] })
  expect(page.body).toContain('Words of the docs')
})

describe('paths', () => {
  const nothing = [
    '/nowhere',
    '/install/below',
    '/%00',
    '/install%00',
    '/%',
    '/%zz',
    '/%E0%A4%A',
    '/%ud800',
    '/inst%C3%A1ll',
    '/insta%CC%81ll',
    '/%F0%9F%98%80',
    '/%E2%80%AEllatsni',
    '/%c0%ae%c0%ae/',
    '/install%2Fx',
    '/..%2f..%2fetc%2fpasswd',
    '/.git/config',
    '/__proto__',
    '/constructor/prototype',
    `/${'x'.repeat(8000)}`,
    `/${'a/'.repeat(3000)}`,
    `/${'%25'.repeat(2000)}`,
    '/~',
    '/~/changes/1',
    '/~/revisions/x/y',
    '/~unknown',
    '/~assets/',
    '/~assets/../../package.json',
    '/~assets/..%2f..%2fpackage.json',
    '/~assets/fonts/..%2f..%2fpackage.json',
    '/~assets/fonts/KaTeX_..%2f..%2fpackage.json',
    '/~assets/fonts/KaTeX_Unknown.woff2',
    '/~assets/fonts/%00.woff2',
    '/~assets/site.000000000000.js',
    '/~assets/__proto__',
    '/~social/x/y/z.png',
    '/~navigation',
    '/~navigation/__proto__/-',
    '/~navigation/x/y/~/changes/1',
    '/sitemap-0.xml',
    '/sitemap-99.xml',
    '/sitemap.xml/x',
    '/llms.txt/x',
    '/install/llms.txt',
    '/install/rss.xml',
    '/.md',
    '/nowhere.md',
  ]
  test('returns 404 for paths without a page, with an HTML page if accepted', async () => {
    const accepted = ['text/html', 'text/markdown']
    const ways = nothing.flatMap((path) => accepted.map((accept) => ({ path, accept })))
    for (const { path, accept } of ways) {
      const reply = await ask(path, { headers: [`Accept: ${accept}`] })
      expectProper(reply, path)
      expect([path, reply.status]).toEqual([path, 404])
      if (accept === 'text/html') expect(reply.body).toContain('Page not found')
    }
  })

  test.each([
    ['/install', 200],
    ['//install', 200],
    ['/install/', 200],
    ['/./install', 200],
    ['/x/../install', 200],
    ['/%69nstall', 200],
    ['/install?', 200],
    ['/INSTALL', 307],
  ])('%s serves or redirects to the page', async (path, status) => {
    for (const time of ['first', 'second']) {
      const reply = await ask(path)
      expectProper(reply, path)
      expect([path, time, reply.status]).toEqual([path, time, status])
      const location = reply.headers.get('location')
      if (location !== null) expect(new URL(location).pathname).toBe('/install')
    }
  })

  test('ignores unknown query parameters and handles malformed ones', async () => {
    const plain = (await ask('/install')).body
    for (const query of [
      'x'.repeat(10_000),
      `q=${'%20'.repeat(3000)}`,
      '%E0%A4%A',
      '&&&==&=',
      'a[b][c]=1&a[]=2&__proto__[x]=1',
      '?'.repeat(100),
    ]) {
      const reply = await ask(`/install?${query}`)
      expect([query.slice(0, 20), reply.status, reply.body === plain]).toEqual([query.slice(0, 20), 200, true])
    }
    for (const query of [
      'jwt_token=%E0%A4%A',
      'preview=x',
      'visitor.=1&visitor.a.b.c=2',
      `fallback=${'/'.repeat(9)}`,
    ]) {
      const reply = await ask(`/install?${query}`)
      expectProper(reply, query)
      expect([200, 307]).toContain(reply.status)
      const location = reply.headers.get('location')
      if (location !== null) expect(new URL(location, `http://${hosts.docs}`).hostname).toBe(hosts.docs)
    }
    for (const query of ['', 'q=', `q=${'x'.repeat(9000)}`, 'q=%E0%A4%A', 'q=%00', `q=${'%22'.repeat(500)}`, 'q=a&q=b'])
      for (const output of ['~search', '~search.json']) {
        const reply = await ask(`/${output}?${query}`)
        expectProper(reply, query)
        expect([query.slice(0, 20), [200, 400].includes(reply.status)]).toEqual([query.slice(0, 20), true])
      }
  })
})

describe('Host header', () => {
  const { docs: own, help } = hosts
  test.each([
    ['its own', [own], 'docs'],
    ['with a port', [`${own}:8080`], 'docs'],
    ['in capitals', [own.toUpperCase()], 'docs'],
    ['of another site', [help], 'help'],
    ['that nobody has', ['unknown.example.com'], undefined],
    ['above one', ['example.com'], undefined],
    ['below one', [`x.${own}`], undefined],
    ['with one in its name', [`${own}.evil.example`], undefined],
    ['of letters that look alike', ['dоcs.example.com'], undefined],
    ['in the form of names with such letters', ['xn--dcs-sqc.example.com'], undefined],
    ['that names somebody', [`somebody@${own}`], undefined],
    ['with a path', [`${own}/install`], undefined],
    ['with a question', [`${own}?`], undefined],
    ['that is empty', [''], undefined],
    ['with blanks', [`${own} ${own}`], undefined],
    ['with a port that is none', [`${own}:port`], undefined],
    ['that is an address', ['[::1]:80'], undefined],
    ['that is very long', ['x'.repeat(5000)], undefined],
    ['twice', [own, help], 'docs'],
  ])('never serves the content of another site: %s', async (_, names, site) => {
    for (const target of ['/', '/install', '/llms.txt', '/robots.txt', '/~search?q=words']) {
      const headers = names.map((name) => `Host: ${name}`)
      const reply = await sendRaw(octavo.url, target, { headers })
      expectProper(reply, `${target} of ${names.join()}`)
      if (site !== 'docs') expect(reply.body).not.toMatch(/Words of the docs|How to install/)
      if (site !== 'help') expect(reply.body).not.toContain('Words of the help')
      if (site !== undefined && target === '/') expect(reply.body).toContain(`Words of the ${site}`)
    }
  })

  test('does not override the host of an absolute request URL', async () => {
    const reply = await sendRaw(octavo.url, `http://${own}/`, { headers: [`Host: ${help}`] })
    expectProper(reply, 'an address with its host')
    expect(reply.body).not.toContain('Words of the help')
    const strange = await sendRaw(octavo.url, `http://unknown.example.com/`, { headers: [`Host: ${own}`] })
    expect(strange.body).not.toContain('Words of the docs')
    for (const target of ['*', 'http://', 'http:///', 'ftp://x/', '?', `//${help}/`, `/\\${help}/`])
      expectProper(await ask(target, { method: target === '*' ? 'OPTIONS' : 'GET' }), target)
  })

  test('is required, and its absence returns 400', async () => {
    expect((await sendRaw(octavo.url, '/', { version: '1.0' })).status).toBe(400)
    expect((await sendRaw(octavo.url, '/')).status).toBe(400)
    expect((await ask('/', { version: '1.0' })).body).toContain('Words of the docs')
  })

  test('with the host of the server returns 404 for an unknown organization or site', async () => {
    const { organizationId } = docs.params
    const { host } = new URL(octavo.url)
    for (const path of [
      '/sites',
      '/sites/',
      '/sites/unknown',
      '/sites/unknown/x/',
      `/sites/${organizationId}/unknown/`,
    ])
      for (const accept of ['text/html', '*/*']) {
        const reply = await sendRaw(octavo.url, path, { headers: [`Host: ${host}`, `Accept: ${accept}`] })
        expectProper(reply, path)
        expect([path, reply.status]).toEqual([path, 404])
      }
  })
})
