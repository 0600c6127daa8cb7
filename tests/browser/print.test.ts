import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, takeScreenshot } from '../support/browser.ts'
import { insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

// Tests pages as they are printed: on the width of the paper, with everything that is folded or scrolled on a screen.

let octavo: TestServer
let base: string
const browser = browserForFile()

/** Area inside the margins of A4 paper at 96 pixels per inch. */
const papers = {
  portrait: { width: 680, height: 1009 },
  landscape: { width: 1009, height: 680 },
}

const longLine = `curl https://api.example.com/v1/items ${'--header "Name: value" '.repeat(12)}`
const manyLines = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
const columns = Array.from({ length: 9 }, (_, index) => `Column number ${index}`)
const content = `# Printed

Text with a note[^1].

\`\`\`sh
${longLine}
\`\`\`

{% code expandable="true" %}
\`\`\`
${manyLines}
\`\`\`
{% endcode %}

{% tabs %}
{% tab title="First" %}
Text of the first tab.
{% endtab %}
{% tab title="Second" %}
Text of the second tab.
{% endtab %}
{% endtabs %}

<details>
<summary>More</summary>

Text that is folded.

</details>

| ${columns.join(' | ')} |
| ${columns.map(() => '---').join(' | ')} |
| ${columns.map((name) => `cell-of-${name.replaceAll(' ', '-')}`).join(' | ')} |

[^1]: Text of the note.
`

beforeAll(async () => {
  octavo = await startTestServer()
  base = (await publishPages(octavo, [insertPage(content), insertPage('# Other')])).base
})
afterAll(() => octavo.stop())

async function openPrinted(paper: keyof typeof papers): Promise<Page> {
  const { page } = await browser.open(base, { viewport: papers[paper], colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await takeScreenshot(page, `print-${paper}`)
  return page
}

test.each(['portrait', 'landscape'] as const)('on %s paper, the content uses the whole width', async (paper) => {
  const page = await openPrinted(paper)
  const box = await page.locator('main').boundingBox()
  expect([box?.x, box?.width]).toEqual([0, papers[paper].width])
  for (const name of ['banner', 'contentinfo', 'navigation'] as const)
    expect(await page.locator('body').getByRole(name).count()).toBe(0)
})

test.each(['portrait', 'landscape'] as const)('on %s paper, no code and no table is cut off', async (paper) => {
  const page = await openPrinted(paper)
  const cutOff = `[...document.querySelectorAll('pre, pre *, .scroll, .scroll *, .fold, .content')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
    .map((one) => one.className || one.tagName)`
  expect(await page.evaluate(cutOff)).toEqual([])
  expect(await page.getByText('line 29').isVisible()).toBe(true)
  expect(await page.locator('.fold').evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true)
})

test('tabs, folded text and notes are printed', async () => {
  const page = await openPrinted('portrait')
  for (const text of ['Text of the first tab.', 'Text of the second tab.', 'Text that is folded.', 'Text of the note.'])
    expect([text, await page.getByText(text).isVisible()]).toEqual([text, true])
  const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? 0
  const tops = [await top('First'), await top('Text of the first tab.'), await top('Second')]
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
})

test('a page in dark mode is printed in the light one', async () => {
  const page = await openPrinted('portrait')
  const color = await page.evaluate<string>("getComputedStyle(document.querySelector('.content p')).color")
  const [red = 255] = (/\d+/.exec(color) ?? []).map(Number)
  expect(red).toBeLessThan(128)
})
