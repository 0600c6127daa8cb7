import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdAndRefuse, openApp } from '../../support/app.ts'
import { browserForFile, eventually, getFocusedName, phone } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { insertPages } from '../../support/many-pages.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
let spaceId: string
/** Returns the change that inserts a page. */
const insertPage = (title: string, text: string, into?: string) => ({
  operation: 'insert_page' as const,
  title,
  ref: title,
  document: { markdown: text },
  ...(into !== undefined && { into }),
})

beforeAll(async () => {
  octavo = await startTestServer()
  const { api, organizationId } = octavo.admin
  ;({ id: spaceId } = await api.createSpace({ params: { organizationId }, body: { title: 'Handbook' } }))
  const [first] = (await api.getTableOfContents({ params: { spaceId } })).pages
  await api.updateSpaceContent({
    params: { spaceId },
    body: {
      changes: [
        {
          operation: 'update_page',
          page: first?.id ?? '',
          title: 'Welcome',
          document: { markdown: 'See [the guide](guide.md) and [nothing](nowhere.md).' },
        },
        insertPage('Guide', 'First version.'),
        insertPage('Install', 'Run it.', 'Guide'),
        insertPage('Reference', 'All options.'),
      ],
    },
  })
})
afterAll(() => octavo.stop())

/** Returns the titles and levels of the pages in the navigation. */
const readTree = async (page: import('playwright-core').Page) =>
  page
    .getByRole('treeitem')
    .evaluateAll((items) =>
      items.map((item) => `${item.getAttribute('aria-level')} ${item.getAttribute('aria-label')}`),
    )

test('the page tree is changed with the keyboard in a change request, and a deletion is undone', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${spaceId}/history`, { expects: [/409/] })
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('Guide').focus()
  await page.keyboard.press('ArrowRight')
  await item('Install').waitFor()
  await page.keyboard.press('ArrowDown')
  await eventually(() => getFocusedName(page)).toBe('Install')
  // The first change starts a change request.
  await page.keyboard.press('Alt+ArrowLeft')
  await page.waitForURL(/change-requests\/1\/pages\//)
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Install', '1 Reference'])
  await item('Install').focus()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Set up')
  await page.keyboard.press('Enter')
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Set up', '1 Reference'])
  await item('Reference').focus()
  await page.keyboard.press('Delete')
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Set up'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Set up', '1 Reference'])
  // Changes are shown before the reply, and taken back with a message if the server refuses them.
  const refuse = await holdAndRefuse(page, /change-requests\/1\/content\?/, 'The change request is archived.')
  await item('Reference').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Reference', '1 Guide', '1 Set up'])
  refuse()
  await page.getByText('The change request is archived.').waitFor()
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Set up', '1 Reference'])
  await page.unrouteAll()
  // The live content is unchanged.
  const { pages } = await octavo.admin.api.getTableOfContents({ params: { spaceId } })
  expect(pages.map(({ title }) => title)).toEqual(['Welcome', 'Guide', 'Reference'])
  // A change of the live tree is collected in the draft of the user, whose state an undo brings back.
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/history`)
  await item('Guide').focus()
  await page.keyboard.press('Delete')
  const deletion = page.getByRole('status').filter({ hasText: '“Guide” was deleted' })
  await deletion.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.waitForURL(/change-requests\/1$/)
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '1 Guide', '1 Set up', '1 Reference'])
  const ofDraft = { spaceId, changeRequestId: '1' }
  await octavo.admin.api.updateChangeRequestById({ params: ofDraft, body: { status: 'archived' } })
})

