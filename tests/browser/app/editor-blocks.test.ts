import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually } from '../../support/browser.ts'
import { inlineFile, proposeFiles } from '../../support/files.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { petSpec, putSpec } from '../../support/openapi.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, insertBlock, openEditor, paste } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const tab = (title: string, body: string): string => `{% tab title="${title}" %}\n${body}\n{% endtab %}`

test('tabs are edited where they are shown', async () => {
  const { path, read } = await createEditedPage(octavo, '')
  const { page } = await openEditor(browser, octavo, path, { bypassCSP: true })
  await text(page).click()
  await insertBlock(page, 'tabs', 'Tabs')
  await text(page).locator('.panel .editor-hint').waitFor()
  await page.keyboard.type('For npm.')
  await page.getByRole('textbox', { name: 'Title of the tab' }).fill('npm')
  await page.keyboard.press('Enter')
  await text(page).getByRole('button', { name: 'Tab 2' }).click()
  await text(page).locator('.panel:not([hidden]) p').click()
  await page.keyboard.type('```sh ')
  await page.keyboard.type('yarn add x')
  const [npm, yarn] = [tab('npm', 'For npm.'), tab('Tab 2', '```sh\nyarn add x\n```')]
  await eventually(read).toBe(`{% tabs %}\n${npm}\n\n${yarn}\n{% endtabs %}\n`)
  await text(page).getByRole('button', { name: 'Move the tab left' }).click()
  await eventually(read).toBe(`{% tabs %}\n${yarn}\n\n${npm}\n{% endtabs %}\n`)
  await text(page)
    .getByRole('button', { name: 'npm' })
    .dragTo(text(page).getByRole('textbox', { name: 'Title of the tab' }))
  await eventually(read).toBe(`{% tabs %}\n${npm}\n\n${yarn}\n{% endtabs %}\n`)
  await text(page).getByRole('button', { name: 'Add a tab' }).click()
  await text(page).getByRole('button', { name: 'Delete the tab' }).click()
  await text(page).getByRole('button', { name: 'Delete the tab' }).click()
  await eventually(read).toBe(`{% tabs %}\n${npm}\n{% endtabs %}\n`)
  await inspectPage(page, 'app-visual-editor-tabs')
})

