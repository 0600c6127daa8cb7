import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, phone, takeScreenshot } from '../support/browser.ts'
import { insertPage } from '../support/content.ts'
import { operationMarkdown, schemasMarkdown, storeSpec } from '../support/openapi-blocks.ts'
import { putSpec } from '../support/openapi.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let base: string
const browser = browserForFile()

beforeAll(async () => {
  octavo = await startTestServer()
  await putSpec(octavo.admin, 'store', { text: JSON.stringify(storeSpec()) })
  const blocks = [
    '# Orders\n\nAn order is what a customer buys. Orders are created **open** and change when they are shipped.',
    operationMarkdown('store', 'get', '/orders'),
    'Requests are repeated after a timeout.',
    operationMarkdown('store', 'post', '/orders'),
    operationMarkdown('store', 'delete', '/orders/{orderId}'),
    operationMarkdown('store', 'get', '/invoices'),
    '## Objects\n\nAll objects are JSON.',
    schemasMarkdown('store', ['Order', 'Customer', 'Problem']),
  ]
  base = (await publishPages(octavo, [insertPage(blocks.join('\n\n')), insertPage('# Other page')])).base
})
afterAll(() => octavo.stop())

const sizes = { desktop: { viewport: { width: 1440, height: 900 } }, phone }

test.each([
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'light'],
  ['phone', 'dark'],
] as const)('operations fit on a %s screen with the %s theme', async (size, colorScheme) => {
  const { page } = await browser.open(base, sizes[size])
  await page.evaluate(`localStorage.setItem('theme', ${JSON.stringify(colorScheme)})`)
  await page.reload()
  const [text, examples] = await Promise.all([
    page.locator('.operation-text').first().boundingBox(),
    page.locator('.operation-examples').first().boundingBox(),
  ])
  const isBeside = (examples?.x ?? 0) >= (text?.x ?? 0) + (text?.width ?? 0)
  expect(isBeside).toBe(size === 'desktop')
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await page.locator('h2', { hasText: 'Create an order' }).scrollIntoViewIfNeeded()
  await takeScreenshot(page, `openapi-blocks-${size}-${colorScheme}`)
})

test('a link to a field opens what contains it', async () => {
  const { page } = await browser.open(base, sizes.desktop)
  const id = await page.locator('[id$=".customer.email"]').first().getAttribute('id')
  await page.goto(`${base}#${encodeURIComponent(id ?? '')}`)
  await page.reload()
  await page.locator(`[id="${id}"]`).waitFor({ state: 'visible' })
  expect(await page.locator(`[id="${id}"]`).innerText()).toContain('email')
})

test('choosing a language changes the samples of all operations', async () => {
  const { page } = await browser.open(base, sizes.desktop)
  const python = page.locator('.samples > label', { hasText: 'Python' })
  await python.first().click()
  expect(await page.locator('.samples > input[data-tab="Python"]:checked').count()).toBe(await python.count())
})
