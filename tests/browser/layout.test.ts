import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, phone, takeScreenshot } from '../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { publishPages, publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Tests how pages use the available width: on phones, on wide screens, and with content that is too wide.

let octavo: TestServer
let base: string
const browser = browserForFile()
const tablet = { viewport: { width: 1024, height: 768 } }

const words = 'Some words that fill a line of the page, and then some more of them. '.repeat(8)
const longName = 'octavo.limits.requests.maxConnectionsPerAddressAndPerOrganizationAndPerServer'
const cardsOf = (...titles: string[]) =>
  `<table data-view="cards"><thead><tr><th></th></tr></thead><tbody>${titles.map((title) => `<tr><td>${title}</td></tr>`).join('')}</tbody></table>`
const update = (title: string, ...tags: string[]) =>
  `{% update date="2026-01-01" tags="${tags.join(',')}" %}\n## ${title}\n\n${words}\n{% endupdate %}`
const nodes = 'ABCDEFGH'.split('').map((name) => `${name}[The step ${name} of many]`)
const missing = { ref: { kind: 'url', url: 'https://files.example/missing.png' }, yPos: 0 }

beforeAll(async () => {
  octavo = await startTestServer()
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [shown] = await addFiles(
    admin,
    spaceId,
    inlineFile('cover.png', await createCanvas(900, 300).encode('png'), 'image/png'),
  )
  await editLive(
    admin,
    spaceId,
    insertPage(`# Home\n\n${['First', 'Second', 'Third'].map((title) => `## ${title}\n\n${words}`).join('\n\n')}`),
    insertPage(
      `# Tables\n\n| Name | Meaning |\n| --- | --- |\n| \`${longName}\` | What it means is told here |\n\n| ${'Column |'.repeat(9)}\n| ${'--- |'.repeat(9)}\n| ${'A word |'.repeat(9)}`,
      { slug: 'tables' },
    ),
    insertPage(`# Cards\n\n${cardsOf('One', 'Two')}`, { slug: 'cards', layout: { width: 'wide' } }),
    insertPage(`# Diagram\n\n\`\`\`mermaid\nflowchart LR\n${nodes.join(' --> ')}\n\`\`\``, { slug: 'diagram' }),
    insertPage(`# Names\n\n## Sidebar\n\n${words}\n\n## Outline\n\n${words}`, { slug: 'names' }),
    insertPage('# Above', { slug: 'above', cover: missing }),
    insertPage('# Behind', {
      slug: 'behind',
      layout: { coverSize: 'background' },
      cover: { ...missing, textColor: 'white' },
    }),
    insertPage('# Shown', { slug: 'shown', cover: { ref: { kind: 'file', file: shown?.id ?? '' }, yPos: 0 } }),
    insertPage(
      `# Changelog\n\n{% updates format="full" %}\n${[update('Sites', 'new'), update('Crash', 'fix', 'api'), update('Search', 'new', 'api')].join('\n\n')}\n{% endupdates %}`,
      { slug: 'changelog' },
    ),
    insertPage('# Donaudampfschifffahrtselektrizitätenhauptbetriebswerk and more\n\nText', {
      slug: 'long',
      description: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
    }),
  )
  base = (await publishSpaces(octavo, [spaceId])).base
})
afterAll(() => octavo.stop())

const widthOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.width ?? 0

test.each([
  ['a phone', { ...phone }],
  ['a phone without scripts', { ...phone, javaScriptEnabled: false }],
  ['a tablet', tablet],
])('on %s, a button above the page opens the outline', async (_, options) => {
  const { page } = await browser.open(base, options)
  const button = page.getByRole('button', { name: 'On this page' })
  const outline = page.getByRole('navigation', { name: 'On this page' })
  const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0 }
  expect(await outline.isVisible()).toBe(false)
  const above = await boxOf('.outline-button')
  expect(above.y).toBeLessThan((await boxOf('h1')).y)
  await button.click()
  const opened = await boxOf('.outline')
  expect([opened.x, opened.width]).toEqual([above.x, above.width])
  expect(opened.y).toBeGreaterThan(above.y)
  await button.click()
  await outline.waitFor({ state: 'hidden' })
  await button.click()
  await outline.getByRole('link', { name: 'Second' }).click()
  expect(page.url()).toBe(`${base}#second`)
  const heading = page.getByRole('heading', { name: 'Second' })
  await eventually(async () => Math.round((await heading.boundingBox())?.y ?? 0)).toBeLessThan(200)
  if (!('javaScriptEnabled' in options)) await outline.waitFor({ state: 'hidden' })
})

