import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appEntry } from '../../../src/site/assets.ts'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { insertPage, writePage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import {
  createEditedPage,
  editorText as text,
  insertBlock,
  openEditor,
  paste,
  typeAfter,
} from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const hint = (...texts: string[]) => `{% hint style="info" %}\n${texts.join('\n\n')}\n{% endhint %}\n`
const columns = (left: string, right: string) =>
  `{% columns %}\n{% column %}\n${left}\n{% endcolumn %}\n\n{% column %}\n${right}\n{% endcolumn %}\n{% endcolumns %}\n`

const saveLine = (page: Page) => page.locator('.save-line')

test('a page is written with the keyboard, and published as it was written', async () => {
  const { path, read, proposal, pageId } = await createEditedPage(octavo, '')
  const { page } = await openEditor(browser, octavo, path, { bypassCSP: true })
  await text(page).click()
  const { keyboard } = page
  await keyboard.type('Some **bold** and `code`.')
  // Markdown has no marks around spaces at their ends, and what is typed after saving has the same mark.
  await keyboard.press('Control+b')
  await keyboard.type(' More ')
  await eventually(read).toBe('Some **bold** and `code`. **More**\n')
  await keyboard.type('words ')
  await keyboard.press('Control+b')
  await keyboard.type('here.')
  await keyboard.press('Enter')
  await keyboard.type('## Steps')
  await keyboard.press('Enter')
  await keyboard.type('- One')
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await keyboard.type('Nested')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('Two')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await insertBlock(page, 'hin', 'Hint')
  await keyboard.type('Careful.')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('[] Done')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('```js ')
  await keyboard.type('let a = 1')
  await keyboard.press('Control+Enter')
  await keyboard.type('---')
  await keyboard.type('> Quoted')
  await text(page).getByRole('checkbox').check()
  const expected = [
    'Some **bold** and `code`. **More words** here.',
    '## Steps',
    '* One\n  * Nested\n* Two',
    '{% hint style="info" %}\nCareful.\n{% endhint %}',
    '* [x] Done',
    '```js\nlet a = 1\n```',
    '***',
    '> Quoted',
  ]
  await eventually(read).toBe(`${expected.join('\n\n')}\n`)
  await eventually(() => saveLine(page).textContent()).toContain('Saved in #1 ·')
  await keyboard.press('Control+z')
  await eventually(read).toContain('* [ ] Done')
  await inspectPage(page, 'app-visual-editor')
  await page.reload()
  await text(page).getByText('Careful.').waitFor()
  await proposal.merge()
  const html = await octavo.admin.api.getRenderedPageById({ params: { spaceId: proposal.params.spaceId, pageId } })
  expect(html.html).toContain('<strong>bold</strong>')
})

test('only the edited block changes, and a page that is only opened is not sent', async () => {
  const source =
    'Setext\n------\n\n*  odd   marker\n*  second\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n{% embed url="https://example.com/1" %}\n\nLast __words__ here.'
  const { path, read } = await createEditedPage(octavo, source)
  const before = await read()
  const { page } = await openEditor(browser, octavo, path)
  const sent: string[] = []
  page.on('request', (request) => void (/\/content\?/.test(request.url()) && sent.push(request.postData() ?? '')))
  await text(page).locator('.protected-block').waitFor()
  await text(page).locator('p', { hasText: 'Last' }).click()
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text of the page as Markdown' }).waitFor()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Visual' }).click()
  await typeAfter(page, 'Last', ' More.')
  await eventually(read).toBe(before.replace('here.', 'here. More.'))
  // A block that is not edited in place survives cutting and pasting.
  await text(page).locator('.protected-block').click()
  await page.keyboard.press('Control+x')
  await typeAfter(page, 'Last', '')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+v')
  await text(page).locator('.protected-block').waitFor()
  const [, embed = ''] = /(\n\n\{% embed[^]*%\}\n)\n/.exec(before) ?? []
  const moved = before.replace(embed.trimEnd(), '').replace('here.', `here. More.${embed.trimEnd()}`)
  await eventually(read).toBe(moved)
  await text(page).locator('.protected-block').hover()
  await text(page).getByRole('button', { name: 'Edit source' }).click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Markdown' })
  await field.fill((await field.inputValue()).replace('com/1', 'com/7'))
  await page.getByRole('button', { name: 'Apply' }).click()
  await eventually(read).toBe(moved.replace('com/1', 'com/7'))
  // So does everything that is copied into the page of another window.
  await text(page).press('Control+a')
  await page.keyboard.press('Control+c')
  const other = await createEditedPage(octavo, '')
  const window = await page.context().newPage()
  await window.goto(`${octavo.url}/app${other.path}`)
  await text(window).click()
  await window.keyboard.press('Control+v')
  await eventually(other.read).toContain('{% embed url="https://example.com/7" %}')
})

