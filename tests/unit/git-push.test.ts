import { expect, test } from 'vitest'
import { type GitChange, type GitRemote, type GitRepository, parseRemote } from '../../src/fetch/git.ts'
import { type GitServerOptions, type TestRepository, gitForTest, gitServerForTest } from '../support/git-server.ts'

const { signal } = new AbortController()
const main = 'refs/heads/main'
const author = { name: 'Grace', email: 'grace@example.com' }
const committer = { name: 'Octavo', email: 'octavo@example.com' }
const date = '2026-02-03T04:05:06.000Z'

const put = (path: string, text: string): GitChange => ({ path, bytes: Buffer.from(text) })

function write(
  repository: GitRepository,
  parent: string | undefined,
  changes: readonly GitChange[],
  message = 'Write\n',
) {
  return repository.writeCommit({ parent, changes, message, author, committer, date })
}

interface Story {
  source: TestRepository
  remote: GitRemote
  repository: GitRepository
}

async function story(options?: GitServerOptions): Promise<Story> {
  const server = await gitServerForTest(options)
  const source = server.repository('guide.git')
  return { source, remote: parseRemote(source.url), repository: await gitForTest().git.open('guide') }
}

/** Creates a repository with one commit that has been fetched. */
async function storyWithCommit(options?: GitServerOptions): Promise<Story & { tip: string }> {
  const made = await story(options)
  const tip = made.source.commit({
    'README.md': 'Hello',
    'docs/a.md': 'A',
    'bin/run': { executable: '#!' },
    'docs/b.md': 'B',
  })
  await made.repository.fetch(made.remote, main, { signal })
  return { ...made, tip }
}

for (const [kind, options] of [
  ['without having any contents', {}],
  ['to a server of the first protocol', { old: true, filter: false }],
] as const)
  test(`changes are written and pushed ${kind}; what they do not name stays as it is`, async () => {
    const { source, remote, repository, tip } = await storyWithCommit(options)
    const commit = await write(repository, tip, [
      put('bin/run', '#!/bin/sh'),
      put('docs/"new" one\nß.md', 'New'),
      { path: 'docs/a.md', delete: true },
      { path: 'not/there.md', delete: true },
    ])
    await repository.push(remote, { commit, ref: main, expected: tip, signal })
    expect(source.list()).toEqual([
      '100644 README.md',
      '100755 bin/run',
      '100644 docs/"new" one\nß.md',
      '100644 docs/b.md',
    ])
    expect(source.read('bin/run')).toBe('#!/bin/sh')
    expect(source.read('docs/b.md')).toBe('B')
    expect(source.log()).toEqual(['Write', 'Change'])
    expect(source.git(['log', '-1', '--format=%an <%ae> %aI, %cn <%ce> %cI', 'main']).trim()).toBe(
      'Grace <grace@example.com> 2026-02-03T04:05:06+00:00, Octavo <octavo@example.com> 2026-02-03T04:05:06+00:00',
    )
    expect(() => source.git(['fsck', '--strict'])).not.toThrow()
    expect(await repository.fetch(remote, main, { signal })).toBe(commit)
  })

test('a file can become a folder and a folder a file, in any order of changes', async () => {
  const { source, remote, repository, tip } = await storyWithCommit()
  const commit = await write(repository, tip, [
    put('docs', 'A file now'),
    { path: 'docs/a.md', delete: true },
    put('README.md/inside.md', 'A folder now'),
    { path: 'docs/b.md', delete: true },
    { path: 'README.md', delete: true },
  ])
  await repository.push(remote, { commit, ref: main, expected: tip, signal })
  expect(source.list()).toEqual(['100644 README.md/inside.md', '100755 bin/run', '100644 docs'])
})

test('equal commits have equal ids', async () => {
  const one = await storyWithCommit()
  const other = await storyWithCommit()
  const changes = [put('a.md', 'A'), put('z/b.md', 'B')]
  expect(await write(one.repository, one.tip, changes)).toBe(await write(other.repository, other.tip, changes))
  expect(await write(one.repository, one.tip, changes)).not.toBe(await write(one.repository, undefined, changes))
})

test('the first push to an empty repository creates its branch', async () => {
  const { source, remote, repository } = await story()
  expect(await repository.fetch(remote, main, { signal })).toBeUndefined()
  const commit = await write(repository, undefined, [put('README.md', 'Hello')])
  await repository.push(remote, { commit, ref: main, expected: undefined, signal })
  expect(source.read('README.md')).toBe('Hello')
  expect(source.log()).toEqual(['Write'])
})

test('rejects a push to a branch changed by others unless it is forced', async () => {
  const { source, remote, repository, tip } = await storyWithCommit()
  const theirs = source.commit({ 'README.md': 'Theirs' })
  const commit = await write(repository, tip, [put('README.md', 'Ours')])
  const moved = { failure: 'moved', message: 'The branch was changed in the repository by someone else. Try again' }
  await expect(repository.push(remote, { commit, ref: main, expected: tip, signal })).rejects.toMatchObject(moved)
  await expect(repository.push(remote, { commit, ref: main, expected: undefined, signal })).rejects.toMatchObject(moved)
  expect(source.tip()).toBe(theirs)
  await repository.push(remote, { commit, ref: main, expected: tip, force: true, signal })
  expect(source.read('README.md')).toBe('Ours')
  // A push whose result was lost can be repeated.
  await repository.push(remote, { commit, ref: main, expected: tip, signal })
})

