import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { type GitServer, gitServerForTest } from '../support/git-server.ts'
import { editLive, emptySpace, insertPage, writePage } from '../support/content.ts'
import {
  exportTo,
  waitForGitOperations,
  holdReplies,
  importFrom,
  mainBranch,
  manualFiles,
  createSpaceReader,
} from '../support/git.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, serverForTest, waitUntil } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started), { OCTAVO_GIT_MAX_BYTES: '300000' })

/** Generates text that does not compress well. */
const noise = (length: number) => {
  let state = 1
  const next = () => (state = (state * 48271) % 2147483647)
  return Array.from({ length }, () => String.fromCharCode(33 + (next() % 90))).join('')
}

test('a failed import reports its reason and leaves the space unchanged', async () => {
  const guarded = await gitServerForTest({ credentials: { username: 'ada', password: 'swordfish-1' } })
  const secret = guarded.newRepository(manualFiles)
  const closed = secret.url.replace('://', '://ada:wrong-password-2@')
  const good = server.newRepository(manualFiles)
  const unreachable = 'http://127.0.0.1:1/nobody.git'
  const cases: [body: { url: string; ref?: string; repoProjectDirectory?: string }, error: RegExp, status?: string][] =
    [
      [{ url: unreachable }, /^The host of the repository could not be reached/],
      [{ url: 'http://127.0.0.1:1/%zz.git' }, /^The host of the repository could not be reached/],
      [{ url: secret.url }, /^The repository requires credentials$/, 'unauthenticated'],
      [{ url: closed }, /^The repository rejected the credentials$/, 'unauthenticated'],
      [{ url: good.url, ref: 'refs/heads/nowhere' }, /^The branch was not found in the repository$/],
      [{ url: `${server.origin}/absent` }, /^The repository was not found$/],
      [{ url: server.newRepository().url }, /^The repository is empty$/],
      [{ url: server.newRepository({ 'README.md': noise(400_000) }).url }, /^The repository exceeds the size limit$/],
      [{ url: good.url, repoProjectDirectory: 'handbook' }, /^The directory handbook of the branch has no files$/],
    ]
  for (const [body, error, status = 'pending'] of cases) {
    const spaceId = await emptySpace(octavo.admin)
    await editLive(octavo.admin, spaceId, insertPage('# Mine\n\nWords.'))
    const space = createSpaceReader(octavo, spaceId)
    const before = await space.revision()
    const operation = await importFrom(octavo.admin, spaceId, good, body)
    expect(operation, body.url).toMatchObject({ state: 'failure', error: expect.stringMatching(error) })
    expect(operation.endedAt).toBeDefined()
    expect(await space.revision()).toBe(before)
    const info = await octavo.admin.api.getSpaceGitInfo({ params: { spaceId } })
    expect(info.installationStatus, body.url).toBe(status)
    expect(JSON.stringify(info)).not.toContain('wrong-password-2')
  }
  expect(octavo.log.join('\n')).not.toMatch(/swordfish-1|wrong-password-2/)
})

test('rejects invalid URLs, refs, directories and timestamps with 400', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const sent = (body: object) =>
    refusal(
      octavo.admin.api.importGitRepository({
        params: { spaceId },
        body: { url: 'https://git.example/x', ref: mainBranch, ...body },
      }),
    )
  for (const url of [
    'ssh://git@host/x',
    'file:///etc',
    'ftp://host/x',
    'git@host:x.git',
    'x',
    'https://a:%ff@host/x',
  ]) {
    expect(await sent({ url }), url).toBe('400 body.url')
  }
  for (const ref of ['main', 'refs/tags/v1', 'refs/heads/', 'refs/heads/a..b', 'refs/heads/a b', 'refs/heads/x.lock']) {
    expect(await sent({ ref }), ref).toBe('400 body.ref')
  }
  for (const directory of ['../x', 'docs/../../etc', 'docs/.git/hooks', '.GIT', 'a\\b', 'a\u0001b']) {
    expect(await sent({ repoProjectDirectory: directory }), directory).toBe('400 body.repoProjectDirectory')
  }
  expect(await sent({ timestamp: 'yesterday' })).toBe('400 body.timestamp')
  expect(await sent({ gitInfo: { url: 'javascript:alert(1)' } })).toBe('400 body.gitInfo.url')
  expect(await sent({ repoTreeURL: 'javascript:alert(1)' })).toBe('400 body.repoTreeURL')
  const updated = octavo.admin.api.updateSpaceGitInfo({ params: { spaceId }, body: { ref: mainBranch } })
  expect(await refusal(updated)).toBe('400 body.url')
  expect(await refusal(octavo.admin.api.getSpaceGitInfo({ params: { spaceId } }))).toBe('404')
})

