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
import { createMinCountEstimate, createPrefixShareEstimate, estimateShare } from './postgres-statistics.ts'
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
    const isCommonPrefix = await createCommonPrefixTest(db)
    const scopes = await toScopeTsQueries(db, scope.spaceIds)
    const queries =
      mode === 'all'
        ? toMatchedQueries(scopes, terms, isCommonPrefix)
        : { indexed: [...scopes, terms.map(termToTsQuery).join(' | ')].map(toEvaluatedOnce), filters: [] }
    const isNeeded = sql`(select count(distinct space_id || page_id) from titles) < ${enoughTitlePages}`
    const { rows } = await sql<Hit & { in_title: boolean }>`
      with titles as materialized (
        select * from (${selectMatches('title_words', queries, scope)}) as matching limit ${titleLimit})
      select titles.*, true as in_title from titles union all
      select * from (select matching.*, false from (${selectMatches('words', queries, scope)}) as matching
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
            select 1 from (${selectMatches('words', { indexed: [sql`given.query::tsquery`], filters: [] }, scope)}) as matching limit ${max}
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

/** Queries that all match: by the index, and by reading the sections that the index returns. */
interface MatchedQueries {
  indexed: readonly RawBuilder<unknown>[]
  filters: readonly RawBuilder<unknown>[]
}

/** Returns a query that is parsed once for all rows. */
const toEvaluatedOnce = (tsQuery: string) => sql`(select ${tsQuery}::tsquery)`

/** Share of all sections with a prefix from which sections with the other words are checked for it one by one. */
const minFilteredShare = 0.3

/** Returns a function that decides whether a form ends with a prefix that many sections contain. */
async function createCommonPrefixTest(db: Db): Promise<(form: Form) => boolean> {
  const estimate = await createPrefixShareEstimate(db)
  return ({ words, isPrefix, completions }) =>
    isPrefix && !completions && estimate(words.at(-1) ?? '') >= minFilteredShare
}

/**
 * Returns the queries for sections with all terms. Common prefixes are left out of what the index is searched for, if there are other
 * words: the index would collect all sections with each word that begins with the prefix, which takes most of the time of a search.
 */
function toMatchedQueries(
  scopes: readonly string[],
  terms: readonly ExpandedTerm[],
  isCommonPrefix: (form: Form) => boolean,
): MatchedQueries {
  const common = terms.filter((term) => selectIndexedForms(term).some(isCommonPrefix))
  const withoutPrefixes = common.map((term) =>
    selectIndexedForms(term).map((form) =>
      isCommonPrefix(form) ? { ...form, words: form.words.slice(0, -1), isPrefix: false } : form,
    ),
  )
  const indexed = [
    ...terms.filter((term) => !common.includes(term)),
    ...withoutPrefixes.filter((forms) => forms.every(({ words }) => words.length > 0)).map((forms) => ({ forms })),
  ]
  if (indexed.length === 0)
    return { indexed: [...scopes, ...terms.map(termToTsQuery)].map(toEvaluatedOnce), filters: [] }
  return {
    indexed: [...scopes, ...indexed.map(termToTsQuery)].map(toEvaluatedOnce),
    filters: common.map(termToTsQuery).map(toEvaluatedOnce),
  }
}

/**
 * Selects the sections of a scope that match all queries. These are no constants: for a constant the planner reads the statistics of all
 * words. Several queries take less time than one that combines them. The materialized expression hides later limits from the planner,
 * with which it would read the table from the start although few sections may match; it is still read only as far as needed.
 */
const selectMatches = (
  column: 'words' | 'title_words',
  { indexed, filters }: MatchedQueries,
  { organizationId, spaceIds }: SearchScope,
) => sql`
  with found as materialized (
    select space_id, page_id, part, document, anchor, heading, conditions
    from search_sections
    where ${sql.join(
      [
        ...indexed.map((query) => sql`${sql.ref(column)} @@ ${query}`),
        // An index is not used for a condition in this form.
        ...filters.map((query) => sql`(${sql.ref(column)} @@ ${query}) is true`),
      ],
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
