import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, phone, takeScreenshot } from '../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let base: string
const browser = browserForFile()
const withoutScripts = { javaScriptEnabled: false }

beforeAll(async () => {
  octavo = await startTestServer()
  const spaces: string[] = []
  for (const title of ['Version 2', 'Version 1']) {
    const spaceId = await emptySpace(octavo.admin, title)
    const tabs =
      '{% tabs %}\n{% tab title="One" %}\nThe first.\n{% endtab %}\n\n{% tab title="Two" %}\nThe second.\n{% endtab %}\n{% endtabs %}'
    const [home = ''] = await editLive(
      octavo.admin,
      spaceId,
      insertPage(`# Home of ${title}\n\n${tabs}\n\n<details>\n\n<summary>More</summary>\n\nHidden.\n\n</details>`, {
        slug: 'home',
      }),
    )
    await editLive(octavo.admin, spaceId, insertPage('# Walruses\n\nThey swim.', { slug: 'walrus', into: home }))
    spaces.push(spaceId)
  }
  base = (await publishSpaces(octavo, spaces)).base
})
afterAll(() => octavo.stop())

test('without scripts, tabs, details, menus, search and version links work', async () => {
  const { page } = await browser.open(base, withoutScripts)
  await page.locator('label', { hasText: 'Two' }).click()
  expect(await page.locator('.panel:visible').allTextContents()).toEqual([expect.stringContaining('The second.')])
  await page.locator('summary', { hasText: /^More$/ }).click()
  await page.getByText('Hidden.').waitFor()
  // Controls that need scripts are absent.
  expect(await page.getByRole('button', { name: /Theme|Copy|Expand/ }).count()).toBe(0)
  await page.locator('summary[aria-label="More actions"]').click()
  await page.getByRole('link', { name: /Markdown/ }).waitFor()

  await eventually(async () => {
    await page.goto(base)
    await page.getByRole('searchbox', { name: 'Search' }).fill('walrus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/~search\?q=walrus/)
    return page
      .getByRole('main')
      .getByRole('link', { name: /Walruses/ })
      .count()
  }).toBeGreaterThan(0)
  await takeScreenshot(page, 'results')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Walruses/ })
    .first()
    .click()
  await page.waitForURL(/\/walrus(#.*)?$/)
  await page.locator('summary', { hasText: 'Version' }).click()
  await page.getByRole('link', { name: 'Version 1' }).click()
  await page.waitForURL(/version-1\/.*walrus/)
})

test('without scripts, the phone menu opens, closes and navigates', async () => {
  const { page } = await browser.open(base, { ...phone, ...withoutScripts })
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await menu.waitFor()
  await page.getByRole('button', { name: 'Close menu' }).click()
  await menu.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await menu.getByRole('link', { name: 'Walruses' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Walruses')
})
