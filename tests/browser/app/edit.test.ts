import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RevisionPageDocument } from '../../../src/contract/revision.ts'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { type Proposal, insertPage, updatePage, writePage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { createEditedPage } from '../../support/visual-editor.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const paragraphs = 'First paragraph.\n\nSecond paragraph.\n\nThird paragraph.'

interface World {
  proposal: Proposal
  pageId: string
  /** Path of the editor in the app. */
  path: string
  read: () => Promise<RevisionPageDocument>
}

/** Creates a space with a page, and a change request in it. */
async function world(body = paragraphs): Promise<World> {
  const { proposal, pageId, path } = await createEditedPage(octavo, body)
  return {
    proposal,
    pageId,
    path,
    async read() {
      const params = { ...proposal.params, pageId }
      const page = await octavo.admin.api.getPageInChangeRequestById({ params, query: { format: 'markdown' } })
      if (page.type !== 'document') throw new Error('The page is not a document')
      return page
    },
  }
}

const code = (page: Page) => page.getByRole('textbox', { name: 'Text of the page as Markdown' })
const saveLine = (page: Page) => page.locator('.save-line')
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

/** Types at the end of the line that starts with a text. */
async function typeAfter(page: Page, line: string, text: string): Promise<void> {
  await code(page).locator('.cm-line', { hasText: line }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

async function openEditor(path: string, options: Parameters<typeof openApp>[4] = {}, userId = octavo.admin.id) {
  const session = await openApp(browser, octavo, userId, path, { stored: { 'octavo.editor': 'markdown' }, ...options })
  await code(session.page).waitFor()
  return session
}

test('what is typed appears in the preview, is saved, and is there after a reload; other blocks remain as they were', async () => {
  const { path, read, proposal, pageId } = await world()
  const readBlocks = async () => {
    const params = { ...proposal.params, pageId }
    const page = await octavo.admin.api.getPageInChangeRequestById({ params, query: { format: 'document' } })
    return ('document' in page ? (page.document as unknown as { nodes: { key: string }[] }).nodes : []).map(
      ({ key }) => key,
    )
  }
  const before = await readBlocks()
  const { page } = await openEditor(path)
  await typeAfter(page, 'Second', ' It has **more**.')
  await preview(page).getByText('more', { exact: true }).waitFor()
  await eventually(() => saveLine(page).textContent()).toContain('Saved in #1 ·')
  expect((await read()).markdown).toBe(
    '# Install\n\nFirst paragraph.\n\nSecond paragraph. It has **more**.\n\nThird paragraph.\n',
  )
  expect(await readBlocks()).toEqual(before)
  await page.getByRole('textbox', { name: 'Title' }).fill('Install it')
  await page.getByRole('textbox', { name: 'Description' }).fill('In five minutes')
  await code(page).click()
  await eventually(async () => (await read()).description).toBe('In five minutes')
  await page.reload()
  await code(page).getByText('It has').waitFor()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Install it')
})

test('two people write in different paragraphs, and both texts survive without a reload', async () => {
  const { path, read } = await world()
  const writer = await octavo.member('edit', 'Second Writer')
  const [{ page: one }, { page: two }] = [await openEditor(path), await openEditor(path, {}, writer.id)]
  await one.getByRole('list', { name: 'Also here' }).getByText('Second Writer').waitFor({ state: 'attached' })
  await typeAfter(one, 'First', ' By one.')
  await typeAfter(two, 'Third', ' By two.')
  await eventually(async () => (await read()).markdown).toBe(
    '# Install\n\nFirst paragraph. By one.\n\nSecond paragraph.\n\nThird paragraph. By two.\n',
  )
  await code(two).getByText('By one.').waitFor()
  await code(one).getByText('By two.').waitFor()
  // The cursor is where it was, although text was inserted before it.
  await two.keyboard.type(' More.')
  await eventually(async () => (await read()).markdown).toContain('Third paragraph. By two. More.')
})

test('two people change the same paragraph: both versions are shown, and each choice keeps the rest', async () => {
  for (const [button, expected] of [
    ['Keep mine', 'Mine.'],
    ['Keep theirs', 'Theirs.'],
    ['Edit together', 'Mine.\n\nTheirs.'],
  ] as const) {
    const { path, read, proposal, pageId } = await world()
    const { page } = await openEditor(path, { expects: [/409/] })
    const contradict = async (route: Route) => {
      await proposal.edit(writePage(pageId, '# Install\n\nTheirs.\n\nSecond paragraph.\n\nThird by them.'))
      await route.continue()
    }
    await page.route(/\/content\?/, contradict, { times: 1 })
    await code(page).locator('.cm-line', { hasText: 'First' }).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.type('Mine.')
    await page.getByRole('heading', { name: 'You and another person changed the same text' }).waitFor()
    expect(await saveLine(page).textContent()).toContain('Not saved')
    await page.getByRole('region', { name: 'Theirs' }).getByText('Theirs.').waitFor()
    await page.getByRole('button', { name: button }).click()
    await eventually(async () => (await read()).markdown).toBe(
      `# Install\n\n${expected}\n\nSecond paragraph.\n\nThird by them.\n`,
    )
    await eventually(() => saveLine(page).textContent()).toContain('Saved in #1')
  }
})

test('without a connection the text is kept in the browser, and it is saved afterwards', async () => {
  const { path, read } = await world()
  const { page, context } = await openEditor(path, { expects: [/INTERNET_DISCONNECTED/] })
  await context.setOffline(true)
  await typeAfter(page, 'First', ' Offline.')
  await eventually(() => saveLine(page).textContent()).toContain('Offline, kept in this browser')
  await page.keyboard.type(' Still.')
  await context.setOffline(false)
  await eventually(async () => (await read()).markdown).toContain('First paragraph. Offline. Still.')
  await eventually(() => saveLine(page).textContent()).toContain('Saved in #1 ·')
})

test('unsent text is offered after a reload: compare, restore and discard', async () => {
  const { path, read } = await world()
  const { page } = await openEditor(path, { expects: [/INTERNET_DISCONNECTED|ERR_FAILED|503/] })
  const block = () => page.route(/\/content\?/, (route) => route.fulfill({ status: 503, body: '{}' }))
  await block()
  await typeAfter(page, 'First', ' Unsent.')
  await eventually(() => saveLine(page).textContent()).toContain('kept in this browser')
  await page.reload()
  await page.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved text and saved text' })
  await dialog.getByText('First paragraph. Unsent.').waitFor()
  await page.unroute(/\/content\?/)
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await eventually(async () => (await read()).markdown).toContain('First paragraph. Unsent.')
  await block()
  await typeAfter(page, 'Second', ' Wrong.')
  await eventually(() => saveLine(page).textContent()).toContain('kept in this browser')
  await page.reload()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.unroute(/\/content\?/)
  await page.reload()
  await code(page).getByText('Unsent.').waitFor()
  expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
  expect((await read()).markdown).not.toContain('Wrong')
})

test('answers 429 and 500 are explained and repeated', async () => {
  const { path, read } = await world()
  const { page } = await openEditor(path, { expects: [/429|500/] })
  await page.route(/\/content\?/, (route) => route.fulfill({ status: 500, body: '{}' }))
  await typeAfter(page, 'First', ' Once.')
  await eventually(() => saveLine(page).textContent()).toContain('The server has a problem')
  await page.unroute(/\/content\?/)
  await page.route(/\/content\?/, (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '60' }, body: '{}' }),
  )
  await saveLine(page).getByRole('button', { name: 'Try again' }).click()
  await eventually(() => saveLine(page).textContent()).toContain('Too many requests. Try again in 60 seconds')
  await page.unroute(/\/content\?/)
  await saveLine(page).getByRole('button', { name: 'Try again' }).click()
  await eventually(async () => (await read()).markdown).toContain('First paragraph. Once.')
})

test('a page that another person deletes meanwhile, and a session that ends, lose no text', async () => {
  const { path, read, proposal, pageId } = await world()
  const { page } = await openEditor(path, { expects: [/400|404|401/] })
  await typeAfter(page, 'First', ' Before.')
  await eventually(async () => (await read()).markdown).toContain('Before.')
  await proposal.edit({ operation: 'delete_page', page: pageId })
  await typeAfter(page, 'First', ' After.')
  await eventually(() => saveLine(page).textContent()).toContain('this page was deleted')
  await page.getByRole('button', { name: 'Add it as a new page' }).click()
  await eventually(() => page.url()).not.toContain(pageId)
  await code(page).getByText('First paragraph. Before. After.').waitFor()

  const { items } = await octavo.admin.api.listSessions()
  for (const { id } of items) await octavo.admin.api.revokeSession({ params: { sessionId: id } })
  await typeAfter(page, 'First', ' Signed out.')
  await eventually(() => saveLine(page).textContent()).toContain('Signed out, kept in this browser')
  await code(page).getByText('Signed out.').waitFor()
})

test('a pasted image is uploaded and shown, and a dropped file becomes a file block', async () => {
  const { path, read } = await world('Text.')
  const { page } = await openEditor(path)
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n\n')
  await code(page).evaluate((element: { dispatchEvent(event: unknown): boolean }) => {
    const scope = globalThis as unknown as Record<string, new (...values: unknown[]) => never>
    const bytes = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (c) =>
      c.charCodeAt(0),
    )
    const data = new (scope['DataTransfer'] as never as new () => { items: { add(file: unknown): void } })()
    data.items.add(
      new (scope['File'] as never as new (...v: unknown[]) => unknown)([bytes], 'dot.gif', { type: 'image/gif' }),
    )
    const Paste = scope['ClipboardEvent'] as never as new (...v: unknown[]) => unknown
    element.dispatchEvent(new Paste('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await preview(page).locator('img').waitFor()
  await eventually(async () => (await read()).markdown).toMatch(/src="\/files\/|!\[dot\]\(\/files\//)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') })
  await eventually(async () => (await read()).markdown).toMatch(/\{% file src="\/files\//)
})

test('blocks, links and settings', async () => {
  const { path, read, proposal } = await world('Text.')
  await proposal.edit(insertPage('# Configure\n\nKeys.'))
  const { page } = await openEditor(path)
  await code(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n\n/hin')
  await page.getByRole('option', { name: 'Hint' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Careful.')
  await eventually(async () => (await read()).markdown).toContain('{% hint style="info" %}\nCareful.\n{% endhint %}')
  await typeAfter(page, 'Text.', ' See ')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByRole('textbox', { name: 'Page or address' }).fill('conf')
  await page.keyboard.press('Enter')
  await eventually(async () => (await read()).markdown).toContain('See [Configure](configure.md)')
  await page.getByRole('button', { name: 'Page settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Page settings' })
  await dialog.getByRole('textbox', { name: 'Slug' }).fill('set-up')
  await dialog.getByText('Visibility').click()
  await dialog.getByRole('checkbox', { name: 'Hide in the navigation' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ slug: 'set-up', hidden: true })
})

test('the editor is accessible and has a phone layout; readers cannot edit', async () => {
  const { path, proposal, pageId } = await world('## Part\n\nText with **bold** and `code`.')
  const { page } = await openEditor(path, { bypassCSP: true })
  await preview(page).getByText('Part').waitFor()
  await inspectPage(page, 'app-edit')
  const { page: small } = await openEditor(path, { bypassCSP: true, ...phone })
  await small.getByRole('button', { name: 'Preview' }).click()
  await preview(small).getByText('Part').waitFor()
  expect(await code(small).isVisible()).toBe(false)
  await inspectPage(small, 'app-edit-phone')
  const reader = await octavo.member('read', 'Reader')
  const { page: other } = await openApp(browser, octavo, reader.id, path)
  await other.getByRole('heading', { name: 'This change request cannot be edited' }).waitFor()
  await proposal.edit(updatePage(pageId, { description: 'Done' }))
  await proposal.merge()
  const { page: merged } = await openApp(browser, octavo, octavo.admin.id, path)
  await merged.getByRole('heading', { name: 'This change request cannot be edited' }).waitFor()
})
