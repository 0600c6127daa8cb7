import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { browserForFile, takeScreenshot, waitForScripts } from '../support/browser.ts'
import { insertPage, propose, writePage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { signVisitorToken } from '../support/visits.ts'

let octavo: TestServer
const browser = browserForFile()
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const home = insertPage('# Home\n\nRead [more](/pages/more).')
const more = insertPage('# More\n\nText.', { slug: 'more' })

test('a visitor with a share link reads the whole site', async () => {
  const { base, params } = await publishPages(octavo, [home, more])
  const { api } = octavo.admin
  await api.createSiteShareLink({ params, body: { name: 'Friends' } })
  await api.updateSiteById({ params, body: { visibility: 'share-link' } })
  const { page } = await browser.open(base, { expects: [/404/] })
  expect(await page.getByRole('heading').textContent()).toBe('Page not found')
  const { items } = await api.listSiteShareLinks({ params, query: {} })
  const shared = items[0]?.urls.published ?? ''
  await page.goto(shared)
  await page.getByRole('main').getByRole('link', { name: 'more', exact: true }).click()
  await page.waitForURL(new URL('more', shared).href)
  await page.getByRole('banner').getByRole('link', { name: 'Handbook' }).click()
  await page.waitForURL(shared)
})

/** Starts a sign-in page that redirects visitors back with a token, and returns its URL. */
async function startSignInPage(tokenFor: () => Promise<string>, back: () => string): Promise<string> {
  const server = createServer((request, response) => {
    const location = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('location') ?? '/'
    void tokenFor().then((token) => {
      const address = new URL(location, back())
      address.searchParams.set('jwt_token', token)
      response.writeHead(302, { location: address.href }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-in`
}

test('a visitor signs in on an external page and returns to the requested page', async () => {
  const { base, params } = await publishPages(octavo, [home, more])
  const { api } = octavo.admin
  const fallbackURL = await startSignInPage(
    () => signVisitorToken(octavo, params, { name: 'Ann' }),
    () => base,
  )
  await api.updateSitePublishingAuthById({ params, body: { backend: 'custom', fallbackURL } })
  await api.updateSiteById({ params, body: { visibility: 'visitor-auth' } })
  const { page, context } = await browser.open(`${base}more`, { origins: [new URL(fallbackURL).origin] })
  await page.getByRole('heading', { name: 'More' }).waitFor()
  // The token must not be in the URL, which readers share, nor be readable by scripts.
  expect(page.url()).toBe(`${base}more`)
  expect(await page.evaluate('document.cookie')).toBe('')
  expect((await context.cookies()).map(({ httpOnly }) => httpOnly)).toEqual([true])
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(base)
})

const forPlan = (plan: string) => `{% if visitor.claims.plan == '${plan}' %}\nFor ${plan} readers.\n{% endif %}`

test('two visitors with different claims see different content', async () => {
  const { base, params } = await publishPages(
    octavo,
    [insertPage(`# Home\n\n${forPlan('free')}\n\n${forPlan('pro')}`), more],
    { adaptiveContent: { enabled: true } },
  )
  const open = async (plan: string) => {
    const token = await signVisitorToken(octavo, params, { plan })
    const { page } = await browser.open(`${base}?jwt_token=${token}`)
    expect(page.url()).toBe(base)
    return page
  }
  const [free, pro] = [await open('free'), await open('pro')]
  for (const page of [free, pro]) {
    await page.getByRole('link', { name: 'More', exact: true }).first().click()
    await page.goBack()
  }
  expect(await free.getByRole('main').textContent()).toContain('For free readers.')
  expect(await free.getByRole('main').textContent()).not.toContain('For pro')
  expect(await pro.getByRole('main').textContent()).toContain('For pro readers.')
  expect(await pro.getByRole('main').textContent()).not.toContain('For free')
})

test('a preview shows a banner of its change request, and its links and search remain in the preview', async () => {
  const { base, params, spaceId, pages } = await publishPages(octavo, [home, more])
  const proposal = await propose(octavo.admin, spaceId, 'Say more')
  await proposal.edit(writePage(pages[1] ?? '', '# More\n\nText, and then some.'))
  const { url } = await octavo.admin.api.getSitePublishingPreviewById({ params, query: {} })
  const preview = `${base}~/changes/1/`
  const { page } = await browser.open(`${preview}${new URL(url).search}`)
  await page.getByText('You are looking at change request #1 (Say more)').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'more', exact: true }).click()
  await page.waitForURL(`${preview}more`)
  await takeScreenshot(page, 'preview')
  expect(await page.getByRole('main').textContent()).toContain('and then some')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(/\/~\/changes\/1\/?$/)
  await waitForScripts(page)
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('then some')
  await page.getByRole('option', { name: 'More' }).click()
  await page.waitForURL(`${preview}more`)
  await page.getByRole('link', { name: 'Leave the preview' }).click()
  await page.waitForURL(`${base}more`)
  expect(await page.getByRole('main').textContent()).not.toContain('and then some')
})

test('the 404 page links to a page with a similar path', async () => {
  const { base } = await publishPages(octavo, [home, more])
  const { page } = await browser.open(`${base}moree`, { expects: [/404/] })
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
  await takeScreenshot(page, 'not-found')
  await page.getByRole('main').getByRole('link', { name: 'More' }).click()
  await page.waitForURL(`${base}more`)
})
