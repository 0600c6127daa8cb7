import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

test('a text is replaced in pages of a change request: one match, a page, and all', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [first = '', second = ''] = await editLive(
    admin,
    spaceId,
    insertPage('# One\n\nThe agent starts.\n\nAn **agent** stops.'),
    insertPage('# Two\n\nNo Agent here, and no agents.'),
  )
  const proposal = await propose(admin, spaceId, 'Rename')
  const read = async (pageId: string) => {
    const params = { ...proposal.params, pageId }
    const page = await admin.api.getPageInChangeRequestById({ params, query: { format: 'markdown' } })
    return (('markdown' in page && page.markdown) || '').replace(/^# .*\n\n/, '')
  }
  const { page } = await openApp(browser, octavo, admin.id, `/spaces/${spaceId}/change-requests/1/pages/${first}`, {
    bypassCSP: true,
    expects: [/409/],
  })
  await page.getByRole('link', { name: 'Find and replace' }).click()
  await page.getByRole('searchbox', { name: 'Find' }).fill('agent')
  await page.getByText('4 matches in 2 pages').waitFor()
  await page.getByRole('checkbox', { name: 'Whole words' }).check()
  await page.getByText('3 matches in 2 pages').waitFor()
  await page.getByRole('textbox', { name: 'Replace with' }).fill('tool')
  await inspectPage(page, 'app-replace')
  const results = page.getByRole('main').getByRole('listitem')
  await results.filter({ hasText: 'An agent stops.' }).last().getByRole('button', { name: 'Replace' }).click()
  await eventually(() => read(first)).toBe('The agent starts.\n\nAn **tool** stops.\n')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(() => read(first)).toBe('The agent starts.\n\nAn **agent** stops.\n')
  await page.getByText('3 matches in 2 pages').waitFor()
  // Somebody else changes the same text meanwhile.
  await proposal.edit(writePage(second, '# Two\n\nNothing is here any more.'))
  await page.getByRole('button', { name: 'Replace all' }).click()
  await page.getByText('Others changed the same text. Search again.').waitFor()
  expect(await read(first)).toBe('The tool starts.\n\nAn **tool** stops.\n')
  expect(await read(second)).toBe('Nothing is here any more.\n')
  await page.reload()
  await page.getByRole('heading', { name: 'No page contains “agent”' }).waitFor()
})

test('a text is replaced in the live content of a space, and readers get it at once', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  await admin.api.updateSpaceById({ params: { spaceId }, body: { editMode: 'live' } })
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# One\n\nThe agent starts.'))
  const read = async () => {
    const page = await admin.api.getPageById({ params: { spaceId, pageId }, query: { format: 'markdown' } })
    return (('markdown' in page && page.markdown) || '').replace(/^# .*\n\n/, '')
  }
  const { page } = await openApp(browser, octavo, admin.id, `/spaces/${spaceId}/replace?q=agent`)
  await page.getByText('Readers see replacements immediately.').waitFor()
  await page.getByRole('textbox', { name: 'Replace with' }).fill('tool')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await eventually(read).toBe('The tool starts.\n')
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(read).toBe('The agent starts.\n')
})
