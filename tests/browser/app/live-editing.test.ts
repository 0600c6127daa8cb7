import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { editLive, insertPage, readLive, writePage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { publishPages } from '../../support/published-sites.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const paragraphs = 'First paragraph.\n\nSecond paragraph.\n\nThird paragraph.'

const visual = (page: Page) => page.getByRole('textbox', { name: 'Text of the page', exact: true })
const code = (page: Page) => page.getByRole('textbox', { name: 'Text of the page as Markdown' })
const saveLine = (page: Page) => page.locator('.save-line')

/** Types at the end of the line that starts with a text. */
async function typeAfter(page: Page, line: string, text: string): Promise<void> {
  await page.locator('.cm-line, .ProseMirror p').filter({ hasText: line }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

/** Publishes a page. */
async function world() {
  const { base, spaceId, pages } = await publishPages(octavo, [insertPage(`# Install\n\n${paragraphs}`)])
  const pageId = pages[0] ?? ''
  const readingPath = `/spaces/${spaceId}/pages/${pageId}`
  return {
    base,
    spaceId,
    pageId,
    readingPath,
    path: `${readingPath}/edit`,
    readBody: async () => ((await readLive(octavo.admin, spaceId, pageId)).markdown ?? '').replace(/^# Install\n+/, ''),
    lock: (editMode: 'live' | 'locked') =>
      octavo.admin.api.updateSpaceById({ params: { spaceId }, body: { editMode } }),
  }
}

test('a page is edited live in both editors, and readers see what was saved', async () => {
  const { base, spaceId, readingPath, readBody } = await world()
  const { page } = await openApp(browser, octavo, octavo.admin.id, readingPath, { bypassCSP: true })
  await page.getByRole('button', { name: 'Change request or live' }).click()
  await page.getByRole('menuitem', { name: 'Edit live' }).click()
  await visual(page).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/app${readingPath}/edit`)
  await page.getByText('Live: readers see changes as they are saved.').waitFor()
  await inspectPage(page, 'app-live-editing')
  await typeAfter(page, 'First', ' Written visually.')
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved live · /)
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  await typeAfter(page, 'Second', ' Written as Markdown.')
  await page.getByRole('textbox', { name: 'Description' }).fill('In five minutes')
  await page.keyboard.press('Control+s')
  await eventually(readBody).toBe(
    'First paragraph. Written visually.\n\nSecond paragraph. Written as Markdown.\n\nThird paragraph.\n',
  )
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved live · /)
  expect((await octavo.admin.api.getSpaceById({ params: { spaceId } })).changeRequests).toBe(0)
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('Written as Markdown.').waitFor()
  await page.getByText('In five minutes').waitFor()
  await page.goto(base)
  await page.getByText('First paragraph. Written visually.').waitFor()
  await page.getByText('Second paragraph. Written as Markdown.').waitFor()
})

test('two people edit a page live, see each other and keep both texts; contradictions are shown in place', async () => {
  const { spaceId, pageId, path, readBody } = await world()
  const writer = await octavo.member('edit', 'Second Writer')
  const [{ page: one }, { page: two }] = await Promise.all([
    openApp(browser, octavo, octavo.admin.id, path),
    openApp(browser, octavo, writer.id, path, { stored: { 'octavo.editor': 'markdown' }, expects: [/409/] }),
  ])
  await one.getByRole('list', { name: 'Also here' }).getByText('Second Writer').waitFor({ state: 'attached' })
  await typeAfter(one, 'First', ' By one.')
  await typeAfter(two, 'Third', ' By two.')
  await visual(one).getByText('By two.').waitFor()
  await code(two).getByText('By one.').waitFor()
  expect(await readBody()).toBe('First paragraph. By one.\n\nSecond paragraph.\n\nThird paragraph. By two.\n')
  const contradict = async (route: Route) => {
    await editLive(
      octavo.admin,
      spaceId,
      writePage(pageId, '# Install\n\nTheirs.\n\nSecond paragraph.\n\nThird by them.'),
    )
    await route.continue()
  }
  await two.route(/\/content$/, contradict, { times: 1 })
  await typeAfter(two, 'First', ' Mine.')
  await two.getByRole('heading', { name: 'You and another person changed the same text' }).waitFor()
  await two.getByRole('button', { name: 'Keep mine' }).click()
  await eventually(readBody).toBe('First paragraph. By one. Mine.\n\nSecond paragraph.\n\nThird by them.\n')
  const { organizationId, api } = octavo.admin
  await api.updateMemberInOrganizationById({ params: { organizationId, userId: writer.id }, body: { role: 'read' } })
  await two.getByRole('heading', { name: 'You may no longer edit this space' }).waitFor()
})

test('a space that is locked meanwhile keeps the text, which is saved later or continues in a change request', async () => {
  const { path, readBody, lock } = await world()
  const { page } = await openApp(browser, octavo, octavo.admin.id, path, { bypassCSP: true, expects: [/409/] })
  await visual(page).waitFor()
  await lock('locked')
  await page.getByRole('heading', { name: 'This space was locked' }).waitFor()
  await typeAfter(page, 'First', ' Later.')
  await page.getByText('Your unsaved text is kept in this browser.').waitFor()
  await inspectPage(page, 'app-live-locked')
  await lock('live')
  await eventually(readBody).toContain('First paragraph. Later.')
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved live · /)
  await lock('locked')
  await page.getByRole('heading', { name: 'This space was locked' }).waitFor()
  await typeAfter(page, 'Second', ' Not live.')
  await page.getByText('Your unsaved text is kept in this browser.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'This space cannot be edited live' }).waitFor()
  await page.getByText('Your unsaved text is kept in this browser.').waitFor()
  await page.getByRole('button', { name: 'Continue in a new change request' }).click()
  await visual(page).getByText('Second paragraph. Not live.').waitFor()
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved in #1 · /)
  expect(await readBody()).toBe('First paragraph. Later.\n\nSecond paragraph.\n\nThird paragraph.\n')
})
