import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContentChange } from '../../../src/contract/content-changes.ts'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { type Change, insertPage } from '../../support/content.ts'
import { inlineFile } from '../../support/files.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { waitUntilSearchable } from '../../support/search.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Creates a space; returns its ID and the ID of its page with a text. */
async function createSpace(text: string, ...changes: Change[]): Promise<{ spaceId: string; pageId: string }> {
  const { api, organizationId } = octavo.admin
  const { id: spaceId } = await api.createSpace({ params: { organizationId }, body: { title: 'Handbook' } })
  const reply = await api.updateSpaceContent({
    params: { spaceId },
    body: { changes: [...changes, insertPage(`# Guide\n\n${text}`)] as ContentChange[] },
  })
  const page = reply.changes.findLast((change) => change.object === 'created_page')
  return { spaceId, pageId: page?.page.id ?? '' }
}

const open = (path: string) =>
  openApp(browser, octavo, octavo.admin.id, path, { bypassCSP: true, stored: { 'octavo.editor': 'markdown' } })

const picture = (width: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="50"><rect width="100%" height="100%" fill="green"/></svg>`

/** Merges the change request of the shown screen. */
async function merge(page: Page, spaceId: string): Promise<void> {
  const changeRequestId = /change-requests\/(\d+)/.exec(page.url())?.[1] ?? ''
  await octavo.admin.api.mergeChangeRequest({ params: { spaceId, changeRequestId } })
}

/** Replaces the text of the editor. */
async function write(page: Page, text: string): Promise<void> {
  const code = page.getByRole('textbox', { name: 'Text of the page as Markdown' })
  await code.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+S')
  await page.getByText(/^Saved in #\d+ · /).waitFor()
}

test('a variable and a reusable content are created, used in a page, changed and merged', async () => {
  const { api } = octavo.admin
  const { spaceId, pageId } = await createSpace('Text.')
  const { page } = await open(`/spaces/${spaceId}/variables`)
  await page.getByRole('button', { name: 'New variable' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('version')
  await page.getByRole('textbox', { name: 'Value' }).fill('1.2')
  await page.getByRole('button', { name: 'Create' }).click()
  // The first change starts a change request, whose variables are shown.
  await page.waitForURL(/change-requests\/1\/variables/)
  await page.getByText('version', { exact: true }).waitFor()
  await inspectPage(page, 'app-variables')
  await page.getByRole('link', { name: 'Reusable content' }).click()
  await page.getByRole('button', { name: 'New reusable content' }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Warning')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/change-requests\/1\/reusable\//)
  await write(page, 'Back up <code class="expression">space.vars.version</code> first.')
  await page.getByRole('region', { name: 'Preview' }).getByText('Back up 1.2 first.').waitFor()
  await page.getByRole('treeitem', { name: 'Guide' }).getByRole('link').click()
  await page.waitForURL(new RegExp(`pages/${pageId}`))
  await write(page, 'Read this:')
  await page.getByRole('button', { name: 'Insert' }).click()
  await page.getByRole('menuitem', { name: 'Reusable content' }).click()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('warn')
  await page.getByRole('dialog').getByText('Warning', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Preview' }).getByText('Back up 1.2 first.').waitFor()
  await page.keyboard.press('Control+S')
  await page.getByText(/^Saved in #\d+ · /).waitFor()
  await merge(page, spaceId)
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/pages/${pageId}`)
  await page.locator('.content').getByText('Back up 1.2 first.').waitFor()

  await page.getByRole('link', { name: 'Reusable content' }).click()
  await page.getByText('in 1 place').waitFor()
  await inspectPage(page, 'app-reusable-list')
  await page.getByRole('link', { name: 'Warning' }).click()
  await page.getByRole('heading', { name: 'Used in' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Guide' }).waitFor()
  await inspectPage(page, 'app-reusable')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.waitForURL(/change-requests\/2\/reusable\//)
  await write(page, 'Save <code class="expression">space.vars.version</code> first.')
  await page.getByRole('link', { name: 'Variables' }).click()
  await page.getByRole('button', { name: 'Actions for version' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('1.3')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1.3').waitFor()
  await merge(page, spaceId)
  const { html } = await api.getRenderedPageById({ params: { spaceId, pageId } })
  expect(html).toContain('Save 1.3 first.')
})

test('a deleted reusable content and a deleted variable are restored with Undo', async () => {
  const { api } = octavo.admin
  const { spaceId } = await createSpace(
    'Text.',
    { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Read this.' } },
    { operation: 'set_variables', variables: { plan: 'pro' } },
  )
  const { page } = await open(`/spaces/${spaceId}/reusable`)
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Nothing uses it').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  }
  const undo = (name: string) =>
    page
      .getByRole('status')
      .filter({ hasText: `“${name}” was deleted` })
      .getByRole('button', { name: 'Undo' })
      .click()
  await remove('Note')
  await page.waitForURL(/change-requests\/1\/reusable$/)
  await page.getByRole('heading', { name: 'No reusable content yet' }).waitFor()
  await undo('Note')
  await page.getByRole('link', { name: 'Note' }).waitFor()
  await page.getByRole('link', { name: 'Variables' }).click()
  await remove('plan')
  await page.getByRole('heading', { name: 'No variables yet' }).waitFor()
  await undo('plan')
  await page.getByText('pro', { exact: true }).waitFor()
  const { changes } = await api.getChangeRequestChanges({ params: { spaceId, changeRequestId: '1' } })
  expect(changes).toEqual([])
})

test('a file is uploaded, replaced and renamed, and the page still shows it', async () => {
  const { api } = octavo.admin
  const { spaceId, pageId } = await createSpace('![Logo](./logo.svg)', {
    operation: 'insert_files',
    files: [{ ...inlineFile('logo.svg', picture(100), 'image/svg+xml'), ref: 'logo.svg' }],
  })
  const { page } = await open(`/spaces/${spaceId}/files`)
  const choose = async (button: string, name: string, text: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: button }).click(),
    ])
    await chooser.setFiles({ name, mimeType: 'image/svg+xml', buffer: Buffer.from(text) })
  }
  await page.getByRole('button', { name: /logo\.svg/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Guide' }).waitFor()
  await choose('Replace', 'other.svg', picture(300))
  await page.waitForURL(/change-requests\/1\/files/)
  await page.getByRole('button', { name: /logo\.svg/ }).click()
  await page.getByText(/300 × 50/).waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('brand.svg')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: /brand\.svg/ }).waitFor()
  await choose('Upload files', 'new.svg', picture(20))
  await page.getByRole('button', { name: /new\.svg/ }).waitFor()
  await inspectPage(page, 'app-files-of-change-request')
  // Reviewers see both pictures.
  await page.getByRole('link', { name: 'View changes' }).click()
  await page.getByRole('button', { name: /brand\.svg/ }).click()
  const widthOf = (name: string) =>
    page.getByRole('img', { name }).evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
  await eventually(() => widthOf('Picture before')).toBe(100)
  await eventually(() => widthOf('Picture after')).toBe(300)
  await merge(page, spaceId)
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/pages/${pageId}`)
  const shown = page.locator('.content img')
  await eventually(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(
    300,
  )
  const files = await api.listFiles({ params: { spaceId } })
  expect(files.items.map(({ name }) => name).sort()).toEqual(['brand.svg', 'new.svg'])
})

test('the search of a space finds a word and opens its page, also from the palette', async () => {
  const { spaceId } = await createSpace(
    'Nothing here.',
    insertPage('# Reference', { ref: 'reference' }),
    insertPage('# Options\n\nThe flux capacitor needs power.', { into: 'reference' }),
  )
  await waitUntilSearchable(octavo, spaceId)
  const { page } = await open(`/spaces/${spaceId}/history`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox').fill('capacitor')
  await page.getByRole('option', { name: 'Search for “capacitor” in this space' }).click()
  await page.waitForURL(/\/search\?q=capacitor/)
  await eventually(() => page.locator('.search-results mark').allTextContents()).toEqual(['capacitor'])
  expect(await page.locator('.search-path').textContent()).toBe('Reference')
  await inspectPage(page, 'app-space-search')
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Options' }).waitFor()
  await page.goBack()
  await page.getByRole('searchbox').fill('unheard')
  await page.getByRole('heading', { name: 'Nothing found for “unheard”' }).waitFor()
})

/** Returns the type of an element; its code runs in the browser. */
const readType = (element: unknown): string => {
  const scope = globalThis as unknown as { getComputedStyle: (one: unknown) => Record<string, string> }
  const { fontSize, lineHeight, fontWeight, letterSpacing } = scope.getComputedStyle(element)
  return [fontSize, lineHeight, fontWeight, letterSpacing].join(' ')
}

test('icon, cover, tag, condition and variables of page settings appear in the editor and the read view', async () => {
  const { api } = octavo.admin
  const { spaceId, pageId } = await createSpace('Plan: <code class="expression">page.vars.plan</code>.', {
    operation: 'insert_files',
    files: [inlineFile('sky.svg', picture(400), 'image/svg+xml')],
  })
  const { number, revision } = await api.createChangeRequest({ params: { spaceId }, body: {} })
  const { page } = await open(`/spaces/${spaceId}/change-requests/${number}/pages/${pageId}`)
  await page.getByRole('button', { name: 'Page settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Page settings' })
  await dialog.getByRole('button', { name: 'Choose' }).click()
  await dialog.getByRole('searchbox', { name: 'Find an icon or emoji' }).fill('rocket')
  await dialog.getByRole('button', { name: 'rocket', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill('Beta')
  await dialog.getByRole('button', { name: 'Create “Beta”' }).click()
  await dialog.getByText('Cover', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Files' }).click()
  await dialog.getByRole('button', { name: 'sky.svg' }).click()
  await dialog.getByText('Visibility').click()
  await dialog.getByRole('textbox', { name: 'Condition' }).fill('space.vars.beta != false')
  await dialog.getByText('Variables of this page').click()
  await dialog.getByRole('button', { name: 'New variable' }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('plan')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('pro')
  await inspectPage(page, 'app-page-settings')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The editor shows the head of the page as readers see it.
  await page.locator('.read-cover img').waitFor()
  await page.locator('.edit-title-row .content-icon svg').waitFor()
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  await page.getByRole('textbox', { name: 'Title', exact: true }).press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.insertText('Where the words begin, and where they go from there. '.repeat(4).trim())
  await page.locator('.save-line', { hasText: 'Saved in' }).waitFor()
  const edited = [
    await page.getByRole('textbox', { name: 'Title', exact: true }).evaluate(readType),
    await description.evaluate(readType),
  ]
  expect((await description.boundingBox())?.height).toBeGreaterThan(50)
  await merge(page, spaceId)
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/pages/${pageId}`)
  await page.locator('.read-cover img').waitFor()
  expect([await page.locator('h1').evaluate(readType), await page.locator('.read-lead').evaluate(readType)]).toEqual(
    edited,
  )
  await page.locator('h1 .content-icon svg').waitFor()
  await page.getByRole('treeitem', { name: 'Guide' }).locator('.content-icon svg').waitFor()
  await page.getByRole('navigation', { name: 'Location' }).locator('.content-icon svg').waitFor()
  await page.locator('.read-tags').getByText('Beta').waitFor()
  await page.locator('.content').getByText('Plan: pro.').waitFor()
  const stored = await api.getPageById({ params: { spaceId, pageId } })
  expect(stored).toMatchObject({ condition: 'space.vars.beta != false', icon: 'rocket' })

  // An earlier version has its own navigation.
  await api.updateSpaceContent({
    params: { spaceId },
    body: { changes: [{ operation: 'update_page', page: pageId, title: 'Renamed' }] },
  })
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/revisions/${revision}/pages/${pageId}`)
  await page.getByRole('treeitem', { name: 'Guide' }).waitFor()
  expect(await page.getByRole('button', { name: 'New page' }).count()).toBe(0)
})
