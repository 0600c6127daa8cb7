import { readFileSync } from 'node:fs'
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { colorRules, findViolations } from '../support/axe.ts'
import { browserForFile, phone, takeScreenshot } from '../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { documentWithEveryBlock } from '../support/every-block.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { type PublishedSite, publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let site: PublishedSite
const browser = browserForFile()

/** Follows the color scheme of the reader's system. */
const inBoth = { default: 'system' as const }

/** Disables the Content Security Policy, which would block the injected axe script. */
const checked = { bypassCSP: true }

beforeAll(async () => {
  octavo = await startTestServer()
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Guide')
  const [page = ''] = await editLive(
    admin,
    spaceId,
    insertPage(
      '# Home\n\nA [link](https://example.com), `code` and **more**.\n\n## <i class="fa-rocket">:rocket:</i>\n\n## One\n\nText.\n\n## Two\n\nText.',
    ),
  )
  const drawing = createCanvas(640, 360)
  const [light, dark, document] = await addFiles(
    admin,
    spaceId,
    inlineFile('light.png', await drawing.encode('png'), 'image/png'),
    inlineFile('dark.png', await drawing.encode('png'), 'image/png'),
    inlineFile('notes.txt', 'Notes'),
  )
  const places = {
    page,
    light: light?.id ?? '',
    dark: dark?.id ?? '',
    document: document?.id ?? '',
    user: admin.id,
    reusableContent: 'absent',
  }
  await editLive(
    admin,
    spaceId,
    {
      operation: 'insert_page',
      title: 'Everything',
      slug: 'everything',
      document: { document: documentWithEveryBlock(places) },
    },
    insertPage('# Below\n\nText.', { into: page }),
  )
  site = await publishSpaces(octavo, [spaceId], { customization: { themes: inBoth } })
})
afterAll(() => octavo.stop())

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  const [red = 0] =
    (await page.evaluate<string>('getComputedStyle(document.body).color')).match(/\d+/g)?.map(Number) ?? []
  // Text is dark in the light theme and light in the dark theme.
  expect(red > 128 ? 'dark' : 'light').toBe(colorScheme)
}

test('a page with every block type has no accessibility violations in light and dark themes', async () => {
  const { page } = await browser.open(`${site.base}everything`, checked)
  await page.getByRole('heading', { name: 'What others show' }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await show(page, colorScheme)
    await takeScreenshot(page, `everything-${colorScheme}`)
    const found = colorScheme === 'light' ? await findViolations(page) : await findViolations(page, colorRules, 'rule')
    expect([colorScheme, ...found]).toEqual([colorScheme])
  }
})

/** Returns the selectors of site.css that match elements of a page but are missing from its style sheets. */
const missingStyles = (page: Page, all: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(all)})
    const rulesIn = ({ cssRules }) => Array.from(cssRules, (rule) =>
      rule.selectorText === undefined ? (rule.cssRules ? rulesIn(rule) : []) : [rule]).flat()
    // States come and go, and what they belong to stays.
    const plain = (selector) => selector.replace(/::?(?:hover|active|focus[a-z-]*|before|after|checked|target|popover-open|[a-z-]*placeholder|-webkit-[a-z-]+|marker|backdrop|selection)/g, '')
    const isUsed = ({ selectorText }) => {
      try { return document.querySelector(plain(selectorText)) !== null } catch { return false }
    }
    const carried = new Set([...document.styleSheets].flatMap(rulesIn).map(({ cssText }) => cssText))
    const used = rulesIn(sheet).filter(isUsed)
    if (used.length < 60) throw new Error('Hardly anything is used: ' + used.length)
    return used.filter(({ cssText }) => !carried.has(cssText)).map(({ selectorText }) => selectorText)
  })()`)

test('pages include all styles that they use, also for content that is added later', async () => {
  const all = readFileSync(new URL('../../dist/assets/site.css', import.meta.url), 'utf8')
  const { page } = await browser.open(`${site.base}everything`, checked)
  expect(await missingStyles(page, all)).toEqual([])
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('button', { name: 'Home' }).click()
  await pages.getByRole('link', { name: 'Below' }).waitFor()
  await page.locator('img[data-zoom]').first().click()
  await page.locator('dialog.zoom').waitFor()
  expect(await missingStyles(page, all)).toEqual([])
  await page.goto(site.base)
  await page.keyboard.press('/')
  await page.getByRole('dialog').waitFor()
  expect(await missingStyles(page, all)).toEqual([])
})

test('the search dialog and the phone menu have no accessibility violations', async () => {
  const { page } = await browser.open(site.base, checked)
  await page.keyboard.press('/')
  await page.getByRole('dialog').waitFor()
  expect(await findViolations(page)).toEqual([])
  const small = await browser.open(site.base, { ...checked, ...phone })
  await small.page.getByRole('button', { name: 'Menu', exact: true }).click()
  await small.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await takeScreenshot(small.page, 'phone-menu-branches')
  expect(await findViolations(small.page)).toEqual([])
})

test.each(['~search?q=text', 'nowhere'])('the page %s of a site has no accessibility violations', async (path) => {
  const { page } = await browser.open(site.base + path, { ...checked, expects: [/404/] })
  expect(await findViolations(page)).toEqual([])
})

test.each(['/', '/docs/api', '/docs/api/spaces', '/docs/api/updateSpaceById', '/docs/api/nowhere'])(
  'the page %s of the server has no accessibility violations',
  async (path) => {
    const { page } = await browser.open(octavo.url + path, { ...checked, expects: [/404/] })
    expect(await findViolations(page)).toEqual([])
  },
)

test('an Arabic site is laid out right to left without horizontal scrolling', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'دليل')
  await admin.api.updateSpaceById({ params: { spaceId }, body: { language: 'ar' } })
  await editLive(admin, spaceId, insertPage('# مرحبا\n\n## واحد\n\n* نص'))
  const { base } = await publishSpaces(octavo, [spaceId])
  for (const screen of [{}, phone]) {
    const { page } = await browser.open(base, screen)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const [title, brand] = [page.locator('h1'), page.locator('.brand')]
    const middle = (await page.evaluate<number>('innerWidth')) / 2
    for (const one of [title, brand]) {
      const box = await one.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(middle)
    }
    expect(await page.evaluate('getComputedStyle(document.querySelector(".content li")).direction')).toBe('rtl')
  }
})

test.each(['clean', 'muted', 'bold', 'gradient'] as const)(
  'the theme %s has enough contrast with a bright primary color',
  async (theme) => {
    const color = { light: '#ffe600', dark: '#ffe600' }
    const styling = { theme, primaryColor: color, tint: { color } }
    await octavo.admin.api.updateSiteCustomizationById({ params: site.params, body: { styling, themes: inBoth } })
    const { page } = await browser.open(`${site.base}everything`, checked)
    for (const colorScheme of ['light', 'dark'] as const) {
      await show(page, colorScheme)
      await takeScreenshot(page, `${theme}-${colorScheme}`)
      const found = await findViolations(page, colorRules, 'rule')
      expect([colorScheme, ...found]).toEqual([colorScheme])
    }
  },
)
