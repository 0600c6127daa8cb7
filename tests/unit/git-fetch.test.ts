import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type GitBlob, type GitFile, type GitRemote, type GitRepository, parseRemote } from '../../src/fetch/git.ts'
import { gitForTest, gitServerForTest } from '../support/git-server.ts'

const { signal } = new AbortController()
const main = 'refs/heads/main'

async function tipOf(repository: GitRepository, remote: GitRemote, ref = main): Promise<string> {
  const oid = await repository.fetch(remote, ref, { signal })
  if (oid === undefined) throw new Error('There is no such branch')
  return oid
}

async function readAll(
  repository: GitRepository,
  remote: GitRemote,
  oids: readonly string[],
  maxBlobBytes = 1_000_000,
) {
  const blobs: GitBlob[] = []
  for await (const blob of repository.readBlobs(remote, oids, { signal, maxBlobBytes })) blobs.push(blob)
  return blobs
}

async function textsOf(repository: GitRepository, remote: GitRemote, files: readonly GitFile[]) {
  const blobs = await readAll(
    repository,
    remote,
    files.map(({ oid }) => oid),
  )
  const texts = blobs.map((blob) => ('bytes' in blob ? Buffer.from(blob.bytes).toString() : 'too large'))
  return Object.fromEntries(files.map(({ path }, index) => [path, texts[index]]))
}

/** Returns a tree entry in its stored form. */
function entry(mode: string, name: string, oid: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
}

for (const [kind, options] of [
  ['that leaves out contents', {}],
  ['that cannot leave out contents', { filter: false }],
  ['that leaves out contents but gives no single ones', { old: true }],
  ['of the first protocol', { old: true, filter: false }],
] as const)
  test(`a branch is fetched, listed and read from a server ${kind}`, async () => {
    const server = await gitServerForTest(options)
    const source = server.repository('guide.git')
    source.commit({ 'README.md': '# One\n' }, { message: 'First\n' })
    const files = { 'README.md': '# Two\n', 'docs/a.md': 'A', 'docs/b/c.md': 'C' }
    const oid = source.commit(files, { message: 'Second\n\nWith more words\n' })
    const remote = parseRemote(source.url)
    const repository = await gitForTest().git.open('guide')

    expect(await tipOf(repository, remote)).toBe(oid)
    expect(await repository.getCommit(oid)).toEqual({
      oid,
      parents: [source.git(['rev-parse', 'main~1']).trim()],
      message: 'Second\n\nWith more words\n',
      author: { name: 'Ada', email: 'ada@example.com' },
      date: '2023-11-14T22:15:20.000Z',
    })
    expect(await textsOf(repository, remote, await repository.listFiles(oid, ''))).toEqual(files)
    expect(await textsOf(repository, remote, await repository.listFiles(oid, 'docs'))).toEqual({
      'a.md': 'A',
      'b/c.md': 'C',
    })

    const next = source.commit({ 'docs/a.md': 'A again' })
    expect(await tipOf(repository, remote)).toBe(next)
    expect(await textsOf(repository, remote, await repository.listFiles(next, ''))).toEqual({
      ...files,
      'docs/a.md': 'A again',
    })
  })

