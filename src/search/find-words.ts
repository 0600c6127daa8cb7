import { sql } from 'kysely'
import type { Db } from '../schema/tables.ts'
import { isPostgres } from '../storage/is-postgres.ts'
import { runStatement } from './run-statement.ts'
import { type UnchangedPart, createEditTest, reverseWord, toUnchangedParts } from './spelling-distance.ts'
import { correctedLengths, isStoredWord } from './vocabulary.ts'

export interface VocabularyScope {
  organizationId: string
  spaceIds: readonly string[]
}

/** Returns the words in the vocabulary of some spaces that differ from each of the given words by one letter. */
export async function findSimilarWords(
  db: Db,
  scope: VocabularyScope,
  words: readonly string[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map()
  const parts = words.flatMap((word) => toUnchangedParts(word).map((part) => ({ ...part, length: lengthOf(word) })))
  const beginnings = parts.filter(({ isEnd }) => !isEnd)
  const ends = parts.filter(({ isEnd }) => isEnd).map((part) => ({ ...part, text: reverseWord(part.text) }))
  const statement = sql`
    select ${wordsToJson(db)} as similar from (
      ${selectSimilar(db, scope, 'word', beginnings)} union ${selectSimilar(db, scope, 'reversed', ends)}) as found`
  const { rows } = await runStatement<{ similar: string | null }>(db, statement.compile(db))
  const similar = JSON.parse(rows[0]?.similar ?? '[]') as string[]
  return new Map(
    words.map((word) => {
      const isEdit = createEditTest(word)
      return [word, similar.filter(isEdit)]
    }),
  )
}

/** Returns an expression for all words as one JSON text, which is read faster than many rows. */
const wordsToJson = (db: Db) => sql.raw(isPostgres(db) ? 'json_agg(word)::text' : 'json_group_array(word)')

const lengthOf = (word: string): number => Array.from(word).length

/** Selects the words that begin with one of the given texts, and are as long as the word of that text, or one letter longer or shorter. */
const selectSimilar = (
  db: Db,
  scope: VocabularyScope,
  column: 'word' | 'reversed',
  parts: readonly (UnchangedPart & { length: number })[],
) => {
  const key = sql.ref(`v.${column}`)
  const given = isPostgres(db)
    ? sql`unnest(${parts.map(({ text }) => text)}::text[], ${parts.map(({ length }) => length)}::int[]) as given (value, length)`
    : sql`(select value ->> 0 as value, value ->> 1 as length
        from json_each(${JSON.stringify(parts.map(({ text, length }) => [text, length]))})) as given`
  return sql`
    select v.word as word from ${given} cross join search_vocabulary as v
    where ${isInScope(db, scope)} and ${beginsWithGiven(key)} and abs(length(${key}) - given.length) <= 1`
}

/** Returns which of the given prefixes begin words in the vocabulary of some spaces. */
export async function findKnownPrefixes(
  db: Db,
  scope: VocabularyScope,
  prefixes: readonly string[],
): Promise<string[]> {
  const statement = sql`
    select given.value as value from ${toRows(db, prefixes)}
    where ${isKnown(db, scope, beginsWithGiven(sql.ref('v.word')))}`
  const { rows } = await runStatement<{ value: string }>(db, statement.compile(db))
  return rows.map(({ value }) => value)
}

/** Lengths of prefixes that are completed: shorter ones begin too many words, and longer ones so few that this saves nothing. */
const completedLengths = { min: 4, max: correctedLengths.max }

/** Maximum number of completions of all prefixes together, and of words that are read to choose the shortest. */
const completionLimits = { words: 48, read: 1000 }

/** Whether the words that begin with a prefix can be looked up. */
export const canBeCompleted = (prefix: string): boolean =>
  prefix.length >= completedLengths.min && prefix.length <= completedLengths.max && isStoredWord(prefix)

export interface FoundWords {
  /** The shortest words that begin with each prefix. */
  completions: Map<string, string[]>
  /** Those of the given words that are in the vocabulary. */
  known: Set<string>
}

interface FoundRow {
  value: string
  /** JSON of the words that begin with the value, if it is a prefix. */
  found: string | null
  is_prefix: number
}

/** Finds the words that begin with each prefix, and which of the given words are in the vocabulary of some spaces. */
export async function findWords(
  db: Db,
  scope: VocabularyScope,
  { prefixes, words }: { prefixes: readonly string[]; words: readonly string[] },
): Promise<FoundWords> {
  if (prefixes.length === 0 && words.length === 0) return { completions: new Map(), known: new Set() }
  const limit = Math.ceil(completionLimits.words / Math.max(1, prefixes.length))
  const statement = sql`
    select given.value as value, (
      select ${wordsToJson(db)} from (
        select word from (
          select v.word as word from search_vocabulary as v
          where ${isInScope(db, scope)} and ${beginsWithGiven(sql.ref('v.word'))}
          order by v.word limit ${completionLimits.read}
        ) as begun group by word order by length(word), word limit ${limit}
      ) as shortest
    ) as found, 1 as is_prefix
    from ${toRows(db, prefixes)}
    union all
    select given.value, null, 0 from ${toRows(db, words)} where ${isKnown(db, scope, sql`v.word = given.value`)}`
  const { rows } = await runStatement<FoundRow>(db, statement.compile(db))
  return {
    completions: new Map(
      rows.filter((row) => row.is_prefix).map(({ value, found }) => [value, JSON.parse(found ?? '[]') as string[]]),
    ),
    known: new Set(rows.filter((row) => !row.is_prefix).map(({ value }) => value)),
  }
}

/** PostgreSQL would evaluate `exists` by reading the whole vocabulary once. */
const isKnown = (db: Db, scope: VocabularyScope, isMatch: ReturnType<typeof sql>) =>
  sql`(select 1 from search_vocabulary as v where ${isInScope(db, scope)} and ${isMatch} limit 1) = 1`

const beginsWithGiven = (key: ReturnType<typeof sql>) =>
  sql`${key} >= given.value and ${key} < given.value || ${'\u{10ffff}'}`

const isInScope = (db: Db, { organizationId, spaceIds }: VocabularyScope) => sql`
  v.organization_id = ${organizationId} and ${
    isPostgres(db)
      ? sql`v.space_id = any(${spaceIds}::text[])`
      : sql`v.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))`
  }`

/** Returns a table expression `given` with one row for each word, in the column `value`. */
const toRows = (db: Db, words: readonly string[]) =>
  isPostgres(db)
    ? sql`unnest(string_to_array(${words.join(' ')}, ' ')) as given (value)`
    : sql`json_each(${JSON.stringify(words)}) as given`
