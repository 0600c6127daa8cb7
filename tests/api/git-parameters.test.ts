import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import {
  type SyncOptions,
  exportTo,
  getGitInfo,
  waitForGitOperations,
  listGitOperations,
  holdReplies,
  importFrom,
  mainBranch,
  manualFiles,
  createSpaceReader,
} from '../support/git.ts'
import { type GitServer, type TestRepository, gitServerForTest } from '../support/git-server.ts'
import { type TestServer, waitUntil } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const startImport = (spaceId: string, { url }: Pick<TestRepository, 'url'>, options: SyncOptions = {}) =>
  octavo.admin.api.importGitRepository({ params: { spaceId }, body: { url, ref: mainBranch, ...options } })

test('imports and exports one directory of a branch, links to files outside it and does not change them', async () => {
  const repository = server.newRepository()
  const files = {
    'packages/docs/README.md': '# Home\n\n[Source](../../src/main.c#L3) and [far](../../../../etc/passwd).\n',
    'packages/docs/one.md': '# One\n\nText.\n',
    'src/main.c': 'int main;\n',
    'README.md': '# Not the manual\n',
  }
  repository.commit(files, { branch: 'next/one' })
  const spaceId = await emptySpace(octavo.admin)
  const options = {
    ref: 'refs/heads/next/one',
    repoProjectDirectory: '/packages/docs/',
    repoTreeURL: 'https://code.example/tree/next',
    repoCommitURL: 'https://code.example/commit',
  }
  const imported = await importFrom(octavo.admin, spaceId, repository, options)
  expect(imported).toMatchObject({ state: 'success', warningCount: 1 })
  const space = createSpaceReader(octavo, spaceId)
  expect(await space.titles()).toEqual(['Home', 'One'])
  expect(await space.markdownAt('readme')).toContain('(https://code.example/tree/next/src/main.c#L3)')
  const revision = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(revision.git).toMatchObject({
    url: `https://code.example/commit/${repository.tip('next/one')}`,
    ref: 'refs/heads/next/one',
  })
  const info = await getGitInfo(octavo.admin, spaceId)
  expect(info).toMatchObject({ projectDirectory: 'packages/docs', url: 'https://code.example/tree/next' })
  expect(info).not.toHaveProperty('installationProvider')

  const [two = ''] = await editLive(octavo.admin, spaceId, insertPage('# Two\n\nSee it.\n'))
  const home = await space.idAt('readme')
  await editLive(
    octavo.admin,
    spaceId,
    writePage(home, `${await space.markdownAt('readme')}\n\nAnd [two](/pages/${two}).\n`),
  )
  expect(await exportTo(octavo.admin, spaceId, repository, options)).toMatchObject({ state: 'success' })
  const changed = repository.git(['diff', '--name-only', imported.commit ?? '', 'next/one'])
  expect(changed).toMatch(/^packages\/docs\/two\.md$/m)
  expect(changed).toMatch(/^(?:packages\/docs\/.+\n)+$/)
  expect(repository.read('packages/docs/README.md', 'next/one')).toContain(
    files['packages/docs/README.md'].slice(0, 70),
  )
  // Creates a missing directory next to the existing files.
  const elsewhere = { ...options, repoProjectDirectory: 'manual' }
  expect(await exportTo(octavo.admin, spaceId, repository, elsewhere)).toMatchObject({ state: 'success' })
  expect(repository.read('manual/two.md', 'next/one')).toBe('# Two\n\nSee it.\n')
  expect(repository.read('packages/docs/two.md', 'next/one')).toBe('# Two\n\nSee it.\n')
})

test('derives file and commit URLs from the Git provider', async () => {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  await importFrom(octavo.admin, spaceId, repository, { gitInfo: { provider: 'gitlab' } })
  expect(await getGitInfo(octavo.admin, spaceId)).toMatchObject({
    installationProvider: 'gitlab',
    url: `${repository.url}/-/tree/main`,
  })
  const { git } = await octavo.admin.api.getCurrentRevision({ params: { spaceId } })
  expect(git?.url).toBe(`${repository.url}/-/commit/${repository.tip()}`)

  const update = (body: { url?: string; ref?: string; provider?: 'github' | null }) =>
    octavo.admin.api.updateSpaceGitInfo({ params: { spaceId }, body })
  expect(await update({ provider: null, url: 'https://github.com/octavo/manual.git' })).toMatchObject({
    installationProvider: 'github',
    repoName: 'octavo/manual',
    url: 'https://github.com/octavo/manual/tree/main',
    installationStatus: 'pending',
  })
  expect(await update({ url: 'https://gitlab.com/group/sub/manual', ref: 'refs/heads/a/b' })).toMatchObject({
    installationProvider: 'gitlab',
    repoName: 'group/sub/manual',
    url: 'https://gitlab.com/group/sub/manual/-/tree/a/b',
  })
})

