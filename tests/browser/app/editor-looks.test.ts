import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually } from '../../support/browser.ts'
import { openApp } from '../../support/app.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText, openEditor } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const markdown = `A [link](#keys), a <mark style="color:red;">color</mark>, a <mark style="background-color:blue;">background</mark> and <mark style="color:$primary;">one of the theme</mark>.

## Keys

Press <kbd>Ctrl</kbd>, with a note[^1], <u>underlined **text**</u>, [<small>small</small>](#keys) and <u>[a link](#keys)</u>.

{% hint style="success" icon="rocket" %}
Chosen icon, with a [link](#keys).
{% endhint %}

{% hint style="info" %}
Information.
{% endhint %}

{% hint style="warning" %}
Warning.
{% endhint %}

{% hint style="danger" %}
Danger.
{% endhint %}

<div align="left"><figure><img src="https://example.com/dot.png" alt="Dot" width="20"><figcaption></figcaption></figure></div>

<table><thead><tr><th>Name</th><th align="center">Text</th></tr></thead><tbody><tr><td>One</td><td align="center"><p>First</p><p>Second</p></td></tr></tbody></table>

{% code title="a.js" %}
\`\`\`js
const a = "b" // A note[^2]
\`\`\`
{% endcode %}

[^1]: The note.
`

/** Returns what a reader sees of elements that the editor creates itself, not the server. */
const readLooks = (page: Page, root: string) =>
  page.evaluate<Record<string, unknown>>(`(() => {
    const root = document.querySelector(${JSON.stringify(root)})
    const find = (selector) => root.querySelector(selector)
    const style = (selector, ...names) => {
      const values = getComputedStyle(find(selector))
      return names.map((name) => values[name])
    }
    const hints = [...root.querySelectorAll('.hint')]
    const table = find('.scroll') ?? find('.grid').parentElement
    return {
      link: style('p > a', 'textDecorationLine', 'textDecorationColor', 'color'),
      hintLink: style('.hint a', 'textDecorationLine', 'textDecorationColor', 'color'),
      colors: [...root.querySelectorAll('p > mark, p > span[style]')].map((mark) => {
        const { color, backgroundColor, padding } = getComputedStyle(mark)
        return [mark.textContent, color, backgroundColor, padding]
      }),
      key: style('kbd', 'fontFamily', 'fontSize', 'color', 'padding', 'borderRadius'),
      icons: hints.map((hint) => [...hint.querySelectorAll('.hint-icon path')].map((path) => path.getAttribute('d')).join('').replaceAll(/[^a-z]/gi, '')),
      iconTops: hints.map((hint) => Math.round(hint.querySelector('.hint-icon svg').getBoundingClientRect().top - hint.getBoundingClientRect().top)),
      imageLeft: Math.round(find('figure img').getBoundingClientRect().left - root.getBoundingClientRect().left),
      html: [...root.querySelectorAll('u, small')].map((element) => [element.localName, element.textContent, element.querySelector('strong')?.textContent]),
      cell: style('td:last-child p', 'textAlign'),
      isScrolled: table.scrollWidth > table.clientWidth,
      noteHeight: Math.round(find('.annotation').closest('p').getBoundingClientRect().height),
    }
  })()`)

test('the editor shows text, hints, images and tables as readers see them', async () => {
  const { path, proposal, pageId } = await createEditedPage(octavo, markdown)
  const options = { mayAsk: () => true }
  const reader = await openApp(
    browser,
    octavo,
    octavo.admin.id,
    `/spaces/${proposal.params.spaceId}/pages/${pageId}`,
    options,
  )
  await reader.page.locator('article .hint').first().waitFor()
  const expected = await readLooks(reader.page, 'article .content')
  const { page } = await openEditor(browser, octavo, path, options)
  // The server renders the icon that the author chose and the note.
  await eventually(() => readLooks(page, '.editor-content')).toEqual(expected)
})

test('the editor shows the source of HTML that readers do not see', async () => {
  const { path } = await createEditedPage(octavo, 'Read <!-- remark --> this <u>now.')
  const { page } = await openEditor(browser, octavo, path)
  expect(await editorText(page).locator('p').first().innerText()).toBe('Read <!-- remark --> this <u>now.')
})

test('a block that is copied while it is being rendered is shown in both places', async () => {
  const { path } = await createEditedPage(octavo, '{% hint style="info" icon="rocket" %}\nText.\n{% endhint %}\n\nEnd.')
  const { page } = await openEditor(browser, octavo, path)
  let requests = 0
  await page.route(/\/content\/html/, async (route) => {
    requests++
    await eventually(() => requests).toBeGreaterThan(1)
    await route.continue()
  })
  await page.reload()
  await editorText(page).press('Control+a')
  await page.keyboard.press('Control+c')
  await editorText(page).locator('p', { hasText: 'End.' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+v')
  await eventually(() => editorText(page).locator('.hint-icon .icon-svg').count()).toBe(2)
})

test('the numbers of lines of code are beside their first rows', async () => {
  const long = 'word '.repeat(40)
  const { path } = await createEditedPage(
    octavo,
    `{% code overflow="wrap" lineNumbers="true" %}\n\`\`\`\nfirst ${long}\n\nsecond ${'x'.repeat(200)}\nthird\n\`\`\`\n{% endcode %}`,
  )
  const { page } = await openEditor(browser, octavo, path)
  const readTops = () =>
    page.evaluate<{ lines: number[]; numbers: number[] }>(`(() => {
      const code = document.querySelector('.editor-code code')
      const { top } = code.getBoundingClientRect()
      const range = document.createRange()
      const [text] = code.childNodes
      const starts = [0, ...[...text.data].flatMap((character, at) => (character === '\\n' ? [at + 1] : []))]
      const lines = starts.filter((at) => at < text.data.length && text.data[at] !== '\\n').map((at) => {
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        return Math.round(range.getBoundingClientRect().top - top)
      })
      const rows = [...document.querySelectorAll('.editor-line-numbers > div')].filter((_, index) => index !== 1)
      const space = lines[0] - Math.round(rows[0].getBoundingClientRect().top - top)
      return { lines, numbers: rows.map((row) => Math.round(row.getBoundingClientRect().top - top) + space) }
    })()`)
  const wrapped = await readTops()
  expect(wrapped.lines).toHaveLength(3)
  expect(wrapped.numbers).toEqual(wrapped.lines)
  await page.getByRole('button', { name: 'Wrap lines' }).click()
  const { lines, numbers } = await readTops()
  expect(numbers).toEqual(lines)
  expect(lines.at(-1)).toBeLessThan(wrapped.lines.at(-1) ?? 0)
})

/** Returns the size, color and place of checkboxes and stars in the cells of a table. */
const readCellIcons = (page: Page, root: string) =>
  page.evaluate<unknown[]>(`(() => {
    const root = document.querySelector(${JSON.stringify(root)})
    return [...root.querySelectorAll('.check > svg, .rating > span > svg, .editor-cell-check, .editor-cell-stars > span')].map((icon) => {
      const cell = icon.closest('td').getBoundingClientRect()
      const { left, top, width, height } = icon.getBoundingClientRect()
      return [getComputedStyle(icon).color, ...[left - cell.left, top - cell.top, width, height].map(Math.round)]
    })
  })()`)

test('checkboxes and stars in cells look as on published pages', async () => {
  const { path, proposal, pageId } = await createEditedPage(
    octavo,
    `<table><thead><tr><th data-type="checkbox">Done</th><th data-type="rating" data-max="3">Stars</th></tr></thead><tbody><tr><td>true</td><td>2</td></tr><tr><td>false</td><td>3</td></tr></tbody></table>`,
  )
  const address = `/spaces/${proposal.params.spaceId}/pages/${pageId}`
  const reader = await openApp(browser, octavo, octavo.admin.id, address)
  await reader.page.locator('article .rating').first().waitFor()
  const expected = await readCellIcons(reader.page, 'article .content')
  expect(expected).toHaveLength(8)
  const { page } = await openEditor(browser, octavo, path)
  await eventually(() => readCellIcons(page, '.editor-content')).toEqual(expected)
  await page.getByRole('checkbox', { name: 'Done' }).last().click()
  await eventually(async () => (await readCellIcons(page, '.editor-content')).at(-4)?.toString()).toContain(
    String((expected[0] as unknown[])[0]),
  )
})
