import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdAndRefuse, openApp } from '../../support/app.ts'
import { browserForFile, eventually, getFocusedName } from '../../support/browser.ts'
import { insertPage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type PublishedSite, publishPages } from '../../support/published-sites.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
let site: PublishedSite
beforeAll(async () => {
  octavo = await startTestServer()
  site = await publishPages(octavo, [
    insertPage('# Home\n\nSee [the guide](/pages/guide) and `code`.\n\n{% hint style="info" %}\nNote\n{% endhint %}'),
    insertPage('# Guide\n\nRead this', { slug: 'guide' }),
  ])
})
afterAll(() => octavo.stop())

const sitePath = () => `/orgs/${site.params.organizationId}/sites/${site.params.siteId}`

/** Returns the value of a color as the page uses it. */
const readPrimaryColor = (page: Page) =>
  page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--primary')")

test('a site is made from nothing, with a color of its own, and is public at the end', async () => {
  const { organizationId } = octavo.admin
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/orgs/${organizationId}/sites`, { bypassCSP: true })
  await page.getByRole('link', { name: 'New site' }).click()
  await page.getByRole('textbox', { name: 'Name of the site' }).fill('Acme docs')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: 'Start with a blank space' }).check()
  await inspectPage(page, 'app-new-site-content')
  await page.getByRole('button', { name: 'Create the site' }).click()
  const color = page.getByRole('textbox', { name: 'Primary color, Light, #RRGGBB' })
  await color.fill('#fde047')
  await page.getByText(/Contrast 1\.3:1/).waitFor()
  await color.fill('#b3005e')
  // What was chosen survives a reload, and is not saved yet.
  await page.reload()
  await eventually(() => color.inputValue()).toBe('#b3005e')
  await page.frameLocator('iframe:not(.is-loading)').getByRole('link', { name: 'Acme docs' }).first().waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: 'Unlisted' }).check()
  // Going back changes nothing.
  await page.getByRole('link', { name: 'Back' }).click()
  await eventually(() => color.inputValue()).toBe('#b3005e')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: /^Public/, checked: true }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Publish the site' }).click()
  const address = await page.getByRole('textbox', { name: 'Address' }).inputValue()
  await inspectPage(page, 'app-new-site-done')
  const { page: reader } = await browser.open(address)
  expect(await readPrimaryColor(reader)).toContain('#b3005e')
})

test('sections are ordered by keyboard and by dragging, and the public navigation follows', async () => {
  const { api } = octavo.admin
  const { params } = site
  for (const title of ['Reference', 'Changelog']) await api.addSectionToSite({ params, body: { spaceId: null, title } })
  const { page } = await openApp(browser, octavo, octavo.admin.id, `${sitePath()}/structure`, {
    bypassCSP: true,
    expects: [/409/],
  })
  const item = (name: string) => page.getByRole('treeitem', { name }).first()
  const readSections = async () => {
    const { structure } = await api.getSiteStructure({ params })
    return structure.map(({ title }) => title)
  }
  const [first = ''] = await readSections()
  await item('Changelog').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(readSections).toEqual([first, 'Changelog', 'Reference'])
  await eventually(() => getFocusedName(page)).toContain('Changelog')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(readSections).toEqual([first, 'Reference', 'Changelog'])
  await item('Changelog').dragTo(item('Reference'), { targetPosition: { x: 60, y: 2 } })
  await eventually(readSections).toEqual([first, 'Changelog', 'Reference'])

  // A change is shown before the reply, and taken back with a message if the server refuses it.
  const shownSections = async () => {
    const labels = await page.getByRole('treeitem', { level: 1 }).evaluateAll((all) => all.map((one) => one.ariaLabel))
    return labels.map((label) => [first, 'Changelog', 'Reference', 'Status'].find((title) => label?.startsWith(title)))
  }
  const refuse = await holdAndRefuse(page, /structure\/sort|external-links/, 'Somebody else changed the site.')
  await item('Reference').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(shownSections).toEqual(['Reference', first, 'Changelog'])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add a link' }).click()
  await page.getByLabel('Name').last().fill('Status')
  await page.getByRole('dialog').getByLabel('Address').fill('https://status.example.com/')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await eventually(shownSections).toEqual(['Reference', first, 'Changelog', 'Status'])
  refuse()
  await page.getByText('Somebody else changed the site.').waitFor()
  await eventually(shownSections).toEqual([first, 'Changelog', 'Reference'])
  // What was typed is not lost.
  expect(await page.getByRole('dialog').getByLabel('Address').inputValue()).toBe('https://status.example.com/')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.unrouteAll()
  const tabs = async () => {
    const html = await (await fetch(site.base)).text()
    const [navigation = ''] = /<nav[^>]*class="section-tabs.*?<\/nav>|class="section-tabs.*?<\/nav>/s.exec(html) ?? []
    return ['Changelog', 'Reference'].map((title) => navigation.indexOf(title))
  }
  const [changelog = -1, reference = -1] = await tabs()
  expect(changelog).toBeGreaterThan(0)
  expect(reference).toBeGreaterThan(changelog)
  await item('Reference').locator('a').click()
  await page.getByText(/Readers find it at .*\/reference\/\./).waitFor()
  await page.getByRole('textbox', { name: 'Path' }).fill('api')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/Readers find it at .*\/api\/\./).waitFor()
  await inspectPage(page, 'app-site-structure')

  // What another person changes appears, and what is typed remains.
  await page.getByRole('textbox', { name: 'Name' }).fill('My name')
  const { structure } = await api.getSiteStructure({ params })
  const changed = structure.find(({ title }) => title === 'Changelog')
  await api.updateSiteSectionById({ params: { ...params, siteSectionId: changed?.id ?? '' }, body: { title: 'News' } })
  await item('News').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('My name')
})

test('the preview of unsaved settings is the same as the published page after saving, with each theme', async () => {
  const { page, context } = await openApp(browser, octavo, octavo.admin.id, `${sitePath()}/customize`, {
    bypassCSP: true,
  })
  const preview = page.frameLocator('iframe:not(.is-loading)')
  // Links inside the preview stay inside.
  await preview.locator('.sidebar').getByRole('link', { name: 'Guide' }).click()
  await preview.getByRole('heading', { level: 1, name: 'Guide' }).waitFor()
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('corn')
  await page.getByRole('radio', { name: 'Straight' }).check()
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('theme')
  // Published pages show those who use the app a bar, which previews have not.
  await context.clearCookies({ name: 'octavo-editor' })
  const other = await context.newPage()
  for (const theme of ['Clean', 'Muted', 'Bold', 'Gradient']) {
    await page.getByRole('radio', { name: theme, exact: true }).check()
    await preview.locator(`html.theme-${theme.toLowerCase()}.corners-straight`).waitFor()
    const address = await preview.locator('html').evaluate((html) => html.ownerDocument.URL)
    expect(address).toContain('/guide')
    await other.goto(address)
    const shown = await other.screenshot({ animations: 'disabled' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Everything is saved').waitFor()
    await other.goto(`${site.base}guide`)
    const published = await other.screenshot({ animations: 'disabled' })
    expect([theme, shown.equals(published)]).toEqual([theme, true])
  }
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('')
  await inspectPage(page, 'app-site-customize')
})

test('a member without permission sees the overview only', async () => {
  const reader = await octavo.member('read', 'Reader')
  const { page } = await openApp(browser, octavo, reader.id, sitePath(), { bypassCSP: true })
  await page.getByRole('heading', { name: 'Spaces of this site' }).waitFor()
  const navigation = page.getByRole('navigation', { name: 'Site', exact: true })
  await eventually(() => navigation.getByRole('link').allTextContents()).toEqual(['Overview'])
  expect(await page.getByRole('button', { name: 'Unpublish' }).count()).toBe(0)
  await inspectPage(page, 'app-site-overview')
  await page.goto(`${octavo.url}/app${sitePath()}/customize`)
  await page.getByRole('heading', { name: 'No access' }).waitFor()
})
