import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, phone, takeScreenshot } from '../support/browser.ts'
import { insertPage } from '../support/content.ts'
import { makeGate } from '../support/gate.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
let base: string
const browser = browserForFile()

beforeAll(async () => {
  octavo = await startTestServer()
  const site = await publishPages(octavo, [
    insertPage('# Home\n\nWelcome.'),
    insertPage('# Walruses\n\nThey swim.\n\n## Where walruses live\n\nIn the north.', { slug: 'walruses' }),
    insertPage('# Swans\n\nThey swim too, with no walrus near.', { slug: 'swans' }),
  ])
  base = site.base
  await waitUntil(async () => {
    const reply = await fetch(`${base}~search.json?q=walrus`)
    return ((await reply.json()) as unknown[]).length === 2
  }, 'the pages can be found')
})
afterAll(() => octavo.stop())

test('a reader opens the search by keyboard or click and opens a result with the keyboard', async () => {
  const { page } = await browser.open(base)
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox', { name: 'Search' })
  const chosen = dialog.getByRole('option', { selected: true })
  await page.keyboard.press('/')
  await dialog.waitFor()
  await page.keyboard.type('walrus')
  await eventually(() => dialog.getByRole('option').count()).toBeGreaterThan(2)
  await takeScreenshot(page, 'search')
  expect(await chosen.textContent()).toContain('Walruses')
  await page.keyboard.press('ArrowDown')
  await eventually(() => chosen.textContent()).toContain('Where walruses live')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  // After closing, the focus is in the search field and the query is kept.
  expect(await getFocusedName(page)).toBe('Search')

  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+k')
  await dialog.waitFor()
  expect(await field.inputValue()).toBe('walrus')
  await chosen.waitFor()
  await page.keyboard.press('ArrowUp')
  await eventually(() => chosen.textContent()).not.toContain('Walruses')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}walruses#where-walruses-live`)

  await page.getByRole('searchbox', { name: 'Search' }).click()
  await field.fill('zebra')
  await dialog.getByRole('paragraph').filter({ hasText: 'zebra' }).waitFor()
  expect(await dialog.getByRole('option').count()).toBe(0)
  await dialog.getByRole('button', { name: /Esc/ }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a selected result stays selected when the results of the whole query arrive', async () => {
  const { page } = await browser.open(base)
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const field = dialog.getByRole('combobox', { name: 'Search' })
  const chosen = dialog.getByRole('option', { selected: true })
  const listed = dialog.getByRole('option')
  const reply = makeGate()
  await page.route('**/~search.json?*q=walrus*', async (route) => {
    await reply.passed
    await route.continue()
  })
  await page.keyboard.press('/')
  await field.fill('walru')
  await eventually(() => listed.count()).toBeGreaterThan(2)
  const first = await listed.first().elementHandle()
  const complete = page.waitForResponse(/q=walrus/)
  await field.fill('walrus')
  await page.keyboard.press('ArrowDown')
  expect(await chosen.textContent()).toContain('Where walruses live')
  reply.open()
  await complete
  // The elements of the earlier results are replaced.
  await eventually(() => first?.evaluate((element) => element.isConnected)).toBe(false)
  expect(await chosen.textContent()).toContain('Where walruses live')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))

  await page.keyboard.type(' ')
  await page.keyboard.press('Backspace')
  await eventually(() => chosen.textContent()).toContain('Walruses')
})

test('on a phone, a search result opens on tap', async () => {
  const { page } = await browser.open(base, phone)
  await page.getByRole('searchbox', { name: 'Search' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill('swans')
  await dialog.getByRole('option', { name: /Swans/ }).first().waitFor()
  await takeScreenshot(page, 'search-phone')
  await dialog.getByRole('option', { name: /Swans/ }).first().tap()
  await page.waitForURL(`${base}swans`)
})
