import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { type Proposal, editLive, emptySpace, insertPage, propose } from '../../support/content.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

/** Steps of each writer: about a quarter of a minute, or five minutes with `LONG=1`. */
const isLong = process.env['LONG'] === '1'
const stepCount = isLong ? 1500 : 40
const timeout = isLong ? 900_000 : 180_000

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the page', exact: true })

async function makePage(body: string): Promise<{ proposal: Proposal; pageId: string; path: string }> {
  const spaceId = await emptySpace(octavo.admin)
  const [pageId = ''] = await editLive(octavo.admin, spaceId, insertPage(`# Notes\n\n${body}`))
  const proposal = await propose(octavo.admin, spaceId, 'Write together')
  return { proposal, pageId, path: `/spaces/${spaceId}/change-requests/1/pages/${pageId}` }
}

async function readMarkdown({ params }: Proposal, pageId: string): Promise<string> {
  const page = await octavo.admin.api.getPageInChangeRequestById({
    params: { ...params, pageId },
    query: { format: 'markdown' },
  })
  return 'markdown' in page ? (page.markdown ?? '') : ''
}

/** Returns a generator of the same numbers from 0 to 1 in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Types words at the end of paragraphs of a writer, each word once; returns the paragraphs as they were typed. */
async function writeWords(page: Page, first: string, seed: number): Promise<string[]> {
  const random = createRandom(seed)
  const paragraphs = [first]
  let current = 0
  const goTo = async (index: number) => {
    current = index
    await text(page)
      .locator('p', { hasText: new RegExp(`^${firstWord(paragraphs[index] ?? '')}( |$)`) })
      .click()
    await page.keyboard.press('End')
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

const ofOther = (paragraph: string): boolean => paragraph.startsWith('right')

const firstWord = (paragraph: string): string => paragraph.split(' ')[0] ?? ''

test('two people write at the same time for a while, and no character is lost or moved', { timeout }, async () => {
  const { proposal, pageId, path } = await makePage('left\n\nBetween.\n\nright')
  const writer = await octavo.member('edit', 'Second Writer')
  const [{ page: one }, { page: two }] = await Promise.all([
    openApp(browser, octavo, octavo.admin.id, path),
    openApp(browser, octavo, writer.id, path),
  ])
  await Promise.all([text(one).waitFor(), text(two).waitFor()])
  const typed = (await Promise.all([writeWords(one, 'left', 1), writeWords(two, 'right', 2)])).flat()
  const readSorted = async () => (await readMarkdown(proposal, pageId)).trim().split('\n\n').toSorted()
  await eventually(readSorted).toEqual(['# Notes', 'Between.', ...typed].toSorted())
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
  const { proposal, pageId, path } = await makePage('one two three four five six seven eight\n\nlast')
  const writer = await octavo.member('edit', 'Third Writer')
  const [{ page: one }, { page: two }] = await Promise.all([
    openApp(browser, octavo, octavo.admin.id, path),
    openApp(browser, octavo, writer.id, path),
  ])
  for (const page of [one, two]) await text(page).locator('p', { hasText: 'one two' }).click()
  await one.getByRole('list', { name: 'Also here' }).getByText('Third Writer').waitFor()
  await one.keyboard.press('Home')
  await two.keyboard.press('End')
  await one.keyboard.type('zero ')
  await eventually(() => text(two).locator('p').first().textContent()).toMatch(/^zero one two/)
  await two.keyboard.type(' nine')
  await eventually(() => text(one).locator('p').first().textContent()).toMatch(/eight nine$/)
  await one.keyboard.type('and ')
  await eventually(() => readMarkdown(proposal, pageId)).toBe(
    '# Notes\n\nzero and one two three four five six seven eight nine\n\nlast\n',
  )
  await eventually(() => text(two).locator('p').first().textContent()).toMatch(/^zero and one/)
  // What was typed is kept when the page is left before it was saved.
  await two.keyboard.type(' ten')
  await two.goto('about:blank')
  await two.goBack()
  await eventually(async () => {
    const restore = two.getByRole('button', { name: 'Restore' })
    if (await restore.isVisible()) await restore.click()
    return readMarkdown(proposal, pageId)
  }).toContain('eight nine ten')
})
