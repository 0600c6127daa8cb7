import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import {
  type FieldWords,
  type Hit,
  type SearchEngine,
  type SearchScope,
  type SectionBody,
  sectionColumns,
} from './engine.ts'
import { type ExpandedTerm, type Form, selectIndexedForms } from './expand.ts'
import { createMinCountEstimate, estimateShare } from './postgres-statistics.ts'
import { scopeWord, scopeWords } from './scope.ts'

const fields = ['title', 'heading', 'description', 'body', 'around'] as const satisfies (keyof FieldWords)[]
const titleFields = ['title', 'heading'] as const satisfies (keyof FieldWords)[]

/** Distance between the positions of two fields, so that no phrase matches across fields. */
const fieldGap = 10

/** Maximum position in a `tsvector` of PostgreSQL. */
const maxPosition = 16_383

/** Maximum number of sections in one insert statement. */
const sectionsPerInsert = 50

/** Returns the statement that inserts some sections, as text, because compiling it takes longer than running it. */
function toInsertSql(count: number): string {
  const columns = [...sectionColumns, 'words', 'title_words']
  const types = new Map([
    ['part', 'int'],
    ['words', 'tsvector'],
    ['title_words', 'tsvector'],
  ])
  const rows = Array.from({ length: count }, (_, row) => {
    const values = columns.map((column, at) => `$${row * columns.length + at + 1}::${types.get(column) ?? 'text'}`)
    return `(${values.join()})`
  })
  return `insert into search_sections (${columns.join()}) values ${rows.join()}`
}

/** PostgreSQL full-text search, with words in the syntax of `tsvector`: its parsers support only some languages and formats. */
export const postgresEngine: SearchEngine = {
  async insert(db, sections) {
    for (const batch of toBatches(sections, sectionsPerInsert)) {
      const values = batch.flatMap(({ words, ...section }) => [
        ...sectionColumns.map((column) => section[column]),
        toTsVector(section.space_id, words, fields),
        toTsVector(section.space_id, words, titleFields),
      ])
      await db.executeQuery(CompiledQuery.raw(toInsertSql(batch.length), values))
    }
  },

  async match(db, { terms, mode, limit, titleLimit, enoughTitlePages, ...scope }) {
    const tsQueries = [
      ...(await toScopeTsQueries(db, scope.spaceIds)),
      ...(mode === 'all' ? terms.map(termToTsQuery) : [terms.map(termToTsQuery).join(' | ')]),
    ].map((tsQuery) => sql`(select ${tsQuery})`)
    const isNeeded = sql`(select count(distinct space_id || page_id) from titles) < ${enoughTitlePages}`
    const { rows } = await sql<Hit & { in_title: boolean }>`
      with titles as materialized (
        select * from (${selectMatches('title_words', tsQueries, scope)}) as matching limit ${titleLimit})
      select titles.*, true as in_title from titles union all
      select * from (select matching.*, false from (${selectMatches('words', tsQueries, scope)}) as matching
        where ${isNeeded} limit ${limit}) as anywhere`.execute(db)
    const hasOnlyTitles = rows.length > 0 && rows.every((row) => row.in_title)
    return { hits: rows, hasOnlyTitles }
  },

  async count(db, scope, terms, max) {
    const estimateMin = await createMinCountEstimate(db, scope.spaceIds)
    const isCommon = (term: ExpandedTerm) =>
      selectIndexedForms(term).some(
        ({ words }) => words.length === 1 && estimateMin(words[0] ?? '') >= commonFactor * max,
      )
    const counted = terms.filter((term) => !isCommon(term))
    const scopes = await toScopeTsQueries(db, scope.spaceIds)
    const queries = counted.map((term) => [...scopes, termToTsQuery(term)].join(' & '))
    const { rows } = await sql<{ count: number }>`
      select (select count(*)::int from (
        select 1 from search_sections
        where organization_id = ${scope.organizationId} and space_id = any(${scope.spaceIds}::text[]) limit ${max}
      ) as sections) as count
      union all
      select counted.count from (
        select position, (
          select count(*)::int from (
            select 1 from (${selectMatches('words', [sql`given.query`], scope)}) as matching limit ${max}
          ) as limited
        ) as count
        from unnest(${queries}::text[]) with ordinality as given (query, position)
        order by position
      ) as counted`.execute(db)
    const [sections = 0, ...counts] = rows.map(({ count }) => count)
    const countByTerm = new Map(counted.map((term, index) => [term, counts[index] ?? 0]))
    return { sections, perTerm: terms.map((term) => countByTerm.get(term) ?? max) }
  },

  async findBodies(db, organizationId, keys) {
    const { rows } = await sql<SectionBody>`
      select space_id, page_id, part, body
      from unnest(${keys.map((key) => key.space_id)}::text[], ${keys.map((key) => key.page_id)}::text[],
          ${keys.map((key) => key.part)}::int[]) as asked (space_id, page_id, part)
        join search_sections using (space_id, page_id, part)
      where organization_id = ${organizationId}`.execute(db)
    return rows
  },
}

