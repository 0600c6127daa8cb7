import { createHmac } from 'node:crypto'
import { GitBookAPI } from '@gitbook/api'
import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { editLive, emptySpace, insertPage, propose, writePage } from '../support/content.ts'
import {
  exportTo,
  waitForGitOperations,
  listGitOperations,
  holdReplies,
  importFrom,
  mainBranch,
  manualFiles,
  createSpaceReader,
} from '../support/git.ts'
import { type GitServer, gitServerForTest } from '../support/git-server.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const refused = (calls: Promise<unknown>[]) => Promise.all(calls.map(refusal))

test('reports the connection, its operations and warnings, and keeps the content when it is removed', async () => {
  const { api, organizationId } = octavo.admin
  const repository = server.newRepository()
  repository.commit({ ...manualFiles, 'guide/install.md': '# Install\n\nSee [this](gone.md).\n' })
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const imported = await importFrom(octavo.admin, spaceId, repository)
  const warning = { file: 'guide/install.md', line: 3, message: 'Broken link: gone.md' }
  expect(imported).toMatchObject({ warningCount: 1, warnings: [warning], done: 3, total: 3 })
  await exportTo(octavo.admin, spaceId, repository)

  const page = await api.listSpaceGitOperations({ params, query: { limit: 1 } })
  expect(page).toMatchObject({ count: 2, items: [{ object: 'git-operation', direction: 'export' }] })
  const rest = await api.listSpaceGitOperations({ params, query: { limit: 1, page: page.next?.page } })
  expect(rest.items).toMatchObject([{ id: imported.id, direction: 'import' }])
  expect(rest.next).toBeUndefined()
  const one = await api.getSpaceGitOperation({ params: { spaceId, operationId: imported.id } })
  const { id: installId } = await api.getPageByPath({ params: { spaceId, pagePath: 'guide/install' }, query: {} })
  expect(one).toEqual({ ...rest.items[0], warnings: [{ ...warning, page: installId }] })
  expect(await refusal(api.getSpaceGitOperation({ params: { spaceId, operationId: 'none' } }))).toBe('404')

  const updated = await api.updateSpaceGitInfo({
    params,
    body: { commitMessage: '{change_request_subject}', importAfterPush: false, repoTreeURL: 'https://code.example/t' },
  })
  const { operationTimeout, ...state } = await api.getSpaceGitInfo({ params })
  expect(updated).toEqual({ ...state, operationTimeout })
  expect(state).toMatchObject({
    repository: repository.url,
    commitMessage: '{change_request_subject}',
    importAfterPush: false,
    exportAfterMerge: false,
    hasWebhook: false,
    url: 'https://code.example/t',
    commit: repository.tip(),
    operation: { direction: 'export', state: 'success', commit: repository.tip() },
  })
  expect((await api.getSpaceById({ params })).gitSync).toEqual(state)
  const { items } = await api.listSpacesInOrganizationById({ params: { organizationId }, query: { limit: 1000 } })
  expect(items.find(({ id }) => id === spaceId)?.gitSync).toEqual(state)

  // A different branch has no common commit yet; settings that are not in the request are kept.
  const other = await api.updateSpaceGitInfo({ params, body: { ref: 'refs/heads/next', commitMessage: null } })
  expect(other).toMatchObject({ ref: 'refs/heads/next', installationStatus: 'pending', importAfterPush: false })
  expect([other.commit, other.commitMessage]).toEqual([undefined, undefined])

  const legacy = await octavo.fetch(`/v1/spaces/${spaceId}/git/legacy-installation`, {
    method: 'DELETE',
    token: octavo.admin.token,
  })
  expect(legacy.status).toBe(204)
  await api.removeSpaceGitInfo({ params })
  await api.removeSpaceGitInfo({ params })
  expect(await refusal(api.getSpaceGitInfo({ params }))).toBe('404')
  expect((await api.getSpaceById({ params })).gitSync).toBeUndefined()
  expect(await createSpaceReader(octavo, spaceId).titles()).toEqual(['Home', 'Guide'])
  // After connecting again, the import recognizes that space and repository are equal.
  const revision = await createSpaceReader(octavo, spaceId).revision()
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await createSpaceReader(octavo, spaceId).revision()).toBe(revision)
  expect(await api.getSpaceGitInfo({ params })).toMatchObject({ commit: repository.tip() })
})

