import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
import { exportTo, importFrom, manualFiles } from '../support/git.ts'
import { type GitServer } from '../support/git-server.ts'
import { type TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const pagesOf = async (spaceId: string) => {
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  return pages
}

const pageAt = (spaceId: string, pagePath: string) =>
  octavo.admin.api.getPageByPath({ params: { spaceId, pagePath }, query: {} })

const markdownAt = async (spaceId: string, path: string) =>
  (await readLive(octavo.admin, spaceId, (await pageAt(spaceId, path)).id)).markdown

test('imports a repository in a job, and git/info describes the connection', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  const commit = repository.commit(manualFiles, { message: 'Begin' })
  const operation = await importFrom(octavo.admin, spaceId, repository)
  expect(operation).toMatchObject({ state: 'success', direction: 'import', commit, warningCount: 0, warnings: [] })

  const [home, guide] = await pagesOf(spaceId)
  expect(home).toMatchObject({ title: 'Home', path: 'readme', git: { path: 'README.md' } })
  expect(guide).toMatchObject({ title: 'Guide', pages: [{ title: 'Install', path: 'guide/install' }] })
  const revision = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(revision.git).toEqual({
    oid: commit,
    message: 'Begin',
    createdByService: false,
    createdByGitBook: false,
    ref: 'refs/heads/main',
  })
  const info = await octavo.admin.api.getSpaceGitInfo({ params: { spaceId } })
  expect(info).toMatchObject({
    repository: repository.url,
    ref: 'refs/heads/main',
    commit,
    installationStatus: 'active',
  })
  const space = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  expect(space.gitSync).toMatchObject({
    repoName: expect.stringMatching(/^repository-\d+$/),
    operation: { state: 'success' },
  })
})

test('an export without edits commits nothing, and one edited page changes only its lines of one file', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  const first = repository.commit(manualFiles)
  await importFrom(octavo.admin, spaceId, repository)
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })
  expect(repository.tip()).toBe(first)

  const install = (await pageAt(spaceId, 'guide/install')).id
  const proposal = await propose(octavo.admin, spaceId, 'How to run it')
  await proposal.edit(writePage(install, '# Install\n\nRun it twice.\n'))
  await proposal.merge()
  const exported = await exportTo(octavo.admin, spaceId, repository, { commitMessage: 'Twice' })
  expect(exported).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(repository.git(['diff', '--stat=200', '--format=', first, 'main'])).toMatch(
    /^ guide\/install.md \| 2 \+-\n 1 file changed/,
  )
  expect(repository.git(['log', '-1', '--format=%an <%ae> %cn%n%B', 'main'])).toMatch(
    /^Administrator <admin@octavo\.local> Octavo\nTwice\n\nOctavo-Revision: \w+\n/,
  )

  const before = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({
    state: 'success',
    commit: repository.tip(),
  })
  const after = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  expect(after.revision).toBe(before.revision)
})

test('merges a commit in the repository with an edit of another page of the space', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  repository.commit(manualFiles)
  await importFrom(octavo.admin, spaceId, repository)
  const [, guide] = await pagesOf(spaceId)
  await editLive(octavo.admin, spaceId, writePage(guide?.id ?? '', '# Guide\n\n* one\n* two\n* three\n'))
  repository.commit({ 'guide/install.md': '# Install\n\nRun it, then wait.\n' })
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.read('guide/README.md')).toBe('# Guide\n\n-   one\n-   two\n-   three\n')
  expect(repository.read('guide/install.md')).toBe('# Install\n\nRun it, then wait.\n')
  expect(await markdownAt(spaceId, 'guide/install')).toContain('then wait')
  expect(repository.read('LICENSE')).toBe('MIT\n')
})

test('conflicting edits open a change request, and both versions are kept until it is resolved', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  repository.commit(manualFiles)
  await importFrom(octavo.admin, spaceId, repository)
  const install = (await pageAt(spaceId, 'guide/install')).id
  await editLive(octavo.admin, spaceId, writePage(install, '# Install\n\nRun it here.\n'))
  const theirs = repository.commit({ 'guide/install.md': '# Install\n\nRun it there.\n' })
  const failed = await exportTo(octavo.admin, spaceId, repository)
  expect(failed).toMatchObject({
    state: 'failure',
    error: expect.stringContaining('change request #1'),
    changeRequest: expect.any(String),
  })
  expect(repository.tip()).toBe(theirs)
  expect(await markdownAt(spaceId, 'guide/install')).toContain('here')

  const params = { spaceId, changeRequestId: failed.changeRequest ?? '' }
  const conflicts = await octavo.admin.api.listChangeRequestConflicts({ params, query: {} })
  expect(conflicts.count).toBe(1)
  await octavo.admin.api.resolveChangeRequestConflicts({ params, body: { side: 'ours' } })
  expect(await octavo.admin.api.mergeChangeRequest({ params })).toMatchObject({ result: 'merge' })
  await editLive(octavo.admin, spaceId, insertPage('# New\n\nA page.', { at: 1 }))
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.read('guide/install.md')).toBe('# Install\n\nRun it there.\n')
  expect(repository.read('new.md')).toBe('# New\n\nA page.\n')
  expect(repository.read('SUMMARY.md')).toBe(
    '# Summary\n\n* [Home](README.md)\n* [New](new.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n',
  )
})

test('keeps the page id when a file is renamed in the repository', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  repository.commit(manualFiles)
  await importFrom(octavo.admin, spaceId, repository)
  const [, guide] = await pagesOf(spaceId)
  repository.commit({
    'guide/install.md': undefined,
    'guide/set-up.md': manualFiles['guide/install.md'],
    'SUMMARY.md': manualFiles['SUMMARY.md'].replace('guide/install.md', 'guide/set-up.md'),
  })
  await importFrom(octavo.admin, spaceId, repository)
  const [, after] = await pagesOf(spaceId)
  const childOf = (page: typeof guide) => (page && 'pages' in page ? page.pages[0] : undefined)
  expect(childOf(after)).toMatchObject({ id: childOf(guide)?.id, path: 'guide/set-up' })
  const former = await pageAt(spaceId, 'guide/install')
  expect(former.id).toBe(childOf(guide)?.id)
  await editLive(octavo.admin, spaceId, updatePage(former.id, { title: 'Set up' }))
})