/**
 * Selects the sections of a scope that match all queries. These are no constants: for a constant the planner reads the statistics of all
 * words. Several queries take less time than one that combines them. The materialized expression hides later limits from the planner,
 * with which it would read the table from the start although few sections may match; it is still read only as far as needed.
 */
const selectMatches = (
  column: 'words' | 'title_words',
  queries: readonly RawBuilder<unknown>[],
  { organizationId, spaceIds }: SearchScope,
) => sql`
  with found as materialized (
    select space_id, page_id, part, document, anchor, heading, conditions
    from search_sections
    where ${sql.join(
      queries.map((query) => sql`${sql.ref(column)} @@ ${query}::tsquery`),
      sql` and `,
    )} and organization_id = ${organizationId} and space_id = any(${spaceIds}::text[]))
  select * from found`

/**
 * How many times more sections than the maximum must contain a word according to statistics, so that they are not counted: PostgreSQL
 * reads all of them before it returns the first.
 */
const commonFactor = 5

/** Share of all sections from which the sections of some spaces are not searched by their scope words, because these lists are long. */
const minUnscopedShare = 0.5

/** Returns the query for the sections of some spaces; none if there are too many spaces or most sections belong to them. */
async function toScopeTsQueries(db: Db, spaceIds: readonly string[]): Promise<string[]> {
  if ((await estimateShare(db, spaceIds)) >= minUnscopedShare) return []
  const scopes = scopeWords(spaceIds).map(quote)
  return scopes.length > 0 ? [`(${scopes.join(' | ')})`] : []
}

/** Formats words with their positions as a `tsvector`. */
function toTsVector(spaceId: string, words: FieldWords, included: readonly (keyof FieldWords)[]): string {
  const positionsByWord = new Map<string, number[]>()
  let position = 1
  for (const field of included) {
    for (const word of words[field]) {
      const positions = positionsByWord.get(word)
      const limited = Math.min(position++, maxPosition)
      if (positions) positions.push(limited)
      else positionsByWord.set(word, [limited])
    }
    position += fieldGap
  }
  const lexemes = Array.from(positionsByWord, ([word, positions]) => `${quote(word)}:${positions.join(',')}`)
  return [quote(scopeWord(spaceId)), ...lexemes].join(' ')
}

const termToTsQuery = (term: ExpandedTerm): string => `(${selectIndexedForms(term).map(formToTsQuery).join(' | ')})`

function formToTsQuery({ words, isPrefix, completions }: Form): string {
  if (completions?.length) return `(${completions.map(quote).join(' | ')})`
  const lexemes = words.map(
    (word, index) => quote(word) + (isPrefix && !completions && index === words.length - 1 ? ':*' : ''),
  )
  return `(${lexemes.join(' <-> ')})`
}

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quote = (text: string): string => `'${text}'`
