import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { editLive, emptySpace, insertPage, readLive, writePage } from '../../support/content.ts'
import { manualFiles } from '../../support/git.ts'
import { gitServerForTest } from '../../support/git-server.ts'
import { webPage } from '../../support/imports.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { operationMarkdown } from '../../support/openapi-blocks.ts'
import { engineForTest, startDeeplEngine } from '../../support/translation-engines.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'
import { serveWebsite } from '../../support/website-server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })))
afterAll(() => octavo.stop())

const openAs = async (path: string) => (await openApp(browser, octavo, octavo.admin.id, path, { bypassCSP: true })).page

/** Asks the repository again until the screen shows a state. */
async function waitForStatus(page: Page, state: string): Promise<void> {
  await eventually(async () => {
    await page.getByRole('button', { name: 'Check again' }).click()
    return page.locator('.git-status .ui-badge').textContent()
  }).toBe(state)
}

test('a space and a branch are synchronized in both directions, and a contradiction is decided', async () => {
  const { admin } = octavo
  const repository = (await gitServerForTest()).newRepository({
    ...manualFiles,
    'guide/install.md': '# Install\n\nRun it. See [this](gone.md).\n',
  })
  const spaceId = await emptySpace(admin, 'Manual')
  const page = await openAs(`/spaces/${spaceId}`)
  await page.getByRole('link', { name: 'Git', exact: true }).click()
  await page.getByLabel('Address of the repository').fill(repository.url)
  await page.getByRole('radio', { name: /Import the branch/ }).check({ force: true })
  await inspectPage(page, 'app-git-connect')
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('The space and the branch have the same content.').waitFor()

  // A note of the import leads to the page of its file.
  await page.getByRole('button', { name: /^Import/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'guide/install.md, line 3' }).click()
  await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor()

  // An edit in the app becomes a commit.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text of the page', exact: true }).getByText('Run it.').click()
  await page.keyboard.press('Home')
  await page.keyboard.type('First read it. ')
  await eventually(() => page.locator('.save-line').textContent()).toContain('Saved in #1')
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/change-requests/1`)
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('Merged and live').waitFor()
  await eventually(() => repository.read('guide/install.md')).toBe(
    '# Install\n\nFirst read it. Run it. See [this](gone.md).\n',
  )

  // A commit comes back.
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/git`)
  await waitForStatus(page, 'In sync')
  repository.commit({ 'guide/README.md': '# Guide\n\nPushed.\n' })
  await waitForStatus(page, 'Behind')
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByText('The space and the branch have the same content.').waitFor()
  await inspectPage(page, 'app-git')
  const guide = await admin.api.getPageByPath({ params: { spaceId, pagePath: 'guide' }, query: {} })
  expect((await readLive(admin, spaceId, guide.id)).markdown).toContain('Pushed.')

  // The same sentence is changed on both sides.
  repository.commit({ 'guide/README.md': '# Guide\n\nPushed again.\n' })
  await editLive(admin, spaceId, writePage(guide.id, '# Guide\n\nEdited here.'))
  await page.getByRole('heading', { name: 'A change request waits for a decision' }).waitFor()
  await page.getByRole('link', { name: 'Open the change request' }).click()
  await page.getByRole('link', { name: /^Conflicts/ }).click()
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('heading', { name: 'All conflicts are decided' }).waitFor()
  await page.getByRole('button', { name: 'Merge' }).last().click()
  await page.getByText('Merged and live').waitFor()
  await eventually(() => repository.read('guide/README.md')).toBe('# Guide\n\nEdited here.\n')
  await page.goto(`${octavo.url}/app/orgs/${admin.organizationId}/imports/git`)
  await page
    .getByRole('link', { name: /^Manual.*Done/ })
    .first()
    .waitFor()
})

