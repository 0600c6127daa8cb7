// Redirects are looked up by keys: sources with letter case and percent-encoding normalized. Keys of wildcards end with `*`; a
// literal `*` in a path is encoded.

/** One character of a path: as written in a URL, and as used in lookup keys. */
interface ComparableCharacter {
  text: string
  key: string
}

const encodeLetter = (letter: string): string => encodeURIComponent(letter).replace('*', '%2A')

const toComparableCharacter = (letter: string): ComparableCharacter => ({
  text: encodeLetter(letter),
  key: encodeLetter(letter.toLowerCase()).toLowerCase(),
})

const slash: ComparableCharacter = { text: '/', key: '/' }

/** Splits a segment into characters; bytes that are not valid UTF-8 remain percent-encoded. */
function splitSegment(segment: string): ComparableCharacter[] {
  try {
    return Array.from(decodeURIComponent(segment), toComparableCharacter)
  } catch {
    const parts = segment.match(/%[0-9a-f]{2}|[^]/giu) ?? []
    return parts.map((part) =>
      part.length === 3 ? { text: part, key: part.toLowerCase() } : toComparableCharacter(part),
    )
  }
}

/** Splits a path into characters, with a slash before each segment. */
function toComparableCharacters(path: string): ComparableCharacter[] {
  const segments = path.toWellFormed().split('/')
  return segments.flatMap((segment) => (segment === '' ? [] : [slash, ...splitSegment(segment)]))
}

const joinCharacters = (letters: readonly ComparableCharacter[], part: 'text' | 'key'): string =>
  letters.map((letter) => letter[part]).join('')

/** Returns the normalized form in which paths on a site are compared. */
export const toPathKey = (path: string): string => joinCharacters(toComparableCharacters(path), 'key')

/** Returns the lookup key of a redirect with this source. */
export function toSourceKey(source: string): string {
  if (source.endsWith('/*')) return `${toPathKey(source.slice(0, -2))}/*`
  if (source.endsWith('*')) return `${toPathKey(source.slice(0, -1))}*`
  return toPathKey(source)
}

/** Maximum length of a lookup key: few characters need more bytes in lower case, and those at most 1.5 times as many. */
const maxKeyLength = 768

/**
 * Whether a path contains dot segments. Browsers resolve them, so URLs never contain them, and appended ones would leave the
 * destination.
 */
export const hasDotSegments = (path: string): boolean =>
  path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))

/** Returns the keys of all redirects that a path could match; the first one that exists wins. */
export function listCandidateKeys(path: string): string[] {
  if (hasDotSegments(path)) return []
  const keys: string[] = []
  let key = ''
  for (const letter of toComparableCharacters(path)) {
    key += letter.key
    if (key.length >= maxKeyLength) break
    keys.unshift(`${key}*`)
  }
  // `/*` would match every path, but is not a valid source.
  keys.pop()
  return key === '' ? [] : [toPathKey(path), ...keys]
}

/** Returns the part of a path that the `*` of a redirect matches, with the preceding slash if the source contains it. */
export function extractWildcardMatch(sourceKey: string, path: string): string {
  if (!sourceKey.endsWith('*')) return ''
  const { length } = sourceKey.replace(/\/?\*$/, '')
  const letters = toComparableCharacters(path)
  let passed = 0
  const start = letters.findIndex(({ key }) => {
    if (passed >= length) return true
    passed += key.length
    return false
  })
  return start === -1 ? '' : joinCharacters(letters.slice(start), 'text')
}

/** Appends to the path of a URL. */
export function appendToUrlPath(url: string, rest: string): string {
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
 * Whether a redirect to a path on the same site would match the same rule again. A path with content (`isThere`) is not
 * redirected, unless the rule appends to it.
 */
export function isCircularRedirect(
  { sourceKey, captures }: RedirectRule,
  path: string,
  { isThere = false } = {},
): boolean {
  const key = toPathKey(path)
  if (!sourceKey.endsWith('*')) return key === sourceKey
  const prefix = sourceKey.slice(0, -1)
  if (captures) return (prefix.endsWith('/') ? `${key}/` : key).startsWith(prefix)
  return !isThere && key.startsWith(prefix)
}
