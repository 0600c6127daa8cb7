// Redirects are looked up by keys: the source without regard to case and to how its letters are encoded. Keys of
// wildcards end with `*`, which is encoded wherever it is a letter of a path.

/** One letter of a path: as it is written in an address, and as it is looked up. */
interface ComparableCharacter {
  text: string
  key: string
}

const encoded = (letter: string): string => encodeURIComponent(letter).replace('*', '%2A')

const toComparableCharacter = (letter: string): ComparableCharacter => ({
  text: encoded(letter),
  key: encoded(letter.toLowerCase()).toLowerCase(),
})

const slash: ComparableCharacter = { text: '/', key: '/' }

/** What is no text in UTF-8 stays encoded as it is. */
function lettersOfSegment(segment: string): ComparableCharacter[] {
  try {
    return Array.from(decodeURIComponent(segment), toComparableCharacter)
  } catch {
    const parts = segment.match(/%[0-9a-f]{2}|[^]/giu) ?? []
    return parts.map((part) =>
      part.length === 3 ? { text: part, key: part.toLowerCase() } : toComparableCharacter(part),
    )
  }
}

/** A path, each segment with its slash in front. */
function toComparableCharacters(path: string): ComparableCharacter[] {
  const segments = path.toWellFormed().split('/')
  return segments.flatMap((segment) => (segment === '' ? [] : [slash, ...lettersOfSegment(segment)]))
}

const joined = (letters: readonly ComparableCharacter[], part: 'text' | 'key'): string =>
  letters.map((letter) => letter[part]).join('')

/** The form in which a path on a site is compared. */
export const keyOfPath = (path: string): string => joined(toComparableCharacters(path), 'key')

/** The key of a redirect with this source. */
export function keyOfSource(source: string): string {
  if (source.endsWith('/*')) return `${keyOfPath(source.slice(0, -2))}/*`
  if (source.endsWith('*')) return `${keyOfPath(source.slice(0, -1))}*`
  return keyOfPath(source)
}

/** No key of a source is longer: few letters take more bytes in lower case, and those at most half as many again. */
const maxKeyLength = 768

/** Whether a path has steps that browsers resolve; no address has them, and appended ones would lead out of a destination. */
export const hasDots = (path: string): boolean => path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))

/** The keys of all redirects that a path could match; the first of them that there is wins. */
export function keysMatching(path: string): string[] {
  if (hasDots(path)) return []
  const keys: string[] = []
  let key = ''
  for (const letter of toComparableCharacters(path)) {
    key += letter.key
    if (key.length >= maxKeyLength) break
    keys.unshift(`${key}*`)
  }
  // `/*` would match everything, but is no source.
  keys.pop()
  return key === '' ? [] : [keyOfPath(path), ...keys]
}

/** What the `*` of a redirect stands for in a path that it matches; with the slash before it, where that is in the source. */
export function wildcardMatch(sourceKey: string, path: string): string {
  if (!sourceKey.endsWith('*')) return ''
  const { length } = sourceKey.replace(/\/?\*$/, '')
  const letters = toComparableCharacters(path)
  let passed = 0
  const start = letters.findIndex(({ key }) => {
    if (passed >= length) return true
    passed += key.length
    return false
  })
  return start === -1 ? '' : joined(letters.slice(start), 'text')
}

/** An address with something appended to its path. */
export function withAppended(url: string, rest: string): string {
  if (rest === '') return url
  const target = new URL(url)
  const path = rest.startsWith('/') ? target.pathname.replace(/\/$/, '') : target.pathname
  target.pathname = path + rest
  return target.href
}

export interface RedirectRule {
  sourceKey: string
  captures: boolean
}

/**
 * Whether whoever is redirected to a path on the same site is redirected from there again by the same rule. Where
 * something `isThere`, nobody is redirected, unless more is appended to the path.
 */
export function isCircularRedirect(
  { sourceKey, captures }: RedirectRule,
  path: string,
  { isThere = false } = {},
): boolean {
  const key = keyOfPath(path)
  if (!sourceKey.endsWith('*')) return key === sourceKey
  const beginning = sourceKey.slice(0, -1)
  if (captures) return (beginning.endsWith('/') ? `${key}/` : key).startsWith(beginning)
  return !isThere && key.startsWith(beginning)
}