test('fetches only new commits, and spaces with the same cache id share fetched objects', async () => {
  const host = await gitServerForTest()
  const repository = host.repository('shared')
  const pages = Array.from({ length: 60 }, (_, page) => [`page-${page}.md`, `# Page ${page}\n\n${page ** 9}\n`])
  repository.commit({ 'README.md': '# Home\n', ...(Object.fromEntries(pages) as Record<string, string>) })
  const [one, other] = [await emptySpace(octavo.admin), await emptySpace(octavo.admin)]
  const bytesOf = async (spaceId: string) => {
    const before = host.sentBytes()
    const { state } = await importFrom(octavo.admin, spaceId, repository, { repoCacheID: 'manual' })
    expect(state).toBe('success')
    return host.sentBytes() - before
  }
  const first = await bytesOf(one)
  repository.commit({ 'page-7.md': '# Page 7\n\nChanged.\n' })
  expect(await bytesOf(one)).toBeLessThan(first / 2)
  expect(await bytesOf(other)).toBeLessThan(first / 2)
  expect(await createSpaceReader(octavo, other).markdownAt('page-7')).toContain('Changed.')
})

test('skips imports with an older timestamp, and runs waiting imports in the order of their timestamps', async () => {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const space = createSpaceReader(octavo, spaceId)
  await importFrom(octavo.admin, spaceId, repository, { timestamp: '2026-03-01T12:00:00Z' })
  const revision = await space.revision()
  repository.commit({ 'README.md': '# Late\n' })
  const skipped = await importFrom(octavo.admin, spaceId, repository, { timestamp: '2026-03-01T11:59:59.500Z' })
  expect(skipped).toMatchObject({ state: 'success', warnings: [{ message: expect.stringContaining('newer') }] })
  expect(await space.revision()).toBe(revision)
  const forced = { timestamp: '2026-03-01T11:00:00Z', force: true }
  expect(await importFrom(octavo.admin, spaceId, repository, forced)).toMatchObject({ state: 'success' })
  expect(await space.titles()).toContain('Late')
  repository.commit({ 'README.md': '# Later\n' })
  // Half a second later than the first import, although the timestamp sorts before it as text.
  await importFrom(octavo.admin, spaceId, repository, { timestamp: '2026-03-01T12:00:00.5Z' })
  expect(await space.titles()).toContain('Later')

  // Waiting operations run in the order of their timestamps, not of their requests.
  const held = holdReplies(server, ({ url }) => url?.includes('info/refs') === true)
  await startImport(spaceId, repository)
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  await startImport(spaceId, repository, { timestamp: '2026-03-03T00:00:00Z' })
  await startImport(spaceId, repository, { timestamp: '2026-03-02T00:00:00Z' })
  held.release()
  await waitForGitOperations(octavo.admin, spaceId)
  const [earlier, later] = await listGitOperations(octavo.admin, spaceId)
  expect(earlier).toMatchObject({ state: 'success', warningCount: 0 })
  expect((earlier?.endedAt ?? '') < (later?.endedAt ?? '')).toBe(true)
})

test('force replaces the edits of the other side on import and on export, and the history keeps them', async () => {
  const repository = server.newRepository()
  repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const space = createSpaceReader(octavo, spaceId)
  await importFrom(octavo.admin, spaceId, repository)
  const install = await space.idAt('guide/install')
  await editLive(octavo.admin, spaceId, writePage(install, '# Install\n\nRun it here.\n'))
  const edited = await space.revision()
  repository.commit({ 'guide/install.md': '# Install\n\nRun it there.\n', 'extra.md': '# Extra\n' })
  // A forced import also works while a conflict is open.
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'failure' })
  expect(await importFrom(octavo.admin, spaceId, repository, { force: true })).toMatchObject({ state: 'success' })
  expect(await space.markdownAt('guide/install')).toContain('there')
  expect(await space.idAt('guide/install')).toBe(install)
  const former = await octavo.admin.api.getRevisionById({ params: { spaceId, revisionId: edited }, query: {} })
  expect(former.pages).toHaveLength(2)

  await editLive(octavo.admin, spaceId, writePage(install, '# Install\n\nRun it by force.\n'))
  repository.commit({ 'guide/install.md': '# Install\n\nPushed meanwhile.\n', 'stray.md': '# Stray\n' })
  expect(await exportTo(octavo.admin, spaceId, repository, { force: true })).toMatchObject({ state: 'success' })
  expect(repository.read('guide/install.md')).toBe('# Install\n\nRun it by force.\n')
  expect(repository.read('LICENSE')).toBe('MIT\n')
  const before = await space.revision()
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await space.revision()).toBe(before)
})

