import { sql } from 'kysely'
import type { SpaceKey } from '../derived/heads.ts'
import { toBatches } from '../storage/batches.ts'
import { isPostgres } from '../storage/is-postgres.ts'
import type { Db } from '../schema/tables.ts'
import type { NewSection } from './engine.ts'
import { searchEngineOf } from './engines.ts'
import { reverseWord } from './spelling-distance.ts'

/** Lengths of words that are corrected: in shorter ones a typo cannot be distinguished from another word. */
export const correctedLengths = { min: 4, max: 24 }

/** Lengths of words in the vocabulary: a typo adds or removes one letter, and longer words are mostly checksums. */
const storedLengths = { min: correctedLengths.min - 1, max: 39 }

/** Words that begin with a letter: others are mostly numbers, of which there are too many. */
const wordPattern = /^\p{L}[\p{L}\p{N}\p{M}]*$/u

const hasStoredLength = ({ length }: string): boolean => length >= storedLengths.min && length <= storedLengths.max

/** Whether a word of a section is in the vocabulary of its space. */
export const isStoredWord = (word: string): boolean => hasStoredLength(word) && wordPattern.test(word)

/**
 * Returns the words of sections that can be the correction of a typo, or the completion of a word that is being typed, except
 * those that `isStored` returns true for.
 */
export function collectWords(
  sections: readonly Pick<NewSection, 'words'>[],
  isStored: (word: string) => boolean = () => false,
): Set<string> {
  const collected = new Set<string>()
  for (const { words } of sections) {
    for (const fieldWords of Object.values(words) as readonly string[][]) {
      for (const word of fieldWords) {
        if (hasStoredLength(word) && !collected.has(word) && !isStored(word) && wordPattern.test(word))
          collected.add(word)
      }
    }
  }
  return collected
}

/** Number of words in one statement. */
const batchSizes = { insert: 5000, check: 100 }

/** Maximum number of words that an update remembers, a few megabytes. */
const maxRememberedWords = 50_000

/**
 * Words of the pages that one update has indexed so far. They need neither be stored again nor checked: most words of a new
 * space are among them.
 */
export class UsedWords {
  readonly #words = new Set<string>()
  #uncommitted: ReadonlySet<string> = new Set()

  /** Sets the words that the current transaction adds; it may be run again. */
  setUncommitted(words: ReadonlySet<string>): void {
    this.#uncommitted = words
  }

  /** Adds the words of the current transaction, which was committed. */
  commit(): void {
    for (const word of this.#uncommitted) if (this.#words.size < maxRememberedWords) this.#words.add(word)
    this.#uncommitted = new Set()
  }

  /** Whether a committed transaction of this update has stored a word. */
  has(word: string): boolean {
    return this.#words.has(word)
  }
}

/** Number of words that are checked by every update, so that the vocabulary shrinks after pages were deleted. */
const minChecked = 10

/**
 * Adds the words of sections to the vocabulary of a space, and deletes words that no page contains any more: each update checks twice
 * as many words as it adds, continuing where the previous one stopped. So every word is checked before the vocabulary has grown by
 * half, at a cost that depends on the change only.
 */
export async function updateVocabulary(
  db: Db,
  space: SpaceKey,
  sections: readonly NewSection[],
  usedWords: UsedWords,
): Promise<void> {
  const words = collectWords(sections, (word) => usedWords.has(word))
  usedWords.setUncommitted(words)
  const addedCount = await insertVocabulary(db, space, words)
  await deleteUnusedWords(db, space, minChecked + 2 * addedCount, (word) => usedWords.has(word) || words.has(word))
}

/** Adds words to the vocabulary of a space; returns how many are new. */
async function insertVocabulary(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  words: ReadonlySet<string>,
): Promise<number> {
  let addedCount = 0
  // In order, so that concurrent transactions do not wait for each other in a circle.
  for (const batch of toBatches([...words].sort(), batchSizes.insert)) {
    const { numAffectedRows = 0n } = await sql`
      insert into search_vocabulary (organization_id, word, space_id, reversed)
      select ${organizationId}, given.word, ${spaceId}, given.reversed from ${toRows(db, batch)} where true
      on conflict (organization_id, word, space_id) do update set reversed = excluded.reversed
        where search_vocabulary.reversed = ''`.execute(db)
    addedCount += Number(numAffectedRows)
  }
  return addedCount
}

/** Checks some words of a space, and deletes those that are not in its index. */
async function deleteUnusedWords(
  db: Db,
  space: SpaceKey,
  count: number,
  isUsed: (word: string) => boolean,
): Promise<void> {
  const { organizationId, spaceId } = space
  const state = await db
    .selectFrom('search_states')
    .select(['root_hash', 'vocabulary_cursor'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  // While a space is indexed for the first time, all words are new.
  if (!state?.root_hash) return
  const rows = await db
    .selectFrom('search_vocabulary')
    .select('word')
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .where('word', '>', state.vocabulary_cursor)
    .orderBy('word')
    .limit(count)
    .execute()
  const checked = rows.map(({ word }) => word).filter((word) => !isUsed(word))
  for (const batch of toBatches(checked, batchSizes.check)) {
    const unused = await findUnusedWords(db, space, batch)
    if (unused.length === 0) continue
    await db
      .deleteFrom('search_vocabulary')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('word', 'in', unused)
      .execute()
  }
  await db
    .updateTable('search_states')
    .set({ vocabulary_cursor: rows.length < count ? '' : (rows.at(-1)?.word ?? '') })
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .execute()
}

/** Returns the words that no section of a space contains. */
async function findUnusedWords(db: Db, space: SpaceKey, words: readonly string[]): Promise<string[]> {
  const engine = searchEngineOf(db)
  const common = await engine.findCommonWords(db, space, words)
  const counted = words.filter((word) => !common.has(word))
  const terms = counted.map((word) => ({ forms: [{ words: [word], isPrefix: false, weight: 1 }] }))
  const scope = { organizationId: space.organizationId, spaceIds: [space.spaceId] }
  const { perTerm } = await engine.count(db, scope, terms, { max: 1, minEstimatedTerms: Infinity })
  return counted.filter((_, index) => perTerm[index] === 0)
}

/** Returns a table expression `given` with one row for each word, in the columns `word` and `reversed`. */
function toRows(db: Db, words: readonly string[]) {
  const reversed = words.map(reverseWord)
  return isPostgres(db)
    ? sql`unnest(string_to_array(${words.join(' ')}, ' '), string_to_array(${reversed.join(' ')}, ' ')) as given (word, reversed)`
    : sql`(select value ->> 0 as word, value ->> 1 as reversed
        from json_each(${JSON.stringify(words.map((word, index) => [word, reversed[index]]))})) as given`
}
