import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually } from '../../support/browser.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText, openEditor } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const makeBlocks = (count: number): string[] => Array.from({ length: count }, (_, index) => `Block ${index}.`)

async function openLongPage(count: number) {
  const edited = await createEditedPage(octavo, `${makeBlocks(count).join('\n\n')}\n`)
  return { ...edited, ...(await openEditor(browser, octavo, edited.path)) }
}

/** Returns the numbers of blocks in the groups that a long page is shown in, after checking that they show all blocks in their order. */
async function readGroups(page: Page): Promise<number[]> {
  const { isComplete, sizes } = await editorText(page).evaluate((element) => {
    interface Block {
      shadowRoot: { querySelectorAll(name: string): Iterable<{ assignedNodes(): unknown[] }> }
      childNodes: Iterable<unknown>
    }
    const { shadowRoot, childNodes } = element as unknown as Block
    const groups = Array.from(shadowRoot.querySelectorAll('slot'), (slot) => slot.assignedNodes())
    const shown = groups.flat()
    const blocks = [...childNodes]
    return {
      isComplete: shown.length === blocks.length && blocks.every((block, index) => block === shown[index]),
      sizes: groups.map(({ length }) => length),
    }
  })
  expect(isComplete).toBe(true)
  return sizes
}

/** Returns the texts of the blocks around one. */
async function readAround(page: Page, index: number, count = 2): Promise<string[]> {
  const all = await editorText(page).locator('> p').allTextContents()
  return all.slice(index - count, index + count)
}

/** Waits until no block has moved for ten frames: those above the window are laid out later, and the browser scrolls accordingly. */
const waitUntilStill = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const text = document.querySelector('.ProseMirror')
    let [last, frames] = ['', 0]
    const check = () => {
      const now = text.getBoundingClientRect().top + ' ' + text.offsetHeight
      frames = now === last ? frames + 1 : 0
      last = now
      if (frames === 10) resolve()
      else requestAnimationFrame(check)
    }
    check()
  })`)

test('the cursor, the selection and deletions pass the groups of a long page', async () => {
  const { page } = await openLongPage(450)
  expect(await readGroups(page)).toEqual(Array.from({ length: 18 }, () => 25))
  const block = (index: number) => editorText(page).locator('> p').nth(index)
  await block(99).click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('a')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  await page.keyboard.type('b')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('c')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('d')
  expect(await readAround(page, 100)).toEqual(['Block 98.', 'Block 99.bd', 'cBlock 100a.', 'Block 101.'])
  await block(198).click()
  await page.keyboard.press('Home')
  for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.type('x')
  expect(await readAround(page, 199)).toEqual(['Block 197.', 'xBlock 201.', 'Block 202.', 'Block 203.'])
  await page.keyboard.press('Control+z')
  expect(await readAround(page, 199)).toEqual(['Block 197.', 'Block 198.', 'Block 199.', 'Block 200.'])
  // With the mouse.
  await block(301).scrollIntoViewIfNeeded()
  await waitUntilStill(page)
  await block(298).hover({ position: { x: 1, y: 10 } })
  await page.mouse.down()
  await block(301).hover({ position: { x: 1, y: 10 } })
  await page.mouse.up()
  await page.keyboard.press('Backspace')
  expect(await readAround(page, 299)).toEqual(['Block 297.', 'Block 301.', 'Block 302.', 'Block 303.'])
  expect(await readGroups(page)).toHaveLength(18)
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' last')
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('first ')
  expect(await readAround(page, 1, 1)).toEqual(['first Block 0.', 'Block 1.'])
  expect(await editorText(page).locator('> p').last().textContent()).toBe('Block 449. last')
})

test('the cursor moves to blocks of a long page that were not laid out', async () => {
  const { page } = await openLongPage(450)
  await editorText(page).locator('> p').first().click()
  await page.keyboard.press('Control+End')
  for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowUp')
  await page.keyboard.type('up ')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('end')
  await page.keyboard.press('Control+Shift+Home')
  const readSelection = () => page.evaluate('String(getSelection())')
  expect(await readSelection()).toMatch(/^Block 0\.[^]*Block 449\.end$/)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+Shift+End')
  expect(await readSelection()).toMatch(/^Block 0\.[^]*Block 449\.end$/)
  expect((await editorText(page).locator('> p').allTextContents()).indexOf('Block 409.up ')).toBe(409)
})

test('blocks that are added to a long page are shown in its groups, and groups are divided', async () => {
  const { page, read } = await openLongPage(301)
  await editorText(page).locator('> p').nth(99).click()
  await page.keyboard.press('End')
  for (let line = 0; line < 120; line++) {
    await page.keyboard.press('Enter')
    await page.keyboard.type(`Line ${line}`)
  }
  const sizes = await readGroups(page)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(421)
  expect(sizes.length).toBeGreaterThan(14)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(50)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  expect(await readGroups(page)).toEqual([1])
  await page.keyboard.type('New')
  await eventually(read).toBe('New\n')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await readGroups(page)
  expect(await editorText(page).locator('> p').count()).toBe(301)
})