test('a standalone import creates a revision without changing the content or connecting the space', async () => {
  const repository = server.newRepository()
  const commit = repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, insertPage('# Mine\n'))
  const space = createSpaceReader(octavo, spaceId)
  const before = await space.revision()
  const { state, revision = '' } = await importFrom(octavo.admin, spaceId, repository, { standalone: true })
  expect(state).toBe('success')
  expect(await space.revision()).toBe(before)
  const aside = await octavo.admin.api.getRevisionById({ params: { spaceId, revisionId: revision }, query: {} })
  expect(aside).toMatchObject({ git: { oid: commit }, pages: [{ title: 'Home' }, { title: 'Guide' }] })
  await expect(getGitInfo(octavo.admin, spaceId)).rejects.toMatchObject({ status: 404 })
})

test('never exposes credentials, and uses stored credentials only for their own repository', async () => {
  const password = 'hunter-two-and-a-half'
  const guarded = await gitServerForTest({ credentials: { username: 'ada@example', password } })
  const repository = guarded.repository('closed')
  repository.commit(manualFiles)
  const withCredentials = repository.url.replace('://', `://ada%40example:${password}@`)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  const { reader } = octavo.server.app.database

  const held = holdReplies(guarded, ({ headers }) => headers.authorization !== undefined)
  const sent = { method: 'POST', token: octavo.admin.token, headers: { 'idempotency-key': 'import-1' } }
  const post = () =>
    octavo.fetch(`/v1/spaces/${spaceId}/git/import`, {
      ...sent,
      body: JSON.stringify({ url: withCredentials, ref: mainBranch }),
    })
  expect((await post()).status).toBe(204)
  await waitUntil(async () => held.heldCount() > 0, 'the credentials were sent')
  // The request with the same idempotency key does not start another import.
  const again = await post()
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true'])
  expect(commandLines()).toContain('git\u0000fetch')
  expect(commandLines()).not.toContain(password)
  expect(await stored()).not.toContain(password)
  held.release()
  expect(await waitForGitOperations(octavo.admin, spaceId)).toMatchObject({ state: 'success' })
  expect(await listGitOperations(octavo.admin, spaceId)).toHaveLength(1)
  const row = await reader.selectFrom('git_operations').selectAll().where('space_id', '=', spaceId).executeTakeFirst()
  expect(row).toMatchObject({ state: 'success', credentials: null })
  expect(await getGitInfo(octavo.admin, spaceId)).toMatchObject({ hasCredentials: false, repository: repository.url })
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'failure' })

  const update = (body: { url: string; ref?: string }) => octavo.admin.api.updateSpaceGitInfo({ params, body })
  expect(await update({ url: withCredentials })).toMatchObject({ hasCredentials: true, repository: repository.url })
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await update({ url: repository.url })).toMatchObject({ hasCredentials: true })
  const asked = guarded.authorizations.length
  const other = guarded.repository('other')
  other.commit(manualFiles)
  expect(await importFrom(octavo.admin, spaceId, other)).toMatchObject({ state: 'failure' })
  expect(guarded.authorizations.length).toBe(asked)
  expect(await getGitInfo(octavo.admin, spaceId)).toMatchObject({
    hasCredentials: false,
    installationStatus: 'unauthenticated',
  })

  const told = JSON.stringify([await getGitInfo(octavo.admin, spaceId), await listGitOperations(octavo.admin, spaceId)])
  for (const text of [told, octavo.log.join('\n'), await stored()]) {
    expect(text).not.toContain(password)
    expect(text).not.toContain(Buffer.from(`ada@example:${password}`).toString('base64'))
  }

  async function stored(): Promise<string> {
    const tables = ['git_connections', 'git_operations', 'jobs', 'spaces', 'revisions', 'idempotency_keys'] as const
    const rows = await Promise.all(tables.map((table) => reader.selectFrom(table).selectAll().execute()))
    return JSON.stringify(rows)
  }
})

/** Returns the command lines of all processes of this machine, which any user can read. */
function commandLines(): string {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(commandLine).join('\n')
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process ended after the directory was listed.
    return ''
  }
}

test('the database file does not contain credentials in plain text', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const url = 'https://ada:correct-horse-battery@git.example/manual.git'
  await octavo.admin.api.updateSpaceGitInfo({ params: { spaceId }, body: { url, ref: mainBranch } })
  const { dataFolder } = octavo.server.app.config
  const files = readdirSync(dataFolder).filter((name) => name.startsWith('octavo.db'))
  const bytes = files.map((name) => readFileSync(`${dataFolder}/${name}`, 'latin1')).join('')
  expect(bytes).toContain('https://git.example/manual.git')
  expect(bytes).not.toContain('correct-horse-battery')
})
