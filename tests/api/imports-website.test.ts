import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { fetchText } from '../support/files.ts'
import {
  readLiveOutline,
  readMarkdownAt,
  formatOutline,
  startImport,
  webPage,
  withLoopback,
} from '../support/imports.ts'
import { imageHeaders } from '../support/pictures.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, startTestServer } from '../support/server.ts'
import { type WebRoute, serveWebsite } from '../support/website-server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer(withLoopback)
})
afterAll(() => octavo.stop())

const navigation = `<ul>
  <li><a href="/docs/">Home</a></li>
  <li><a href="/docs/guide/">The guide</a><ul><li><a href="/docs/guide/setup">Setup</a></li></ul></li>
  <li><a href="/docs/faq">Questions</a></li></ul>`
const png = imageHeaders.png(3, 2)

const site: Record<string, WebRoute> = {
  '/docs/': webPage('Home', '<p>Welcome. Read <a href="/docs/guide/setup#first">how to begin</a>.</p>', navigation),
  '/docs/guide/': webPage('Guide', '<p>All about it.</p>', navigation),
  '/docs/guide/setup': webPage(
    'Setup',
    '<h2 id="first">First</h2><p>See <a href="../faq">the questions</a> and <a href="https://example.com/x">more</a>.</p>' +
      '<p><img src="/img/shot.png" alt="A shot"></p><p><img src="/img/gone.png" alt="Gone"></p>',
    navigation,
  ),
  '/docs/faq': webPage('FAQ', '<p>Why? Because.</p>', navigation),
  '/docs/broken': { status: 500 },
  '/img/shot.png': { headers: { 'content-type': 'image/png' }, body: png },
}

