import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { editLive, emptySpace, propose, readLive, writePage } from '../support/content.ts'
import { folderForTest, writeFiles } from '../support/disk.ts'
import { gitServerForTest } from '../support/git-server.ts'
import { runOctavo, startOctavo } from '../support/process.ts'
import { type TestServer, startTestServer, waitUntil } from '../support/server.ts'
import { createZip } from '../support/zip.ts'

let server: TestServer
let env: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  env = { OCTAVO_DATA: server.server.app.config.dataFolder, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }
})
afterAll(() => server.stop())

const files = {
  'README.md': '# Home\n\nSee the [guide](guide/README.md) and [nothing](gone.md).\n',
  'guide/README.md': '# Guide\n\nHow it works.\n',
  'guide/install.md': '# Install\n\nFirst words.\n\nLast words.\n',
  '.gitbook/assets/logo.txt': 'A file.\n',
}

/** Returns the ids of the pages of a space by path. */
async function pagesOf(spaceId: string, revisionId?: string): Promise<Record<string, string>> {
  const { api } = server.admin
  const id = revisionId ?? (await api.getSpaceById({ params: { spaceId } })).revision
  const { pages } = await api.getRevisionById({ params: { spaceId, revisionId: id } })
  const all: Record<string, string> = {}
  const note = (list: typeof pages): void => {
    for (const page of list) {
      if ('path' in page) all[page.path] = page.id
      if ('pages' in page) note(page.pages)
    }
  }
  note(pages)
  return all
}

const headOf = async (spaceId: string) => (await server.admin.api.getSpaceById({ params: { spaceId } })).revision

const runImport = (...words: string[]) => runCommand(['import', ...words], env)

test('imports a folder into a space of a running server; importing the same folder again changes nothing', async () => {
  const spaceId = await emptySpace(server.admin)
  const folder = folderForTest(files)
  const first = await runOctavo(['import', folder, '--space', spaceId], env)
  const revision = await headOf(spaceId)
  expect(first).toMatchObject({ exitCode: 0 })
  expect(first.stdout.split('\n').slice(0, 1)).toEqual([`Imported ${folder} into the space as revision ${revision}.`])
  expect(first.stdout).toMatch(/^3 pages, 3 read; pages and groups: 3 added, 0 changed, 0 removed\. Took .+\.$/m)
  expect(first.stdout).toContain('\n1 warning:\nREADME.md:3  Broken link: gone.md\n')
  const pages = await pagesOf(spaceId)
  expect(Object.keys(pages).sort()).toEqual(['guide', 'guide/install', 'readme'])
  const { items } = await server.admin.api.listFiles({ params: { spaceId } })
  expect(items.map(({ name }) => name)).toEqual(['logo.txt'])

  const again = await runImport(folder, '--space', spaceId)
  expect(again).toMatchObject({ exitCode: 0 })
  expect(again.stdout).toMatch(
    /^No changes: the space already has this content\.\n3 pages, 0 read; pages and groups: 0 added/,
  )
  expect(await headOf(spaceId)).toBe(revision)

  // An import overwrites edits made in the space and keeps page ids.
  const install = pages['guide/install'] as string
  await editLive(server.admin, spaceId, writePage(install, '# Install\n\nFirst words, edited.\n\nLast words.'))
  writeFiles(folder, { 'guide/README.md': '# Guide\n\nHow it works now.\n' })
  const third = await runImport(folder, '--space', spaceId)
  expect(third.stdout).toMatch(/^3 pages, 2 read; pages and groups: 0 added, 2 changed, 0 removed\./m)
  expect((await readLive(server.admin, spaceId, install)).markdown).toContain('First words.\n')
  expect((await readLive(server.admin, spaceId, pages['guide'] as string)).markdown).toContain('How it works now.')
  expect(await pagesOf(spaceId)).toEqual(pages)

  rmSync(join(folder, 'guide/install.md'))
  const fourth = await runImport(folder, '--space', spaceId)
  expect(fourth.stdout).toMatch(/^2 pages, .*: 0 added, 0 changed, 1 removed\./m)
})

