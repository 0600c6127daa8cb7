import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type GitRepository, parseRemote } from '../../src/fetch/git.ts'
import { gitForTest, gitServerForTest } from '../support/git-server.ts'

const { signal } = new AbortController()
const main = 'refs/heads/main'
const person = { name: 'Ada', email: 'ada@example.com' }

const copiesIn = (folder: string) =>
  readdirSync(join(folder, 'repositories')).map((name) => join(folder, 'repositories', name))

function onlyCopyIn(folder: string): string {
  const [copy = ''] = copiesIn(folder)
  return copy
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

async function story() {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  const tip = source.commit({ 'README.md': 'Hello' })
  return { server, source, tip, remote: parseRemote(source.url), ...gitForTest() }
}

async function readmeOf(repository: GitRepository, remote: { url: string }, commit: string): Promise<string> {
  const oids = (await repository.listFiles(commit, '')).filter(({ path }) => path === 'README.md').map(({ oid }) => oid)
  for await (const blob of repository.readBlobs(remote, oids, { signal, maxBlobBytes: 1000 }))
    if ('bytes' in blob) return Buffer.from(blob.bytes).toString()
  return ''
}

test('keeps a copy per key, even when the key looks like a path', async () => {
  const { git, folder, remote, tip } = await story()
  await (await git.open('../../escape')).fetch(remote, main, { signal })
  expect(await (await git.open('../../escape')).has(tip)).toBe(true)
  expect(await (await git.open('other')).has(tip)).toBe(false)
  expect(copiesIn(folder)).toHaveLength(2)
})

test('removes the lock files and temporary packs of a killed process', async () => {
  const { git, folder, remote, source } = await story()
  await (await git.open('guide')).fetch(remote, main, { signal })
  const copy = onlyCopyIn(folder)
  const tips = readdirSync(join(copy, 'refs', 'octavo', 'tips')).map((name) =>
    join('refs', 'octavo', 'tips', `${name}.lock`),
  )
  const leftovers = ['shallow.lock', 'packed-refs.lock', 'config.lock', ...tips, 'objects/pack/tmp_pack_abc']
  for (const name of leftovers) writeFileSync(join(copy, name), '')
  const next = source.commit({ 'README.md': 'Again' })
  const repository = await git.open('guide')
  expect(await repository.fetch(remote, main, { signal })).toBe(next)
  expect(leftovers.filter((name) => existsSync(join(copy, name)))).toEqual([])
})

test('recreates a damaged copy', async () => {
  const { git, folder, remote, tip } = await story()
  await (await git.open('guide')).fetch(remote, main, { signal })
  const copy = onlyCopyIn(folder)
  const packs = join(copy, 'objects', 'pack')
  const damages = [
    () => rmSync(join(copy, 'HEAD')),
    () => rmSync(join(copy, 'objects'), { recursive: true }),
    () => writeFileSync(join(copy, 'config'), '[broken'),
    () => {
      for (const name of readdirSync(packs)) rmSync(join(packs, name))
    },
    () => {
      for (const name of readdirSync(packs).filter((found) => found.endsWith('.pack')))
        truncateSync(join(packs, name), 30)
    },
  ]
  for (const damage of damages) {
    damage()
    const repository = await git.open('guide')
    expect(await repository.fetch(remote, main, { signal })).toBe(tip)
    expect(await readmeOf(repository, remote, tip)).toBe('Hello')
  }
})

test('fetches a copy again that was removed while it was open', async () => {
  const { git, folder, remote, tip } = await story()
  const repository = await git.open('guide')
  await repository.fetch(remote, main, { signal })
  await git.trim(0)
  expect(copiesIn(folder)).toEqual([])
  await expect(repository.listFiles(tip, '')).rejects.toMatchObject({ failure: 'broken' })
  expect(await repository.fetch(remote, main, { signal })).toBe(tip)
  expect(await readmeOf(repository, remote, tip)).toBe('Hello')
})

test('concurrent fetches and pushes on one copy succeed', async () => {
  const { git, source, remote, tip } = await story()
  const repositories = await Promise.all(Array.from({ length: 6 }, () => git.open('guide')))
  const done = await Promise.all(
    repositories.map(async (repository, index) => {
      expect(await repository.fetch(remote, main, { signal })).toBe(tip)
      const changes = [{ path: `${index}.md`, bytes: Buffer.from(`${index}`) }]
      const date = '2026-01-01T00:00:00Z'
      const commit = await repository.writeCommit({
        parent: tip,
        changes,
        message: 'One',
        author: person,
        committer: person,
        date,
      })
      await repository.push(remote, { commit, ref: `refs/heads/b${index}`, expected: undefined, signal })
      return readmeOf(repository, remote, commit)
    }),
  )
  expect(done).toEqual(done.map(() => 'Hello'))
  for (const index of repositories.keys()) expect(source.read(`${index}.md`, `b${index}`)).toBe(`${index}`)
})

test('trim removes the least recently used copies', async () => {
  const { git, folder, remote, tip } = await story()
  const copies: string[] = []
  for (const key of ['a', 'b', 'c']) {
    await (await git.open(key)).fetch(remote, main, { signal })
    const added = copiesIn(folder).find((copy) => !copies.includes(copy)) ?? ''
    copies.push(added)
    const used = new Date(Date.UTC(2026, 0, 1 + copies.length))
    utimesSync(added, used, used)
  }
  await git.open('a')
  await git.trim(1_000_000)
  expect(copiesIn(folder)).toHaveLength(3)
  await git.trim(Math.max(...copies.map(sizeOf)))
  expect(await (await git.open('a')).has(tip)).toBe(true)
  expect(copiesIn(folder)).toEqual([copies[0]])
})

test('repacks a copy that has many packs without losing objects', async () => {
  const { git, folder, remote, tip } = await story()
  const repository = await git.open('guide')
  await repository.fetch(remote, main, { signal })
  const copy = onlyCopyIn(folder)
  const commits = Array.from(
    { length: 45 },
    (_, index) =>
      `commit refs/octavo/many\ncommitter A <a@example.com> ${index} +0000\ndata 0\nM 100644 inline ${index}.md\ndata 1\nx\ncheckpoint\n`,
  )
  const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--force']
  execFileSync('git', args, { env: { PATH: process.env.PATH, GIT_DIR: copy }, input: commits.join('\n') })
  const countPacks = () => readdirSync(join(copy, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length
  expect(countPacks()).toBeGreaterThan(40)
  const opened = await git.open('guide')
  expect(countPacks()).toBeLessThan(5)
  expect(await opened.has(tip)).toBe(true)
  expect(await readmeOf(opened, remote, tip)).toBe('Hello')
})

test('recreates a copy with too many shallow commits', async () => {
  const { git, folder, remote, tip } = await story()
  await (await git.open('guide')).fetch(remote, main, { signal })
  const ids = Array.from({ length: 1001 }, (_, index) => `${index.toString(16).padStart(40, '0')}\n`)
  appendFileSync(join(onlyCopyIn(folder), 'shallow'), ids.join(''))
  const repository = await git.open('guide')
  expect(await repository.has(tip)).toBe(false)
  expect(await repository.fetch(remote, main, { signal })).toBe(tip)
  expect(await readmeOf(repository, remote, tip)).toBe('Hello')
})