test.each([
  ['with', true],
  ['without', false],
])(
  '%s scripts, the keyboard moves focus from the button into the outline, and Escape returns it',
  async (_, javaScriptEnabled) => {
    const { page } = await browser.open(base, { ...tablet, javaScriptEnabled })
    const button = page.getByRole('button', { name: 'On this page' })
    const outline = page.getByRole('navigation', { name: 'On this page' })
    await button.focus()
    await page.keyboard.press('Tab')
    expect(await page.locator('main :focus').count()).toBe(1)
    await button.focus()
    await page.keyboard.press('Enter')
    await outline.waitFor()
    // Scripts move the focus into the outline; without them it is next in the tab order.
    if (!javaScriptEnabled) await page.keyboard.press('Tab')
    await eventually(() => getFocusedName(page)).toBe('First')
    await page.keyboard.press('Tab')
    expect(await getFocusedName(page)).toBe('Second')
    await page.keyboard.press('Escape')
    await outline.waitFor({ state: 'hidden' })
    expect(await getFocusedName(page)).toBe('On this page')
  },
)

test('the outline closes when the screen becomes wide enough to show it beside the page', async () => {
  const { page } = await browser.open(base, tablet)
  await page.getByRole('button', { name: 'On this page' }).click()
  const outline = page.getByRole('navigation', { name: 'On this page' })
  await outline.waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await eventually(() => page.locator('.outline:popover-open').count()).toBe(0)
  expect((await outline.boundingBox())?.x).toBeGreaterThan(1000)
})

test('menus open on a page whose headings are titled Sidebar and Outline', async () => {
  const { page } = await browser.open(`${base}names`, phone)
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'On this page' }).click()
  await page.getByRole('navigation', { name: 'On this page' }).waitFor()
})

test('on a wide screen, the outline is beside the page and has no button', async () => {
  const { page } = await browser.open(base)
  const outline = page.getByRole('navigation', { name: 'On this page' })
  expect(await outline.getByRole('link').allTextContents()).toEqual(['First', 'Second', 'Third'])
  expect(await page.getByRole('button', { name: 'On this page' }).count()).toBe(0)
  const box = await outline.boundingBox()
  expect(box?.x).toBeGreaterThan((await page.locator('h1').boundingBox())?.x ?? 0)
})

test('the page for a 404 is aligned with the top of the navigation', async () => {
  const { page } = await browser.open(`${base}nowhere`, { ...tablet, expects: [/404/] })
  const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y
  expect(await topOf('main')).toBe(await topOf('.frame > .sidebar'))
})

test('arrow keys, Home and End move the focus in a menu', async () => {
  const { page } = await browser.open(base, tablet)
  await page.getByRole('button', { name: 'On this page' }).focus()
  const press = async (key: string) => {
    await page.keyboard.press(key)
    return getFocusedName(page)
  }
  expect(await press('ArrowDown')).toBe('First')
  expect(await press('ArrowDown')).toBe('Second')
  expect(await press('End')).toBe('Third')
  expect(await press('ArrowDown')).toBe('First')
  expect(await press('ArrowUp')).toBe('Third')
  expect(await press('Home')).toBe('First')
  expect(await press('Escape')).toBe('On this page')
  expect(await page.locator('.outline').isVisible()).toBe(false)
})

test('long code in a table cell leaves enough width for the next column', async () => {
  const { page } = await browser.open(`${base}tables`)
  const cell = page.getByRole('cell', { name: 'What it means' })
  expect((await cell.boundingBox())?.width).toBeGreaterThan(150)
  const table = page.locator('.scroll').first()
  expect(await table.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
})

test('on a phone, nothing is wider than the screen, and scrollable blocks have a shadow at the edge', async () => {
  for (const path of ['tables', 'diagram', 'long', 'changelog']) {
    const { page } = await browser.open(base + path, phone)
    if (path === 'diagram') await page.locator('.drawing').waitFor()
    await takeScreenshot(page, `phone-${path}`)
    const tooWide = `[...document.querySelectorAll('h1, .lead, .scroll, .drawing, .content > *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth || (!one.matches('.scroll, .drawing') && one.scrollWidth > one.clientWidth + 1 && !one.querySelector('.scroll, .drawing')))
      .map((one) => one.className || one.tagName)`
    expect([path, await page.evaluate(tooWide)]).toEqual([path, []])
    // The shadow is fixed to the edge while the content scrolls over it.
    const cues = `[...document.querySelectorAll('.scroll, .drawing')].filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => getComputedStyle(one).backgroundAttachment)`
    const scrolling = await page.evaluate<string[]>(cues)
    expect(new Set(scrolling)).toEqual(new Set(scrolling.map(() => 'local, local, scroll, scroll, scroll')))
    if (path === 'tables' || path === 'diagram') expect(scrolling).not.toEqual([])
  }
})

test('a wide diagram scrolls on a phone and can be enlarged by keyboard', async () => {
  const { page } = await browser.open(`${base}diagram`, phone)
  const drawing = page.getByRole('group', { name: 'Diagram' })
  await drawing.waitFor()
  expect(await drawing.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true)
  const before = await drawing.locator('svg').boundingBox()
  await page.getByRole('button', { name: 'Enlarge diagram' }).focus()
  await page.keyboard.press('Enter')
  const large = page.getByRole('dialog', { name: 'Enlarge diagram' })
  await large.waitFor()
  expect((await large.locator('svg').boundingBox())?.width).toBeGreaterThan(before?.width ?? Infinity)
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'hidden' })
  expect(await getFocusedName(page)).toBe('Enlarge diagram')
})