test('keeps the id of a page that was written in the space when a file has the same path', async () => {
  const spaceId = await emptySpace(server.admin)
  const [page] = await editLive(server.admin, spaceId, {
    operation: 'insert_page',
    document: { markdown: '# Home\n\nOld.' },
  })
  const outcome = await runImport(folderForTest(files), '--space', spaceId)
  expect(outcome.stdout).toMatch(/^3 pages, 3 read; pages and groups: 2 added, 1 changed, 0 removed\./m)
  expect(Object.values(await pagesOf(spaceId))).toContain(page)
})

test('imports a folder into a new or an existing change request', async () => {
  const spaceId = await emptySpace(server.admin)
  const folder = folderForTest(files)
  const before = await headOf(spaceId)
  const created = await runImport(folder, '--space', spaceId, '--new-change-request', 'From a folder')
  expect(created.stdout).toMatch(/into change request 1 \(\w+\) as revision \w+\./)
  const proposal = await propose(server.admin, spaceId, 'Another')
  const changed = await runImport(folder, '--space', spaceId, '--change-request', '2', '--user', server.admin.email)
  expect(changed.stdout).toContain(`into change request 2 (${proposal.id})`)
  expect(await headOf(spaceId)).toBe(before)

  const { api } = server.admin
  const request = await api.getChangeRequestById({ params: { spaceId, changeRequestId: '1' } })
  expect(request).toMatchObject({ status: 'open', subject: 'From a folder', revisionInitial: before })
  expect(Object.keys(await pagesOf(spaceId, request.revision)).sort()).toEqual(['guide', 'guide/install', 'readme'])
  expect(await api.mergeChangeRequest({ params: { spaceId, changeRequestId: request.id } })).toMatchObject({
    result: 'merge',
  })
  expect(Object.keys(await pagesOf(spaceId))).toHaveLength(3)
  const merged = await runImport(folder, '--space', spaceId, '--change-request', request.id)
  expect(merged).toMatchObject({ exitCode: 1 })
  expect(merged.stderr).toContain('octavo import: The change request is already merged and cannot be changed')
})

test('refuses to import into a locked space, but imports into a change request of it', async () => {
  const spaceId = await emptySpace(server.admin)
  const folder = folderForTest(files)
  await server.admin.api.updateSpaceById({ params: { spaceId }, body: { editMode: 'locked' } })
  const before = await headOf(spaceId)
  const refused = await runImport(folder, '--space', spaceId)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/is locked.+--new-change-request/) })
  expect(await headOf(spaceId)).toBe(before)
  expect(await runImport(folder, '--space', spaceId, '--new-change-request', 'Docs')).toMatchObject({ exitCode: 0 })
})

test('imports a directory of an archive', async () => {
  const spaceId = await emptySpace(server.admin)
  const archive = join(folderForTest(), 'docs.zip')
  const packed = Object.entries(files).map(([name, content]) => ({ name: `project/docs/${name}`, content }))
  writeFileSync(archive, createZip([...packed, { name: 'project/README.md', content: '# Of the project\n' }]))
  const outcome = await runImport(archive, '--space', spaceId, '--directory', 'docs')
  expect(outcome).toMatchObject({ exitCode: 0 })
  expect(Object.keys(await pagesOf(spaceId)).sort()).toEqual(['guide', 'guide/install', 'readme'])
})