test('reads missing blobs in one request, and present blobs without any', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  source.commit(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.md`, `Text ${index}`])))
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  const files = await repository.listFiles(await tipOf(repository, remote), '')
  server.requests.length = 0
  expect(Object.keys(await textsOf(repository, remote, files))).toHaveLength(50)
  expect(server.requests).toEqual([
    'GET /guide.git/info/refs?service=git-upload-pack',
    'POST /guide.git/git-upload-pack',
  ])
  await textsOf(repository, remote, files)
  expect(server.requests).toHaveLength(2)
})

test('returns blobs in the requested order, including repeated ones, and marks those over the limit', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const large = 'x'.repeat(300_000)
  source.commit({ empty: '', small: 'small\n', 'binary.bin': new Uint8Array([0, 10, 13, 255]), large })
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  const files = await repository.listFiles(await tipOf(repository, remote), '')
  const [binary = '', empty = '', largeOid = '', small = ''] = files.map(({ oid }) => oid)
  const order = [small, largeOid, binary, small, empty]
  expect(await readAll(repository, remote, order, 1000)).toEqual([
    { oid: small, bytes: Buffer.from('small\n') },
    { oid: largeOid, tooLarge: true },
    { oid: binary, bytes: Buffer.from([0, 10, 13, 255]) },
    { oid: small, bytes: Buffer.from('small\n') },
    { oid: empty, bytes: Buffer.alloc(0) },
  ])
  const [largeBlob] = await readAll(repository, remote, [largeOid])
  expect(largeBlob && 'bytes' in largeBlob && Buffer.from(largeBlob.bytes).toString() === large).toBe(true)
})

test('a reader can stop early', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  source.commit(
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.md`, `${index}`.repeat(99_999)])),
  )
  const remote = parseRemote(source.url)
  const { git } = gitForTest()
  const repository = await git.open('guide')
  const files = await repository.listFiles(await tipOf(repository, remote), '')
  const oids = files.map(({ oid }) => oid)
  for await (const blob of repository.readBlobs(remote, oids, { signal, maxBlobBytes: 1_000_000 })) {
    expect(blob.oid).toBe(oids[0])
    break
  }
  await git.trim(0)
  expect(await tipOf(repository, remote)).toBe(source.tip())
})

test('keeps unusual paths and omits unsafe ones', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const paths = ['a b.md', 'Ünï/日本.md', 'quo"te\\s.md', 'new\nline.md', "it's.md", ':(top)x.md', '-n', 'tab\t.md']
  source.commit(Object.fromEntries(paths.map((path) => [path, path])))
  const blob = source.git(['rev-parse', 'main:-n']).trim()
  const tree = (entries: Uint8Array[]) =>
    source.git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(entries)).trim()
  const unsafe = ['..', '.GIT', '.git ', 'git~1'].map((name) =>
    entry('40000', name, tree([entry('100644', 'x', blob)])),
  )
  const safe = source.git(['ls-tree', '-z', 'main'])
  const entries = safe.split('\0').slice(0, -1)
  const kept = entries.map((line) => {
    const [mode = '', , oid = ''] = line.slice(0, line.indexOf('\t')).split(' ')
    return entry(mode.replace(/^0/, ''), line.slice(line.indexOf('\t') + 1), oid)
  })
  const commit = source.git(['commit-tree', '-m', 'Unsafe', tree([...unsafe, ...kept])]).trim()
  source.git(['update-ref', main, commit])

  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  const files = await repository.listFiles(await tipOf(repository, remote), '')
  expect(files.map(({ path }) => path).sort()).toEqual([...paths].sort())
  expect(await textsOf(repository, remote, files)).toEqual(Object.fromEntries(paths.map((path) => [path, path])))
  expect(await repository.listFiles(commit, 'Ünï')).toEqual([expect.objectContaining({ path: '日本.md' })])
})

test('distinguishes files, symbolic links and submodules, and lists no files for a missing directory', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const oid = source.commit({
    link: { link: 'README.md' },
    'README.md': 'Hello',
    'bin/run': { executable: '#!/bin/sh\n' },
    module: { submodule: 'a'.repeat(40) },
  })
  const repository = await gitForTest().git.open('guide')
  await tipOf(repository, parseRemote(source.url))
  const files = await repository.listFiles(oid, '')
  expect(Object.fromEntries(files.map(({ path, kind }) => [path, kind]))).toEqual({
    'README.md': 'file',
    'bin/run': 'file',
    link: 'symlink',
    module: 'submodule',
  })
  expect((await repository.listFiles(oid, '/bin/')).map(({ path }) => path)).toEqual(['run'])
  for (const directory of ['nowhere', 'README.md', 'link', 'module', '..', 'bin/../bin'])
    expect(await repository.listFiles(oid, directory)).toEqual([])
})