test('formulas, embeds and images have forms, and conditional content and updates are edited in place', async () => {
  const { path, read } = await createEditedPage(
    octavo,
    'Text.\n\n$$\na^2\n$$\n\n{% if visitor.claims.a %}\nOnly some.\n{% endif %}\n\n{% updates format="full" %}\n{% update date="2026-01-31" %}\nFirst.\n{% endupdate %}\n{% endupdates %}\n\n<figure><img src="https://example.com/a.png" alt="Alt"><figcaption></figcaption></figure>',
  )
  const before = await read()
  const { page } = await openEditor(browser, octavo, path, { mayAsk: () => true })
  await text(page).locator('.math').hover()
  await text(page).getByRole('button', { name: 'Edit', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Formula (TeX)' }).fill('b^3')
  await dialog.getByRole('group', { name: 'Preview' }).locator('.katex').waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const changed = before.replace('a^2', 'b^3')
  await eventually(read).toBe(changed)
  const condition = text(page).getByRole('textbox', { name: 'Condition' })
  await condition.fill('visitor.claims.b')
  await condition.press('Enter')
  await text(page).locator('.condition p').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' Read it.')
  const conditional = changed.replace('claims.a', 'claims.b').replace('Only some.', 'Only some. Read it.')
  await eventually(read).toBe(conditional)
  const updates = text(page).locator('.updates')
  await updates.getByRole('textbox', { name: 'Date' }).fill('2026-02-01')
  await updates.getByRole('textbox', { name: 'Tags, separated by commas' }).fill('new, api')
  await page.keyboard.press('Tab')
  await updates.getByRole('combobox', { name: 'Format of the dates' }).selectOption('short')
  await updates.getByRole('button', { name: 'Add an update' }).click()
  await page.keyboard.type('Second.')
  await eventually(read).toMatch(
    /\{% updates format="short" %\}\n\{% update date="[\d-]+" %\}\nSecond\.\n\{% endupdate %\}\n\n\{% update date="2026-02-01" tags="new,api" %\}\nFirst\.\n/,
  )
  await updates.getByRole('button', { name: 'Delete the update' }).first().click()
  await updates.getByRole('button', { name: 'Delete the update' }).click()
  await page.locator('.save-line', { hasText: 'Saved in #1 ·' }).waitFor()
  await text(page).locator('p', { hasText: 'Text.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await insertBlock(page, 'embed', 'Embed')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/video')
  await page.getByRole('button', { name: 'Insert', exact: true }).last().click()
  const withoutUpdates = conditional.replace(/\{% updates[^]*endupdates %\}\n\n/, '')
  const embedded = withoutUpdates.replace('Text.\n', 'Text.\n\n{% embed url="https://example.com/video" %}\n')
  await eventually(read).toBe(embedded)
  // A pasted address of a page with a player becomes an embed, and undo restores the link.
  const [address, video] = ['https://example.com/page', 'https://vimeo.com/76979871']
  await paste(page, { 'text/plain': address })
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': video })
  const link = `%}\n\n[${address}](${address})\n`
  await eventually(read).toBe(embedded.replace('%}\n', `${link}\n{% embed url="${video}" %}\n`))
  await page.keyboard.press('Control+z')
  await eventually(read).toBe(embedded.replace('%}\n', `${link}\n[${video}](${video})\n`))
  for (const pasted of [address, video]) {
    await text(page).locator('p', { hasText: pasted }).click({ clickCount: 3 })
    await page.keyboard.press('Backspace')
  }
  await eventually(read).toBe(embedded)
  await text(page).locator('.editor-picture').hover()
  await text(page).locator('.editor-picture').getByRole('button', { name: 'Edit' }).click()
  const width = dialog.getByRole('spinbutton', { name: 'Width in pixels' })
  await width.fill('200')
  // The form applies what it has, and continues with the image that is added.
  const beside = dialog.getByRole('group', { name: 'Add an image beside it' })
  await beside.getByRole('button', { name: 'Address' }).click()
  await beside.getByRole('textbox').pressSequentially('https://example.com/b.png')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await eventually(() => width.inputValue()).toBe('')
  await width.fill('300')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  await eventually(read).toMatch(/a\.png" alt="Alt" width="200"[^]*b\.png"[^>]* width="300"/)
  await text(page).locator('.editor-picture').nth(1).click()
  await page.keyboard.press('Backspace')
  await eventually(read).toBe(embedded.replace('alt="Alt"', 'alt="Alt" width="200"'))
  await text(page).locator('p', { hasText: 'Text.' }).hover()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn into reusable content' }).click()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Shared')
  await page.keyboard.press('Enter')
  await text(page).getByText('Text.').waitFor()
  await eventually(read).toMatch(/^\{% include ".*" %\}\n/)
})

test('parts of a line look as published and have forms, and so have diagrams, files and API operations', async () => {
  const { path, read, proposal } = await createEditedPage(
    octavo,
    'Press <a href="https://example.com/a" class="button primary">Start</a> now[^1].\n\n[^1]: First.',
  )
  // The form reads the list of files in several replies.
  const others = Array.from({ length: 1000 }, (_, index) => inlineFile(`note-${index}.txt`, 'Note'))
  await proposeFiles(octavo.admin, proposal.params, ...others)
  await proposeFiles(octavo.admin, proposal.params, inlineFile('plan.txt', 'Plan'))
  const shared = '# Shared\n\nFirst shared.\n\nLast shared.'
  await proposal.edit({ operation: 'insert_reusable_content', title: 'Shared', document: { markdown: shared } })
  await putSpec(octavo.admin, 'pets', { text: JSON.stringify(petSpec()) })
  const { page } = await openEditor(browser, octavo, path, { bypassCSP: true })
  const dialog = page.getByRole('dialog')
  const apply = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await text(page).locator('.button-primary', { hasText: 'Start' }).click()
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Begin')
  await apply('Apply')
  await text(page).locator('.annotation', { hasText: 'now' }).click()
  await dialog.getByRole('textbox', { name: 'Note (Markdown)' }).fill('Second **note**.')
  await apply('Apply')
  const line = 'Press <a href="https://example.com/a" class="button primary">Begin</a> now[^1].\n'
  const note = '\n[^1]: Second **note**.\n'
  await eventually(read).toBe(line + note)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await insertBlock(page, 'expr', 'Expression')
  await dialog.getByRole('textbox', { name: 'Expression' }).fill('visitor.claims.a')
  await page.keyboard.press('Enter')
  await text(page).locator('code.expression').waitFor()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Expression' }).fill('visitor.claims.b')
  await apply('Apply')
  await inspectPage(page, 'app-visual-editor-inlines')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await insertBlock(page, 'diag', 'Diagram')
  await dialog.getByRole('textbox', { name: 'Diagram (Mermaid)' }).fill('graph TD; A-->B')
  await dialog.locator('.drawing').waitFor()
  await page.keyboard.press('Control+Enter')
  await text(page).locator('.drawing').waitFor()
  await insertBlock(page, 'file', 'File')
  await dialog.getByRole('searchbox', { name: 'Find a file by name' }).fill('plan')
  await dialog.getByRole('button', { name: 'plan.txt' }).click()
  await apply('Insert')
  await insertBlock(page, 'api', 'API operation')
  await dialog.getByRole('combobox', { name: 'Specification' }).selectOption('pets')
  await dialog.getByRole('button', { name: 'GET /pets' }).click()
  await apply('Insert')
  await text(page).locator('.protected-block .response').first().waitFor()
  await insertBlock(page, 'reus', 'Reusable content')
  await dialog.getByRole('button', { name: 'Shared', exact: true }).click()
  await apply('Insert')
  await text(page).locator('.protected-block', { hasText: 'First shared.' }).getByText('Last shared.').waitFor()
  const expression = '<code class="expression">visitor.claims.b</code>'
  await eventually(read).toMatch(
    new RegExp(
      `${expression}\n\n\`{3}mermaid\ngraph TD; A-->B\n\`{3}\n\n\\{% file src=".*" %\\}\n\n\\{% openapi-operation .*/pets`,
    ),
  )
})

/** What was typed shows where each key moved the cursor. Other browsers do not load the code for this. */
test('where Firefox moves the cursor to another place, the arrow keys enter and leave blocks', async () => {
  const { path, read } = await createEditedPage(
    octavo,
    'Before.\n\n* [ ] Task\n\n{% hint style="info" %}\nHint.\n{% endhint %}\n\n```txt\nab\ncd\n```\n\nBetween.\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nAfter.',
  )
  const { page } = await openEditor(browser, octavo, path)
  await page.addInitScript(
    "const supports = CSS.supports; CSS.supports = (name, ...rest) => name === '-moz-appearance' || supports.call(CSS, name, ...rest)",
  )
  await page.reload()
  await text(page).waitFor()
  await page.waitForFunction(
    "performance.getEntriesByType('resource').some(({ name }) => name.includes('cross-borders'))",
  )
  const { keyboard } = page
  const press = async (...keys: string[]) => {
    for (const key of keys) await keyboard.press(key)
  }
  await text(page).getByText('Before.').click()
  await press('Home', 'ArrowDown')
  await keyboard.type('1')
  await press('Home', 'ArrowDown')
  await keyboard.type('2')
  await press('Home', 'ArrowDown')
  await keyboard.type('3')
  await press('End', 'ArrowDown', 'End', 'ArrowRight')
  await keyboard.type('4')
  await press('Home', 'ArrowLeft')
  await keyboard.type('5')
  await press('ArrowUp', 'Home', 'Control+ArrowLeft')
  await keyboard.type('6')
  await text(page).getByText('After.').click()
  await press('Home', 'ArrowLeft')
  await keyboard.type('7')
  await press('ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowLeft')
  expect(await page.evaluate('getSelection().toString().trim()')).toBe('7')
  await eventually(read).toBe(
    'Before.\n\n* [ ] 1Task\n\n{% hint style="info" %}\n2Hint.6\n{% endhint %}\n\n```txt\nab3\ncd5\n```\n\n4Between.\n\n| A   | B   |\n| --- | --- |\n| 1   | 27  |\n\nAfter.\n',
  )
})