test('two people write in different paragraphs, and both texts survive without a reload', async () => {
  const { path, read } = await createEditedPage(octavo, 'First paragraph.\n\nSecond paragraph.\n\nThird paragraph.')
  const writer = await octavo.member('edit', 'Second Writer')
  const [{ page: one }, { page: two }] = [
    await openEditor(browser, octavo, path),
    await openEditor(browser, octavo, path, {}, writer.id),
  ]
  await typeAfter(one, 'First', ' By one.')
  await typeAfter(two, 'Third', ' By two.')
  await eventually(read).toBe('First paragraph. By one.\n\nSecond paragraph.\n\nThird paragraph. By two.\n')
  await text(two).getByText('By one.').waitFor()
  await text(one).getByText('By two.').waitFor()
  await two.keyboard.type(' More.')
  await eventually(read).toContain('Third paragraph. By two. More.')
  // Undo reverts only one's own changes.
  await one.keyboard.press('Control+z')
  await eventually(read).toBe('First paragraph.\n\nSecond paragraph.\n\nThird paragraph. By two. More.\n')
})

test('two people change the same paragraph: both are shown, and both can be kept', async () => {
  const { path, read, proposal, pageId } = await createEditedPage(octavo, 'First paragraph.\n\nSecond paragraph.')
  const { page } = await openEditor(browser, octavo, path, { expects: [/409/] })
  await page.route(
    /\/content\?/,
    async (route) => {
      await proposal.edit(writePage(pageId, '# Install\n\nTheirs.\n\nSecond by them.'))
      await route.continue()
    },
    { times: 1 },
  )
  await text(page).locator('p', { hasText: 'First' }).click({ clickCount: 3 })
  await page.keyboard.type('Mine.')
  await page.getByRole('heading', { name: 'You and another person changed the same text' }).waitFor()
  await page.getByRole('region', { name: 'Theirs' }).getByText('Theirs.').waitFor()
  await page.getByRole('button', { name: 'Edit together' }).click()
  await eventually(read).toBe('Mine.\n\nTheirs.\n\nSecond by them.\n')
})