test('fetches 3,000 files, and a second fetch transfers only new objects', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-git-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (let index = 0; index < 3000; index++) {
    const directory = join(folder, `part-${index % 30}`)
    if (index < 30) mkdirSync(directory)
    writeFileSync(join(directory, `page-${index}.md`), `# Page ${index}\n\n${`${index * 7919} `.repeat(20)}\n`)
  }
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  source.commitFolder(folder)
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  const files = await repository.listFiles(await tipOf(repository, remote), '')
  expect(files).toHaveLength(3000)
  const texts = await textsOf(repository, remote, files)
  expect(texts['part-9/page-2199.md']).toContain('# Page 2199\n')
  const first = server.sentBytes()

  source.commit({ 'part-9/page-2199.md': 'New' })
  const tip = await tipOf(repository, remote)
  const again = await textsOf(repository, remote, await repository.listFiles(tip, ''))
  expect(again).toEqual({ ...texts, 'part-9/page-2199.md': 'New' })
  expect(server.sentBytes() - first).toBeLessThan(first / 20)
})

test('history contains only the fetched depth', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const commits = ['1', '2', '3', '4'].map((text) => source.commit({ 'README.md': text }))
  const [oldest = '', third = '', second = '', newest = ''] = commits
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  await repository.fetch(remote, main, { signal })
  expect(await repository.history(newest, 10)).toEqual([newest])
  expect(await repository.has(third)).toBe(false)
  await repository.fetch(remote, main, { signal, depth: 3 })
  expect(await repository.history(newest, 10)).toEqual([newest, second, third])
  expect(await repository.history(newest, 2)).toEqual([newest, second])
  expect([await repository.has(third), await repository.has(oldest)]).toEqual([true, false])
  expect(await repository.isAncestor(third, newest)).toBe(true)
  expect(await repository.isAncestor(newest, third)).toBe(false)
})

test('fetches a branch whose history was rewritten', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  source.commit({ 'README.md': 'Before' })
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  await tipOf(repository, remote)
  const oid = source.commit({ 'other.md': 'After' }, { orphan: true })
  expect(await tipOf(repository, remote)).toBe(oid)
  expect((await repository.listFiles(oid, '')).map(({ path }) => path)).toEqual(['other.md'])
})

test('rejects a missing branch, unless it may be missing or the repository is empty', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const remote = parseRemote(source.url)
  const repository = await gitForTest().git.open('guide')
  expect(await repository.fetch(remote, main, { signal })).toBeUndefined()
  source.commit({ 'README.md': 'Hello' }, { branch: 'trunk' })
  await expect(repository.fetch(remote, main, { signal })).rejects.toMatchObject({
    failure: 'noBranch',
    message: 'The branch was not found in the repository',
  })
  expect(await repository.fetch(remote, main, { signal, mayBeMissing: true })).toBeUndefined()
  for (const ref of [
    'main',
    'HEAD',
    'refs/heads/*',
    'refs/heads/a:refs/heads/b',
    'refs/heads/a..b',
    'refs/heads/-\n',
    '--all',
  ])
    await expect(repository.fetch(remote, ref, { signal })).rejects.toMatchObject({ failure: 'noBranch' })
})

for (const old of [false, true])
  test(`a repository whose objects have SHA-256 ids is fetched like any other${old ? ', also over the first protocol' : ''}`, async () => {
    const server = await gitServerForTest({ old })
    const source = server.repository('guide.git', { objectFormat: 'sha256' })
    const oid = source.commit({ 'README.md': 'Hello' })
    expect(oid).toHaveLength(64)
    const remote = parseRemote(source.url)
    const repository = await gitForTest().git.open('guide')
    expect(await tipOf(repository, remote)).toBe(oid)
    expect(await textsOf(repository, remote, await repository.listFiles(oid, ''))).toEqual({ 'README.md': 'Hello' })
  })
