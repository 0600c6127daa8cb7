import { afterAll, beforeAll, expect, test } from 'vitest'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import {
  exportTo,
  getGitInfo,
  waitForGitOperations,
  listGitOperations,
  holdReplies,
  importFrom,
  mainBranch,
  manualFiles,
} from '../support/git.ts'
import { gitServerForTest } from '../support/git-server.ts'
import { makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { type Person, type TestServer, startTestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
let creator: Person

beforeAll(async () => {
  octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  creator = await octavo.member('create')
})

afterAll(() => octavo.stop())

/** Creates a space that an administrator connected to a private repository with stored credentials. */
async function connectedSpace() {
  const server = await gitServerForTest({ credentials: { username: 'ada', password: 'swordfish-3' } })
  const repository = server.repository('private')
  repository.commit(manualFiles)
  repository.commit({ 'README.md': '# Next\n' }, { branch: 'next' })
  const url = repository.url.replace('://', '://ada:swordfish-3@')
  const spaceId = await emptySpace(octavo.admin)
  await octavo.admin.api.updateSpaceGitInfo({ params: { spaceId }, body: { url, ref: mainBranch } })
  return { server, repository, spaceId, urlWithCredentials: url }
}

test('a creator uses stored credentials only with the unchanged connection', async () => {
  const { server, repository, spaceId, urlWithCredentials } = await connectedSpace()
  const params = { spaceId }
  expect(await importFrom(creator, spaceId, repository)).toMatchObject({ state: 'success' })
  await editLive(octavo.admin, spaceId, insertPage('# More\n'))
  expect(await exportTo(creator, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.log()).toEqual(['Export', 'Change'])
  const other = server.repository('other')
  other.commit(manualFiles)

  const before = await getGitInfo(octavo.admin, spaceId)
  const asked = server.requests.length
  const place = { url: repository.url, ref: mainBranch }
  const changes = [
    { ...place, ref: 'refs/heads/next' },
    { ...place, ref: 'refs/heads/new', force: true },
    { ...place, repoProjectDirectory: 'guide' },
    { ...place, url: other.url },
    { ...place, url: other.url.replace('://', '://ada:swordfish-3@') },
    { ...place, url: urlWithCredentials, ref: 'refs/heads/next' },
    { ...place, repoTreeURL: 'https://evil.example/tree' },
    { ...place, repoCommitURL: 'https://evil.example/commit' },
    { ...place, gitInfo: { url: 'https://evil.example/tree' } },
    { ...place, gitInfo: { provider: 'gitlab' as const } },
  ]
  for (const body of changes) {
    expect(await refusal(creator.api.importGitRepository({ params, body }))).toBe('403')
    expect(await refusal(creator.api.exportToGitRepository({ params, body: { ...body, commitMessage: 'x' } }))).toBe(
      '403',
    )
  }
  // A standalone import does not change the connection, but it would use the credentials of the administrator.
  const aside = { ...place, ref: 'refs/heads/next', standalone: true }
  expect(await refusal(creator.api.importGitRepository({ params, body: aside }))).toBe('403')
  const refused = creator.api.importGitRepository({ params, body: { ...place, ref: 'refs/heads/next' } })
  await expect(refused).rejects.toThrow(/ref.+administrator.+git\/info/)
  expect(await getGitInfo(octavo.admin, spaceId)).toEqual(before)
  expect(server.requests).toHaveLength(asked)
  expect(repository.git(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main\nrefs/heads/next\n')

  // Credentials in the request and a different cache id do not change the connection.
  const own = await importFrom(creator, spaceId, repository, { ...aside, url: urlWithCredentials })
  expect(own).toMatchObject({ state: 'success', commit: repository.tip('next') })
  expect(await importFrom(creator, spaceId, repository, { standalone: true })).toMatchObject({ state: 'success' })
  expect(await importFrom(creator, spaceId, repository, { repoCacheID: 'mine' })).toMatchObject({ state: 'success' })
  const { operation: _, ...after } = await getGitInfo(octavo.admin, spaceId)
  expect(before).toMatchObject(after)
})

test('an administrator uses stored credentials for any branch of the repository', async () => {
  const { repository, spaceId } = await connectedSpace()
  const next = { ref: 'refs/heads/next' }
  const aside = await importFrom(octavo.admin, spaceId, repository, { ...next, standalone: true })
  expect(aside).toMatchObject({ state: 'success', commit: repository.tip('next') })
  expect(await getGitInfo(octavo.admin, spaceId)).toMatchObject({ ref: mainBranch })
  expect(await importFrom(octavo.admin, spaceId, repository, next)).toMatchObject({ state: 'success' })
  expect(await getGitInfo(octavo.admin, spaceId)).toMatchObject({ ...next, hasCredentials: true })
})

test('only an administrator connects a space to a repository', async () => {
  const server = await gitServerForTest()
  const repository = server.repository('public')
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const body = { url: repository.url, ref: mainBranch }
  const calls = [
    creator.api.importGitRepository({ params, body }),
    creator.api.exportToGitRepository({ params, body: { ...body, commitMessage: 'x' } }),
  ]
  expect(await Promise.all(calls.map(refusal))).toEqual(['403', '403'])
  expect(await refusal(getGitInfo(octavo.admin, spaceId))).toBe('404')
  expect(await importFrom(creator, spaceId, repository, { standalone: true })).toMatchObject({ state: 'success' })
  expect(await refusal(getGitInfo(octavo.admin, spaceId))).toBe('404')
})

test('a waiting export fails when the connection changes before it runs', async () => {
  const { server, repository, spaceId } = await connectedSpace()
  const params = { spaceId }
  await importFrom(octavo.admin, spaceId, repository)
  await editLive(octavo.admin, spaceId, insertPage('# More\n'))
  const held = holdReplies(server, ({ headers }) => headers.authorization !== undefined)
  await creator.api.importGitRepository({ params, body: { url: repository.url, ref: mainBranch } })
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  const tip = repository.tip()
  const body = { url: repository.url, ref: mainBranch, commitMessage: 'Late', force: true }
  await creator.api.exportToGitRepository({ params, body })
  await octavo.admin.api.updateSpaceGitInfo({ params, body: { ref: 'refs/heads/next' } })
  held.release()
  const late = await waitForGitOperations(octavo.admin, spaceId)
  expect(late).toMatchObject({ direction: 'export', state: 'failure', error: expect.stringContaining('request') })
  expect(repository.tip()).toBe(tip)
})

test('a transferred space and a copy of a space have no connection', async () => {
  const { server, repository, spaceId } = await connectedSpace()
  const params = { spaceId }
  await importFrom(octavo.admin, spaceId, repository)
  await octavo.admin.api.updateSpaceGitInfo({ params, body: { exportAfterMerge: true } })
  const { id: copyId } = await creator.api.duplicateSpace({ params })
  expect(await refusal(getGitInfo(octavo.admin, copyId))).toBe('404')

  // In the target organization, the administrator of the space can create content but not connect a repository.
  const target = await makeOrganization(octavo)
  await target.add(octavo.admin, 'create')
  const { organizationId } = target.params
  const moved = await octavo.admin.api.transferSpace({ params, body: { organization: organizationId } })
  expect(moved.gitSync).toBeUndefined()
  expect(await refusal(target.owner.api.getSpaceGitInfo({ params }))).toBe('404')
  const [asked, done] = [server.requests.length, (await listGitOperations(octavo.admin, spaceId)).length]
  const proposal = await propose(target.owner, spaceId)
  await proposal.edit(insertPage('# Secret\n'))
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(done)
  expect(server.requests).toHaveLength(asked)

  // After connecting again, the export continues from the last common commit.
  const url = repository.url.replace('://', '://ada:swordfish-3@')
  expect(await exportTo(target.owner, spaceId, { url })).toMatchObject({ state: 'success' })
  expect(repository.log()).toEqual(['Export', 'Change'])

  const collection = await octavo.admin.api.createCollection({
    params: { organizationId: octavo.admin.organizationId },
    body: { title: 'Collection' },
  })
  const inside = await connectedSpace()
  await octavo.admin.api.moveSpace({ params: { spaceId: inside.spaceId }, body: { parent: collection.id } })
  expect(await getGitInfo(octavo.admin, inside.spaceId)).toMatchObject({ hasCredentials: true })
  await octavo.admin.api.transferCollection({
    params: { collectionId: collection.id },
    body: { organization: organizationId },
  })
  expect(await refusal(target.owner.api.getSpaceGitInfo({ params: { spaceId: inside.spaceId } }))).toBe('404')
})
