import anyAscii from 'any-ascii'

export const maxSlugLength = 100

/** Minimum length of a slug that is truncated at the end of a word; otherwise the word is truncated. */
const minTruncatedLength = 50

const removed = new Set(["'", '’', '`'])

const replacements: Readonly<Record<string, string>> = {
  '&': '-and-',
  '|': '-or-',
  '<': '-less-than-',
  '>': '-greater-than-',
  $: 'usd',
  '™': 'tm',
  '…': '...',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
}

const cyrillic = new Map(
  [
    'а a, б b, в v, г g, д d, е e, ё yo, ж zh, з z, и i, й i, к k, л l, м m, н n, о o, п p, р r, с s, т t, у u, ф f',
    'х kh, ц c, ч ch, ш sh, щ sh, ъ , ы y, ь , э e, ю yu, я ya, є ye, і i, ї yi, ґ g, ў u',
    'ђ dj, ј j, љ lj, њ nj, ћ c, џ dz, ѓ gj, ќ kj, ѕ dz',
  ].flatMap((line) => line.split(', ').map((pair) => pair.split(' ') as [string, string])),
)

/** Returns the slug of the title of a page or group, or of a heading, for use in URLs. Never empty. */
export function toSlug(text: string): string {
  let slug = ''
  for (const character of text.toLowerCase().normalize('NFC')) slug += toAscii(character)
  const joined = trimHyphens(slug.replace(/[^a-z0-9.+_]+/g, '-'))
  // A slug of dots only would be a folder in a path.
  return /^\.*$/.test(joined) ? 'undefined' : truncateSlug(joined)
}

function toAscii(character: string): string {
  if (removed.has(character)) return ''
  const word = replacements[character]
  if (word !== undefined) return word
  if (character <= '\u007f') return character
  if (/\p{M}/u.test(character)) return ''
  if (/[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return '-'
  if (!/[\p{L}\p{Nd}〇]/u.test(character)) return '-'
  const ascii =
    cyrillic.get(character) ??
    anyAscii(character)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
  return /\p{Script=Han}/u.test(character) ? `-${ascii}-` : ascii
}

const trimHyphens = (slug: string) => slug.replace(/^-/, '').replace(/-$/, '')

function truncateSlug(slug: string): string {
  if (slug.length <= maxSlugLength) return slug
  const end = slug.lastIndexOf('-', maxSlugLength)
  return slug.slice(0, end >= minTruncatedLength ? end : maxSlugLength)
}

/**
 * Returns the wanted slug, or the same slug with a number if it is taken. The number is doubled until it is free, followed by a
 * binary search: with thousands of equal titles, trying every number would take too long.
 */
export function uniqueSlug(wanted: string, isTaken: (slug: string) => boolean): string {
  const base = truncateSlug(wanted)
  if (!isTaken(base)) return base
  let [taken, free] = [0, 1]
  while (isTaken(addNumber(base, free))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (isTaken(addNumber(base, middle))) taken = middle
    else free = middle
  }
  return addNumber(base, free)
}

function addNumber(base: string, number: number): string {
  const suffix = `-${number}`
  return trimHyphens(base.slice(0, maxSlugLength - suffix.length)) + suffix
}
