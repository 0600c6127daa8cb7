import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { GitError, type GitRemote, parseRemote } from '../../src/fetch/git.ts'
import { makeGate } from '../support/gate.ts'
import { type GitForTestOptions, gitForTest, gitServerForTest } from '../support/git-server.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const { signal } = new AbortController()
const main = 'refs/heads/main'
const credentials = { username: 'ada@work', password: 'se cr:e/t%' }

/** Options that resolve every name to the local machine and forbid private networks. */
const closed = {
  guard: { allowPrivateNetwork: false, resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) },
}

async function fetchMain(remote: GitRemote, options?: GitForTestOptions, given = signal): Promise<string | undefined> {
  const repository = await gitForTest(options).git.open('guide')
  return repository.fetch(remote, main, { signal: given })
}

async function errorOf(promise: Promise<unknown>): Promise<GitError> {
  const error = await promise.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(GitError)
  return error as GitError
}

/** Returns all text of an error that could be logged. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.message} ${error.stack} ${wordsOf(error.cause)}`
}

/** Returns the arguments of every process, or nothing without /proc. */
function runningCommands(): string[] {
  if (!existsSync('/proc/self/cmdline')) return []
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.flatMap((id) => {
    try {
      return [readFileSync(`/proc/${id}/cmdline`, 'utf8')]
    } catch {
      return [] // The process has ended.
    }
  })
}

function redirectTo(origin: () => string) {
  return (request: IncomingMessage, reply: ServerResponse) => {
    if (!request.url?.startsWith('/moved.git')) return false
    reply.writeHead(302, { location: `${origin()}${request.url.replace('/moved.git', '/guide.git')}` }).end()
    return true
  }
}

test('parseRemote separates credentials from the URL', () => {
  expect(parseRemote('https://ada%40work:se%20cr%3Ae%2Ft%25@Git.Example.com:443/guide.git#top')).toEqual({
    url: 'https://git.example.com/guide.git',
    credentials,
  })
  expect(parseRemote('https://token@git.example.com/guide')).toEqual({
    url: 'https://git.example.com/guide',
    credentials: { username: 'token', password: '' },
  })
  expect(parseRemote(' http://git.example.com:8080/a b.git ')).toEqual({ url: 'http://git.example.com:8080/a%20b.git' })
})

test('parseRemote rejects URLs that are not http(s) without repeating them', async () => {
  for (const address of [
    'ssh://git:hidden@example.com/guide.git',
    'git@example.com:hidden.git',
    'file:///hidden',
    'ext::sh -c hidden',
    '--upload-pack=hidden',
    'https://ada:hidden%ff@example.com/',
    'https://ada:hidden%0a@example.com/',
    'https://ada:hidden@ex ample.com/',
    '',
  ]) {
    const error = await errorOf((async () => parseRemote(address))())
    expect(error.failure).toBe('address')
    expect(wordsOf(error)).not.toContain('hidden')
  }
})

test('fetches and pushes with the right credentials', async () => {
  const server = await gitServerForTest({ credentials })
  const source = server.repository('guide.git')
  const tip = source.commit({ 'README.md': 'Hello' })
  const remote = { url: source.url, credentials }
  const repository = await gitForTest().git.open('guide')
  expect(await repository.fetch(remote, main, { signal })).toBe(tip)
  const [file] = await repository.listFiles(tip, '')
  for await (const blob of repository.readBlobs(remote, [file?.oid ?? ''], { signal, maxBlobBytes: 99 }))
    expect(blob).toMatchObject({ bytes: Buffer.from('Hello') })
  const person = { name: 'Ada', email: 'ada@example.com' }
  const chance = seededRandom(7)
  const changes = [{ path: 'a.bin', bytes: new Uint8Array(2_000_000).map(() => randomInteger(chance, 0, 255)) }]
  const written = {
    parent: tip,
    changes,
    message: 'More',
    author: person,
    committer: person,
    date: '2026-01-01T00:00:00Z',
  }
  const commit = await repository.writeCommit(written)
  await repository.push(remote, { commit, ref: main, expected: tip, signal })
  expect(source.tip()).toBe(commit)
})

