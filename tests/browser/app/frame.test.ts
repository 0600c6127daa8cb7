import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

test('the first screen opens the organization, and links, back and reload show the right screens', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, '')
  const home = `${octavo.url}/app/orgs/${octavo.admin.organizationId}`
  await eventually(() => page.url()).toBe(home)
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(await page.title()).toContain('Home')
  await page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: 'Octavo' }).click()
  await eventually(() => page.url()).toContain(`/app/spaces/${octavo.admin.spaceId}`)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(page.url()).toBe(home)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
})

test('a visitor who is not signed in is led to the sign-in page and back', async () => {
  const { page } = await browser.open(`${octavo.url}/app/spaces/${octavo.admin.spaceId}`)
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/app/spaces/${octavo.admin.spaceId}`)
})

test('an address that leads nowhere is explained', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, '/nothing/here')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('a screen that cannot be loaded is explained, and is shown after another attempt', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/orgs/${octavo.admin.organizationId}`, {
    expects: [/ERR_FAILED|Failed to load resource/],
  })
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.route(/~assets\/app\/sites-/, (route) => route.abort())
  await page.getByRole('link', { name: 'Sites' }).click()
  await page.getByText('A part of the app could not be loaded.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sites' }).waitFor()
})

test('every screen has the language of the browser, or the one that was chosen', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${octavo.admin.spaceId}/history`, {
    locale: 'de-DE',
  })
  await page.getByRole('heading', { name: 'Verlauf' }).waitFor()
  await page.getByRole('link', { name: 'Startseite' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Startseite' }).waitFor()
  await page.goto(`${octavo.url}/app/account`)
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('Español')
  await page.getByRole('combobox', { name: 'Idioma' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Inicio' }).waitFor()
})

test('an address with a search opens the palette with its words', async () => {
  const { page } = await openApp(
    browser,
    octavo,
    octavo.admin.id,
    `/orgs/${octavo.admin.organizationId}?search=webhook`,
  )
  await eventually(() => page.getByRole('combobox').inputValue()).toBe('webhook')
  expect(new URL(page.url()).search).toBe('')
})

test('menus, dialogs and messages work with the keyboard', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, '/_ui')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).press('Enter')
  const menu = page.getByRole('menu', { name: 'Your account' })
  await menu.waitFor()
  await page.keyboard.press('ArrowDown')
  await eventually(() => page.locator(':focus').textContent()).toContain('Server')
  await page.keyboard.press('ArrowDown')
  await eventually(() => page.locator(':focus').textContent()).toContain('Keyboard shortcuts')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('the parts of the interface are accessible on wide screens and phones, in light and dark', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, '/_ui', { bypassCSP: true })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await inspectPage(page, 'app-parts')
  const { page: small } = await openApp(browser, octavo, octavo.admin.id, '', { bypassCSP: true, ...phone })
  await small.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await inspectPage(small, 'app-home-phone')
})
