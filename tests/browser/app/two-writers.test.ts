import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually } from '../../support/browser.ts'
import { readBlocks } from '../../support/comments.ts'
import { isLong } from '../../support/long.ts'
import { seededRandom } from '../../support/random.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage, editorText as text, openEditor } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

/** Steps of each writer: about a quarter of a minute, or five minutes with `LONG=1`. */
const stepCount = isLong ? 1000 : 40
const timeout = isLong ? 900_000 : 180_000

/** Types words at the end of paragraphs of a writer, each word once; returns the paragraphs as they were typed. */
async function writeWords(page: Page, first: string, seed: number): Promise<string[]> {
  const random = seededRandom(seed)
  const paragraphs = [first]
  let current = 0
  const goTo = async (index: number) => {
    current = index
    const word = firstWord(paragraphs[index] ?? '')
    // In a long page, a click right after scrolling hits a paragraph that is not laid out yet.
    do {
      await text(page)
        .locator('p', { hasText: new RegExp(`^${word}( |$)`) })
        .click()
      await page.keyboard.press('End')
    } while (!new RegExp(`^${word}( [^|]*)?\\|$`).test(await readCursor(page)))
  }
  await goTo(0)
  for (let step = 0; step < stepCount; step++) {
    const word = `${first}${step}`
    const chance = random()
    if (chance < 0.1) await goTo(Math.floor(random() * paragraphs.length))
    // The key End moves to the end of a line, so paragraphs have only one.
    if (chance > 0.9 || (paragraphs[current] ?? '').length > 60) {
      await page.keyboard.press('Enter')
      await page.keyboard.type(word, { delay: 10 })
      current = paragraphs.push(word) - 1
    } else {
      await page.keyboard.type(` ${word}`, { delay: 10 })
      paragraphs[current] += ` ${word}`
    }
  }
  return paragraphs
}

/** Returns the text before the cursor, and the rest of its text after a line. */
const readCursor = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ focusNode: { textContent: text }, focusOffset: at }) =>
    text.slice(0, at) + '|' + text.slice(at))(getSelection())`)

const ofOther = (paragraph: string): boolean => paragraph.startsWith('right')

const firstWord = (paragraph: string): string => paragraph.split(' ')[0] ?? ''

test('two people write at the same time for a while, and no character is lost or moved', { timeout }, async () => {
  const { read, path } = await createEditedPage(octavo, 'left\n\nBetween.\n\nright')
  const writer = await octavo.member('edit', 'Second Writer')
  const [{ page: one }, { page: two }] = await Promise.all([
    openEditor(browser, octavo, path),
    openEditor(browser, octavo, path, {}, writer.id),
  ])
  const typed = (await Promise.all([writeWords(one, 'left', 1), writeWords(two, 'right', 2)])).flat()
  const readSorted = async () => (await read()).trim().split('\n\n').toSorted()
  await eventually(readSorted).toEqual(['Between.', ...typed].toSorted())
  for (const page of [one, two]) {
    const shown = async () => (await text(page).locator('p').allTextContents()).filter(Boolean).toSorted()
    await eventually(shown).toEqual(['Between.', ...typed].toSorted())
  }
  // Undo reverts only what the same person wrote.
  await one.keyboard.press('Control+z')
  await eventually(async () => (await readSorted()).join(' ')).not.toContain(`left${stepCount - 1}`)
  expect((await readSorted()).filter(ofOther)).toEqual(typed.filter(ofOther).toSorted())
})

test('two people write in the same paragraph: both texts are kept, and the cursor remains where it was', async () => {
  const { read, path } = await createEditedPage(octavo, 'one two three four five six seven eight\n\nlast')
  const writer = await octavo.member('edit', 'Third Writer')
  const [{ page: one }, { page: two }] = await Promise.all([
    openEditor(browser, octavo, path),
    openEditor(browser, octavo, path, {}, writer.id),
  ])
  for (const page of [one, two]) await text(page).locator('p', { hasText: 'one two' }).click()
  await one.getByRole('list', { name: 'Also here' }).getByText('Third Writer').waitFor()
  const otherIn = (block: string) => text(one).locator('.has-others', { hasText: block }).getAttribute('title')
  await eventually(() => otherIn('one two')).toBe('Third Writer')
  await text(two).getByText('last', { exact: true }).click()
  await eventually(() => otherIn('last')).toBe('Third Writer')
  await one.getByRole('button', { name: 'Markdown', exact: true }).click()
  await one.getByRole('textbox', { name: 'Text of the page as Markdown' }).waitFor()
  await one.getByRole('button', { name: 'Visual', exact: true }).click()
  await eventually(() => otherIn('last')).toBe('Third Writer')
  await text(one).locator('p', { hasText: 'one two' }).click()
  await text(two).locator('p', { hasText: 'one two' }).click()
  await one.keyboard.press('Home')
  await two.keyboard.press('End')
  await one.keyboard.type('zero ')
  await eventually(() => text(two).locator('p').first().textContent()).toMatch(/^zero one two/)
  await two.keyboard.type(' nine')
  await eventually(() => text(one).locator('p').first().textContent()).toMatch(/eight nine$/)
  await one.keyboard.type('and ')
  await eventually(read).toBe('zero and one two three four five six seven eight nine\n\nlast\n')
  await eventually(() => text(two).locator('p').first().textContent()).toMatch(/^zero and one/)
  // Content that was merged keeps the mark of who writes there.
  await eventually(() => otherIn('zero and one')).toBe('Third Writer')
  // What was typed is kept when the page is left before it was saved.
  await two.keyboard.type(' ten')
  await two.goto('about:blank')
  await two.goBack()
  await eventually(async () => {
    const restore = two.getByRole('button', { name: 'Restore' })
    if (await restore.isVisible()) await restore.click()
    return read()
  }).toContain('eight nine ten')
})

test('the cursor of another person who moves often is read at most once a second', async () => {
  const { path, pageId, proposal } = await createEditedPage(octavo, 'first\n\nsecond')
  const writer = await octavo.member('edit', 'Busy Writer')
  const { page } = await openEditor(browser, octavo, path)
  const [first, second] = (await readBlocks(writer, proposal.params, pageId)).map(({ key }) => key)
  const { spaceId, changeRequestId: changeRequest } = proposal.params
  const move = (block: string | undefined) =>
    writer.api.updatePresence({ params: { spaceId }, body: { page: pageId, changeRequest, block, editing: true } })
  const other = text(page).locator('.has-others')
  await move(first)
  await eventually(() => other.textContent()).toBe('first')
  const times: number[] = []
  page.on('requestfinished', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/presence')) times.push(request.timing().startTime)
  })
  for (let count = 0; count < 10; count++) for (const block of [first, second]) await move(block)
  await eventually(() => other.textContent()).toBe('second')
  await move(first)
  await eventually(() => other.textContent()).toBe('first')
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(gaps).not.toEqual([])
  // The browser may run a timer some milliseconds early.
  expect(Math.min(...gaps)).toBeGreaterThan(900)
})
