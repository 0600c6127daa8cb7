import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone, takeScreenshot } from '../../support/browser.ts'
import { editLive, emptySpace, insertPage } from '../../support/content.ts'
import { documentWithEveryBlock } from '../../support/every-block.ts'
import { addFiles, inlineFile } from '../../support/files.ts'
import { makeGate } from '../../support/gate.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
let spaceId: string
let guide: string
let configure: string
let everything: string

beforeAll(async () => {
  octavo = await startTestServer()
  const { admin } = octavo
  spaceId = await emptySpace(admin, 'Guide')
  const [first = '', second = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# Install\n\nRun it as root.\n\n## Steps\n\nDownload the archive.\n\n- Unpack it'),
    insertPage('# Configure\n\nSee [the installation](/pages/absent).'),
  )
  guide = first
  configure = second
  const picture = inlineFile('light.png', await createCanvas(640, 360).encode('png'), 'image/png')
  const [light, document] = await addFiles(admin, spaceId, picture, inlineFile('notes.txt', 'Notes'))
  const places = {
    page: second,
    light: light?.id ?? '',
    dark: light?.id ?? '',
    document: document?.id ?? '',
    user: admin.id,
    reusableContent: 'absent',
  }
  const [id = ''] = await editLive(admin, spaceId, {
    operation: 'insert_page',
    title: 'Everything',
    document: { document: documentWithEveryBlock(places) },
  })
  everything = id
})
afterAll(() => octavo.stop())

const pagePath = (id: string) => `/spaces/${spaceId}/pages/${id}`

test('a space opens its first page; the next page, back and reload work', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/spaces/${spaceId}`)
  await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor()
  expect(page.url()).toContain(pagePath(guide))
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Steps' }).waitFor()
  await page.getByRole('navigation', { name: 'Previous and next page' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Configure' }).waitFor()
  expect(await page.title()).toContain('Configure')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor()
  await page.reload()
  await page.locator('.content').getByText('Run it as root.').waitFor()
})

test('every block is shown, and tabs, images and copy buttons work', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, pagePath(everything), {
    viewport: { width: 1280, height: 6000 },
    mayAsk: () => true,
  })
  await page.getByRole('heading', { level: 1, name: 'Everything' }).waitFor()
  const tab = page.locator('.content [data-tab="yarn"]').first()
  await page.locator('.content label[for="yarn"]').first().click()
  await eventually(() => tab.isChecked()).toBe(true)
  expect(await page.locator('.content [data-block]').count()).toBeGreaterThan(50)
  // Of the images of both modes, one is shown.
  await page.locator('.content .only-light').first().waitFor()
  expect(await page.locator('.content .only-dark').first().isVisible()).toBe(false)
  await page.locator('.content img[data-zoom]').first().click()
  await page.locator('dialog.zoom').waitFor()
  await page.keyboard.press('Escape')
  await takeScreenshot(page, 'app-read-every-block')
})

test('at localhost, formulas and diagrams are drawn, links between pages stay there, and files are uploaded', async () => {
  const { admin } = octavo
  const markdown = `# Local\n\n$$x^2$$\n\n\`\`\`mermaid\ngraph TD\n  A --> B\n\`\`\`\n\nSee [the guide](README.md).`
  const [local = ''] = await editLive(admin, spaceId, insertPage(markdown))
  const { page } = await openApp(browser, octavo, admin.id, pagePath(local), { hostname: 'localhost' })
  await page.locator('.content .drawing').waitFor()
  // Its styles set the font of the formula.
  const readFont = () => page.evaluate("getComputedStyle(document.querySelector('.content .katex')).fontFamily")
  await eventually(readFont).toContain('KaTeX')
  await page.locator('.content').getByRole('link', { name: 'the guide' }).click()
  await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor()
  const { origin, hostname } = new URL(page.url())
  expect(hostname).toBe('localhost')
  await page.goto(`${origin}/app/spaces/${await emptySpace(admin, 'Files')}/files`)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload files' }).click(),
  ])
  await chooser.setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') })
  await page.getByRole('button', { name: /notes\.txt/ }).waitFor()
}, 120_000)

