import { expect, test } from 'vitest'
import {
  extractWildcardMatch,
  toSourceKey,
  listCandidateKeys,
  isCircularRedirect,
  appendToUrlPath,
} from '../../src/publishing/redirects.ts'
import { seededRandom } from '../support/random.ts'

/** Returns the source that matches a path with the highest priority. */
function winner(sources: readonly string[], path: string): string | undefined {
  const keys = listCandidateKeys(path)
  const found = sources.filter((source) => keys.includes(toSourceKey(source)))
  return found.toSorted((a, b) => keys.indexOf(toSourceKey(a)) - keys.indexOf(toSourceKey(b)))[0]
}

const rule = (source: string, captures = false) => ({ sourceKey: toSourceKey(source), captures })
const follow = (source: string, path: string, url: string) =>
  appendToUrlPath(url, extractWildcardMatch(toSourceKey(source), path))
const plain = (path: string) => decodeURIComponent(path).toLowerCase()
const exactness = (source: string) => (source.endsWith('*') ? 0 : 1)

test('matches a path regardless of case, duplicate slashes and encoding', () => {
  const sources = ['/old/Caf%C3%A9', '/a%2Fb', '/tilde~', '/raw%FF', '/%E4%B8%AD/x', '/%C4%B0']
  expect(winner(sources, '/OLD/café/')).toBe('/old/Caf%C3%A9')
  expect(winner(sources, '//old//CAF%c3%89')).toBe('/old/Caf%C3%A9')
  expect(winner(sources, '/A%2fB')).toBe('/a%2Fb')
  expect(winner(sources, '/a/b')).toBeUndefined()
  expect(winner(sources, '/%74ilde%7E')).toBe('/tilde~')
  expect(winner(sources, '/RAW%ff')).toBe('/raw%FF')
  expect(winner(sources, '/中/X')).toBe('/%E4%B8%AD/x')
  expect(winner(sources, '/İ')).toBe('/%C4%B0')
  expect(winner(sources, '/')).toBeUndefined()
  expect(winner(sources, '/100%')).toBeUndefined()
})

test('an exact path takes priority over wildcards, and a longer wildcard over a shorter one', () => {
  const sources = ['/a*', '/a/*', '/a/b*', '/a/b/*', '/a/b/c']
  const won = ['/a', '/ab', '/a/x', '/a/b', '/a/bx', '/a/b/x', '/A/B/C', '/a/b/c/d', '/b'].map((path) => [
    path,
    winner(sources, path),
  ])
  expect(Object.fromEntries(won)).toEqual({
    '/a': '/a*',
    '/ab': '/a*',
    '/a/x': '/a/*',
    '/a/b': '/a/b*',
    '/a/bx': '/a/b*',
    '/a/b/x': '/a/b/*',
    '/A/B/C': '/a/b/c',
    '/a/b/c/d': '/a/b/*',
    '/b': undefined,
  })
})

test('an asterisk in a requested path is a literal character', () => {
  expect(winner(['/a*'], '/a*')).toBe('/a*')
  expect(extractWildcardMatch(toSourceKey('/a*'), '/a*')).toBe('%2A')
  expect(winner(['/a/*'], '/a/%2A')).toBe('/a/*')
  expect(winner(['/ab*'], '/a*')).toBeUndefined()
})

test('appends the text matched by a wildcard as it was requested', () => {
  expect(follow('/old/*', '/OLD/Guide/Größe', 'https://x.example/new')).toBe(
    'https://x.example/new/Guide/Gr%C3%B6%C3%9Fe',
  )
  expect(follow('/old/*', '/old/a/', 'https://x.example/new/?from=old#top')).toBe(
    'https://x.example/new/a?from=old#top',
  )
  expect(follow('/v1*', '/v1.2/a', 'https://x.example/v1')).toBe('https://x.example/v1.2/a')
  expect(follow('/v1*', '/v1/a', 'https://x.example/v2/')).toBe('https://x.example/v2/a')
  expect(follow('/v1*', '/v1', 'https://x.example/v2')).toBe('https://x.example/v2')
  expect(follow('/caf%C3%89/*', '/Café/É', 'https://x.example')).toBe('https://x.example/%C3%89')
})

test('the appended text cannot change the host or leave the path of the destination', () => {
  for (const path of ['/o/../../evil', '/o/%2e%2E/evil', '/o/./x', '/o/..']) expect(listCandidateKeys(path)).toEqual([])
  const hostile = ['/o/@evil.example', '/o.evil.example', '/o//evil.example', '/o/%5C%5Cevil', '/o/%3Fa%23b', '/o:8080']
  for (const path of hostile) {
    for (const source of ['/o*', '/o/*']) {
      const url = new URL(appendToUrlPath('https://x.example/base', extractWildcardMatch(toSourceKey(source), path)))
      expect([url.origin, url.search, url.hash, url.pathname.startsWith('/base')]).toEqual([
        'https://x.example',
        '',
        '',
        true,
      ])
    }
  }
})

test('detects circular redirects, including wildcards that would redirect endlessly', () => {
  expect(isCircularRedirect(rule('/a'), '/A/')).toBe(true)
  expect(isCircularRedirect(rule('/a'), '/a/b')).toBe(false)
  expect(isCircularRedirect(rule('/a/*'), '/a/new')).toBe(true)
  expect(isCircularRedirect(rule('/a/*'), '/a/new', { isThere: true })).toBe(false)
  expect(isCircularRedirect(rule('/a/*'), '/a')).toBe(false)
  expect(isCircularRedirect(rule('/a/*', true), '/a')).toBe(true)
  expect(isCircularRedirect(rule('/a/*', true), '/a/new', { isThere: true })).toBe(true)
  expect(isCircularRedirect(rule('/a*', true), '/abc', { isThere: true })).toBe(true)
  expect(isCircularRedirect(rule('/a/b/*', true), '/a')).toBe(false)
  expect(isCircularRedirect(rule('/a/*', true), '')).toBe(false)
})

test('lookup by keys gives the same result as comparing all sources', () => {
  const chance = seededRandom(7)
  const pick = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)] as T
  const somePath = () =>
    Array.from({ length: 1 + Math.floor(chance() * 3) }, () => `/${pick(['a', 'ab', 'B', 'é'])}`).join('')
  for (let round = 0; round < 300; round++) {
    const sources = Array.from({ length: 8 }, () => encodeURI(somePath()) + pick(['', '*', '/*']))
    const path = somePath()
    const matching = sources.filter((source) =>
      source.endsWith('*') ? plain(path).startsWith(plain(source.slice(0, -1))) : plain(path) === plain(source),
    )
    const best = matching.toSorted((a, b) => exactness(b) - exactness(a) || plain(b).length - plain(a).length)[0]
    expect(winner(sources, path) && plain(winner(sources, path) as string)).toBe(best && plain(best))
  }
})

test('the number of keys is limited for long paths', () => {
  for (const path of [`/${'a'.repeat(8000)}`, `/${'/x'.repeat(4000)}`, `/${'%C8%BA'.repeat(1300)}`]) {
    expect(listCandidateKeys(path).length).toBeLessThan(800)
  }
  const longest = `/${'%C8%BA'.repeat(84)}*`
  expect(winner([longest], `/${'ⱥ'.repeat(90)}`)).toBe(longest)
})
