import { sql } from 'kysely'
import type { SpaceKey } from '../derived/heads.ts'
import { toBatches } from '../storage/batches.ts'
import type { Db } from '../schema/tables.ts'
import type { NewSection } from './engine.ts'
import { isPostgres } from './engines.ts'

/** Lengths of words that are corrected: in shorter ones a typo cannot be distinguished from another word. */
export const correctedLengths = { min: 4, max: 24 }

const lettersOnly = /^\p{L}+$/u

/** Returns the words of sections that can be the correction of a typo, which adds or removes at most one letter. */
export function collectWords(sections: readonly Pick<NewSection, 'words'>[]): Set<string> {
  const [min, max] = [correctedLengths.min - 1, correctedLengths.max + 1]
  const collected = new Set<string>()
  for (const { words } of sections) {
    for (const word of Object.values(words).flat()) {
      if (word.length >= min && word.length <= max && !collected.has(word) && lettersOnly.test(word))
        collected.add(word)
    }
  }
  return collected
}

/** Number of words in one statement. */
const batchSize = 5000

/** Adds words to the vocabulary of a space. */
export async function insertVocabulary(
  db: Db,
  { organizationId, spaceId }: SpaceKey,
  words: Iterable<string>,
): Promise<void> {
  // In order, so that concurrent transactions do not wait for each other in a circle.
  for (const batch of toBatches([...words].sort(), batchSize)) {
    await sql`
      insert into search_vocabulary (organization_id, word, space_id)
      select ${organizationId}, given.value, ${spaceId} from ${toRows(db, batch)} where true
      on conflict do nothing`.execute(db)
  }
}

export interface VocabularyScope {
  organizationId: string
  spaceIds: readonly string[]
}

/** Returns which of the given words, or prefixes of words, are in the vocabulary of some spaces. */
export async function findKnownWords(
  db: Db,
  { organizationId, spaceIds }: VocabularyScope,
  words: readonly string[],
  { arePrefixes }: { arePrefixes: boolean },
): Promise<string[]> {
  const isMatch = arePrefixes
    ? sql`v.word >= given.value and v.word < given.value || ${'\u{10ffff}'}`
    : sql`v.word = given.value`
  const isInScope = isPostgres(db)
    ? sql`v.space_id = any(${spaceIds}::text[])`
    : sql`v.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))`
  const { rows } = await sql<{ value: string }>`
    select given.value as value from ${toRows(db, words)}
    where exists (
      select 1 from search_vocabulary as v
      where v.organization_id = ${organizationId} and ${isMatch} and ${isInScope}
    )`.execute(db)
  return rows.map(({ value }) => value)
}

/** Returns a table expression `given` with one row for each word, in the column `value`. */
const toRows = (db: Db, words: readonly string[]) =>
  isPostgres(db) ? sql`unnest(${words}::text[]) as given (value)` : sql`json_each(${JSON.stringify(words)}) as given`
