import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, getFocusedName } from '../../support/browser.ts'
import { insertPage } from '../../support/content.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { gitServerForTest } from '../../support/git-server.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type PublishedSite, publishPages } from '../../support/published-sites.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const hostname = 'docs.example.test'
const browser = browserForFile()
let dns: DnsServer
let octavo: TestServer

beforeAll(async () => {
  dns = await startDnsServer()
  octavo = await startTestServer({ OCTAVO_DNS_SERVERS: dns.address, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
})
afterAll(async () => {
  await octavo.stop()
  await dns.stop()
})

const screenOf = ({ params }: PublishedSite, name: string) =>
  `/orgs/${params.organizationId}/sites/${params.siteId}/${name}`

/** Opens a screen of a site as the administrator. */
const openScreen = (site: PublishedSite, name: string, expects: RegExp[] = []) =>
  openApp(browser, octavo, octavo.admin.id, screenOf(site, name), { bypassCSP: true, expects })

test('a domain is connected as soon as DNS proves it, and the site opens there', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nWelcome.')])
  const { page } = await openScreen(site, 'domain', [/400/])
  await page.getByRole('textbox', { name: 'Host name' }).fill('docs')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Must be a hostname').waitFor()
  await page.getByRole('textbox', { name: 'Host name' }).fill(`https://${hostname}/`)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The name does not exist in DNS yet').waitFor()
  const record = page.getByRole('group', { name: 'TXT record' })
  const [name, value] = await Promise.all(
    ['Name', 'Value'].map((label) => record.getByRole('textbox', { name: label }).inputValue()),
  )
  await inspectPage(page, 'app-site-domain')
  dns.zone.set(hostname, { txt: [] })
  dns.zone.set(name ?? '', { txt: ['something else'] })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('something else').waitFor()
  // The button keeps the focus while it is busy.
  expect(await getFocusedName(page)).toBe('Check again')
  dns.zone.set(name ?? '', { txt: [value ?? ''] })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  const href = (await page.getByRole('link', { name: 'Open the site' }).getAttribute('href')) ?? ''
  expect(new URL(href).hostname).toBe(hostname)
  const { page: visited } = await browser.open(href)
  await visited.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
})

test('a share link opens the site until it is revoked', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nWelcome.')])
  const { page } = await openScreen(site, 'access')
  await page.getByRole('radio', { name: /^With a share link/ }).check()
  await page.getByText('Nobody can read the site yet').waitFor()
  expect((await fetch(site.base)).status).toBe(404)
  await page.getByRole('textbox', { name: 'Name of the new link' }).fill('Reviewers')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Everyone with the share link can read the site.').waitFor()
  await inspectPage(page, 'app-site-access')
  const link = (await page.locator('.row-text').textContent()) ?? ''
  expect((await fetch(link)).status).toBe(200)
  await page.getByRole('button', { name: 'Actions for Reviewers' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByText('Nobody can read the site yet').waitFor()
  expect((await fetch(link)).status).toBe(404)
})

test('a token that was made in the app opens a page with a condition', async () => {
  const condition = 'visitor.claims.plan == "pro"'
  const site = await publishPages(
    octavo,
    [insertPage('# Home'), insertPage('# Prices', { slug: 'prices', condition })],
    {
      visibility: 'visitor-auth',
      adaptiveContent: { enabled: true },
    },
  )
  expect((await fetch(`${site.base}prices`)).status).toBe(403)
  const { page } = await openScreen(site, 'access')
  await page.getByText('it has no login page yet').waitFor()
  await page.getByRole('button', { name: 'Add a claim' }).click()
  await page.getByRole('textbox', { name: 'Claim', exact: true }).fill('plan')
  await page.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'One of several values' })
  await page.getByRole('textbox', { name: 'Values, separated by commas' }).fill('pro, free')
  await page.getByRole('button', { name: 'Save the claims' }).click()
  await page.getByText('Conditions that you can use').waitFor()
  const claims = page.getByRole('textbox', { name: 'Claims of the visitor' })
  await claims.fill('{ "plan": ')
  await page.getByRole('button', { name: 'Make a token' }).click()
  await eventually(() => claims.getAttribute('aria-invalid')).toBe('true')
  await claims.fill('{ "plan": "pro" }')
  await page.getByRole('button', { name: 'Make a token' }).click()
  const href = await page.getByRole('link', { name: 'Open the site as this visitor' }).getAttribute('href')
  const { page: visited } = await browser.open(href ?? '')
  await visited.getByRole('navigation').getByRole('link', { name: 'Prices' }).first().click()
  await visited.getByRole('heading', { level: 1, name: 'Prices' }).waitFor()
})