test('imports unusual files with warnings, and exports them unchanged', async () => {
  const nested = Array.from({ length: 3000 }, (_, depth) => `${'  '.repeat(depth % 400)}- item ${depth}`).join('\n')
  const files = {
    'README.md': '# Home\r\n\r\nFirst line\r\nSecond line\r\n\r\n* one\r\n* two\r\n',
    'secret.md': { link: '/etc/passwd' },
    'up.md': { link: '../../../etc/passwd' },
    library: { submodule: 'a'.repeat(40) },
    'latin.md': Buffer.from('# Caf\xe9\n\nD\xe9j\xe0 vu\n', 'latin1'),
    'Guide.md': '# Large\n',
    'guide.md': '# Small\n',
    'bomb.md': `# Bomb\n\n${nested}\n`,
    'quotes.md': `# Quotes\n\n${'> '.repeat(5000)}deep\n`,
    'picture.md': '# Picture\n\n![](.gitbook/assets/big.png)\n',
    '.gitbook/assets/big.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`,
    'run.sh': { executable: '#!/bin/sh\n' },
  }
  const repository = server.newRepository(files)
  const first = repository.tip()
  const spaceId = await emptySpace(octavo.admin)
  const imported = await importFrom(octavo.admin, spaceId, repository)
  expect(imported.state).toBe('success')
  const told = imported.warnings.map(({ file, message }) => `${file} ${message}`).join('\n')
  expect(told).toMatch(/^secret\.md is a symbolic link/m)
  expect(told).toMatch(/^up\.md is a symbolic link/m)
  expect(told).toMatch(/^library is a submodule/m)
  expect(told).toMatch(/^latin\.md is not valid UTF-8/m)
  expect(told).toMatch(/^\.gitbook\/assets\/big\.png is stored in Git LFS/m)

  const space = createSpaceReader(octavo, spaceId)
  expect(await space.markdownAt('latin')).toContain('Déjà vu')
  expect((await space.titles()).filter((title) => /Large|Small/.test(title)).sort()).toEqual(['Large', 'Small'])
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })

  const home = await space.idAt('readme')
  await editLive(octavo.admin, spaceId, writePage(home, '# Home\n\nFirst line\nSecond line\n\n* one\n* two, edited\n'))
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.git(['diff', '--name-only', first ?? '', 'main'])).toBe('README.md\n')
  expect(repository.read('README.md')).toBe('# Home\r\n\r\nFirst line\r\nSecond line\r\n\r\n* one\r\n* two, edited\r\n')
  expect(repository.list()).toEqual(
    expect.arrayContaining(['120000 secret.md', '160000 library', '100755 run.sh', '100644 Guide.md']),
  )
})

test('counts all warnings, stores the first 1000 and lists the first 20', async () => {
  const longest = 'x'.repeat(50_000)
  const pages = Array.from({ length: 60 }, (_, page) => {
    const links = Array.from({ length: 30 }, (__, index) => `[a](gone-${page}-${index}.md)`)
    return [`page-${page}.md`, `# Page ${page}\n\n${links.join('\n\n')}\n`]
  })
  const repository = server.newRepository({
    'README.md': `# Home\n\n[long](${longest}.md)\n`,
    ...(Object.fromEntries(pages) as Record<string, string>),
  })
  const spaceId = await emptySpace(octavo.admin)
  const operation = await importFrom(octavo.admin, spaceId, repository)
  expect(operation).toMatchObject({ state: 'success', warningCount: 60 * 20 + 1 })
  expect(operation.warnings).toHaveLength(20)
  const params = { spaceId, operationId: operation.id }
  const whole = await octavo.admin.api.getSpaceGitOperation({ params })
  expect(whole.warnings).toHaveLength(1000)
  const { id: page } = await octavo.admin.api.getPageByPath({ params: { spaceId, pagePath: 'page-0' }, query: {} })
  expect(whole.warnings).toContainEqual({ file: 'page-0.md', line: 5, message: 'Broken link: gone-0-1.md', page })
  const space = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  expect(JSON.stringify(space).length).toBeLessThan(20_000)
})