test('readers see the connection, creators start imports and exports, administrators change it', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const body = { url: 'http://127.0.0.1:1/x.git', ref: mainBranch }
  await octavo.admin.api.updateSpaceGitInfo({ params, body })
  const [reader, editor, creator] = [
    await octavo.member('read'),
    await octavo.member('edit'),
    await octavo.member('create'),
  ]
  const stranger = await octavo.person('Stranger')
  await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })

  expect(await reader.api.getSpaceGitInfo({ params })).toMatchObject({ repository: body.url })
  expect((await reader.api.listSpaceGitOperations({ params, query: {} })).count).toBe(0)
  const starts = ({ api }: typeof reader) => [
    api.importGitRepository({ params, body }),
    api.exportToGitRepository({ params, body: { ...body, commitMessage: 'x' } }),
  ]
  const connects = ({ api }: typeof reader) => [
    api.updateSpaceGitInfo({ params, body: { exportAfterMerge: true } }),
    api.removeSpaceGitInfo({ params }),
    api.createGitWebhook({ params }),
    api.removeLegacyGitInstallation({ params }),
  ]
  for (const person of [reader, editor]) expect(await refused(starts(person))).toEqual(['403', '403'])
  for (const person of [editor, creator]) expect(await refused(connects(person))).toEqual(['403', '403', '403', '403'])
  const foreign = [...starts(stranger), ...connects(stranger), stranger.api.getSpaceGitInfo({ params })]
  expect(new Set(await refused(foreign))).toEqual(new Set(['404']))
  expect(await refused(starts(creator))).toEqual(['was not refused', 'was not refused'])
  expect(await waitForGitOperations(octavo.admin, spaceId)).toMatchObject({ state: 'failure' })
})

test('the official client imports, exports and reads the state of the operation', async () => {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const { spaces } = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const imported = await spaces.importGitRepository(spaceId, {
    url: repository.url,
    ref: mainBranch,
    repoCacheID: 'official',
    timestamp: '2026-05-01T10:00:00.000Z',
    gitInfo: { provider: 'github', url: 'https://github.com/octavo/manual/tree/main' },
  })
  expect(imported.status).toBe(204)
  await waitForGitOperations(octavo.admin, spaceId)
  const { data: info } = await spaces.getSpaceGitInfo(spaceId)
  expect(info).toMatchObject({
    installationProvider: 'github',
    installationStatus: 'active',
    url: 'https://github.com/octavo/manual/tree/main',
    operation: { state: 'success', direction: 'import' },
  })
  await editLive(octavo.admin, spaceId, insertPage('# More\n'))
  const body = { url: repository.url, ref: mainBranch, commitMessage: 'From the client' }
  expect((await spaces.exportToGitRepository(spaceId, body)).status).toBe(204)
  await waitForGitOperations(octavo.admin, spaceId)
  expect(repository.log()).toEqual(['From the client', 'Change'])
  expect((await spaces.getSpaceById(spaceId)).data.gitSync?.operation?.state).toBe('success')
})