test('pasted HTML keeps its structure and nothing else, and an image is uploaded', async () => {
  const { path, read } = await createEditedPage(octavo, 'Text.')
  // The browser refuses the handlers in the pasted HTML.
  const { page } = await openEditor(browser, octavo, path, { expects: [/inline event handler/] })
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await paste(page, {
    'text/html':
      '<b style="font-weight:normal"><h2 onclick="alert(1)">Head</h2><p style="color:red">See <a href="javascript:alert(1)">x</a> <a href="https://example.com/">y</a><script>alert(1)</script><img src=x onerror=alert(1)></p><ol><li>one</li></ol></b>',
  })
  await eventually(read).toBe('Text.\n\n## Head\n\nSee x [y](https://example.com/)\n\n1. one\n')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': '## More\n\n{% tabs %}\n{% tab title="A" %}\nIn A\n{% endtab %}\n{% endtabs %}' })
  await eventually(read).toContain(
    '1. one\n\n## More\n\n{% tabs %}\n{% tab title="A" %}\nIn A\n{% endtab %}\n{% endtabs %}\n',
  )
  await eventually(() => saveLine(page).textContent()).toContain('Saved in #1 ·')
  // A file is inserted where it was pasted, also if the text before it changes while it is sent.
  await page.route(
    /\/content\?/,
    async (route) => {
      await typeAfter(page, 'Text.', ' Longer.')
      await route.continue()
    },
    { times: 1 },
  )
  const file = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  await paste(page, { file })
  await text(page).locator('figure img').waitFor()
  await eventually(read).toMatch(/^Text\. Longer\.\n[^]*In A\n\n(?:<figure><img src="|!\[dot\]\()\/files\//)
  // The text continues after a dropped file.
  const { x = 0, y = 0 } = (await text(page).getByText('Text. Longer.').boundingBox()) ?? {}
  await paste(page, { file }, { x: x + 5, y: y + 5 })
  await text(page).locator('figure img').nth(1).waitFor()
  await page.keyboard.type('After.')
  await eventually(read).toMatch(/^Text\. Longer\.\n\n.*\/files\/.*\n\nAfter\.\n/)
})

test('blocks have a menu, selected text has a toolbar, and phones have the same editor', async () => {
  const { path, read, proposal } = await createEditedPage(octavo, 'One.\n\nTwo.')
  await proposal.edit(insertPage(`# Configure\n\n## Public\n\n${'Keys.\n\n'.repeat(40)}## Secret keys`))
  const { page, context } = await openEditor(browser, octavo, path, { bypassCSP: true })
  await text(page).locator('p', { hasText: 'Two.' }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await eventually(read).toBe('Two.\n\nOne.\n')
  await text(page).locator('p', { hasText: 'One.' }).click({ clickCount: 3 })
  const toolbar = page.getByRole('toolbar', { name: 'Format the selected text' })
  await toolbar.getByRole('button', { name: 'Bold' }).click()
  await toolbar.getByRole('button', { name: 'Link' }).click()
  await page.getByRole('textbox', { name: 'Page or address' }).fill('conf')
  await page.keyboard.press('Enter')
  await eventually(read).toBe('Two.\n\n[**One.**](configure.md)\n')
  await toolbar.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a heading of “Configure”', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Heading of “Configure”', exact: true }).fill('secret')
  await page.getByRole('dialog').getByText('#secret-keys').waitFor()
  await inspectPage(page, 'app-link-heading')
  await page.keyboard.press('Enter')
  await eventually(read).toBe('Two.\n\n[**One.**](configure.md#secret-keys)\n')
  await text(page).locator('a', { hasText: 'One.' }).click()
  const target = toolbar.getByRole('link', { name: 'Configure › Secret keys', exact: true })
  const [other] = await Promise.all([context.waitForEvent('page'), target.click()])
  await eventually(() => other.evaluate('scrollY')).toBeGreaterThan(0)
  await other.close()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await text(page).locator('p', { hasText: 'One.' }).hover()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click()
  await eventually(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^\[\*\*One\.\*\*\]\(\/pages\//)
  const { page: small, context: smallContext } = await openEditor(browser, octavo, path, { bypassCSP: true, ...phone })
  await text(small).getByText('Two.').tap()
  const bar = small.getByRole('toolbar', { name: 'Tools for the block' })
  await bar.getByRole('button', { name: 'Move down', exact: true }).tap()
  await eventually(read).toBe('[**One.**](configure.md#secret-keys)\n\nTwo.\n')
  expect(await text(small).evaluate((element) => element.matches(':focus'))).toBe(true)
  await bar.getByRole('button', { name: 'Insert a block below', exact: true }).tap()
  await small.getByRole('option', { name: 'Hint', exact: true }).tap()
  await small.keyboard.type('Three.')
  await bar.getByRole('button', { name: 'Block', exact: true }).tap()
  await inspectPage(small, 'app-visual-editor-phone')
  const box = await small.getByRole('menuitem', { name: 'Delete', exact: true }).boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  await small.getByRole('menuitem', { name: 'Duplicate', exact: true }).tap()
  await eventually(read).toContain(hint('Three.', 'Three.'))
  await bar.getByRole('button', { name: 'Undo', exact: true }).tap()
  await eventually(read).toContain(hint('Three.'))
  await text(small).getByText('Two.').tap()
  await small.keyboard.press('End')
  await small.keyboard.press('Enter')
  await small.keyboard.type('- a')
  await small.keyboard.press('Enter')
  await small.keyboard.type('b')
  await bar.getByRole('button', { name: 'Indent', exact: true }).tap()
  await eventually(read).toContain('\n* a\n  * b\n')
  await bar.getByRole('button', { name: 'Outdent', exact: true }).tap()
  await eventually(read).toContain('\n* a\n* b\n')
  // While text is edited, only the state of saving remains above it.
  await small.setViewportSize({ width: 390, height: 500 })
  await small.evaluate('scrollTo(0, 100)')
  expect(await small.locator('.bar').evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(0)
  expect(await small.locator('.edit-state').evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
  // The bar is above the keyboard, which makes the visible part of the page smaller as zooming does.
  await (await smallContext.newCDPSession(small)).send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 })
  const isAtBottom =
    'Math.round(document.querySelector(".block-bar").getBoundingClientRect().bottom) === Math.round(visualViewport.height + visualViewport.offsetTop) && visualViewport.height < innerHeight'
  await eventually(() => small.evaluate(isAtBottom)).toBe(true)
})

/** Returns the Markdown of steps. */
const steps = (...titles: string[]) =>
  `{% stepper %}\n${titles.map((title) => `{% step %}\n## ${title}\n{% endstep %}`).join('\n\n')}\n{% endstepper %}\n`

test('steps are added and deleted with the menu of their block', async () => {
  const { path, read } = await createEditedPage(octavo, steps('One', 'Two'))
  const { page } = await openEditor(browser, octavo, path)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await text(page).getByRole('heading', { name: 'One' }).click()
  await choose('Add a step')
  const readHint = () =>
    text(page)
      .locator('.step > div > :first-child')
      .nth(1)
      .evaluate(
        (element) =>
          (
            globalThis as unknown as { getComputedStyle: (one: unknown, part: string) => { content: string } }
          ).getComputedStyle(element, '::after').content,
      )
  await eventually(readHint).toBe('"Title"')
  await page.keyboard.type('Between')
  await eventually(readHint).toBe('none')
  await eventually(read).toBe(steps('One', 'Between', 'Two'))
  await choose('Delete the step')
  await eventually(read).toBe(steps('One', 'Two'))
})

test('blocks in hints, columns and lists have menus, which also act on what contains them', async () => {
  const { path, read } = await createEditedPage(octavo, `${columns('Left', 'Right')}\n* One\n* Two\n`)
  const { page } = await openEditor(browser, octavo, path, { bypassCSP: true })
  const handle = page.getByRole('button', { name: 'Block', exact: true })
  const choose = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()
  await handle.waitFor()
  await text(page).getByText('Right', { exact: true }).hover()
  // The handle is between the columns, so that the pointer crosses no other block on its way.
  await eventually(async () => (await handle.boundingBox())?.x).toBeGreaterThan(600)
  await handle.click()
  await inspectPage(page, 'app-visual-editor-nested-menu')
  await choose('Heading')
  await eventually(read).toContain(columns('Left', '## Right'))
  await text(page).locator('li', { hasText: 'Two' }).hover()
  await handle.click()
  await choose('Move up')
  await eventually(read).toContain('* Two\n* One\n')
  await page.keyboard.press('Alt+F10')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'List item', exact: true, checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'List', exact: true }).click()
  await choose('Move up')
  await eventually(read).toBe(`* Two\n* One\n\n${columns('Left', '## Right')}`)
  await text(page).getByText('Left', { exact: true }).hover()
  await handle.click()
  await choose('Delete')
  await eventually(read).not.toContain('Left')
  await handle.click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+z')
  await eventually(read).toContain('Left')
  // As a menu of the browser or a gesture does.
  await page.evaluate(
    "document.activeElement.dispatchEvent(new InputEvent('beforeinput', { inputType: 'historyRedo', bubbles: true, cancelable: true }))",
  )
  await eventually(read).not.toContain('Left')
  await page.keyboard.press('Control+z')
  await eventually(read).toContain('Left')
  // A fast pointer leaves the handle before the drag starts.
  await text(page).getByText('Left', { exact: true }).hover()
  const heading = text(page).getByRole('heading', { name: 'Right', exact: true })
  await heading.hover()
  await eventually(async () => (await handle.boundingBox())?.x).toBeGreaterThan(600)
  await handle.dragTo(text(page).locator('li', { hasText: 'Two' }), { targetPosition: { x: 5, y: 2 } })
  await eventually(read).toMatch(/^\* {3}## Right\n\n {4}Two\n/)
})

test('all modules of the visual editor are requested together, and only for those who use it', async () => {
  const { path } = await createEditedPage(octavo, 'Text\n')
  const { visualEditor } = appEntry
  const readTimes = async (page: Page) =>
    (
      await page.evaluate(() =>
        performance.getEntriesByType('resource').map((entry) => {
          const { name, startTime, responseEnd } = entry.toJSON() as {
            name: string
            startTime: number
            responseEnd: number
          }
          return { name: name.replace(/^.*\//, ''), startTime, responseEnd }
        }),
      )
    ).filter(({ name }) => visualEditor.includes(name))
  const visual = await openEditor(browser, octavo, path)
  const times = await readTimes(visual.page)
  expect(times.map(({ name }) => name).toSorted()).toEqual(visualEditor.toSorted())
  // None waits for the module that imports it.
  const first = times.find(({ name }) => name === visualEditor[0])
  expect(Math.max(...times.map(({ startTime }) => startTime))).toBeLessThan(first?.responseEnd ?? 0)

  const markdown = await openApp(browser, octavo, octavo.admin.id, path, { stored: { 'octavo.editor': 'markdown' } })
  await markdown.page.getByRole('textbox', { name: 'Text of the page as Markdown' }).waitFor()
  expect((await readTimes(markdown.page)).map(({ name }) => name)).not.toContain(visualEditor[0])
})

const part = (name: string, first: string, second: string, attributes = '') =>
  `{% ${name}${attributes} %}\n${first}\n{% end${name} %}\n\n{% ${name}${attributes} %}\n${second}\n{% end${name} %}`

test('Delete at the end of a step, column, tab or update leaves the next part where it is', async () => {
  const source = [
    `{% stepper %}\n${part('step', '## One\n\nFirst step', '## Two\n\nSecond step')}\n{% endstepper %}`,
    columns('First column', 'Second column').trim(),
    `{% tabs %}\n${part('tab', 'First tab', 'Second tab', ' title="A"')}\n{% endtabs %}`,
    `{% updates format="full" %}\n${part('update', 'First update', 'Second update', ' date="2026-03-01"')}\n{% endupdates %}`,
    'Text\n',
  ].join('\n\n')
  const { path, read } = await createEditedPage(octavo, source)
  const { page } = await openEditor(browser, octavo, path)
  const { keyboard } = page
  for (const name of ['step', 'column', 'tab', 'update']) {
    await typeAfter(page, `First ${name}`, '')
    for (const key of ['Delete', 'Control+Delete']) await keyboard.press(key)
    await keyboard.type('!')
  }
  await typeAfter(page, 'Second step', '')
  await keyboard.press('Delete')
  const typed = source.replace(/First (?:step|column|tab|update)/g, '$&!')
  await eventually(read).toBe(typed)
  // The first key deletes the text, the second makes a paragraph of the title, and the third removes the empty step.
  await typeAfter(page, 'Second step', '')
  await keyboard.press('Control+Enter')
  await keyboard.type('Third')
  await keyboard.press('Shift+Home')
  for (const key of ['Backspace', 'Backspace', 'Backspace']) await keyboard.press(key)
  await keyboard.type('.')
  await eventually(read).toBe(typed.replace('Second step', 'Second step.'))
})