test('errors of a specification have line and path, and the corrected one is live', async () => {
  const { admin } = octavo
  const specs = `/orgs/${admin.organizationId}/specs`
  const page = await openAs(specs)
  await page.getByRole('heading', { name: 'No API specification yet' }).waitFor()
  await page.getByRole('button', { name: 'Add a specification' }).click()
  await page.getByLabel('Name', { exact: true }).fill('pets')
  await page.getByLabel('Source').selectOption('Text')
  const fillSpec = (path: string) =>
    page
      .getByRole('textbox', { name: 'Text' })
      .fill(`openapi: 3.1.0\ninfo:\n  title: Pets\n  version: '1'\npaths:\n  ${path}:\n    get: { responses: {} }\n`)
  await fillSpec('pets')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'This version is not live' }).waitFor()
  const problem = page.getByRole('list', { name: '1 problem' }).getByRole('listitem')
  expect((await problem.textContent())?.trim()).toBe('line 7, /paths/pets A path must begin with "/"')
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Source').selectOption('Text')
  await fillSpec('/pets')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('The new version is live.').waitFor()
  await page.getByText('Latest').waitFor()
  const spaceId = await emptySpace(admin, 'API guide')
  await editLive(admin, spaceId, insertPage(operationMarkdown('pets', 'get', '/pets'), { title: 'List pets' }))
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Source').selectOption('Text')
  await fillSpec('/dogs')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('button', { name: 'What changed' }).click()
  await eventually(() => page.locator('.spec-changes li').allTextContents()).toEqual([
    'Removed GET /pets',
    'Added GET /dogs',
  ])
  await page.reload()
  await page.getByRole('link', { name: 'List pets' }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).last().click()
  await page.getByRole('menuitem', { name: 'Make it public' }).click()
  await page.getByLabel('Public address').waitFor()
  await inspectPage(page, 'app-spec')
  await page.goto(`${octavo.url}/app${specs}`)
  await page.getByRole('link', { name: /^pets/ }).waitFor()
  await inspectPage(page, 'app-specs')
})

test('a space is translated with visible progress, and a text that both sides changed is decided', async () => {
  const { admin } = octavo
  const engine = await engineForTest(startDeeplEngine())
  const sourceId = await emptySpace(admin, 'Handbook')
  const [pageId = ''] = await editLive(admin, sourceId, insertPage('Open the door.', { title: 'Entrance' }))
  const page = await openAs(`/orgs/${admin.organizationId}/translations`)
  await page.getByText('OCTAVO_TRANSLATION').waitFor()
  await inspectPage(page, 'app-translations-empty')
  await page.getByRole('link', { name: 'Set an engine' }).click()
  await page.getByLabel('Engine', { exact: true }).selectOption('DeepL')
  await page.getByLabel('Address of its API').fill(engine.url)
  await page.getByLabel('Key').fill('secret-key')
  await inspectPage(page, 'app-translation-engine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This organization translates with its own engine.').waitFor()

  await page.getByRole('link', { name: 'Translations', exact: true }).last().click()
  await page.getByRole('button', { name: 'Translate a space' }).click()
  await page.getByLabel('Source', { exact: true }).selectOption('Handbook')
  await page.getByRole('checkbox', { name: 'French' }).check()
  const release = engine.hold()
  await page.getByRole('dialog').getByRole('button', { name: 'Translate' }).click()
  await page.getByRole('heading', { level: 1, name: 'Handbook → French' }).waitFor()
  await page.getByRole('heading', { name: 'Translating' }).waitFor()
  await page.getByRole('progressbar').waitFor()
  release()
  await page.getByText('Up to date').waitFor()

  // A text is edited in the translation, and then its source changes.
  const { items } = await admin.api.listTranslations({ params: { organizationId: admin.organizationId }, query: {} })
  const resultId = items[0]?.result?.space ?? ''
  await editLive(admin, resultId, writePage(pageId, 'OUVREZ LA PORTE.'))
  await editLive(admin, sourceId, writePage(pageId, 'Close the door.'))
  await page.getByRole('button', { name: 'Translate now' }).click()
  await page.getByRole('article', { name: 'The source of an edited text has changed' }).waitFor()
  expect(await page.locator('.finding-texts dd').allTextContents()).toEqual([
    'Close the door.',
    'CLOSE THE DOOR.',
    'OUVREZ LA PORTE.',
  ])
  await inspectPage(page, 'app-translation')
  await page.getByRole('button', { name: 'Use the new translation' }).click()
  await page.getByText('Nothing to check.').waitFor()
  expect((await readLive(admin, resultId, pageId)).markdown).toContain('CLOSE THE DOOR.')

  await page.goto(`${octavo.url}/app/orgs/${admin.organizationId}/translations/glossary`)
  await page.getByRole('button', { name: 'Add a term' }).click()
  await page.getByLabel('English').fill('door')
  await page.getByLabel('Add a language').selectOption('French')
  await page.getByLabel('French').fill('porte')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'en door fr porte' }).waitFor()
  const buffer = Buffer.from('en;de\r\nwindow;"Fenster"\r\nkey;Schlüssel\r\n')
  await page.getByLabel('Import CSV').last().setInputFiles({ name: 'terms.csv', mimeType: 'text/csv', buffer })
  await page.getByText('2 terms were imported.').waitFor()
  await page.getByRole('button', { name: 'de Schlüssel en key' }).waitFor()
  await inspectPage(page, 'app-glossary')
  await page.getByRole('button', { name: 'en door fr porte' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'en door fr porte' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('glossary.csv')
})