test('a rejected push changes nothing and reports the message of the hook', async () => {
  const repository = server.newRepository(manualFiles)
  const first = repository.tip()
  const spaceId = await emptySpace(octavo.admin)
  await importFrom(octavo.admin, spaceId, repository)
  const space = createSpaceReader(octavo, spaceId)
  const edit = async (text: string) =>
    editLive(octavo.admin, spaceId, writePage(await space.idAt('guide/install'), `# Install\n\n${text}\n`))
  await edit('Run it twice.')
  const before = await space.revision()
  repository.refusePushes('Commits hold credentials of somebody')
  const refused = await exportTo(octavo.admin, spaceId, repository)
  expect(refused).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(/^The repository rejected the push: Commits hold credentials of somebody/),
  })
  expect(repository.tip()).toBe(first)
  expect(await space.revision()).toBe(before)
  const info = await octavo.admin.api.getSpaceGitInfo({ params: { spaceId } })
  // A rejection by a hook does not mean that the credentials of the space are invalid.
  expect(info.installationStatus).toBe('active')

  repository.git(['config', 'core.hooksPath', '/dev/null'])
  await edit('Run it three times.')
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.read('guide/install.md')).toBe('# Install\n\nRun it three times.\n')
  expect(repository.log()).toEqual(['Export', 'Change'])
})

test('an import from a server that does not respond ends with a timeout', async () => {
  const impatient = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', OCTAVO_GIT_TIMEOUT: '1' })
  const host = await gitServerForTest({ intercept: () => true })
  const spaceId = await emptySpace(impatient.admin)
  const before = await createSpaceReader(impatient, spaceId).revision()
  const operation = await importFrom(impatient.admin, spaceId, host.repository('hangs'))
  expect(operation).toMatchObject({
    state: 'timeout',
    error: expect.stringMatching(/exceeded its time limit|did not respond in time/),
  })
  expect(await createSpaceReader(impatient, spaceId).revision()).toBe(before)
  expect((await impatient.admin.api.getSpaceGitInfo({ params: { spaceId } })).operationTimeout).toBe(1000)
})

test('refuses to import from private addresses unless they are allowed', async () => {
  const guarded = await serverForTest()
  const spaceId = await emptySpace(guarded.admin)
  const { port } = new URL(server.origin)
  const asked = server.requests.length
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]', '2130706433']
  for (const host of hosts) {
    const operation = await importFrom(guarded.admin, spaceId, { url: `http://${host}:${port}/x.git` })
    expect(operation, host).toMatchObject({
      state: 'failure',
      error:
        'The host was not found or has a private address. Set OCTAVO_ALLOW_PRIVATE_NETWORK on the server to allow private addresses',
    })
  }
  expect(server.requests.length).toBe(asked)
})

test('deleting a space ends its running and waiting imports without a new revision', async () => {
  const repository = server.newRepository(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const held = holdReplies(server, ({ url }) => url?.includes('git-upload-pack') === true)
  const body = { url: repository.url.replace('://', '://ada:swordfish-3@'), ref: mainBranch }
  await octavo.admin.api.importGitRepository({ params: { spaceId }, body })
  await waitUntil(async () => held.heldCount() > 0, 'the repository was asked')
  await octavo.admin.api.importGitRepository({ params: { spaceId }, body })
  await octavo.admin.api.deleteSpaceById({ params: { spaceId } })
  held.release()
  const { reader } = octavo.server.app.database
  const operations = () =>
    reader.selectFrom('git_operations').selectAll().where('space_id', '=', spaceId).orderBy('id').execute()
  await waitUntil(async () => (await operations()).every(({ ended_at: at }) => at !== null), 'both have ended')
  expect(await operations()).toMatchObject([
    { state: 'failure', error: 'The space was deleted', credentials: null },
    { state: 'failure', error: 'The space was deleted', credentials: null, commit_id: null },
  ])
  const revisions = reader.selectFrom('revisions').selectAll().where('space_id', '=', spaceId)
  expect(await revisions.execute()).toHaveLength(1)
  await octavo.admin.api.restoreSpace({ params: { spaceId } })
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect((await waitForGitOperations(octavo.admin, spaceId)).state).toBe('success')
})