test('imports a website as pages with its order, links and images', async () => {
  const { api } = octavo.admin
  const { url } = await serveWebsite(site)
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, insertPage('# Before'))
  const reply = await api.importContent({ params: { spaceId }, body: { url: `${url}/docs/`, source: 'website' } })

  const revision = await api.getCurrentRevision({ params: { spaceId } })
  expect(reply).toEqual({ revision: revision.id, importedResources: 4, totalResources: 4 })
  expect(revision).toMatchObject({ type: 'edits', createdBy: { id: octavo.admin.id } })
  expect(formatOutline(revision.pages)).toBe('Before, Home, Guide (Setup), FAQ')

  const [shot] = revision.files
  expect(revision.files).toMatchObject([
    { name: 'shot.png', contentType: 'image/png', dimensions: { width: 3, height: 2 } },
  ])
  expect(await fetchText(shot?.downloadURL ?? '')).toBe(await new Response(png).text())

  const setup = await readMarkdownAt(octavo.admin, spaceId, 'guide/setup')
  const faq = await api.getPageByPath({ params: { spaceId, pagePath: 'faq' } })
  expect(setup).toContain(`[the questions](/pages/${faq.id})`)
  expect(setup).toContain('[more](https://example.com/x)')
  expect(setup).toContain(`/files/${shot?.id}`)
  expect(setup).toContain(`${url}/img/gone.png`)
  expect(await readMarkdownAt(octavo.admin, spaceId, 'readme')).toMatch(/\[how to begin\]\(\/pages\/\w+#first\)/)
})

test('an image in a data URL becomes a file, which pages with the same image share', async () => {
  // Much smaller data URLs are ignored because they are placeholders.
  const bytes = Buffer.concat([imageHeaders.png(40, 40), Buffer.alloc(200)])
  const img = `<img src="data:image/png;base64,${bytes.toString('base64')}" alt="Small">`
  const { url } = await serveWebsite({
    '/docs/': webPage('Home', `<p>${img}</p>`, navigation),
    '/docs/faq': webPage('FAQ', `<p>Beside ${img} words.</p>`, navigation),
  })
  const spaceId = await emptySpace(octavo.admin)
  await octavo.admin.api.importContent({ params: { spaceId }, body: { url: `${url}/docs/`, source: 'website' } })
  const { files } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(files).toMatchObject([{ name: 'image.png', contentType: 'image/png', dimensions: { width: 40, height: 40 } }])
  expect(await fetchText(files[0]?.downloadURL ?? '')).toBe(await new Response(bytes).text())
  for (const path of ['readme', 'faq'])
    expect(await readMarkdownAt(octavo.admin, spaceId, path)).toContain(`/files/${files[0]?.id}`)
})

test('a run lists the imported pages with their URLs, and warnings for failed pages and images', async () => {
  const { url } = await serveWebsite({
    ...site,
    '/docs/faq': webPage('FAQ', '<p><a href="/docs/broken">Broken</a></p>', navigation),
  })
  const spaceId = await emptySpace(octavo.admin)
  const run = await startImport(octavo.admin, { type: 'website', url: `${url}/docs/` }, { space: spaceId })
  const ended = await run.waitForEnd()
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  expect(ended).toMatchObject({
    object: 'import-run',
    status: 'completed',
    source: { type: 'website', url: `${url}/docs/` },
    target: { space: spaceId },
    createdBy: octavo.admin.id,
    importedResources: 4,
    totalResources: 5,
    warningCount: 2,
    urls: { location: `${octavo.url}/v1/org/${octavo.admin.organizationId}/imports/${run.id}` },
  })
  expect(ended.pages).toMatchObject([
    { id: pages[0]?.id, sourceURL: `${url}/docs/`, title: 'Home', type: 'page', status: 'complete' },
    { sourceURL: `${url}/docs/guide/`, title: 'Guide' },
    { sourceURL: `${url}/docs/guide/setup`, title: 'Setup' },
    { sourceURL: `${url}/docs/faq`, title: 'FAQ' },
  ])
  expect(ended.warnings).toEqual([
    { url: `${url}/docs/broken`, message: 'The page returned the status 500' },
    {
      url: `${url}/img/gone.png`,
      message: 'The URL returned the status 404; the image is loaded from its original URL',
    },
  ])
})

test('imports a website into a change request, below a page, without changing the space', async () => {
  const { api } = octavo.admin
  const { url } = await serveWebsite(site)
  const spaceId = await emptySpace(octavo.admin)
  const [parent = ''] = await editLive(octavo.admin, spaceId, insertPage('# Imported'), insertPage('# Other'))
  await api.updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
  const writer = await octavo.member('edit')
  const proposal = await propose(writer, spaceId)

  const first = await writer.api.importContentInChangeRequest({
    params: proposal.params,
    body: { url: `${url}/docs/faq`, source: 'website' },
  })
  const request = await api.getChangeRequestById({ params: proposal.params })
  expect(first).toEqual({ revision: request.revision, importedResources: 4, totalResources: 4 })

  const target = { space: spaceId, changeRequest: proposal.id, page: parent }
  const run = await startImport(octavo.admin, { type: 'website', url: `${url}/docs/guide/` }, target)
  expect(await run.waitForEnd()).toMatchObject({ status: 'completed', target, importedResources: 2 })
  const { pages } = await api.listPagesInChangeRequest({ params: proposal.params })
  expect(formatOutline(pages)).toBe('Imported (Home, Guide (Setup), Questions), Other, Home, Guide (Setup), FAQ')
  const contributors = await api.getContributorsByChangeRequestId({ params: proposal.params })
  expect(contributors.items.map(({ user }) => user.id).sort()).toEqual([octavo.admin.id, writer.id].sort())

  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('Imported, Other')
  await api.mergeChangeRequest({ params: proposal.params })
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe(
    'Imported (Home, Guide (Setup), Questions), Other, Home, Guide (Setup), FAQ',
  )
})

test('returns 400 with the reason for an unreadable website, and imports nothing', async () => {
  const { api } = octavo.admin
  const { url } = await serveWebsite({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /private/', headers: { 'content-type': 'text/plain' } },
    '/private/': webPage('Private', '<p>No</p>'),
    '/picture': { body: png, headers: { 'content-type': 'image/png' } },
  })
  const spaceId = await emptySpace(octavo.admin)
  const reasonOf = (address: string) =>
    api.importContent({ params: { spaceId }, body: { url: address, source: 'website' } }).then(
      () => 'was imported',
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    )
  expect(await reasonOf(`${url}/missing`)).toBe('400 Nothing was imported: The URL returned the status 404')
  expect(await reasonOf(`${url}/private/`)).toBe(
    '400 Nothing was imported: The robots.txt of the website disallows this URL',
  )
  expect(await reasonOf(`${url}/picture`)).toBe('400 Nothing was imported: The URL is not a web page')
  expect(await reasonOf('http://127.0.0.1:1/')).toMatch(/^400 Nothing was imported: The host could not be reached/)
  expect(await refusal(api.importContent({ params: { spaceId }, body: { url: 'ftp://a/', source: 'website' } }))).toBe(
    '400 body.url',
  )
  expect(await readLiveOutline(octavo.admin, spaceId)).toBe('')
  const runs = await api.listImportRuns({
    params: { organizationId: octavo.admin.organizationId },
    query: { space: spaceId, status: 'failed' },
  })
  expect(runs.items.map(({ reason }) => reason)).toContain('The URL returned the status 404')
})

test('refuses to import from a private address unless it is allowed', async () => {
  const own = await serverForTest()
  const { url, requestedPaths } = await serveWebsite(site)
  const run = await startImport(own.admin, { type: 'website', url: `${url}/docs/` }, { space: own.admin.spaceId })
  expect(await run.waitForEnd()).toMatchObject({
    status: 'failed',
    reason:
      'The host was not found or has a private address. Set OCTAVO_ALLOW_PRIVATE_NETWORK on the server to allow private addresses',
  })
  expect(requestedPaths).toEqual([])
})

test('an import stops at the maximum number of pages and warns about it', async () => {
  const own = await serverForTest({ ...withLoopback, OCTAVO_IMPORT_MAX_PAGES: '2' })
  const { url } = await serveWebsite(site)
  const spaceId = await emptySpace(own.admin)
  const run = await startImport(own.admin, { type: 'website', url: `${url}/docs/` }, { space: spaceId })
  expect(await run.waitForEnd()).toMatchObject({
    status: 'completed',
    importedResources: 2,
    totalResources: 4,
    warnings: [{ message: 'The website was not read completely: an import is limited to 2 pages and 1800 seconds' }],
  })
  expect(await readLiveOutline(own.admin, spaceId)).toBe('Home, Guide')
})
