import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, readLive, writePage } from '../support/content.ts'
import { folderForTest } from '../support/disk.ts'
import { exportTo, importFrom, createSpaceReader } from '../support/git.ts'
import { type GitServer, startGitServer } from '../support/git-server.ts'
import { runOctavo as run } from '../support/process.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  server = await startGitServer()
})

afterAll(async () => {
  await octavo.stop()
  server.close()
})

async function newSpace() {
  const { api, organizationId } = octavo.admin
  const { id } = await api.createSpace({ params: { organizationId }, body: { title: 'New' } })
  const { pages } = await api.listPages({ params: { spaceId: id } })
  expect(pages).toMatchObject([{ type: 'document', title: 'Welcome', path: 'readme' }])
  return { spaceId: id, pageId: pages[0]?.id ?? '' }
}

test('the first page of a new space describes the next steps with commands for that space', async () => {
  const { spaceId, pageId } = await newSpace()
  const { markdown } = await readLive(octavo.admin, spaceId, pageId)
  expect(markdown).toContain('open this page at `/app` and click **Edit**')
  expect(markdown).toContain(`octavo import ./docs --space ${spaceId}\n`)
  expect(markdown).toContain(`POST /v1/spaces/${spaceId}/git/import`)
  expect(markdown).toContain(`POST /v1/spaces/${spaceId}/change-requests`)
  expect(markdown).toContain(`octavo site create --title "My docs" --spaces ${spaceId} --publish\n`)
})

test('exporting and importing the first page again creates no new revision', async () => {
  const { spaceId, pageId } = await newSpace()
  const repository = server.repository('first-page')
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  const written = repository.read('README.md')
  expect(written).toContain(`octavo import ./docs --space ${spaceId}\n`)
  const space = createSpaceReader(octavo, spaceId)
  const revision = await space.revision()
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await space.revision()).toBe(revision)

  // Writing the page with its current Markdown does not change the exported bytes.
  const { markdown } = await readLive(octavo.admin, spaceId, pageId)
  await editLive(octavo.admin, spaceId, writePage(pageId, markdown ?? ''))
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.read('README.md')).toBe(written)
})

test('an import from a repository or a folder replaces the first page', async () => {
  const [fromGit, fromFolder] = [await newSpace(), await newSpace()]
  const repository = server.repository('replacing')
  const files = { 'README.md': '# Home\n\nOurs.\n', 'next.md': '# Next\n' }
  repository.commit(files)
  expect(await importFrom(octavo.admin, fromGit.spaceId, repository)).toMatchObject({ state: 'success' })
  const { dataFolder, databaseUrl = '' } = octavo.server.app.config
  const env = { OCTAVO_DATA: dataFolder, DATABASE_URL: databaseUrl }
  expect(await run(['import', folderForTest(files), '--space', fromFolder.spaceId], env)).toMatchObject({ exitCode: 0 })
  for (const { spaceId } of [fromGit, fromFolder]) {
    const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
    expect(pages).toMatchObject([
      { title: 'Home', path: 'readme' },
      { title: 'Next', path: 'next' },
    ])
    const home = await readLive(octavo.admin, spaceId, pages[0]?.id ?? '')
    expect(home).toMatchObject({ markdown: '# Home\n\nOurs.\n' })
    expect(home).not.toHaveProperty('description')
  }
})