test('a page is moved by dragging, hidden, and duplicated', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${spaceId}/history`)
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await item('Reference').dragTo(item('Welcome'), { targetPosition: { x: 20, y: 16 } })
  await page.waitForURL(/change-requests\/\d+\/pages\//)
  await eventually(() => readTree(page)).toEqual(['1 Welcome', '2 Reference', '1 Guide'])
  const choose = async (title: string, action: string) => {
    await item(title).hover()
    await page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Reference', 'Hide from the navigation')
  await eventually(() => readTree(page)).toContain('2 Reference, Hidden')
  await choose('Guide', 'Duplicate')
  await eventually(() => readTree(page)).toContain('1 Copy of Guide')
})

test('a version of the history is compared and restored through a change request', async () => {
  const { api } = octavo.admin
  const { pages } = await api.getTableOfContents({ params: { spaceId } })
  const guide = pages.find(({ title }) => title === 'Guide')?.id ?? ''
  await api.updateSpaceContent({
    params: { spaceId },
    body: { changes: [{ operation: 'update_page', page: guide, document: { markdown: 'Second version.' } }] },
  })
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${spaceId}/history`, { bypassCSP: true })
  const boxes = page.getByRole('checkbox', { name: /for a comparison/ })
  // Consecutive saves of one author are one row until they are shown.
  const showSaves = () => page.getByRole('button', { name: /^\d+ saves$/ }).click()
  await showSaves()
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await inspectPage(page, 'app-history')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('button', { name: /^Edited Guide/ }).click()
  await eventually(() => page.locator('.content ins').allTextContents()).toEqual(['Second'])
  await eventually(() => page.locator('.content del').allTextContents()).toEqual(['First'])
  await inspectPage(page, 'app-comparison')
  await page.goBack()
  await showSaves()
  await page.getByRole('button', { name: 'Actions for this version' }).nth(1).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.waitForURL(/change-requests\/\d+$/)
  const number = page.url().split('/').at(-1) ?? ''
  const { changes } = await api.getChangeRequestChanges({ params: { spaceId, changeRequestId: number } })
  expect(changes.map((change) => change.type)).toEqual(['page_edited'])
})

test('links and files are listed, and settings are saved', async () => {
  const { api } = octavo.admin
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${spaceId}/links`, { bypassCSP: true })
  await page.getByText('Broken', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Welcome' }).first().waitFor()
  await inspectPage(page, 'app-links')
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/files`)
  await page.getByRole('heading', { name: 'This space has no files yet' }).waitFor()
  await inspectPage(page, 'app-files')
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/settings`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Manual')
  await page.getByRole('radio', { name: '🚀' }).check()
  await page.getByRole('combobox', { name: 'Before a merge' }).selectOption({ label: 'Own rules' })
  await page.getByRole('checkbox', { name: 'At least one reviewer approved' }).check()
  await inspectPage(page, 'app-space-settings')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(async () => (await api.getSpaceById({ params: { spaceId } })).title).toBe('Manual')
  const { mergeRules, emoji } = await api.getSpaceById({ params: { spaceId } })
  expect(emoji).toBe('🚀')
  expect(mergeRules).toEqual({ type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] })
})

test('a reader sees the pages and no action that would be refused', async () => {
  const reader = await octavo.member('read', 'Reader')
  const { page } = await openApp(browser, octavo, reader.id, `/spaces/${spaceId}/history`, phone)
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('treeitem', { name: 'Welcome' }).waitFor()
  expect(await page.getByRole('button', { name: 'New page' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Actions for Welcome' }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy link'])
  // Escape closes the menu first, then the navigation.
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem').waitFor({ state: 'hidden' })
  await page.getByRole('treeitem', { name: 'Welcome' }).focus()
  await page.keyboard.press('Escape')
  await eventually(() => getFocusedName(page)).toBe('Open the navigation')
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/settings`)
  await page.getByRole('heading', { name: 'No access' }).waitFor()
})