test('creates a new branch but does not overwrite an existing one', async () => {
  const { source, remote, repository, tip } = await storyWithCommit()
  const commit = await write(repository, tip, [put('README.md', 'Draft')])
  await repository.push(remote, { commit, ref: 'refs/heads/draft/one', expected: undefined, signal })
  expect(source.read('README.md', 'draft/one')).toBe('Draft')
  expect(source.read('README.md')).toBe('Hello')
  const push = { commit: tip, ref: 'refs/heads/draft/one', expected: undefined, signal }
  await expect(repository.push(remote, push)).rejects.toMatchObject({ failure: 'moved' })
})

test('reports the message of a server that rejects a push in one short line', async () => {
  const { source, remote, repository, tip } = await storyWithCommit()
  source.refusePushes(`Only \u001b[31mAda\u001b[0m may push,\nask her.\u0007 ${'Please! '.repeat(200)}`)
  const commit = await write(repository, tip, [put('README.md', 'Mine')])
  const error: unknown = await repository
    .push(remote, { commit, ref: main, expected: tip, signal })
    .catch((thrown) => thrown)
  expect(error).toMatchObject({ failure: 'refused' })
  const { message } = error as Error
  expect(message).toMatch(/^The repository rejected the push: Only Ada may push, ask her\. Please!/)
  expect(message.length).toBeLessThan(400)
  expect(source.tip()).toBe(tip)
})

test('removes credentials from the message of the server', async () => {
  const credentials = { username: 'ada-the-first', password: 'hidden-word' }
  const { source, remote, repository } = await story({ credentials })
  source.refusePushes('ada-the-first:hidden-word may not push')
  const commit = await write(repository, undefined, [put('README.md', 'Mine')])
  const push = { commit, ref: main, expected: undefined, signal }
  await expect(repository.push({ ...remote, credentials }, push)).rejects.toMatchObject({
    failure: 'refused',
    message: 'The repository rejected the push: …:… may not push pre-receive hook declined',
  })
})

test('rejects paths outside the repository or inside .git', async () => {
  const { repository, tip } = await storyWithCommit()
  for (const path of [
    '../x',
    'a/../b',
    '/etc/passwd',
    '.git/config',
    'a/.GIT/hooks/x',
    'a\0b',
    '',
    'a//b',
    'a/',
    '.',
    '.g\u200cit/x',
  ])
    await expect(write(repository, tip, [put(path, 'x')])).rejects.toMatchObject({ failure: 'address' })
  await expect(write(repository, tip, [{ path: '.git/config', delete: true }])).rejects.toMatchObject({
    failure: 'address',
  })
})

test('commit messages, names and paths cannot inject commands', async () => {
  const { source, remote, repository } = await story()
  const message = 'Nice\n\nM 100644 inline evil\ndata 1\nx\ndone\n'
  const name = 'Eve <root@example.com>\nfrom nowhere'
  const person = { name, email: 'eve@example.com> 0 +0000\n' }
  const commit = await repository.writeCommit({
    parent: undefined,
    changes: [put('a\nM 100644 inline evil\n', 'data 99\n')],
    message,
    author: person,
    committer: person,
    date,
  })
  await repository.push(remote, { commit, ref: main, expected: undefined, signal })
  expect(source.list()).toEqual(['100644 a\nM 100644 inline evil\n'])
  expect(await repository.getCommit(commit)).toMatchObject({
    message,
    author: { name: 'Eve root@example.com from nowhere', email: 'eve@example.com 0 +0000' },
    date,
  })
})

test('writes empty files and commits without changes', async () => {
  const { source, remote, repository } = await story()
  const first = await write(repository, undefined, [put('empty.md', '')])
  const commit = await write(repository, first, [], '')
  await repository.push(remote, { commit, ref: main, expected: undefined, signal })
  expect(source.read('empty.md')).toBe('')
  expect(await repository.getCommit(commit)).toMatchObject({ parents: [first], message: '' })
})

test('writes and pushes 3,000 files at once', async () => {
  const { source, remote, repository } = await story()
  const changes = Array.from({ length: 3000 }, (_, index) =>
    put(`part-${index % 30}/page-${index}.md`, `# Page ${index}\n`),
  )
  const first = await write(repository, undefined, changes)
  await repository.push(remote, { commit: first, ref: main, expected: undefined, signal })
  expect(source.list()).toHaveLength(3000)
  const second = await write(repository, first, [put('part-0/page-0.md', 'Changed')])
  await repository.push(remote, { commit: second, ref: main, expected: first, signal })
  expect(source.read('part-0/page-0.md')).toBe('Changed')
  expect(source.read('part-1/page-1.md')).toBe('# Page 1\n')
})