test('1,000 redirects are checked and imported, and one of them is followed and deleted', async () => {
  const site = await publishPages(octavo, [insertPage('# Home'), insertPage('# Guide', { slug: 'guide' })])
  const { page } = await openScreen(site, 'redirects')
  await page.getByRole('heading', { name: 'No redirects yet' }).waitFor()
  await page.getByRole('button', { name: 'Import' }).click()
  const good = Array.from({ length: 1000 }, (_, index) => `/old/${index},/guide`)
  const bad = ['/old/7,/guide', '/gone,/nowhere', '/a,/b', '/b,/a']
  const rows = page.getByRole('textbox', { name: 'Redirects', exact: true })
  await eventually(() => rows.evaluate((element) => element.matches(':focus'))).toBe(true)
  await rows.fill(['from,to', ...good, ...bad].join('\n'))
  await page.getByRole('button', { name: 'Check' }).click()
  const problems = page.getByRole('dialog').getByRole('listitem')
  await eventually(() => problems.allTextContents()).toEqual([
    'Line 1002 /old/7 Repeats line 9',
    'Line 1003 /gone No page was found',
    'Line 1004 /a Leads back to itself: /a → /b → /a',
    'Line 1005 /b Leads back to itself: /b → /a → /b',
  ])
  await page.getByRole('button', { name: 'Import 1,000 redirects' }).click()
  await page.getByText('1,000 redirects', { exact: true }).waitFor()
  const follow = async (path: string) =>
    (await fetch(`${site.base}${path}`, { redirect: 'manual' })).headers.get('location')
  expect(await follow('old/999')).toBe(`${site.base}guide`)
  await page.getByRole('searchbox', { name: 'Search the old addresses' }).fill('/old/999')
  await page.getByText('1 redirect', { exact: true }).waitFor()
  await inspectPage(page, 'app-site-redirects')
  await page.getByRole('button', { name: 'Actions for /old/999' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('No redirect matches').waitFor()
  expect(await follow('old/999')).toBeNull()
})

test('a search without results appears in the insights', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nWelcome.')])
  const { page: reader } = await browser.open(site.base)
  await reader.keyboard.press('/')
  await reader.getByRole('dialog', { name: 'Search' }).waitFor()
  await reader.keyboard.type('zebra')
  await reader.getByRole('paragraph').filter({ hasText: 'zebra' }).waitFor()
  const isSent = reader.waitForResponse((reply) => reply.url().endsWith('~events'))
  await reader.keyboard.press('Escape')
  await isSent
  const { page } = await openScreen(site, 'insights')
  // The clock of the server is that of the test.
  await page.clock.setFixedTime(octavo.clock.now())
  await page.reload()
  const table = page.locator('section').filter({ hasText: 'Searches without results' })
  await table.getByRole('rowheader', { name: 'zebra' }).waitFor()
  await page.getByRole('slider').focus()
  await page.keyboard.press('Home')
  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL(/days=7/)
  await inspectPage(page, 'app-site-insights')
})

test('an editor sees the bar on a published page, and visitors request nothing of it', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nWelcome.')])
  const { page: visitor } = await browser.open(site.base)
  await visitor.waitForLoadState('networkidle')
  const requested: string[] = await visitor.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('editor'))",
  )
  expect(requested).toEqual([])
  const { page } = await openApp(browser, octavo, octavo.admin.id, screenOf(site, 'settings'))
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const ownReply = await page.goto(site.base)
  // The page itself is the same for everybody.
  expect(await ownReply?.text()).toBe(await (await fetch(site.base)).text())
  const bar = page.frameLocator('iframe[title="Editor"]')
  await bar.getByRole('link', { name: 'Edit' }).waitFor()
  // Scripts of the page cannot reach into the bar.
  expect(await page.evaluate(`document.querySelector('iframe[title="Editor"]').contentDocument`)).toBeNull()
  await bar.getByRole('button', { name: /^Hide/ }).click()
  await page.locator('iframe[title="Editor"]').waitFor({ state: 'hidden' })
  await page.reload()
  expect(await page.locator('iframe[title="Editor"]').count()).toBe(0)
})