test('changing the theme while a diagram is being drawn draws it with its styles', async () => {
  const { page } = await browser.open(`${base}diagram`)
  await page.locator('.drawing svg').waitFor()
  // The library appends an element to the body while it draws.
  await page.evaluate(`
    new MutationObserver((_, observer) => {
      observer.disconnect()
      document.documentElement.dataset.theme = 'light'
    }).observe(document.body, { childList: true })
    document.documentElement.dataset.theme = 'dark'`)
  const state = `({
    id: document.querySelector('.drawing').shadowRoot.querySelector('svg').id,
    rules: document.querySelector('.drawing').shadowRoot.adoptedStyleSheets[0].cssRules.length > 10,
    createsStyles: document.createElement('style') instanceof HTMLStyleElement,
    adopted: document.adoptedStyleSheets.length,
  })`
  await eventually(() => page.evaluate(state)).toEqual({
    id: 'diagram-3-0',
    rules: true,
    createsStyles: true,
    adopted: 0,
  })
})

test('two cards fill the width of a wide page', async () => {
  const { page } = await browser.open(`${base}cards`, { viewport: { width: 1440, height: 900 } })
  const [cards, frame] = [await widthOf(page, '.card'), await widthOf(page, '.frame')]
  // Beside the navigation, the cards use the width of the absent outline too.
  expect(cards * 2).toBeGreaterThan(frame - 400)
})

test('a cover that cannot be loaded is removed, and one that loads is visible', async () => {
  const failing = { mayAsk: () => false, expects: [/missing\.png|ERR_FAILED/] }
  for (const path of ['above', 'behind']) {
    const { page } = await browser.open(base + path, failing)
    await eventually(() => page.locator('.cover-image, .on-cover').count()).toBe(0)
    const color = await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color")
    expect([path, color]).not.toEqual([path, 'rgb(255, 255, 255)'])
  }
  const { page } = await browser.open(`${base}shown`)
  expect(await page.locator('.cover-image img').isVisible()).toBe(true)
})

test('updates can be filtered by tag, and every filter has its own URL', async () => {
  const { page } = await browser.open(`${base}changelog`)
  const titles = () => page.locator('.update h2:visible').evaluateAll((all) => all.map((one) => one.id))
  const filter = page.getByRole('list', { name: 'Filter by tag' })
  const current = () => filter.locator('[aria-current=true]').allTextContents()
  expect([await titles(), await current()]).toEqual([['sites', 'crash', 'search'], ['All']])
  await filter.getByRole('link', { name: 'api' }).click()
  expect([await titles(), await current()]).toEqual([['crash', 'search'], ['api']])
  const address = page.url()
  await filter.getByRole('link', { name: 'new' }).click()
  expect(await titles()).toEqual(['sites', 'search'])
  await page.goBack()
  expect(await titles()).toEqual(['crash', 'search'])
  await filter.getByRole('link', { name: 'All' }).click()
  expect(await titles()).toEqual(['sites', 'crash', 'search'])
  const shared = await browser.open(address)
  await eventually(() => shared.page.locator('.update:visible').count()).toBe(2)
  expect(await shared.page.getByRole('list', { name: 'Filter by tag' }).isVisible()).toBe(true)
  // A link in the outline shows its target even if the filter hides it.
  await shared.page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Sites' }).click()
  await shared.page.getByRole('heading', { name: 'Sites' }).waitFor()
  const { page: plain } = await browser.open(`${base}changelog`, { javaScriptEnabled: false })
  await plain.getByRole('link', { name: 'fix' }).click()
  const crash = plain.getByRole('heading', { name: 'Crash' })
  await eventually(async () => Math.round((await crash.boundingBox())?.y ?? 0)).toBeLessThan(300)
})

test('the header has the background color of a page that matches the primary color', async () => {
  const { base: matching } = await publishPages(octavo, [insertPage('# Home')], {
    customization: { styling: { background: 'match', primaryColor: { light: '#c2410c', dark: '#fb923c' } } },
  })
  const { page } = await browser.open(matching)
  const [header, body] = await page.evaluate<[string, string]>(`[document.querySelector('.site-header'), document.body]
    .map((one) => getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map((part) => Math.round(Number(part) <= 1 ? Number(part) * 255 : Number(part))).join())`)
  expect(body).not.toBe('255,255,255')
  expect(header).toBe(body)
})