test('a comment on a block is written, seen by others without a reload, answered, resolved and reopened', async () => {
  const { admin } = octavo
  const other = await octavo.member('comment', 'Otto Other')
  const { page: otherPage } = await openApp(browser, octavo, other.id, pagePath(guide))
  await otherPage.locator('.content').getByText('Run it as root.').waitFor()
  const { page } = await openApp(browser, octavo, admin.id, pagePath(guide), { bypassCSP: true })
  await page.locator('.content').getByText('Run it as root.').hover()
  await page.getByRole('button', { name: 'Comment on “Run it as root.”' }).click()
  const field = page.getByRole('textbox', { name: 'Comment on “Run it as root.”' })
  await field.fill('Is this **needed**?')
  await page.reload()
  await page.locator('.content').getByText('Run it as root.').hover()
  await page.keyboard.press('c')
  expect(await field.inputValue()).toBe('Is this **needed**?')
  await field.press('Control+Enter')
  const comment = page.getByRole('article').filter({ hasText: 'Is this needed?' }).last()
  await comment.getByRole('button', { name: 'On “Run it as root.”' }).waitFor()
  await otherPage.getByText('Is this needed?').waitFor()
  await comment.getByRole('button', { name: 'Reply' }).click()
  await comment.getByRole('textbox', { name: 'Write a reply' }).fill('No.')
  await comment.getByRole('textbox').press('Control+Enter')
  await comment.getByText('No.').waitFor()
  const { items } = await admin.api.listCommentsInSpace({ params: { spaceId }, query: { targetPage: guide } })
  expect(items).toMatchObject([{ status: 'open', replies: 1, target: { node: { preview: 'Run it as root.' } } }])
  await otherPage.getByText('No.', { exact: true }).waitFor()
  await inspectPage(page, 'app-read-comment')
  await comment.getByRole('button', { name: 'Resolve' }).click()
  await page.getByText('No open comments').waitFor()
  await page.getByRole('button', { name: 'Resolved', exact: true }).click()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('No resolved comments').waitFor()
}, 120_000)

test('a member is mentioned by typing @ and choosing with the keyboard', async () => {
  const mentioned = await octavo.member('comment', 'Frieda Fisher')
  const { page } = await openApp(browser, octavo, octavo.admin.id, pagePath(configure))
  await page.getByRole('button', { name: 'Comments', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Comment on the page' })
  await field.pressSequentially('Ask @Frie')
  await page.getByRole('option', { name: /Frieda Fisher/ }).waitFor()
  await field.press('Enter')
  expect(await field.inputValue()).toBe('Ask @Frieda Fisher ')
  await field.press('Control+Enter')
  await page.getByText('@Frieda Fisher').waitFor()
  const { items } = await mentioned.api.listMentionsForAuthenticatedUser()
  expect(items).toHaveLength(1)
}, 120_000)

test('edit starts a change request, which is offered again later', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, pagePath(guide))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await eventually(() => page.url()).toContain(`/change-requests/1/pages/${guide}`)
  await page.goto(`${octavo.url}/app${pagePath(guide)}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('menuitem', { name: /Continue #1/ }).click()
  await eventually(() => page.url()).toContain(`/change-requests/1/pages/${guide}`)
})

test('a reader sees the page without actions that would be refused', async () => {
  const reader = await octavo.member('read', 'Rita Reader')
  const { page } = await openApp(browser, octavo, reader.id, pagePath(guide))
  await page.locator('.content').getByText('Run it as root.').hover()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /Comment on/ }).count()).toBe(0)
})

test('an earlier version and a deleted page are explained', async () => {
  const { admin } = octavo
  const [gone = ''] = await editLive(admin, spaceId, insertPage('# Gone\n\nOld text.'))
  const { revision } = await admin.api.getSpaceById({ params: { spaceId } })
  await editLive(admin, spaceId, { operation: 'delete_page', page: gone })
  const { page } = await openApp(browser, octavo, admin.id, pagePath(gone), { expects: [/404/] })
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/revisions/${revision}/pages/${gone}`)
  await page.getByText('You are looking at an earlier version.').waitFor()
  await page.getByText('Old text.').waitFor()
})

test('the tree is read again after a request that failed while a page was deleted', async () => {
  const { admin } = octavo
  const [removed = ''] = await editLive(admin, spaceId, insertPage('# Short-lived'))
  const { page } = await openApp(browser, octavo, admin.id, pagePath(guide), { expects: [/503/] })
  const tree = page.getByRole('navigation', { name: 'Pages', exact: true })
  await tree.getByText('Short-lived').waitFor()
  const gate = makeGate()
  let isHolding = false
  await page.route(
    /\/content\/table-of-contents/,
    async (route) => {
      isHolding = true
      await gate.passed
      await route.fulfill({ status: 503, body: '{}' })
    },
    { times: 1 },
  )
  await editLive(admin, spaceId, insertPage('# Later'))
  await eventually(() => isHolding).toBe(true)
  // The reply with the new head shows that the deletion has reached the browser.
  const { revision } = await admin.api.getSpaceById({ params: { spaceId } })
  const followed = page.waitForResponse(async (reply) => {
    if (!reply.url().endsWith(`/v1/spaces/${spaceId}`)) return false
    return ((await reply.json()) as { revision: string }).revision !== revision
  })
  await editLive(admin, spaceId, { operation: 'delete_page', page: removed })
  await followed
  gate.open()
  await tree.getByText('Later').waitFor()
  await eventually(() => tree.getByText('Short-lived').count()).toBe(0)
})

test('on phones the comments are a sheet at the bottom', async () => {
  const { page } = await openApp(browser, octavo, octavo.admin.id, pagePath(guide), {
    ...phone,
    bypassCSP: true,
  })
  await page.locator('.content').getByText('Run it as root.').waitFor()
  const toggle = page.getByRole('button', { name: /^Comments/, expanded: false })
  await inspectPage(page, 'app-read-phone')
  await toggle.click()
  await page.getByRole('textbox', { name: 'Comment on the page' }).waitFor()
  await inspectPage(page, 'app-read-phone-comments')
})