test('a webhook with a valid GitHub or GitLab signature starts an import', async () => {
  const guarded = await gitServerForTest({ credentials: { username: 'ada', password: 'swordfish-9' } })
  const repository = guarded.repository('hooked')
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const url = repository.url.replace('://', '://ada:swordfish-9@')
  await octavo.admin.api.updateSpaceGitInfo({ params, body: { url, ref: mainBranch } })
  const first = await octavo.admin.api.createGitWebhook({ params })
  const { url: address, secret } = await octavo.admin.api.createGitWebhook({ params })
  expect(address).toBe(`${octavo.url}/v1/spaces/${spaceId}/git/webhook`)
  const push = JSON.stringify({ ref: mainBranch, after: 'f'.repeat(40), repository: { full_name: 'x' } })
  const send = async (headers: Record<string, string>, body = push, to = address) =>
    (await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status
  const signed = (body: string, key = secret) => ({
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  })
  expect(await send({})).toBe(401)
  expect(await send({ 'x-gitlab-token': 'guessed' })).toBe(401)
  expect(await send(signed(push, first.secret))).toBe(401)
  expect(await send(signed(`${push} `))).toBe(401)
  expect(await send({ ...signed(push, 'wrong'), 'x-gitlab-token': secret })).toBe(401)
  expect(await send(signed(push), push, address.replace(spaceId, 'nowhere'))).toBe(404)
  expect(await send(signed(push), push, address.replace(spaceId, octavo.admin.spaceId))).toBe(404)
  for (const body of [{ ref: 'refs/heads/other' }, { ref: mainBranch, after: '0'.repeat(40) }, { zen: 'ping' }]) {
    expect(await send(signed(JSON.stringify(body)), JSON.stringify(body))).toBe(204)
  }
  expect(await send({ ...signed(push), 'x-github-event': 'ping' })).toBe(204)
  expect(await listGitOperations(octavo.admin, spaceId)).toEqual([])

  expect(await send(signed(push))).toBe(204)
  expect(await waitForGitOperations(octavo.admin, spaceId)).toMatchObject({ state: 'success', direction: 'import' })
  expect(await createSpaceReader(octavo, spaceId).titles()).toEqual(['Home', 'Guide'])
  const revision = await octavo.admin.api.getCurrentRevision({ params })
  expect(revision.git?.oid).toBe(repository.tip())

  // GitHub sends forms by default, and signs the encoded bytes.
  const form = `payload=${encodeURIComponent(JSON.stringify({ ref: 'refs/heads/other', text: 'é&=+ %' }))}`
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await send({ ...signed(form), ...asForm }, form)).toBe(204)
  expect(await send({ ...signed(decodeURIComponent(form)), ...asForm }, form)).toBe(401)
  for (const wrong of ['payload=%7B', 'other=%7B%7D', '']) {
    expect(await send({ ...signed(wrong), ...asForm }, wrong)).toBe(400)
  }
  expect(await send(signed(form), form)).toBe(400)
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(1)
  repository.commit({ 'README.md': '# Sent as a form\n' })
  const pushForm = new URLSearchParams({ payload: push }).toString()
  expect(await send({ ...signed(pushForm), ...asForm }, pushForm)).toBe(204)
  await waitForGitOperations(octavo.admin, spaceId)
  expect(await createSpaceReader(octavo, spaceId).titles()).toEqual(['Sent as a form', 'Guide'])

  // Pushes that arrive during an import share the next import.
  const held = holdReplies(guarded, ({ headers }) => headers.authorization !== undefined)
  expect(await send({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret })).toBe(204)
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  repository.commit({ 'README.md': '# Pushed\n' })
  for (let time = 0; time < 5; time++) expect(await send(signed(push))).toBe(204)
  held.release()
  await waitForGitOperations(octavo.admin, spaceId)
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(4)
  expect(await createSpaceReader(octavo, spaceId).titles()).toEqual(['Pushed', 'Guide'])

  await octavo.admin.api.updateSpaceGitInfo({ params, body: { importAfterPush: false } })
  expect(await send(signed(push))).toBe(204)
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(4)
  expect(octavo.log.join('\n')).not.toMatch(new RegExp(`${secret}|${first.secret}`))
})

