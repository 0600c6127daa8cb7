import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, phone, takeScreenshot } from '../support/browser.ts'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Tests how tables distribute their width over columns.

let octavo: TestServer
let base: string
const browser = browserForFile()

const sentence = 'This text describes in many words what the field means and when it is of any use to somebody.'
const address = 'https://example.com/a/very/long/address/that/does/not/fit/into/any/column/of/a/table'
const markdown = `# Tables

| Field | Type | Description | Remarks | Since | Address |
| ----- | ---- | ----------- | ------- | ----- | ------- |
| maxConnections | number | ${sentence} | <p>${sentence}</p><ul><li>one</li><li>two</li></ul> | 1.0 | ${address} |
| name | string | Short | ${sentence} | 2.0 | none |
| | | | | | |
`

beforeAll(async () => {
  octavo = await startTestServer()
  base = (await publishPages(octavo, [insertPage(markdown)], { customization: { themes: { default: 'light' } } })).base
})
afterAll(() => octavo.stop())

const widths = (page: Page) =>
  page.locator('.grid > thead > tr > *').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().width))

test.each([
  ['wide-light', { viewport: { width: 1440, height: 900 } }],
  ['wide-dark', { viewport: { width: 1440, height: 900 } }],
  ['phone-light', phone],
  ['phone-dark', phone],
])('columns with long text are wider and cells are not clipped: %s', async (name, options) => {
  const { page } = await browser.open(base, options)
  if (name.endsWith('dark')) await page.getByRole('button', { name: 'Theme: Light' }).click()
  const [field = 0, type = 0, description = 0, remarks = 0, since = 0, link = 0] = await widths(page)
  expect(description).toBeGreaterThan(Math.max(field, type, since) * 1.5)
  expect(remarks).toBeGreaterThan(Math.max(field, type, since) * 1.5)
  expect(link).toBeLessThan(400)
  const cut = await page
    .locator('.grid td, .grid th')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length)
  expect(cut).toBe(0)
  const lines = await page
    .locator('.grid tbody tr:first-child td:first-child')
    .evaluate((cell) => cell.getClientRects().length)
  expect(lines).toBe(1)
  expect(await page.locator('.grid > tbody > tr').count()).toBe(2)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  const scrolls = await page.locator('.scroll').evaluate((region) => region.scrollWidth > region.clientWidth)
  expect(scrolls).toBe(true)
  await takeScreenshot(page, `tables-${name}`)
})
