import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, takeScreenshot } from '../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { addFiles, inlineFile } from '../support/files.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let base: string
const browser = browserForFile()

const tabsOf = (...titles: string[]) =>
  `{% tabs %}\n${titles.map((title) => `{% tab title="${title}" %}\nWith ${title}.\n{% endtab %}`).join('\n\n')}\n{% endtabs %}`

const table = `<table data-search="true"><thead><tr><th>Name</th><th>Job</th></tr></thead><tbody><tr><td>Ann</td><td>Baker</td></tr><tr><td>Bob</td><td>Cook</td></tr></tbody></table>`

beforeAll(async () => {
  octavo = await startTestServer()
  const spaceId = await emptySpace(octavo.admin)
  const drawing = createCanvas(900, 600)
  const bytes = await drawing.encode('png')
  const [shown, other] = await addFiles(
    octavo.admin,
    spaceId,
    inlineFile('wide.png', bytes, 'image/png'),
    inlineFile('dark.png', bytes, 'image/png'),
  )
  await editLive(
    octavo.admin,
    spaceId,
    insertPage(
      [
        '# Home\n\nA page with what can be used.',
        tabsOf('npm', 'yarn'),
        tabsOf('yarn', 'npm', 'pnpm'),
        '```js\nconst a = 1\n\nconst b = 2\n```',
        '<details>\n\n<summary>More of it</summary>\n\n## Deep inside\n\nHidden at first.\n\n</details>',
        `<figure><img src="/files/${shown?.id}" alt="A wide one"><figcaption></figcaption></figure>`,
        '{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}',
        table,
      ].join('\n\n'),
    ),
    insertPage(`# Second\n\n${tabsOf('pnpm', 'yarn')}\n\n## Place`, { slug: 'second' }),
    insertPage(
      [
        '# On a cover\n\n## Without an anchor',
        `A <picture><source srcset="/files/${other?.id}" media="(prefers-color-scheme: dark)"><img src="/files/${shown?.id}" alt="In line"></picture> picture.`,
        '{% prompt description="Ask" openInAIProviders="true" defaultExpanded="full" %}\nSay it.\n\nThen wait.\n{% endprompt %}',
        `{% code expandable="true" %}\n\`\`\`txt\n${Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')}\n\`\`\`\n{% endcode %}`,
      ].join('\n\n'),
      {
        slug: 'cover',
        layout: { coverSize: 'background', anchors: false, pagination: false },
        cover: { ref: { kind: 'file', file: shown?.id ?? '' }, yPos: 0, textColor: 'white', textColorDark: 'black' },
      },
    ),
  )
  base = (await publishSpaces(octavo, [spaceId])).base
})
afterAll(() => octavo.stop())

test('tabs with equal titles switch together, also by keyboard, and the choice applies on the next page', async () => {
  const { page } = await browser.open(base)
  const tabs = (group: number) => page.locator('.tabs').nth(group)
  const shown = () => page.locator('.tabs .panel:visible').allTextContents()
  expect((await shown()).map((text) => text.trim())).toEqual(['With npm.', 'With yarn.'])
  await tabs(1).getByText('npm', { exact: true }).click()
  expect((await shown()).map((text) => text.trim())).toEqual(['With npm.', 'With npm.'])
  await tabs(0).getByRole('radio', { name: 'npm' }).focus()
  await page.keyboard.press('ArrowRight')
  expect((await shown()).map((text) => text.trim())).toEqual(['With yarn.', 'With yarn.'])
  for (const path of ['second', 'second#place']) {
    await page.goto('about:blank')
    await page.goto(new URL(path, base).href)
    await eventually(() => page.locator('.panel:visible').textContent()).toContain('With yarn.')
  }
})

