import { randomInteger, seededRandom } from '../../tests/support/random.ts'
import type { BenchPage } from './search-pages.ts'

/** Query with the names of the pages that answer it. */
export interface BenchQuery {
  text: string
  expected: ReadonlySet<string>
}

export const variants = ['plain', 'last word cut', 'one typo'] as const
export type Variant = (typeof variants)[number]

/** Maximum number of queries of each variant; more take minutes and change the figures by less than 0.01. */
const maxQueries = 500

/** Selects at most `count` items from the whole list. */
export function selectEvenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as Item)
}

/** Minimum length of a word that gets a typo. */
const minTypoLength = 4

/** Returns a query for each heading of at least two words, and its variants; all pages with that heading or title answer it. */
export function createHeadingQueries(pages: readonly BenchPage[]): Record<Variant, BenchQuery[]> {
  const names = new Map<string, Set<string>>()
  for (const { name, title, headings } of pages) {
    for (const heading of [title, ...headings]) {
      const text = normalizeHeading(heading)
      names.set(text, (names.get(text) ?? new Set()).add(name))
    }
  }
  const plain = selectEvenly(
    Array.from(names, ([text, expected]) => ({ text, expected })).filter(
      // A heading of many pages is no question that one of them answers.
      ({ text, expected }) => /\p{L}{2,}\P{L}+\p{L}{2,}/u.test(text) && text.length <= 100 && expected.size <= 3,
    ),
    maxQueries,
  )
  const random = seededRandom(7)
  const withTypos = plain.map(({ text, expected }) => ({ text: addTypo(text, random), expected }))
  return {
    plain,
    'last word cut': plain.map(({ text, expected }) => ({ text: cutLastWord(text), expected })),
    'one typo': withTypos.filter(({ text }, index) => text !== plain[index]?.text),
  }
}

const singleLetters = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(97 + (index % 26)))

/** Queries that are expensive or look like the syntax of a database. */
export const hostileQueries: { text: string }[] = [
  '"',
  '*',
  ':',
  'NEAR(',
  'NEAR(a b, 5)',
  'title:a',
  "' OR 1=1 --",
  '🎉 👩‍👩‍👧‍👦',
  'a',
  'co',
  'x'.repeat(512),
  'ab '.repeat(170),
  singleLetters.join(' '),
  'the of and to in is',
  '"to the" "in the" "of the"',
  'create edit delete update list get set add remove open close start stop run test use',
  'enviroment configuraton workflw definiton activty persistance authetication deploiment conection templat',
  Array.from({ length: 16 }, (_, index) => 'configurationsettingsxyz'.slice(index)).join(' '),
].map((text) => ({ text }))

const normalizeHeading = (heading: string): string => heading.toLowerCase().replaceAll(/\s+/gu, ' ').trim()

/** Removes up to three letters from the end of the last word, but leaves at least two. */
function cutLastWord(text: string): string {
  const last = /\p{L}+$/u.exec(text)?.[0] ?? ''
  return text.slice(0, text.length - Math.max(0, Math.min(3, last.length - 2)))
}

/** Deletes, doubles, replaces or swaps a letter of a word that is long enough. */
function addTypo(text: string, random: () => number): string {
  const words = [...text.matchAll(/[a-z]+/g)].filter(([word]) => word.length >= minTypoLength)
  const word = words[randomInteger(random, 0, words.length - 1)]
  if (!word) return text
  const at = word.index + randomInteger(random, 1, word[0].length - 2)
  const [before, letter, next, after] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)]
  switch (randomInteger(random, 0, 3)) {
    case 0:
      return `${before}${next}${after}`
    case 1:
      return `${before}${letter}${letter}${next}${after}`
    case 2:
      return `${before}${letter === 'e' ? 'a' : 'e'}${next}${after}`
    default:
      return `${before}${next}${letter}${after}`
  }
}

/** Quality of ranked results. */
export interface Quality {
  /** Mean reciprocal rank of the first expected page, of the first ten results. */
  reciprocalRank: number
  /** Share of queries with an expected page among the first ten results. */
  recall: number
  misses: string[]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Rates results, which are lists of page names, best first. */
export function rateResults(queries: readonly BenchQuery[], results: readonly (readonly string[])[]): Quality {
  const ranks = queries.map(({ expected }, index) =>
    (results[index] ?? []).slice(0, 10).findIndex((name) => expected.has(name)),
  )
  return {
    reciprocalRank: sum(ranks.map((rank) => (rank === -1 ? 0 : 1 / (rank + 1)))) / ranks.length,
    recall: ranks.filter((rank) => rank !== -1).length / ranks.length,
    misses: queries.flatMap(({ text, expected }, index) =>
      ranks[index] === 0 ? [] : [`${text} -> ${[...expected].join(', ')} (${(ranks[index] ?? -1) + 1})`],
    ),
  }
}