test('groups are named in place, new pages start with their title, and the tree stays as it was', async () => {
  const { api, organizationId } = octavo.admin
  const { id } = await api.createSpace({ params: { organizationId }, body: { title: 'Notes' } })
  await api.updateSpaceContent({
    params: { spaceId: id },
    body: {
      changes: [
        { operation: 'insert_group', title: 'Basics', ref: 'Basics' },
        insertPage('Long', Array.from({ length: 60 }, (_, index) => `Paragraph ${index}`).join('\n\n'), 'Basics'),
        insertPage('Short', 'One line.', 'Basics'),
      ],
    },
  })
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${id}`)
  const item = (name: string) => page.getByRole('treeitem', { name, exact: true })
  const readScroll = () => page.evaluate<number>('window.scrollY')
  // Other pages start at their top and the tree stays open; back returns to the position.
  await page.getByRole('button', { name: 'Pages below Basics' }).click()
  await item('Long').locator('a').click()
  await page.getByText('Paragraph 59').waitFor()
  await page.evaluate('window.scrollTo(0, 1000)')
  await page.keyboard.press('ArrowDown')
  await eventually(() => getFocusedName(page)).toBe('Short')
  await eventually(readScroll).toBe(1000)
  await page.keyboard.press('Enter')
  await page.getByText('One line.').waitFor()
  await eventually(readScroll).toBe(0)
  expect(await getFocusedName(page)).toBe('Short')
  await page.goBack()
  await page.getByText('Paragraph 59').waitFor()
  await eventually(readScroll).toBe(1000)

  await page.getByRole('button', { name: 'New group' }).click()
  await page.waitForURL(/change-requests\/1\/pages\//)
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Advanced')
  await page.keyboard.press('Enter')
  await item('Advanced').waitFor()
  await page.getByRole('button', { name: 'New page' }).click()
  await eventually(() => getFocusedName(page)).toBe('Title')
  await page.keyboard.type('My first page')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Hello')
  await item('My first page').waitFor()
  await page.getByRole('textbox', { name: 'Text of the page' }).getByText('Hello').waitFor()
  // What is deleted from a group opens the change request, because a group has no editor.
  await page.goto(`${octavo.url}/app/spaces/${id}`)
  await page.getByRole('button', { name: 'Pages below Basics' }).click()
  await item('Short').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.getByRole('heading', { name: /Untitled change request/ }).waitFor()
})

test('long trees and lists of changes have few rows at a time; all are reached by scrolling, keyboard and search', async () => {
  const { api, organizationId } = octavo.admin
  const { id, revision } = await api.createSpace({ params: { organizationId }, body: { title: 'Large' } })
  const count = 5000
  await insertPages(octavo, id, count)
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${id}/history`)
  const rows = page.getByRole('treeitem')
  await rows.nth(1).focus()
  await page.keyboard.press('End')
  await eventually(() => getFocusedName(page)).toBe(`Page ${count - 1}`)
  await page.getByRole('treeitem', { name: `Page ${count - 2}` }).waitFor()
  expect(await rows.count()).toBeLessThan(100)
  // The row with the focus remains although it is out of view.
  const sidebar = page.getByRole('navigation', { name: 'Pages' })
  await sidebar.evaluate((element) => element.scrollTo({ top: 0 }))
  await page.getByRole('treeitem', { name: 'Page 5', exact: true }).waitFor()
  expect(await rows.count()).toBeLessThan(100)
  await page.keyboard.press('ArrowUp')
  await eventually(() => getFocusedName(page)).toBe(`Page ${count - 2}`)
  await page.keyboard.press('Control+k')
  const option = page.getByRole('option', { name: /^Page 2500/ })
  await eventually(async () => {
    // The pages are indexed in the background.
    await page.getByRole('combobox').fill('page 250')
    await page.getByRole('combobox').fill('page 2500')
    return option.count()
  }).toBe(1)

  // Restoring the empty space deletes all of them in a change request.
  const { number } = await api.restoreRevision({ params: { spaceId: id, revisionId: revision }, body: {} })
  await page.goto(`${octavo.url}/app/spaces/${id}/change-requests/${number}/changes`)
  const list = page.getByRole('list', { name: 'Changed pages' })
  const scroller = page.getByRole('navigation', { name: 'Changed pages' })
  const last = list.getByText(`Page ${count - 1}`, { exact: true })
  await list.getByText('Page 5', { exact: true }).waitFor()
  await page.getByText('5,000 changes').waitFor()
  await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await last.waitFor()
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  await scroller.evaluate((element) => element.scrollTo({ top: 0 }))
  await last.waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Find by title' }).fill(`page ${count - 1}`)
  await last.click()
  await page.getByRole('heading', { level: 2, name: `Page ${count - 1}` }).waitFor()
})
