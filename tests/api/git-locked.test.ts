import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import {
  exportTo,
  waitForGitOperations,
  importFrom,
  mainBranch,
  manualFiles,
  createSpaceReader,
} from '../support/git.ts'
import { type GitServer } from '../support/git-server.ts'
import { type TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

/** Creates a repository with the manual and an empty space. */
async function setUp() {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const { api } = octavo.admin
  const setMode = (editMode: 'live' | 'locked') => api.updateSpaceById({ params: { spaceId }, body: { editMode } })
  return {
    repository,
    spaceId,
    space: createSpaceReader(octavo, spaceId),
    lock: () => setMode('locked'),
    unlock: () => setMode('live'),
    requestOf: (changeRequestId = '') => api.getChangeRequestById({ params: { spaceId, changeRequestId } }),
    merge: (changeRequestId = '') => api.mergeChangeRequest({ params: { spaceId, changeRequestId } }),
    archive: (changeRequestId = '') =>
      api.updateChangeRequestById({ params: { spaceId, changeRequestId }, body: { status: 'archived' } }),
    import: (options = {}) => importFrom(octavo.admin, spaceId, repository, options),
    export: (options = {}) => exportTo(octavo.admin, spaceId, repository, options),
  }
}

const waiting = {
  state: 'failure',
  error: expect.stringMatching(/^The space is locked.+change request #\d+.+Merge it/),
  changeRequest: expect.any(String),
  errorAction: { label: 'Open the change request', url: expect.stringContaining('/change-requests/') },
}

test('an import into a locked space opens a change request, and merging it synchronizes both', async () => {
  const { repository, spaceId, space, lock, requestOf, merge, ...sync } = await setUp()
  await editLive(octavo.admin, spaceId, insertPage('# Mine\n'))
  await lock()
  const before = await space.revision()
  const imported = await sync.import()
  expect(imported).toMatchObject(waiting)
  expect([await space.revision(), await space.titles()]).toEqual([before, ['Mine']])
  const { status, subject } = await requestOf(imported.changeRequest)
  expect({ status, subject }).toEqual({
    status: 'open',
    subject: `Changes from Git (${repository.tip()?.slice(0, 8)})`,
  })
  // No other import runs until the change request is merged or archived.
  expect(await sync.import()).toMatchObject({ state: 'failure', changeRequest: imported.changeRequest })
  expect(await space.revision()).toBe(before)

  expect(await merge(imported.changeRequest)).toMatchObject({ result: 'merge' })
  expect(await space.titles()).toEqual(['Home', 'Guide'])
  const after = await space.revision()
  expect(await sync.import()).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(await space.revision()).toBe(after)
  expect(await sync.export()).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(repository.log()).toEqual(['Change'])
  expect((await octavo.admin.api.getSpaceGitInfo({ params: { spaceId } })).commit).toBe(repository.tip())
})

test('a forced import into a locked space also opens a change request; a standalone import does not', async () => {
  const { repository, spaceId, space, lock, unlock, merge, ...sync } = await setUp()
  await sync.import()
  const install = await space.idAt('guide/install')
  await editLive(octavo.admin, spaceId, writePage(install, '# Install\n\nEdited here.\n'))
  repository.commit({ 'guide/install.md': '# Install\n\nPushed.\n' })
  await lock()
  const before = await space.revision()
  const forced = await sync.import({ force: true })
  expect(forced).toMatchObject(waiting)
  expect(await sync.import({ standalone: true })).toMatchObject({ state: 'success' })
  expect(await space.revision()).toBe(before)
  expect(await merge(forced.changeRequest)).toMatchObject({ result: 'merge' })
  expect(await space.markdownAt('guide/install')).toBe('# Install\n\nPushed.\n')
  expect(await space.idAt('guide/install')).toBe(install)

  repository.commit({ 'guide/install.md': '# Install\n\nPushed again.\n' })
  await unlock()
  expect(await sync.import({ force: true })).toMatchObject({ state: 'success' })
  expect(await space.markdownAt('guide/install')).toBe('# Install\n\nPushed again.\n')
})

test('a push to the repository of a locked space opens a change request', async () => {
  const { repository, spaceId, space, lock, merge, ...sync } = await setUp()
  await sync.import()
  const { url, secret } = await octavo.admin.api.createGitWebhook({ params: { spaceId } })
  await lock()
  const before = await space.revision()
  const push = async () => {
    const body = JSON.stringify({ ref: mainBranch })
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-hub-signature-256': signature }
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204)
    return waitForGitOperations(octavo.admin, spaceId)
  }
  // The repository has no new commit, so no change request is needed.
  expect(await push()).toMatchObject({ state: 'success' })
  repository.commit({ 'README.md': '# Pushed\n' })
  const pushed = await push()
  expect(pushed).toMatchObject(waiting)
  expect([await space.revision(), await space.titles()]).toEqual([before, ['Home', 'Guide']])
  expect(await merge(pushed.changeRequest)).toMatchObject({ result: 'merge' })
  expect(await space.titles()).toEqual(['Pushed', 'Guide'])
  expect(await push()).toMatchObject({ state: 'success', commit: repository.tip() })
})

test('an export of a locked space fails until the pushed commits are merged', async () => {
  const { repository, spaceId, space, lock, merge, archive, ...sync } = await setUp()
  await sync.import()
  await lock()
  const proposal = await propose(octavo.admin, spaceId, 'More')
  await proposal.edit(insertPage('# More\n'))
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  const merged = await space.revision()
  const pushed = repository.commit({ 'README.md': '# Pushed\n' }, { message: 'Pushed' })
  const refused = await sync.export()
  expect(refused).toMatchObject({ ...waiting, direction: 'export' })
  expect([await space.revision(), repository.tip()]).toEqual([merged, pushed])
  // After the change request is archived, the next export opens a new one.
  await archive(refused.changeRequest)
  const again = await sync.export()
  expect(again).toMatchObject(waiting)
  expect(again.changeRequest).not.toBe(refused.changeRequest)
  expect(await merge(again.changeRequest)).toMatchObject({ result: 'merge' })
  expect(await space.titles()).toEqual(['Pushed', 'Guide', 'More'])
  expect(await sync.export()).toMatchObject({ state: 'success' })
  expect(repository.log()).toEqual(['Export', 'Pushed', 'Change'])
  expect(repository.read('README.md')).toBe('# Pushed\n')

  // A forced export overwrites the branch and does not change the space.
  repository.commit({ 'README.md': '# Unwanted\n' })
  const before = await space.revision()
  expect(await sync.export({ force: true })).toMatchObject({ state: 'success' })
  expect(repository.read('README.md')).toBe('# Pushed\n')
  expect(await space.revision()).toBe(before)
})

test('a commit that is equal to the content of a locked space opens no change request', async () => {
  const { repository, spaceId, space, lock, ...sync } = await setUp()
  await sync.import()
  await lock()
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(writePage(await space.idAt('guide/install'), '# Install\n\nRun it twice.\n'))
  await proposal.merge()
  repository.commit({ 'guide/install.md': '# Install\n\nRun it twice.\n' })
  expect(await sync.import()).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(await space.markdownAt('guide/install')).toBe('# Install\n\nRun it twice.\n')
})
