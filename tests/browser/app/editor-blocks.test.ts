import { afterAll, beforeAll, test } from 'vitest'
import { browserForFile, eventually } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, insertBlock, openEditor } from '../../support/visual-editor.ts'

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
  await text(page).getByRole('button', { name: 'Add a tab' }).click()
  await text(page).getByRole('button', { name: 'Delete the tab' }).click()
  await text(page).getByRole('button', { name: 'Tab 2' }).click()
  await text(page).getByRole('button', { name: 'Delete the tab' }).click()
  await eventually(read).toBe(`{% tabs %}\n${npm}\n{% endtabs %}\n`)
  await inspectPage(page, 'app-visual-editor-tabs')
})

test('formulas, embeds and images have forms, and conditional content is edited in place', async () => {
  const { path, read } = await createEditedPage(
    octavo,
    'Text.\n\n$$\na^2\n$$\n\n{% if visitor.claims.a %}\nOnly some.\n{% endif %}\n\n<figure><img src="https://example.com/a.png" alt="Alt"><figcaption></figcaption></figure>',
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
  await page.locator('.save-line', { hasText: 'Saved in #1 ·' }).waitFor()
  await text(page).locator('p', { hasText: 'Text.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await insertBlock(page, 'embed', 'Embed')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/video')
  await page.getByRole('button', { name: 'Insert', exact: true }).last().click()
  const embedded = conditional.replace('Text.\n', 'Text.\n\n{% embed url="https://example.com/video" %}\n')
  await eventually(read).toBe(embedded)
  await text(page).locator('.editor-picture').hover()
  await text(page).locator('.editor-picture').getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('spinbutton', { name: 'Width in pixels' }).fill('200')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await eventually(read).toBe(embedded.replace('alt="Alt"', 'alt="Alt" width="200"'))
  await text(page).locator('p', { hasText: 'Text.' }).hover()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Turn into reusable content' }).click()
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Shared')
  await page.keyboard.press('Enter')
  await text(page).getByText('Text.').waitFor()
  await eventually(read).toMatch(/^\{% include ".*" %\}\n/)
})
