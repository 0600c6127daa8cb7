import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { editLive, insertPage, propose } from '../../support/content.ts'
import { migratedHomeForTest } from '../../support/home.ts'
import { startServerProcess } from '../../support/process.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { goodPassword } from '../../support/sign-in.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const saveLine = (page: Page) => page.locator('.save-line')

/** Creates a change request with a page; returns the path of its editor, and a function that reads the stored text. */
async function makePage(api: Client, spaceId: string) {
  const [pageId = ''] = await editLive({ api }, spaceId, insertPage('# Install\n\nFirst.'))
  const { params } = await propose({ api }, spaceId)
  const { number } = await api.getChangeRequestById({ params })
  return {
    path: `/spaces/${spaceId}/change-requests/${number}/pages/${pageId}`,
    readWith: async (reader: Client): Promise<string> => {
      const query = { format: 'markdown' } as const
      const page = await reader.getPageInChangeRequestById({ params: { ...params, pageId }, query })
      return 'markdown' in page ? (page.markdown ?? '') : ''
    },
  }
}

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text of the page' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

test('what is typed while the server is killed is saved without a click after it has started again', async () => {
  const env = await migratedHomeForTest()
  const first = await startServerProcess(env)
  const { port } = new URL(first.url)
  const api = first.api()
  const [organization] = (await api.listOrganizationsForAuthenticatedUser()).items
  const params = { organizationId: organization?.id ?? '' }
  const { id: spaceId } = await api.createSpace({ params, body: { title: 'Manual' } })
  const { path, readWith } = await makePage(api, spaceId)
  const [setup = ''] = /http\S+\/setup\/\S+/.exec(first.stdout) ?? []
  const { page } = await browser.open(setup, {
    expects: [/net::ERR_/, /Failed to load resource/, /failed/],
  })
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByRole('button', { name: 'Save password and sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.goto(`${new URL(setup).origin}/app${path}`)
  await typeAtEnd(page, ' Before.')
  await eventually(() => readWith(api)).toContain('Before.')
  first.kill('SIGKILL')
  await first.ended
  await page.keyboard.type(' While it is away.')
  await eventually(() => saveLine(page).textContent()).toContain('kept in this browser')
  await page.keyboard.type(' And more.')
  const second = await startServerProcess({ ...env, PORT: port })
  await eventually(() => readWith(second.api())).toContain('First. Before. While it is away. And more.')
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved/)
})

test('over a slow network the editor shows that it saves until the server has the text', async () => {
  const { path, readWith } = await makePage(octavo.admin.api, octavo.admin.spaceId)
  const { page, context } = await openApp(browser, octavo, octavo.admin.id, path, {
    stored: { 'octavo.editor': 'markdown' },
  })
  await page.getByRole('textbox', { name: 'Text of the page as Markdown' }).waitFor()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  // A mobile network of the third generation.
  const throughput = (400 * 1024) / 8
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 2000,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  const saves: string[] = []
  page.on('response', (response) => {
    if (/\/content\?/.test(response.url()) && response.request().method() === 'POST') saves.push(response.url())
  })
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ')
  await typeAtEnd(page, '\n\n')
  await page.keyboard.insertText(words)
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saving/)
  expect(saves).toEqual([])
  await page.keyboard.type(' The end.')
  await eventually(() => readWith(octavo.admin.api)).toContain(`${words} The end.`)
  await eventually(() => saveLine(page).textContent()).toMatch(/^Saved/)
})
