import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { browserForFile, eventually } from '../support/browser.ts'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
const browser = browserForFile()
beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_HOSTNAMES: 'docs.example.test', OCTAVO_TRUSTED_PROXIES: '1' })
})
afterAll(() => octavo.stop())

const pages = () => [
  insertPage('# Home\n\nRead [more](/pages/more).'),
  insertPage('# More\n\n```js\nconst a = 1\n```', { slug: 'more' }),
]

test('serves a site on its own hostname', async () => {
  const { params } = await publishPages(octavo, pages())
  await octavo.admin.api.updateSiteById({ params, body: { hostname: 'docs.example.test' } })
  const base = `http://docs.example.test:${new URL(octavo.url).port}/`
  const { page } = await browser.open(base)
  await page.getByRole('main').getByRole('link', { name: 'more', exact: true }).click()
  await page.waitForURL(`${base}more`)
  await page.getByRole('button', { name: /^Theme/ }).waitFor()
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/^https?:\/\/docs\.example\.test/)
})

test('serves a site under a path of another domain behind a reverse proxy', async () => {
  const server = createServer((request, response) => {
    const to = new URL(octavo.url)
    const headers = {
      ...request.headers,
      'x-forwarded-host': 'www.example.test',
      'x-forwarded-proto': 'https',
      host: to.host,
    }
    const { hostname, port } = to
    const { url: path, method } = request
    const forwarded = ask({ hostname, port, path, method, headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const host = `www.example.test:${(server.address() as AddressInfo).port}`
  const { params } = await publishPages(octavo, pages())
  await octavo.admin.api.updateSiteById({ params, body: { proxy: 'www.example.test/docs' } })
  const { page } = await browser.open(`http://${host}/docs/`)
  await page.getByRole('main').getByRole('link', { name: 'more', exact: true }).click()
  await page.waitForURL(`http://${host}/docs/more`)
  await page.getByRole('banner').getByRole('link', { name: 'Handbook' }).click()
  await page.waitForURL(`http://${host}/docs/`)
  // The theme button proves that scripts are loaded.
  await page.getByRole('button', { name: /^Theme/ }).waitFor()
  await eventually(() => page.evaluate('document.styleSheets.length')).toBeGreaterThan(0)
})
