import { expect, test } from 'vitest'
import { editUrlOf } from '../../src/domain/git/repository-urls.ts'

const editAt = (url: string, more: Partial<Parameters<typeof editUrlOf>[0]> = {}, path = 'docs/a b/#1.md') =>
  editUrlOf(
    { url, ref: 'refs/heads/feature/x', directory: '', provider: null, tree_url: null, commit_url: null, ...more },
    path,
  )

const end = 'feature/x/docs/a%20b/%231.md'

test('builds the edit URL of each known Git host', () => {
  expect(editAt('https://github.com/acme/docs.git')).toBe(`https://github.com/acme/docs/edit/${end}`)
  expect(editAt('https://gitlab.com/acme/team/docs')).toBe(`https://gitlab.com/acme/team/docs/-/edit/${end}`)
  expect(editAt('https://bitbucket.org/acme/docs.git/')).toBe(`https://bitbucket.org/acme/docs/src/${end}?mode=edit`)
  expect(editAt('https://codeberg.org/acme/docs.git')).toBe(`https://codeberg.org/acme/docs/_edit/${end}`)
  expect(editAt('https://gitea.example.org/acme/docs')).toBe(`https://gitea.example.org/acme/docs/_edit/${end}`)
})

test('recognizes a self-hosted server by its provider or its tree URL', () => {
  const own = 'https://code.example.com:8443/acme/docs.git'
  expect(editAt(own, { provider: 'gitlab' })).toBe(`https://code.example.com:8443/acme/docs/-/edit/${end}`)
  expect(editAt(own, { provider: 'github' })).toBe(`https://code.example.com:8443/acme/docs/edit/${end}`)
  expect(editAt('http://mirror.internal/docs', { tree_url: 'https://gitlab.com/acme/docs/-/tree/main' })).toBe(
    `https://gitlab.com/acme/docs/-/edit/${end}`,
  )
  expect(editAt(own)).toBeUndefined()
})

test('omits credentials, and returns no edit URL for tags, SSH remotes and script URLs', () => {
  expect(editAt('https://user:secret@github.com/acme/docs')).toBe(`https://github.com/acme/docs/edit/${end}`)
  expect(editAt('https://github.com/acme/docs', { tree_url: 'https://a:b@github.com/acme/docs/tree/main' })).toBe(
    `https://github.com/acme/docs/edit/${end}`,
  )
  expect(editAt('https://github.com/acme/docs', { ref: 'refs/tags/v1' })).toBeUndefined()
  expect(editAt('git@github.com:acme/docs.git')).toBeUndefined()
  expect(editAt('https://github.com/acme/docs', { tree_url: 'javascript:alert(1)' })).toBeUndefined()
})
