import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { gitServerForTest } from '../../support/git-server.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { makeOrganization } from '../../support/organization.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { goodPassword } from '../../support/sign-in.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })))
afterAll(() => octavo.stop())

test('the set-up link leads to the app, where a space starts from a template', async () => {
  const { page } = await browser.open(`${octavo.url}/setup/${octavo.server.firstStart?.setupToken}`)
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByRole('button', { name: 'Save password and sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'New space' }).click()
  await page.getByRole('heading', { level: 1, name: 'New space' }).waitFor()
  await page.getByRole('group', { name: 'Template' }).getByRole('radio').nth(1).check({ force: true })
  await page.getByLabel('Name', { exact: true }).fill('Handbook')
  await page.getByRole('radio', { name: '🚀' }).check({ force: true })
  await page.getByRole('button', { name: 'Create space', exact: true }).click()
  expect((await listPages(page, octavo.admin.api)).length).toBeGreaterThan(3)
  await page.goto(`${octavo.url}/app`)
  await page.getByRole('main').getByRole('link', { name: '🚀 Handbook', exact: true }).waitFor()
})

test('an empty organization teaches how to start, and a repository is imported with its progress', async () => {
  const acme = await makeOrganization(octavo)
  const git = await gitServerForTest()
  const repository = git.newRepository({
    'README.md': '# Welcome\n\nRead me.\n',
    'install.md': '# Install\n\nRun it.\n',
  })
  const { page } = await openApp(browser, octavo, acme.owner.id, `/orgs/${acme.organization.id}`, { bypassCSP: true })
  await page.getByRole('heading', { name: 'Create your first space' }).waitFor()
  await inspectPage(page, 'app-first-space')
  await page.getByRole('link', { name: 'Import a Git repository' }).click()
  await page.getByLabel('Address of the repository').fill(repository.url)
  await page.getByLabel('Branch').fill('missing')
  await inspectPage(page, 'app-new-space')
  await page.getByRole('button', { name: 'Create space and import' }).click()
  // The reason of a failure is shown, also after a reload, and the repository can be corrected.
  await page.getByRole('heading', { name: 'The import failed' }).waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('The branch was not found')
  await page.reload()
  await page.getByRole('heading', { name: 'The import failed' }).waitFor()
  await inspectPage(page, 'app-import-failed')
  await page.getByLabel('Branch').fill('main')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(await listPages(page, acme.owner.api)).toEqual(['Welcome', 'Install'])
})

test('files become the pages of a new space, also at localhost', async () => {
  const acme = await makeOrganization(octavo)
  const path = `/orgs/${acme.organization.id}/new?from=files`
  const { page } = await openApp(browser, octavo, acme.owner.id, path, { hostname: 'localhost' })
  const buffer = Buffer.from('# From a file\n\nText.\n')
  await page.getByLabel('Files', { exact: true }).setInputFiles({ name: 'guide.md', mimeType: 'text/markdown', buffer })
  await page.getByRole('button', { name: 'Create space and import' }).click()
  expect(await listPages(page, acme.owner.api)).toEqual(['From a file'])
})

test('the palette finds and opens a page with the keyboard only', async () => {
  const acme = await makeOrganization(octavo)
  const space = await acme.space('Manual')
  await acme.owner.api.createChangeRequest({ params: { spaceId: space.id }, body: { subject: 'Rename the agent' } })
  const params = { spaceId: space.id }
  const pageId = await addPage(acme, params.spaceId)
  const { page } = await openApp(browser, octavo, acme.owner.id, `/orgs/${acme.organization.id}`, { bypassCSP: true })
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox')
  await input.waitFor()
  await eventually(() => page.evaluate('document.activeElement?.role')).toBe('combobox')
  await page.keyboard.type('quokka')
  const option = page.getByRole('option', { name: /Wombats/ })
  await option.waitFor()
  await inspectPage(page, 'app-palette')
  expect(await input.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
  await page.keyboard.press('Enter')
  await eventually(() => page.url()).toBe(`${octavo.url}/app/spaces/${space.id}/pages/${pageId}`)

  await page.keyboard.press('Control+k')
  await input.waitFor()
  await page.keyboard.type('rename agent')
  await page.getByRole('option', { name: '#1 Rename the agent' }).waitFor()
  await page.keyboard.press('Escape')
  await input.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: /#1/ }).waitFor()
  await inspectPage(page, 'app-home')
})

test('collections are created, renamed, moved and deleted', async () => {
  const acme = await makeOrganization(octavo)
  await acme.space('Somewhere')
  const parent = await acme.collection('Products')
  const { page } = await openApp(browser, octavo, acme.owner.id, `/orgs/${acme.organization.id}`, { bypassCSP: true })
  await page.getByRole('button', { name: 'New space or collection' }).click()
  await page.getByRole('menuitem', { name: 'New collection' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Guides')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
  const choose = async (name: string) => {
    await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Rename')
  await page.getByLabel('Name', { exact: true }).fill('Handbooks')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Handbooks' }).waitFor()
  await choose('Move')
  await page.getByLabel('Move to').selectOption('Products')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.getByRole('navigation', { name: 'Location' }).getByRole('link', { name: 'Products' }).waitFor()
  await inspectPage(page, 'app-collection')
  // The event about the deletion arrives before the reply.
  await page.route('**/v1/collections/*', async (route) => {
    const isReadAgain = page.waitForResponse((reply) => reply.url().includes(`${acme.organization.id}/collections`))
    const response = await route.fetch()
    await isReadAgain
    await route.fulfill({ response })
  })
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await eventually(() => page.url()).toContain(`/app/collections/${parent.id}`)
  expect((await acme.owner.api.listCollectionsInOrganizationById({ params: acme.params, query: {} })).count).toBe(1)
})

test('a member sees mentions and sites, but no action that would be refused', async () => {
  const acme = await makeOrganization(octavo)
  const reader = await acme.member('read', 'Reader')
  const space = await acme.space('Manual')
  const params = { spaceId: space.id }
  await acme.owner.api.postCommentInSpace({
    params,
    body: { body: { markdown: `What do you think, [Reader](/users/${reader.id} "mention")?` } },
  })
  await acme.owner.api.createSite({ params: acme.params, body: { title: 'Docs', spaces: [space.id] } })
  const { page } = await openApp(browser, octavo, reader.id, `/orgs/${acme.organization.id}`, {
    bypassCSP: true,
    ...phone,
  })
  await page.getByText('Owner mentioned you').waitFor()
  await page.getByText('What do you think, @Reader?').waitFor()
  expect(await page.getByRole('link', { name: 'New space' }).count()).toBe(0)
  await inspectPage(page, 'app-home-reader')
  await page.goto(`${octavo.url}/app/orgs/${acme.organization.id}/sites`)
  await page.getByText('Not published').waitFor()
  await inspectPage(page, 'app-sites')
})

/** Waits until the app shows a page of a space, and returns the titles of the top-level pages of the space. */
async function listPages(page: Page, api: TestServer['admin']['api']): Promise<string[]> {
  const pattern = /\/app\/spaces\/(\w+)\/pages\//
  await eventually(() => page.url()).toMatch(pattern)
  const [, spaceId = ''] = pattern.exec(page.url()) ?? []
  const { pages } = await api.listPages({ params: { spaceId }, query: {} })
  return pages.map(({ title }) => title)
}

/** Adds a page with a rare word. */
async function addPage(acme: Awaited<ReturnType<typeof makeOrganization>>, spaceId: string): Promise<string> {
  const { api } = acme.owner
  const { number } = await api.createChangeRequest({ params: { spaceId }, body: {} })
  const params = { spaceId, changeRequestId: String(number) }
  const reply = await api.updateChangeRequestContent({
    params,
    query: { compat: false },
    body: {
      changes: [
        {
          operation: 'insert_page',
          type: 'document',
          title: 'Wombats',
          document: { markdown: 'Not a quokka, but close.' },
          into: null,
        },
      ],
    },
  })
  await api.mergeChangeRequest({ params })
  const created = 'changes' in reply ? reply.changes.find((change) => change.object === 'created_page') : undefined
  return created?.page.id ?? ''
}