test('imports a branch of a repository with its commit and never prints the password', async () => {
  const spaceId = await emptySpace(server.admin)
  const git = await gitServerForTest({ credentials: { username: 'ada', password: 'pass-of-ada' } })
  const repository = git.repository('docs.git')
  const inDocs = Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text]))
  const oid = repository.commit(
    { ...inDocs, 'README.md': '# Code\n', 'docs/link.md': { link: '../README.md' } },
    { branch: 'next', message: 'Write the guide\n\nAll of it.\n' },
  )
  const url = repository.url.replace('://', '://ada:pass-of-ada@')
  const outcome = await runImport(url, '--space', spaceId, '--ref', 'next', '--directory', 'docs')
  expect(outcome).toMatchObject({ exitCode: 0 })
  expect(outcome.stdout).toMatch(`Imported ${repository.url} into the space as revision`)
  expect(outcome.stdout).toContain('link.md:1  is a symbolic link; symbolic links are not supported')
  const revisionId = await headOf(spaceId)
  const revision = await server.admin.api.getRevisionById({ params: { spaceId, revisionId } })
  expect(revision.git).toMatchObject({ oid, message: 'Write the guide\n\nAll of it.\n', createdByService: false })
  expect(Object.keys(await pagesOf(spaceId)).sort()).toEqual(['guide', 'guide/install', 'readme'])

  const again = await runImport(url, '--space', spaceId, '--ref', 'next', '--directory', 'docs')
  expect(again.stdout).toMatch(/^No changes: /)
  const refused = await Promise.all([
    runImport(url.replace('pass-of-ada', 'wrong-pass-of-ada'), '--space', spaceId),
    runCommand(['import', url, '--space', spaceId, '--ref', 'next'], { OCTAVO_DATA: env['OCTAVO_DATA'] as string }),
  ])
  for (const { exitCode, stdout, stderr } of refused) {
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/\noctavo import: [A-Z][^\n]+\n$/)
  }
  for (const { stdout, stderr } of [outcome, again, ...refused]) expect(stdout + stderr).not.toContain('pass-of-ada')
  expect(await headOf(spaceId)).toBe(revisionId)
})

test('an interrupted import leaves no temporary files and no changes', async () => {
  const spaceId = await emptySpace(server.admin)
  const before = await headOf(spaceId)
  // The server accepts requests and never replies.
  const git = await gitServerForTest({ intercept: () => true })
  const temporary = folderForTest()
  const words = ['import', `${git.origin}/docs.git`, '--space', spaceId]
  const running = startOctavo(words, { ...env, TMPDIR: temporary })
  await waitUntil(async () => git.requests.length > 0, 'the repository is asked for')
  running.kill('SIGINT')
  const { exitCode, stderr } = await running.ended
  expect({ exitCode, last: stderr.split('\n').at(-2) }).toEqual({ exitCode: 1, last: 'octavo import: was interrupted' })
  expect(readdirSync(temporary)).toEqual([])
  expect(await headOf(spaceId)).toBe(before)
})

test('explains why an import is impossible and changes nothing', async () => {
  const spaceId = await emptySpace(server.admin, 'The one with the title')
  const before = await headOf(spaceId)
  const [folder, bare] = [folderForTest(files), folderForTest({ 'notes.txt': 'Nothing.\n' })]
  const wrong: [words: string[], exitCode: number, told: RegExp][] = [
    [[folder, '--space', 'nobody'], 1, /The space nobody does not exist\. Available:\n[^]*  The one with the title\n/],
    [[join(folder, 'absent'), '--space', spaceId], 1, /The folder or file .*absent does not exist\n$/],
    [[bare, '--space', spaceId], 1, /No pages were found; nothing was imported\n$/],
    [[join(bare, 'notes.txt'), '--space', spaceId], 1, /The file is not a ZIP archive or is damaged\n$/],
    [['git@example.com:docs.git', '--space', spaceId], 1, /must begin with https:\/\/ or http:\/\/\n$/],
    [[folder, '--space', spaceId, '--change-request', '1', '--new-change-request', 'x'], 2, /cannot be used together/],
  ]
  const outcomes = await Promise.all(wrong.map(([words]) => runImport(...words)))
  outcomes.forEach((outcome, index) => {
    const [, exitCode, told] = wrong[index] as (typeof wrong)[number]
    expect(outcome).toMatchObject({ exitCode, stdout: '' })
    expect(outcome.stderr).toMatch(told)
  })
  expect(await headOf(spaceId)).toBe(before)
})