test('reports rejected and missing credentials differently, without revealing them', async () => {
  const server = await gitServerForTest({ credentials })
  const { url } = server.repository('guide.git')
  const wrong = await errorOf(fetchMain({ url, credentials: { username: 'ada', password: 'hidden-word' } }))
  expect(wrong).toMatchObject({ failure: 'credentials', message: 'The repository rejected the credentials' })
  expect(wordsOf(wrong)).not.toMatch(/hidden-word|octavo:/)
  expect(await errorOf(fetchMain({ url }))).toMatchObject({
    failure: 'credentials',
    message: 'The repository requires credentials',
  })
})

// The arguments of processes are read from /proc, which exists only on Linux.
test.skipIf(runningCommands().length === 0)('no secret is in the arguments of any process', async () => {
  const seen: string[] = []
  const server = await gitServerForTest({
    credentials,
    intercept(request) {
      seen.push(...runningCommands())
      return request.url === '/'
    },
  })
  const source = server.repository('guide.git')
  source.commit({ 'README.md': 'Hello' })
  await fetchMain({ url: source.url, credentials })
  const commands = seen.filter((command) => command.includes(source.url))
  expect(commands.length).toBeGreaterThan(0)
  expect(
    seen.filter((command) => /octavo:|Basic |se cr/.test(command) || command.includes(credentials.username)),
  ).toEqual([])
})

test('follows a redirect on the same host with the credentials', async () => {
  const server = await gitServerForTest({ credentials, intercept: redirectTo(() => '') })
  const tip = server.repository('guide.git').commit({ 'README.md': 'Hello' })
  expect(await fetchMain({ url: `${server.origin}/moved.git`, credentials })).toBe(tip)
})

test('follows a redirect to another host without the credentials', async () => {
  const other = await gitServerForTest()
  const tip = other.repository('guide.git').commit({ 'README.md': 'Hello' })
  const secret = await gitServerForTest({ credentials })
  secret.repository('guide.git')
  let target = other.origin
  const server = await gitServerForTest({ intercept: redirectTo(() => target) })
  const remote = { url: `${server.origin}/moved.git`, credentials }
  expect(await fetchMain(remote)).toBe(tip)
  target = secret.origin
  expect(await errorOf(fetchMain(remote))).toMatchObject({ failure: 'credentials' })
  target = secret.origin.replace('//', '//ada%40work@')
  expect(await errorOf(fetchMain(remote))).toMatchObject({ failure: 'credentials' })
  expect(secret.requests.length).toBeGreaterThan(0)
  const sent = [...other.authorizations, ...secret.authorizations].map((header) => atob(header.replace('Basic ', '')))
  expect(sent.filter((header) => header.includes(credentials.password))).toEqual([])
})

test('rejects non-public hosts given by address, by name and behind a redirect', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  source.commit({ 'README.md': 'Hello' })
  const { port } = new URL(server.origin)
  const message =
    'The host was not found or has a private address. Set OCTAVO_ALLOW_PRIVATE_NETWORK on the server to allow private addresses'
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', 'git.example.com'])
    expect(await errorOf(fetchMain({ url: `http://${host}:${port}/guide.git` }, closed))).toMatchObject({
      failure: 'host',
      message,
    })
  expect(server.requests).toEqual([])

  const front = await gitServerForTest({ intercept: redirectTo(() => `http://localhost:${port}`) })
  const named = { guard: { ...closed.guard, isPublic: (address: string) => address === '127.0.0.1' } }
  const url = `http://git.example.com:${new URL(front.origin).port}`
  expect(await errorOf(fetchMain({ url: `${url}/moved.git` }, named))).toMatchObject({ failure: 'host', message })
  expect([front.requests.length, server.requests.length]).toEqual([1, 0])
  front.repository('guide.git').commit({ 'README.md': 'Hello' })
  expect(await fetchMain({ url: `${url}/guide.git` }, named)).toHaveLength(40)
})