test('settings are saved, and a member without the permission sees none of the screens', async () => {
  const site = await publishPages(octavo, [insertPage('# Home')])
  const { page } = await openScreen(site, 'settings')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Manual')
  await page.getByRole('textbox', { name: 'Name in the address' }).fill('manual')
  await inspectPage(page, 'app-site-settings')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(async () => (await octavo.admin.api.getSiteById({ params: site.params })).basename).toBe('manual')
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await page.getByText('The site is not published.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('The site is published.').waitFor()
  const reader = await octavo.member('read', 'Reader')
  const { page: refused } = await openApp(browser, octavo, reader.id, screenOf(site, 'access'), { bypassCSP: true })
  const noAccess = refused.getByRole('heading', { level: 1, name: 'No access', exact: true })
  await noAccess.waitFor()
  expect(await refused.getByRole('link', { name: 'Insights' }).count()).toBe(0)
  await inspectPage(refused, 'app-site-refused')
  // Nothing that the reader may not see is requested.
  const organization = `/orgs/${site.params.organizationId}`
  for (const path of [
    `${organization}/new`,
    `${organization}/new-site/${site.params.siteId}/look`,
    `${organization}/audit`,
  ]) {
    await refused.goto(`${octavo.url}/app${path}`)
    await noAccess.waitFor()
  }
  await refused.goto(`${octavo.url}/app${organization}/translations/engine`)
  await refused.getByRole('heading', { level: 2, name: 'No access', exact: true }).waitFor()
})

test('what administrators do is in the audit log in words', async () => {
  const site = await publishPages(octavo, [insertPage('# Home\n\nWelcome.')], { title: 'Audited' })
  const repository = (await gitServerForTest()).newRepository({ 'README.md': '# Welcome\n' })
  const ann = await octavo.member('read', 'Ann')
  const organization = `${octavo.url}/app/orgs/${octavo.admin.organizationId}`
  const { page } = await openScreen(site, 'domain')
  const dialog = page.getByRole('dialog')
  await page.getByRole('textbox', { name: 'Host name' }).fill('audited.example.test')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The name does not exist in DNS yet').waitFor()
  await page.goto(`${octavo.url}/app${screenOf(site, 'access')}`)
  await page.getByRole('radio', { name: /^With a share link/ }).check()
  await page.getByText('Nobody can read the site yet').waitFor()
  await page.getByRole('textbox', { name: 'Name of the new link' }).fill('Partners')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Everyone with the share link can read the site.').waitFor()

  await page.goto(`${octavo.url}/app/spaces/${site.spaceId}/git`)
  await page.getByLabel('Address of the repository').fill(repository.url)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The space and the branch have the same content.').waitFor()

  await page.goto(`${organization}/members`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('textbox', { name: 'Email addresses' }).fill('later@example.com')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Teams' }).click()
  await page.getByRole('button', { name: 'New team' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Writers')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('button', { name: 'Add members' }).click()
  await dialog.getByRole('checkbox', { name: /Ann/ }).check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('1 member ').waitFor()
  await page.goto(`${octavo.url}/app/spaces/${site.spaceId}/history`)
  await page.getByRole('button', { name: 'Who can see this' }).click()
  await dialog.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('checkbox', { name: /Writers/ }).check()
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByText('Team Writers').first().waitFor()
  await page.goto(`${organization}/members/${ann.id}`)
  await page.getByRole('button', { name: 'Remove from the organization' }).click()
  await dialog.getByRole('button', { name: 'Remove from the organization' }).click()
  await page.goto(`${organization}/sso`)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme login')
  await page.getByRole('textbox', { name: /Metadata/ }).fill(new IdentityProvider('acme').metadata)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Ready').waitFor()

  await page.goto(`${organization}/audit`)
  const find = (what: string, target: string | RegExp) =>
    page.getByRole('list', { name: 'Audit log' }).getByRole('button', { name: what }).filter({ hasText: target })
  await find('A SAML provider was created', 'Acme login').waitFor()
  await find('A member was removed', 'Ann').waitFor()
  await find('A user or team was given access to content', 'Guide').first().waitFor()
  await find('The members of a team were changed', 'Writers').first().waitFor()
  await find('A person was invited by email', 'later@example.com').waitFor()
  await find('The Git connection of a space was changed', 'Guide').first().waitFor()
  await find('A share link was created', 'Partners').waitFor()
  // The details name what was changed, from the last to the first.
  const settings = find('The settings of a site were changed', 'Audited')
  for (const [index, change] of [/visibility.*share-link/i, /hostname.*audited\.example\.test/i].entries()) {
    await settings.nth(index).click()
    await eventually(() => dialog.textContent()).toMatch(change)
    await dialog.getByRole('button', { name: 'Close' }).click()
  }
  await page.evaluate("localStorage.setItem('octavo.language', 'de')")
  await page.reload()
  const german = page
    .getByRole('list', { name: 'Audit-Protokoll' })
    .getByRole('button', { name: 'Ein Freigabelink wurde erstellt' })
  await german.filter({ hasText: 'Partners' }).click()
  await eventually(() => dialog.textContent()).toContain('Partners (Freigabelink ')
})