test('a URL with a fragment expands the collapsed block that contains its target', async () => {
  const { page } = await browser.open(`${base}#deep-inside`)
  const heading = page.getByRole('heading', { name: 'Deep inside' })
  await heading.waitFor()
  await eventually(async () => (await heading.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
  const { page: other } = await browser.open(base)
  expect(await other.getByRole('heading', { name: 'Deep inside' }).count()).toBe(0)
  await other.locator('summary', { hasText: 'More of it' }).click()
  await other.getByRole('heading', { name: 'Deep inside' }).waitFor()
})

test.each(['Deep-Inside', 'deep--inside', 'user-content-deep-inside', '%44eep%20inside'])(
  'the fragment #%s is normalized to the id of the heading',
  async (anchor) => {
    const { page } = await browser.open(`${base}#${anchor}`)
    await page.getByRole('heading', { name: 'Deep inside' }).waitFor()
    await eventually(() => new URL(page.url()).hash).toBe('#deep-inside')
  },
)

test('a fragment without a matching element remains unchanged', async () => {
  const { page } = await browser.open(`${base}#elsewhere`)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#elsewhere')
})

test('copy buttons copy the source of code and of the page', async () => {
  const { page, context } = await browser.open(base)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.locator('[data-code]').hover()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await eventually(clipboard).toBe('const a = 1\n\nconst b = 2')
  await eventually(() => page.locator('[data-status]').textContent()).toBe('Copied')
  await page.getByRole('button', { name: 'Copy page' }).click()
  await eventually(clipboard).toMatch(/^# Home\n\nA page with what can be used\.\n[\s\S]*const b = 2/)
})

test('copies text prompts and collapsed code completely', async () => {
  const { page, context } = await browser.open(`${base}cover`)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.locator('.prompt').getByRole('button', { name: 'Copy' }).click()
  await eventually(clipboard).toBe('Say it.\n\nThen wait.')
  const assistants = await page.locator('.prompt a').evaluateAll((links) => links.map((link) => String(link)))
  expect(assistants.map((href) => new URL(href).searchParams.get('q'))).toContain('Say it.\n\nThen wait.')
  await page.locator('[data-code]').hover()
  await page.locator('[data-code]').getByRole('button', { name: 'Copy', exact: true }).click()
  await eventually(clipboard).toMatch(/^line 0\n[\s\S]*line 39$/)
})

test('applies the layout options of a page, and shows light and dark images in the matching theme', async () => {
  const { page } = await browser.open(`${base}cover`)
  await takeScreenshot(page, 'cover-behind-title')
  const colorOf = () => page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color")
  expect(await page.locator('.page-head .cover-background img').isVisible()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Without an anchor' }).getByRole('link').count()).toBe(0)
  expect(await page.getByRole('navigation', { name: /Previous/ }).count()).toBe(0)
  const shown = page.getByRole('img', { name: 'In line' })
  expect([await colorOf(), await shown.count()]).toEqual(['rgb(255, 255, 255)', 1])
  const light = await shown.getAttribute('src')
  await page.getByRole('button', { name: /^Theme/ }).click()
  expect([await colorOf(), await shown.count()]).toEqual(['rgb(0, 0, 0)', 1])
  expect(await shown.getAttribute('src')).not.toBe(light)
})

test('the page actions menu opens and closes by keyboard', async () => {
  const { page } = await browser.open(base)
  const summary = page.locator('summary[aria-label="More actions"]')
  await summary.focus()
  await page.keyboard.press('Enter')
  const view = page.getByRole('link', { name: /Markdown/ })
  await view.waitFor()
  await page.keyboard.press('Tab')
  await takeScreenshot(page, 'page-actions')
  await page.keyboard.press('Escape')
  await view.waitFor({ state: 'hidden' })
  expect(await getFocusedName(page)).toBe('More actions')
  await page.keyboard.press('Enter')
  await view.waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await view.waitFor({ state: 'hidden' })
})

test('a large image opens in a dialog, by click and by keyboard', async () => {
  const { page } = await browser.open(base)
  await page.getByRole('button', { name: /A wide one/ }).click()
  const large = page.getByRole('dialog').getByRole('img', { name: 'A wide one' })
  await eventually(() => large.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(
    900,
  )
  await page.keyboard.press('Escape')
  await eventually(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: /A wide one/ }).focus()
  await page.keyboard.press('Enter')
  await large.waitFor()
})

test('an embed sends no third-party request before the reader clicks it', async () => {
  const { page, foreignUrls } = await browser.open(base, {
    mayAsk: ({ host }, kind) => host === 'www.youtube-nocookie.com' && kind === 'document',
  })
  const embed = page.locator('[data-embed]')
  await embed.scrollIntoViewIfNeeded()
  await page.keyboard.press('End')
  await page.waitForFunction('[...document.images].every((image) => image.complete)')
  expect(foreignUrls).toEqual([])
  await embed.click()
  await page.getByTitle('YouTube', { exact: true }).waitFor()
  await eventually(() => foreignUrls).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'])
  await page.frameLocator('iframe').locator('html').waitFor({ state: 'attached' })
})

test('filters the rows of a table by text', async () => {
  const { page } = await browser.open(base)
  const rows = () => page.locator('tbody tr:visible').allTextContents()
  const field = page.getByRole('searchbox', { name: /table/i })
  await field.fill('COOK')
  await eventually(rows).toEqual(['BobCook'])
  await field.fill('nobody')
  await eventually(rows).toEqual([])
  await page.locator('[data-no-rows]').waitFor()
  await field.fill('')
  await eventually(rows).toHaveLength(2)
})
