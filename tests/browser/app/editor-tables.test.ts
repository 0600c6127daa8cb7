import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, openEditor, paste } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

/** Returns Markdown of a table with numbered cells. */
const tableOf = (rows: number, columns: number): string => {
  const names = Array.from({ length: columns }, (_, index) => `C${index}`)
  const lines = Array.from({ length: rows }, (_, line) => row(names.map((name) => `${name} ${line}`)))
  return [row(names), row(names.map(() => '---')), ...lines].join('')
}

const choose = async (page: Page, menu: string, item: string) => {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a table is written with the keyboard, and its rows and columns are changed with menus', async () => {
  const { path, read } = await createEditedPage(octavo, '')
  const { page } = await openEditor(browser, octavo, path, { bypassCSP: true })
  const { keyboard } = page
  await text(page).click()
  await keyboard.type('/table')
  await page.getByRole('option', { name: 'Table' }).waitFor()
  await keyboard.press('Enter')
  for (const cell of ['Name', 'Size', 'Note', 'One', '1', '**bold** text', 'Two', '2', 'last']) {
    await keyboard.type(cell)
    await keyboard.press('Tab')
  }
  await keyboard.type('Threes')
  await keyboard.press('Backspace')
  const lines = [
    '| Name  | Size | Note          |',
    '| One   | 1    | **bold** text |',
    '| Two   | 2    | last          |',
  ]
  const rule = '| ----- | ---- | ------------- |'
  const third = '| Three |      |               |'
  await eventually(read).toBe([lines[0], rule, lines[1], lines[2], third, ''].join('\n'))
  await keyboard.press('Alt+Shift+ArrowUp')
  await eventually(read).toBe([lines[0], rule, lines[1], third, lines[2], ''].join('\n'))
  await choose(page, 'Row', 'Delete row')
  await text(page).locator('th', { hasText: 'Note' }).click()
  await choose(page, 'Column', 'Move left')
  await eventually(read).toMatch(/^\| Name \| Note +\| Size \|\n/)
  await text(page).locator('td', { hasText: 'last' }).click()
  await choose(page, 'Column', 'Delete column')
  await text(page).locator('th', { hasText: 'Size' }).click()
  await choose(page, 'Column', 'Column settings')
  await page.getByRole('combobox', { name: 'Type' }).selectOption('number')
  await page.getByRole('button', { name: 'Apply' }).click()
  await text(page).getByRole('textbox', { name: 'Size' }).first().fill('7.5')
  await keyboard.press('Tab')
  await eventually(read).toBe(
    '<table><thead><tr><th>Name</th><th data-type="number">Size</th></tr></thead><tbody><tr><td>One</td><td>7.5</td></tr><tr><td>Two</td><td>2</td></tr></tbody></table>\n',
  )
  await keyboard.press('Control+z')
  await eventually(read).toContain('<td>1</td>')
  await inspectPage(page, 'app-visual-editor-table')
})

test('the arrow keys move between the rows of a table, and out of it', async () => {
  const { path, read } = await createEditedPage(
    octavo,
    '<table><thead><tr><th>A</th><th>B</th><th data-type="checkbox">C</th></tr></thead><tbody><tr><td>a<br>b</td><td rowspan="2">both</td><td>false</td></tr><tr><td>c</td><td>false</td></tr><tr><td>d</td><td>e</td><td>false</td></tr></tbody></table>\n\nText.',
  )
  const { page } = await openEditor(browser, octavo, path)
  const { keyboard } = page
  const move = async (key: string, typed: string) => {
    await keyboard.press(key)
    await keyboard.type(typed)
  }
  await text(page).getByRole('columnheader', { name: 'A', exact: true }).click()
  await move('End', '1')
  for (const typed of ['2', '3', '4', '5', '6']) await move('ArrowDown', typed)
  await keyboard.press('Home')
  await move('ArrowUp', '7')
  await text(page).locator('td', { hasText: 'e' }).click()
  await move('End', '8')
  await move('ArrowUp', '9')
  await move('ArrowUp', '0')
  await move('ArrowUp', 'Before.')
  await text(page).getByRole('checkbox').last().focus()
  await keyboard.press('ArrowUp')
  await keyboard.press('Space')
  await eventually(read).toBe(
    'Before.\n\n<table><thead><tr><th>A1</th><th>B0</th><th data-type="checkbox">C</th></tr></thead><tbody><tr><td>a2<br>b3</td><td rowspan="2">both9</td><td>false</td></tr><tr><td>c4</td><td>true</td></tr><tr><td>7d5</td><td>e8</td><td>false</td></tr></tbody></table>\n\n6Text.\n',
  )
})