test('rejects a repository over the size limit', async () => {
  const server = await gitServerForTest({ filter: false })
  const source = server.repository('guide.git')
  const chance = seededRandom(7)
  source.commit({ large: new Uint8Array(2_000_000).map(() => randomInteger(chance, 0, 255)) })
  expect(await errorOf(fetchMain(parseRemote(source.url), { maxBytes: 500_000 }))).toMatchObject({
    failure: 'tooLarge',
    message: 'The repository exceeds the size limit',
  })
})

test('rejects a tree with too many files to list', async () => {
  const server = await gitServerForTest()
  const source = server.repository('guide.git')
  let tree = source
    .git(['mktree'], `100644 blob ${source.git(['hash-object', '-w', '--stdin'], 'x').trim()}\tx\n`)
    .trim()
  for (let depth = 0; depth < 9; depth++)
    tree = source
      .git(['mktree'], Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\t${index}\n`).join(''))
      .trim()
  source.git(['update-ref', main, source.git(['commit-tree', '-m', 'Bomb', tree]).trim()])
  const repository = await gitForTest().git.open('guide')
  const oid = (await repository.fetch(parseRemote(source.url), main, { signal })) ?? ''
  expect(await errorOf(repository.listFiles(oid, ''))).toMatchObject({ failure: 'tooLarge' })
})

test('a server that does not respond causes a timeout', async () => {
  const server = await gitServerForTest({ intercept: () => true })
  const { url } = server.repository('guide.git')
  expect(await errorOf(fetchMain({ url }, { timeout: 300 }))).toMatchObject({
    failure: 'timeout',
    message: 'The repository did not respond in time',
  })
})

test('an aborted fetch ends and leaves the copy usable', async () => {
  const asked = makeGate()
  let hangs = true
  const server = await gitServerForTest({
    intercept(request) {
      if (!hangs || request.method !== 'POST') return false
      asked.open()
      return true
    },
  })
  const source = server.repository('guide.git')
  const tip = source.commit({ 'README.md': 'Hello' })
  const controller = new AbortController()
  const repository = await gitForTest().git.open('guide')
  const remote = parseRemote(source.url)
  const fetched = errorOf(repository.fetch(remote, main, { signal: controller.signal }))
  await asked.passed
  controller.abort()
  expect(await fetched).toMatchObject({ failure: 'aborted' })
  expect(runningCommands().filter((command) => command.includes(source.url))).toEqual([])
  expect(await errorOf(repository.fetch(remote, main, { signal: controller.signal }))).toMatchObject({
    failure: 'aborted',
  })
  hangs = false
  expect(await repository.fetch(remote, main, { signal })).toBe(tip)
})

test('reports a missing repository and a URL that is not a Git repository', async () => {
  const server = await gitServerForTest({
    intercept(request, reply) {
      if (!request.url?.startsWith('/page')) return false
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
      return true
    },
  })
  expect(await errorOf(fetchMain({ url: `${server.origin}/nowhere.git` }))).toMatchObject({
    failure: 'notFound',
    message: 'The repository was not found',
  })
  expect(await errorOf(fetchMain({ url: `${server.origin}/page` }))).toMatchObject({
    failure: 'notFound',
    message: 'The URL is not a Git repository',
  })
})

test('reports an unreachable or failing host without details', async () => {
  const server = await gitServerForTest({
    intercept(_, reply) {
      reply.writeHead(500).end('secret details')
      return true
    },
  })
  const message = 'The host of the repository could not be reached or sent an invalid reply'
  expect(await errorOf(fetchMain({ url: `${server.origin}/guide.git` }))).toMatchObject({ failure: 'host', message })
  server.close()
  expect(await errorOf(fetchMain({ url: `${server.origin}/guide.git` }))).toMatchObject({ failure: 'host', message })
})

test('reports that Git could not be started', async () => {
  expect(await errorOf(gitForTest({ environment: { PATH: '/nonexistent' } }).git.open('guide'))).toMatchObject({
    failure: 'broken',
    message: 'Git could not be started on this server',
  })
})
