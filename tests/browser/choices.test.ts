import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, phone, takeScreenshot } from '../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { publishPages, publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
const browser = browserForFile()
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

async function spaceWith(title: string, language: 'en' | 'de', ...pages: [title: string, slug: string][]) {
  const spaceId = await emptySpace(octavo.admin, title)
  await octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { language } })
  await editLive(octavo.admin, spaceId, ...pages.map(([name, slug]) => insertPage(`# ${name}\n\nText.`, { slug })))
  return spaceId
}

test('switching the version or the language keeps the reader on the same page', async () => {
  const spaces = [
    await spaceWith('Version 2', 'en', ['Home', 'home'], ['Install', 'install']),
    await spaceWith('Version 1', 'en', ['Home', 'home'], ['Install the first', 'install']),
    await spaceWith('Deutsch', 'de', ['Start', 'home'], ['Einrichten', 'install']),
  ]
  const { base } = await publishSpaces(octavo, spaces)
  const { page } = await browser.open(`${base}install`)
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const alternates = await page
    .locator('link[rel=alternate][hreflang]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('hreflang')))
  expect(alternates).toEqual(expect.arrayContaining(['en', 'de', 'x-default']))
  await page.locator('summary', { hasText: 'Version 2' }).click()
  await takeScreenshot(page, 'versions')
  await page.getByRole('link', { name: 'Version 1' }).click()
  await eventually(heading).toBe('Install the first')
  await page.locator('summary', { hasText: 'Language' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await eventually(heading).toBe('Einrichten')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  // The interface uses the language of the content.
  await page.getByRole('navigation', { name: 'Seiten' }).waitFor()
})

test('the theme button cycles light, dark and system, and the choice applies before the first paint', async () => {
  const { base } = await publishPages(octavo, [insertPage('# Home')], {
    customization: { themes: { default: 'light' } },
  })
  const { page, context } = await browser.open(base, { colorScheme: 'dark' })
  const button = page.getByRole('button', { name: /^Theme/ })
  const theme = () => page.locator('html').getAttribute('data-theme')
  const style = (name: string) => page.evaluate<string>(`getComputedStyle(document.body).${name}`)
  expect([await theme(), await button.getAttribute('aria-label')]).toEqual(['light', 'Theme: Light'])
  const light = await style('backgroundColor')
  await button.click()
  expect([await theme(), await button.getAttribute('aria-label')]).toEqual(['dark', 'Theme: Dark'])
  const dark = await style('backgroundColor')
  expect(dark).not.toBe(light)
  await takeScreenshot(page, 'home-dark')

  // Nothing is painted before the body element exists.
  await context.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body) return
    window.themeAtBody = document.documentElement.dataset.theme
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  await page.reload()
  expect(await page.evaluate('themeAtBody')).toBe('dark')
  await button.click()
  expect(await theme()).toBe('system')
  expect(await style('colorScheme')).toContain('dark')
  await button.click()
  expect(await theme()).toBe('light')
})

const said = (message: string) => ({ announcement: { enabled: true, message, style: 'info' as const } })

test('a dismissed announcement remains hidden until its message changes', async () => {
  const { base, params } = await publishPages(octavo, [insertPage('# Home')], {
    customization: said('Version 2 is out'),
  })
  const { page } = await browser.open(base)
  const shown = page.getByText('Version 2 is out')
  await shown.waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await shown.waitFor({ state: 'hidden' })
  await page.reload()
  expect(await shown.isVisible()).toBe(false)
  await octavo.admin.api.updateSiteCustomizationById({ params, body: said('Version 3 is out') })
  await page.reload()
  await page.getByText('Version 3 is out').waitFor()
})

test('a reader rates a page and adds a comment', async () => {
  const { base, params } = await publishPages(octavo, [insertPage('# Home')], {
    customization: { feedback: { enabled: true } },
  })
  const { page } = await browser.open(base)
  const told: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('~events')) told.push(request.postData() ?? '')
  })
  const good = page.getByRole('button', { name: 'Yes' })
  await good.click()
  expect(await good.getAttribute('aria-pressed')).toBe('true')
  // The confirmation appears only after the comment is sent.
  expect(await page.getByText('Thank you!').isVisible()).toBe(false)
  await page.getByRole('textbox', { name: /better/ }).fill('More examples')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Thank you!').waitFor()
  expect(await getFocusedName(page)).toBe('Thank you!')
  await eventually(() => told.join()).toContain('More examples')
  const kept = async () => (await octavo.admin.api.listSiteFeedback({ params, query: {} })).items
  await eventually(kept).toMatchObject([{ rating: 'good', comment: 'More examples' }])
})

test('on a phone, the navigation is a menu that opens and closes', async () => {
  const { base } = await publishPages(octavo, [insertPage('# Home'), insertPage('# Install', { slug: 'install' })])
  const { page } = await browser.open(base, phone)
  const menu = page.getByRole('navigation', { name: 'Pages' })
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  expect(await menu.isVisible()).toBe(false)
  await button.click()
  await menu.waitFor()
  await takeScreenshot(page, 'phone-menu')
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  expect(await getFocusedName(page)).toBe('Menu')
  await button.click()
  await menu.waitFor()
  const { width, height } = phone.viewport
  await page.mouse.click(width - 5, height - 5)
  await menu.waitFor({ state: 'hidden' })
  await button.click()
  await menu.getByRole('link', { name: 'Install' }).click()
  await page.waitForURL(`${base}install`)
  expect(await menu.isVisible()).toBe(false)
  // The page does not scroll horizontally.
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
})