test('exports merges and edits automatically, and combines those that wait for an import', async () => {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  await importFrom(octavo.admin, spaceId, repository)
  const commitMessage = 'Docs #{change_request_number}: {change_request_subject}'
  await octavo.admin.api.updateSpaceGitInfo({ params, body: { exportAfterMerge: true, commitMessage } })
  const space = createSpaceReader(octavo, spaceId)
  const install = await space.idAt('guide/install')
  const merge = async (subject: string, text: string) => {
    const proposal = await propose(octavo.admin, spaceId, subject)
    await proposal.edit(writePage(install, `# Install\n\n${text}\n`))
    expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  }
  await merge('Twice', 'Run it twice.')
  await waitForGitOperations(octavo.admin, spaceId)
  expect(repository.log()[0]).toBe('Docs #1: Twice')
  expect(repository.git(['log', '-1', '--format=%an <%ae>', 'main'])).toBe('Administrator <admin@octavo.local>\n')
  const editor = await octavo.member('admin', 'Grace')
  await editLive(editor, spaceId, insertPage('# Live\n'))
  await waitForGitOperations(octavo.admin, spaceId)
  expect(repository.git(['log', '-1', '--format=%an: %s', 'main'])).toBe('Grace: Changes made in Octavo\n')

  // An import without changes starts no export.
  const done = (await listGitOperations(octavo.admin, spaceId)).length
  await importFrom(octavo.admin, spaceId, repository)
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(done + 1)

  // Merges during an import wait for it and are exported in one operation.
  const held = holdReplies(server, ({ url }) => url?.includes('info/refs') === true)
  repository.commit({ 'README.md': '# Home\n\nPushed.\n' }, { message: 'Pushed' })
  await octavo.admin.api.importGitRepository({ params, body: { url: repository.url, ref: mainBranch } })
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  for (const text of ['one', 'two', 'three']) await merge(text, text)
  held.release()
  await waitForGitOperations(octavo.admin, spaceId)
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(done + 3)
  expect(repository.log().slice(0, 2)).toEqual(['Docs #4: three', 'Pushed'])
  expect(repository.read('guide/install.md')).toBe('# Install\n\nthree\n')
  expect(await space.markdownAt('readme')).toContain('Pushed.')
})

test('compares the space with its branch, and lists the operations of visible spaces', async () => {
  const { api, organizationId } = octavo.admin
  const repository = server.newRepository()
  const first = repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  /** Returns the status without the lifetime of a read commit: changed settings make the server ask again. */
  const readStatus = async () => {
    await api.updateSpaceGitInfo({ params, body: { importAfterPush: false } })
    return api.getSpaceGitStatus({ params })
  }
  expect(await refusal(api.getSpaceGitStatus({ params }))).toBe('404')
  await api.updateSpaceGitInfo({ params, body: { url: repository.url, ref: mainBranch } })
  expect(await readStatus()).toEqual({ object: 'git-status', state: 'pending', branchCommit: first })
  await importFrom(octavo.admin, spaceId, repository)
  expect(await readStatus()).toEqual({ object: 'git-status', state: 'in-sync', commit: first, branchCommit: first })
  await editLive(octavo.admin, spaceId, insertPage('New.', { title: 'New' }))
  expect((await readStatus()).state).toBe('ahead')
  await exportTo(octavo.admin, spaceId, repository)
  expect(await readStatus()).toMatchObject({ state: 'in-sync', commit: repository.tip() })
  const pushed = repository.commit({ 'guide/install.md': '# Install\n\nRun it twice.\n' })
  expect(await readStatus()).toMatchObject({ state: 'behind', branchCommit: pushed })
  await editLive(octavo.admin, spaceId, insertPage('Newer.', { title: 'Newer' }))
  expect((await readStatus()).state).toBe('diverged')

  const writer = await octavo.member('edit', 'Writer')
  expect(await refusal(writer.api.getSpaceGitStatus({ params }))).toBe('403')
  const stranger = await octavo.person('Stranger')
  expect(await refusal(stranger.api.getSpaceGitStatus({ params }))).toBe('404')
  await api.updateSpaceGitInfo({ params, body: { url: `${server.origin}/nothing.git` } })
  expect(await readStatus()).toMatchObject({ state: 'unknown', error: expect.stringContaining('not') })

  const organization = { organizationId }
  const own = async (person: typeof octavo.admin.api) =>
    (await person.listOrganizationGitOperations({ params: organization, query: {} })).items.filter(
      ({ space }) => space === spaceId,
    )
  expect((await own(api)).map(({ direction }) => direction)).toEqual(['export', 'import'])
  expect(await own(writer.api)).toHaveLength(2)
  const guest = await octavo.member(null, 'Guest')
  expect(await own(guest.api)).toEqual([])
  expect(await refusal(stranger.api.listOrganizationGitOperations({ params: organization, query: {} }))).toBe('404')
})
