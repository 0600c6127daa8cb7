import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdAndRefuse, openApp } from '../../support/app.ts'
import { browserForFile, eventually, getFocusedName, phone } from '../../support/browser.ts'
import { inspectPage } from '../../support/inspect-page.ts'
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
  await page.getByRole('combobox', { name: 'Before a merge' }).selectOption({ label: 'Own rules' })
  await page.getByRole('checkbox', { name: 'At least one reviewer approved' }).check()
  await inspectPage(page, 'app-space-settings')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(async () => (await api.getSpaceById({ params: { spaceId } })).title).toBe('Manual')
  const { mergeRules } = await api.getSpaceById({ params: { spaceId } })
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
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/settings`)
  await page.getByRole('heading', { name: 'No access' }).waitFor()
})