test('values have controls, and cards are edited where they are shown', async () => {
  const { path, read } = await createEditedPage(
    octavo,
    '<table><thead><tr><th>Task</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Rating</th><th>State<select><option value="a" label="Open" color="blue"></option><option value="b" label="Closed"></option></select></th></tr></thead><tbody><tr><td>Write</td><td>false</td><td>3</td><td></td></tr></tbody></table>\n\n' +
      '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>First</strong></td><td>Text</td><td></td></tr></tbody></table>',
  )
  const before = await read()
  const { page } = await openEditor(browser, octavo, path, phone)
  await text(page).getByRole('checkbox', { name: 'Done' }).check()
  await text(page).getByRole('slider', { name: 'Rating' }).press('ArrowRight')
  await text(page).getByRole('button', { name: 'State' }).click()
  await page.getByRole('radio', { name: 'Open' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  const changed = before.replace(
    'false</td><td>3</td><td></td>',
    'true</td><td>4</td><td><span data-option="a">Open</span></td>',
  )
  await eventually(read).toBe(changed)
  await text(page).locator('.card p', { hasText: 'Text' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await choose(page, 'Card', 'Link of the card')
  await page.getByRole('textbox', { name: 'Page or address' }).fill('https://example.com/x')
  await page.keyboard.press('Enter')
  const linked = '<td>Text more</td><td><a href="https://example.com/x">https://example.com/x</a></td>'
  await eventually(read).toBe(changed.replace('<td>Text</td><td></td>', linked))
})

test('tables with merged cells and pasted tables are edited, and large ones are protected', async () => {
  const merged =
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td rowspan="2">both</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>\n'
  const { path, read } = await createEditedPage(octavo, `${merged}\nText.\n\n${tableOf(26, 40)}`)
  const large = await read()
  const { page } = await openEditor(browser, octavo, path)
  await text(page).locator('.protected-block').waitFor()
  await text(page).locator('td', { hasText: '2' }).first().click()
  await page.keyboard.type('0')
  await text(page).locator('td', { hasText: '1' }).first().click()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type('new')
  const longer = '<td rowspan="3">both</td><td>1</td></tr><tr><td>new</td></tr><tr><td>20</td>'
  await eventually(read).toContain(longer)
  // The cell beside it is covered, so the previous one is in the row above.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('one')
  await eventually(read).toContain(longer.replace('1', 'one'))
  await text(page).locator('td', { hasText: 'new' }).click()
  await choose(page, 'Row', 'Delete row')
  const edited = large.replace('<td>1</td></tr><tr><td>2</td>', '<td>one</td></tr><tr><td>20</td>')
  await eventually(read).toBe(edited)
  await text(page).locator('p', { hasText: 'Text.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': 'A\tB\n1\t2\n' })
  const pasted = '| A | B |\n| --- | --- |\n| 1 | 2 |\n'.replaceAll(/(?<=\| )[A-Z12](?= )/g, (cell) => cell.padEnd(3))
  await eventually(read).toBe(edited.replace('Text.\n', `Text.\n\n${pasted}`))
  await text(page).locator('td', { hasText: /^1$/ }).click()
  await paste(page, {
    'text/html': '<table><tr><td>x</td><td><b>y</b></td></tr><tr><td>z</td><td></td></tr></table>',
  })
  const filled = '| A   | B     |\n| --- | ----- |\n| x   | **y** |\n| z   |       |\n'
  await eventually(read).toBe(edited.replace('Text.\n', `Text.\n\n${filled}`))
  await paste(page, { 'text/html': `<table>${'<tr><td>1</td></tr>'.repeat(1001)}</table>` })
  await page.getByText('Tables of more than 1000 cells cannot be pasted').waitFor()
})

test('cells are merged with the menu and the keyboard, and split again', async () => {
  const { path, read } = await createEditedPage(octavo, '| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |\n')
  const { page } = await openEditor(browser, octavo, path)
  const cell = (content: string) => text(page).locator('td', { hasText: content }).first()
  await cell('1').click()
  await choose(page, 'Row', 'Merge with the cell to the right')
  await eventually(read).toContain('<tr><td colspan="2"><p>1</p><p>2</p></td></tr><tr><td>3</td><td></td></tr>')
  await page.keyboard.press('Control+Alt+m')
  await eventually(read).toContain('| <p>1</p><p>2</p> |     |')
  await cell('1').click()
  await cell('3').click({ modifiers: ['Shift'] })
  await choose(page, 'Row', 'Merge selected cells')
  await eventually(read).toContain('<td rowspan="2"><p>1</p><p>2</p><p>3</p></td>')
  await cell('1').click()
  await choose(page, 'Row', 'Split cell')
  await page.keyboard.press('Control+z')
  await eventually(read).toContain('<td rowspan="2"><p>1</p><p>2</p><p>3</p></td>')
})