test('a website is imported with its pages, and a failed import is found in the list and tried again', async () => {
  const { admin } = octavo
  let isDown = true
  const links = '<ul><li><a href="/docs/">Start</a></li><li><a href="/docs/install">Install</a></li></ul>'
  const answer = (title: string, text: string) => () =>
    isDown ? { status: 500 } : webPage(title, `<p>${text}</p>`, links)
  const site = await serveWebsite({
    '/docs/': answer('Start', 'Welcome to the manual.'),
    '/docs/install': answer('Install', 'Run the installer.'),
  })
  const page = await openAs(`/orgs/${admin.organizationId}/new?from=website`)
  await page.getByLabel('Address of the website').fill(`${site.url}/docs/`)
  await page.getByLabel('Name', { exact: true }).fill('Imported manual')
  await page.getByRole('button', { name: 'Create space and import' }).click()
  await page.getByRole('heading', { name: 'The import failed' }).waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('500')
  isDown = false
  await page.goto(`${octavo.url}/app/orgs/${admin.organizationId}/imports`)
  await page.getByText('Failed', { exact: true }).waitFor()
  await inspectPage(page, 'app-imports')
  await page.getByRole('button', { name: 'Try again' }).click()
  // When the import is complete, the space opens.
  await page.getByRole('treeitem', { name: 'Install', exact: true }).click()
  await page.getByText('Run the installer.').waitFor()
  await page.goto(`${octavo.url}/app/orgs/${admin.organizationId}/imports`)
  await page.getByText('Done', { exact: true }).waitFor()
})

test('a space becomes a template whose pages are shown, used for another space, and deleted', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Playbook')
  await editLive(
    admin,
    spaceId,
    insertPage('Call us.', { title: 'On call' }),
    insertPage('Try it.', { title: 'Drills' }),
  )
  const page = await openAs(`/spaces/${spaceId}`)
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save the space as a template' }).click()
  await page.getByLabel('What is it for?').fill('For every team on call')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('The template was saved.').waitFor()
  const card = page.getByRole('button', { name: /^Playbook/ })
  await card.click()
  const pages = page.getByRole('dialog').getByRole('list', { name: 'Pages' }).getByRole('listitem')
  await eventually(() => pages.allTextContents()).toEqual(['On call', 'Drills'])
  await inspectPage(page, 'app-templates')
  await page.getByRole('link', { name: 'Use this template' }).click()
  await eventually(() => page.getByRole('radio', { name: /^Playbook/ }).isChecked()).toBe(true)
  await page.getByLabel('Name', { exact: true }).fill('Our playbook')
  await page.getByRole('button', { name: 'Create space', exact: true }).click()
  await page.getByRole('treeitem', { name: 'Drills' }).waitFor()
  await page.goto(`${octavo.url}/app/orgs/${admin.organizationId}/templates`)
  await card.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No templates yet.').waitFor()
})
