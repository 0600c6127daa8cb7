import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { insertPage } from '../../support/content.ts'
import { makeGate } from '../../support/gate.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { pastedHtml } from '../../support/pasted-html.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, openEditor, paste } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

/** What people type to find blocks, and the first block that is found. */
const soughtBlocks = {
  h2: 'Heading',
  h3: 'Small heading',
  h4: 'Smallest heading',
  todo: 'Task list',
  ul: 'List',
  callout: 'Hint',
  toggle: 'Expandable',
  image: 'Image or file',
  latex: 'Formula',
  code: 'Code block',
  'task l': 'Task list',
}

/** Opens a page with a text in the visual editor. */
async function openPage(body: string, options: Parameters<typeof openEditor>[3] = {}) {
  const edited = await createEditedPage(octavo, body)
  return { ...edited, ...(await openEditor(browser, octavo, edited.path, options)) }
}

test('text of an input method, from right to left, and emoji by name', async () => {
  const { page, context, read } = await openPage('')
  await text(page).click()
  const session = await context.newCDPSession(page)
  for (const composed of ['に', 'にほ', 'にほん'])
    await session.send('Input.imeSetComposition', {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    })
  await session.send('Input.insertText', { text: '日本' })
  await page.keyboard.type(' :rocke')
  await page.getByRole('listbox', { name: 'Emoji' }).getByRole('option', { name: 'rocket' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type(' :tada: 👋 `:tada:`')
  await eventually(read).toBe('日本 :rocket: :tada: 👋 `:tada:`\n')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('שלום **עולם**')
  await eventually(() => text(page).evaluate((element) => element.matches(':dir(rtl)'))).toBe(true)
  await eventually(read).toBe('שלום **עולם**\n')
  // The handle is at the start of the text, where it covers no word.
  await text(page).locator('p').hover()
  const readDistance = async () => {
    const [handle, around] = [
      await page.getByRole('button', { name: 'Block', exact: true }).boundingBox(),
      await text(page).boundingBox(),
    ]
    return (handle?.x ?? 0) - (around?.x ?? 0) - (around?.width ?? 0)
  }
  await eventually(readDistance).toBeGreaterThanOrEqual(0)
  expect(await readDistance()).toBeLessThan(32)
  // Undo works after saving.
  const isBack = async () => (await text(page).textContent())?.includes('日本')
  for (let step = 0; step < 20 && !(await isBack()); step++) await page.keyboard.press('Control+z')
  await eventually(read).toContain('日本')
})

test('people, pages and variables are chosen from lists that the text opens', async () => {
  const { id } = await octavo.member('read', 'Frieda Fisher')
  const { page, proposal, read } = await openPage('')
  await proposal.edit(
    { operation: 'set_variables', variables: { plan: 'pro', size: 3 } },
    insertPage('# Configure\n\nKeys.\n\n## Public\n\n## Secret keys'),
  )
  const choose = async (list: string, name: RegExp) => {
    await page.getByRole('listbox', { name: list }).getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
  }
  await text(page).click()
  await page.keyboard.type('Ask @frie')
  await choose('People and pages', /Frieda Fisher/)
  await page.keyboard.type(' on {{pla')
  await choose('Variables', /space\.vars\.plan pro/)
  const before = `Ask [Frieda Fisher](/users/${id} "mention") on <code class="expression">space.vars.plan</code>`
  await eventually(async () => (await read()).replace(/\[[^\]]*\](?=\(\/users)/, '[Frieda Fisher]')).toBe(`${before}\n`)
  await page.keyboard.press('Enter')
  await page.keyboard.type('/menti')
  await page.getByRole('option', { name: 'Mention' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('insta')
  await choose('People and pages', /Install/)
  await eventually(read).toContain('.md "mention")')
  await page.keyboard.type(' and @conf')
  await page.getByRole('option', { name: 'Public Configure', exact: true }).waitFor()
  await page.keyboard.type('#secr')
  await choose('People and pages', /^Secret keys Configure$/)
  await page.keyboard.type('.')
  await eventually(read).toContain(' and [Secret keys](configure.md#secret-keys).\n')
})

test('code is colored as on published pages, and has a language, a title, line numbers and wrapped lines', async () => {
  const { page, read } = await openPage('```js\nlet a = 1\n```')
  const code = text(page).locator('figure.code')
  await code.locator('.k', { hasText: 'let' }).waitFor()
  await code.locator('code').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nconst b = "x"')
  await code.locator('.s', { hasText: '"x"' }).waitFor()
  await code.getByRole('combobox', { name: 'Language' }).fill('typescript')
  await code.getByRole('textbox', { name: 'Title' }).fill('a.ts')
  await page.keyboard.press('Enter')
  await code.getByRole('button', { name: 'Line numbers' }).click()
  await eventually(() => code.locator('.editor-line-numbers > div').count()).toBe(2)
  // On phones, the fields and switches fit in one line.
  await page.setViewportSize(phone.viewport)
  const fields = await code.locator('.editor-fields').boundingBox()
  expect(fields?.height).toBeLessThan(40)
  await page.setViewportSize({ width: 1280, height: 800 })
  await code.getByRole('button', { name: 'Wrap lines' }).click()
  await eventually(read).toBe(
    '{% code title="a.ts" overflow="wrap" lineNumbers="true" %}\n```typescript\nlet a = 1\nconst b = "x"\n```\n{% endcode %}\n',
  )
})

test('text is found and replaced in the page, words are counted, and the page is copied as Markdown', async () => {
  const { page, context, read } = await openPage('A cat and a **Cat**.\n\n* concatenate\n* cat', { bypassCSP: true })
  await page.getByText('7 words').waitFor()
  await text(page).click()
  await page.keyboard.press('Control+f')
  const bar = page.getByRole('search', { name: 'Find in the page' })
  await bar.getByRole('textbox', { name: 'Find in the page' }).fill('cat')
  await bar.getByText('1 of 4').waitFor()
  await bar.getByRole('checkbox', { name: 'Whole words' }).check()
  await bar.getByText('1 of 3').waitFor()
  await bar.getByRole('checkbox', { name: 'Match case' }).check()
  await bar.getByText('1 of 2').waitFor()
  await bar.getByRole('button', { name: 'Next' }).click()
  await bar.getByText('2 of 2').waitFor()
  await inspectPage(page, 'app-editor-find')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('dog')
  await page.keyboard.press('Enter')
  await eventually(read).toBe('A cat and a **Cat**.\n\n* concatenate\n* dog\n')
  await bar.getByRole('checkbox', { name: 'Match case' }).uncheck()
  await bar.getByRole('button', { name: 'Replace all' }).click()
  await page.getByText('2 places replaced').waitFor()
  await eventually(read).toBe('A dog and a **dog**.\n\n* concatenate\n* dog\n')
  await page.keyboard.press('Escape')
  expect(await text(page).evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press('Control+z')
  await eventually(read).toBe('A cat and a **Cat**.\n\n* concatenate\n* dog\n')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe(
    'A cat and a **Cat**.\n\n* concatenate\n* dog',
  )
})

test('blocks have comments and links, and broken links are marked', async () => {
  const { page, context, proposal, pageId } = await openPage('First.\n\nSee [there](#nowhere).', { bypassCSP: true })
  await text(page).locator('.broken-link', { hasText: 'there' }).waitFor()
  await text(page).locator('p', { hasText: 'First.' }).hover()
  const menu = page.getByRole('button', { name: 'Block', exact: true })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Comment', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Comments' }).first()
  await panel.getByRole('textbox').fill('Is this true?')
  await panel.getByRole('button', { name: 'Comment', exact: true }).click()
  await text(page).locator('p.has-comments', { hasText: 'First.' }).waitFor()
  await panel.getByText('Is this true?').waitFor()
  await inspectPage(page, 'app-editor-comments')
  const { items } = await octavo.admin.api.listCommentsInChangeRequest({ params: proposal.params, query: {} })
  expect(items).toMatchObject([{ target: { page: { id: pageId }, node: { id: expect.any(String) as string } } }])
  // A block that was just written gets its key when it is saved.
  await text(page).locator('p', { hasText: 'First.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('New.')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await menu.click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await eventually(() => page.evaluate('navigator.clipboard.readText()')).toMatch(
    new RegExp(`/app/spaces/.*/change-requests/1/pages/${pageId}#block-\\w+$`),
  )
  await panel.getByRole('button', { name: 'Resolve', exact: true }).click()
  await text(page).locator('.has-comments').waitFor({ state: 'detached' })
})

test('text is linked with the keyboard, by pasting and while typing, and the cursor reaches both sides of every block', async () => {
  const { page, read } = await openPage('Some words\n\n```txt\ncode\n```')
  const { keyboard } = page
  await text(page).locator('p').click()
  await keyboard.press('End')
  await keyboard.press('Control+Shift+ArrowLeft')
  await paste(page, { 'text/plain': 'https://example.com/pasted' })
  await text(page).getByRole('link', { name: 'words' }).click()
  await page.getByRole('button', { name: 'Change the link' }).click()
  const field = page.getByRole('dialog').getByRole('textbox')
  expect(await field.inputValue()).toBe('https://example.com/pasted')
  await field.fill('https://example.com/changed')
  await keyboard.press('Enter')
  await field.waitFor({ state: 'hidden' })
  await keyboard.press('End')
  await keyboard.type(' at https://example.com/typed and [there](https://example.com/there).')
  await keyboard.press('Control+End')
  await keyboard.press('ArrowDown')
  await keyboard.type('Last')
  await keyboard.press('Home')
  await keyboard.press('Shift+End')
  await keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await keyboard.type('example.com/last')
  await keyboard.press('Enter')
  await eventually(read).toBe(
    'Some [words](https://example.com/changed) at [https://example.com/typed](https://example.com/typed) and [there](https://example.com/there).\n\n```txt\ncode\n```\n\n[Last](https://example.com/last)\n',
  )
})

test('content from other programs keeps its structure, and hostile content is limited', async () => {
  // The browser refuses the styles in the pasted HTML.
  const { page, read } = await openPage('', {
    expects: [/inline style/],
    mayAsk: ({ hostname }) => hostname === 'images.example',
  })
  const gate = makeGate()
  await page.route(/~assets\/app\/clean-html-/, async (route) => {
    await gate.passed
    await route.continue()
  })
  for (const { from, html, markdown } of pastedHtml) {
    await text(page).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await paste(page, { 'text/html': html })
    // The module that converts HTML is loaded after the first paste.
    gate.open()
    await page.keyboard.press('Control+s')
    await eventually(async () => `${from}: ${await read()}`).toBe(`${from}: ${markdown}`)
  }
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await paste(page, { 'text/html': 'x'.repeat(10 * 1024 * 1024) })
  await page.getByText('The pasted content is larger than 2 MB').waitFor()
  await paste(page, {
    'text/html': `<div data-pm-slice="0 0 []"></div>${'<blockquote>'.repeat(5000)}deep${'</blockquote>'.repeat(5000)}`,
  })
  await text(page).getByText('deep').waitFor()
  await paste(page, { 'text/html': '<i style="color:red;--a:1">many</i> '.repeat(12_000) })
  await eventually(async () => (await text(page).textContent())?.includes('many many many')).toBe(true)
  await page.keyboard.press('Control+s')
  await eventually(read).toContain('many many many')
})

test('lines from Visual Studio Code become code, also if the module for pasting is not loaded yet', async () => {
  const { page, read } = await openPage('')
  const gate = makeGate()
  await page.route(/~assets\/app\/clean-html-/, async (route) => {
    await gate.passed
    await route.continue()
  })
  await text(page).click()
  const pasteProgram = (name: string, html: boolean) =>
    paste(page, {
      'vscode-editor-data': '{"version":1,"mode":"python"}',
      'text/plain': `def ${name}():\n    return 1\n`,
      ...(html && { 'text/html': `<div><div>def ${name}():</div><div>    return 1</div></div>` }),
    })
  await pasteProgram('first', false)
  gate.open()
  await text(page).locator('pre', { hasText: 'def first' }).waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Enter')
  await pasteProgram('second', true)
  await eventually(read).toBe(
    ['first', 'second'].map((name) => `\`\`\`python\ndef ${name}():\n    return 1\n\`\`\`\n`).join('\n'),
  )
})

test('what is pasted into a title does not divide its block', async () => {
  const { page, read } = await openPage(
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<details>\n\n<summary>Title</summary>\n\nBody\n\n</details>',
  )
  for (const title of ['a', 'Title']) {
    await text(page).getByText(title, { exact: true }).click()
    await page.keyboard.press('End')
    await paste(page, { 'text/html': '<h2> x <b>y</b></h2><p>z</p>' })
  }
  await eventually(read).toBe(
    '| ax **y** z | b   |\n| ---------- | --- |\n| 1          | 2   |\n\n<details>\n\n<summary>Titlex <strong>y</strong></summary>\n\nz\n\nBody\n\n</details>\n',
  )
})

test('blocks are found by other words, and Markdown that people know from other programs becomes blocks', async () => {
  const { page, read } = await openPage('')
  const { keyboard } = page
  const list = page.getByRole('listbox', { name: 'Blocks' })
  await text(page).click()
  for (const [typed, title] of Object.entries(soughtBlocks)) {
    await keyboard.type(`/${typed}`)
    await list.getByRole('option').first().getByText(title, { exact: true }).waitFor()
    await keyboard.press('Control+a')
    await keyboard.press('Backspace')
  }
  await keyboard.type('/usr is')
  await list.waitFor({ state: 'hidden' })
  await keyboard.press('Control+a')
  await keyboard.press('Backspace')
  await keyboard.type('```ts')
  await keyboard.press('Enter')
  await keyboard.type('let a')
  await keyboard.press('Control+Enter')
  await keyboard.type('- [ ] Open')
  await keyboard.press('Enter')
  await keyboard.type('[x] Done')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('[X] Also done')
  await keyboard.press('Home')
  await keyboard.type('[] ')
  await eventually(read).toBe('```ts\nlet a\n```\n\n* [ ] Open\n* [x] Done\n* [ ] Also done\n')
})

test('characters of lists at the start of an item change only this item', async () => {
  const { page, read } = await openPage('* One\n* Two\n* Three')
  const { keyboard } = page
  const typeBefore = async (item: string, typed: string) => {
    await text(page).getByText(item, { exact: true }).click()
    await keyboard.press('Home')
    await keyboard.type(typed)
  }
  await typeBefore('Two', '- [ ] ')
  await eventually(read).toBe('* One\n\n- [ ] Two\n\n* Three\n')
  await keyboard.press('Control+z')
  await eventually(read).toBe('* One\n* Two\n* Three\n')
  await typeBefore('Three', '3. ')
  await eventually(read).toBe('* One\n* Two\n\n3. Three\n')
  // An item joins the list of its new kind before it, and the one after it.
  await typeBefore('Two', '7. ')
  await keyboard.type('No. ')
  await typeBefore('Three', '* ')
  await typeBefore('One', '- ')
  await eventually(read).toBe('* One\n\n7. No. Two\n\n* Three\n')
  await typeBefore('No. Two', '- ')
  await keyboard.press('End')
  await keyboard.press('Enter')
  await keyboard.type('1. Four')
  await keyboard.press('Enter')
  await keyboard.type('Five')
  await eventually(read).toBe('* One\n* No. Two\n\n1. Four\n2. Five\n\n* Three\n')
})

test('an image of the computer is inserted with the list of blocks, and shown, also at localhost', async () => {
  const address = new URL(octavo.url).origin
  const { page, read } = await openPage('', { hostname: 'localhost', origins: [address] })
  await text(page).click()
  // The browser reports the event only some time after this call.
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.type('/image')
  await page.getByRole('option', { name: 'Image or file', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>'
  await (await chooser).setFiles({ name: 'map.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
  await eventually(read).toMatch(/^(?:<figure>.*alt="map"|!\[map\]).*\n$/)
  const image = text(page).locator('figure img')
  await eventually(() => image.evaluate(({ naturalWidth }: { naturalWidth: number }) => naturalWidth)).toBe(400)
  // Readers do not see the description, so it is shown while the image is used.
  const description = text(page).getByRole('textbox', { name: 'Description for people who cannot see the image' })
  const readOpacity = () =>
    description.evaluate(
      (element) =>
        (globalThis as unknown as { getComputedStyle: (one: unknown) => { opacity: string } }).getComputedStyle(element)
          .opacity,
    )
  await image.hover()
  await eventually(readOpacity).toBe('1')
  await page.mouse.move(0, 0)
  await eventually(readOpacity).toBe('0')
  // The text continues after a new block, and a click selects the image.
  await page.keyboard.type('After.')
  await eventually(read).toMatch(/^.*map.*\n\nAfter\.\n$/)
  const resize = async (by: number) => {
    await image.hover()
    const handle = await text(page).locator('.editor-image-sizer').boundingBox()
    const [x, y] = [(handle?.x ?? 0) + 2, (handle?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by, y)
    await page.mouse.up()
  }
  await resize(-350)
  await eventually(read).toContain('width="50"')
  await resize(200)
  await eventually(read).toContain('width="250"')
  await image.click()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('spinbutton', { name: 'Width in pixels' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Backspace')
  await eventually(read).toBe('After.\n')
  const [other] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Image or file' }).click(),
  ])
  await other.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Plan') })
  await text(page).locator('.protected-block').waitFor()
  await page.keyboard.type('Last.')
  await eventually(read).toMatch(/^After\.\n\n\{% file src=".*" %\}\n\nLast\.\n$/)
})

test('the arrow keys leave tabs at the end of a page, whose other tabs are hidden', async () => {
  const tabs =
    '{% tabs %}\n{% tab title="A" %}\nOne.\n{% endtab %}\n\n{% tab title="B" %}\nTwo.\n{% endtab %}\n{% endtabs %}'
  const { page, read } = await openPage(tabs)
  await text(page).getByText('One.').click()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('After.')
  await text(page).getByRole('button', { name: 'B', exact: true }).click()
  await text(page).getByText('Two.').click()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('Before.')
  await eventually(read).toBe(`Before.\n\n${tabs}\n\nAfter.\n`)
})
