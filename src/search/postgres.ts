import { CompiledQuery } from 'kysely'
import type { Db } from '../schema/tables.ts'
import { toBatches } from '../storage/batches.ts'
import { type FieldWords, type Hit, type SearchEngine, type SectionBody, sectionColumns } from './engine.ts'
import { type ExpandedTerm, type Form, selectIndexedForms } from './expand.ts'
import { createCountEstimate, createPrefixShareEstimate, estimateShare } from './postgres-statistics.ts'
import { runStatement } from './run-statement.ts'
import { scopeWord, scopeWords } from './scope.ts'

const fields = ['title', 'heading', 'description', 'body', 'around'] as const satisfies (keyof FieldWords)[]
const titleFields = ['title', 'heading'] as const satisfies (keyof FieldWords)[]

/** Distance between the positions of two fields, so that no phrase matches across fields. */
const fieldGap = 10

/** Maximum position in a `tsvector` of PostgreSQL. */
const maxPosition = 16_383

/** Maximum number of combined queries for which a search is prepared: more are rare, and each number is another statement. */
const maxPreparedQueries = 6

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
    const { indexed, filters } =
      mode === 'all'
        ? toMatchedQueries(scopes, terms, isCommonPrefix)
        : { indexed: [...scopes, terms.map(termToTsQuery).join(' | ')], filters: [] }
    const query = CompiledQuery.raw(toMatchSql(indexed.length, filters.length), [
      scope.organizationId,
      scope.spaceIds,
      titleLimit,
      limit,
      enoughTitlePages,
      ...indexed,
      ...filters,
    ])
    const isCommonShape = indexed.length + filters.length <= maxPreparedQueries
    const { rows } = await (isCommonShape ? runStatement<MatchRow>(db, query) : db.executeQuery<MatchRow>(query))
    const hits = rows.map(toHit)
    const hasOnlyTitles = rows.length > 0 && rows.every(({ key }) => key.endsWith(titleMark))
    return { hits, hasOnlyTitles }
  },

  async count(db, scope, terms, { max, minEstimatedTerms }) {
    const scopes = await toScopeTsQueries(db, scope.spaceIds)
    const estimate = await createCountEstimate(db, scope.spaceIds)
    const kind = terms.length >= minEstimatedTerms ? 'expected' : 'min'
    const isCommon = (term: ExpandedTerm) =>
      selectIndexedForms(term).some(
        ({ words }) => words.length === 1 && estimate(words[0] ?? '')[kind] >= commonFactor * max,
      )
    const counted = terms.filter((term) => !isCommon(term))
    const queries = counted.map((term) => [...scopes, termToTsQuery(term)].join(' & '))
    const query = CompiledQuery.raw(countSql, [scope.organizationId, scope.spaceIds, max, queries])
    const { rows } = await runStatement<{ count: number }>(db, query)
    const [sections = 0, ...counts] = rows.map(({ count }) => count)
    const countByTerm = new Map(counted.map((term, index) => [term, counts[index] ?? 0]))
    return { sections, perTerm: terms.map((term) => countByTerm.get(term) ?? max) }
  },

  async findCommonWords(db, { organizationId, spaceId }, words) {
    const query = CompiledQuery.raw(findCommonWordsSql, [organizationId, spaceId, words, sampledSections])
    const { rows } = await runStatement<{ word: string }>(db, query)
    return new Set(rows.map(({ word }) => word))
  },

  async findBodies(db, organizationId, keys) {
    const spaceIds = keys.map((key) => key.space_id)
    const pageIds = keys.map((key) => key.page_id)
    const parts = keys.map((key) => key.part)
    const query = CompiledQuery.raw(findBodiesSql, [organizationId, spaceIds, pageIds, parts])
    const { rows } = await runStatement<SectionBody>(db, query)
    return rows
  },
}

/** Number of sections in which common words are searched, because the index reads the list of all sections with a word. */
const sampledSections = 100

const findCommonWordsSql = `
  with sampled as materialized (
    select words from search_sections
    where organization_id = $1 and space_id = $2 order by page_id, part limit $4)
  select word from unnest($3::text[]) as given (word)
  where exists (select from sampled where words @@ ('''' || word || '''')::tsquery)`

const findBodiesSql = `
  select space_id, page_id, part, body
  from unnest($2::text[], $3::text[], $4::int[]) as asked (space_id, page_id, part)
    join search_sections using (space_id, page_id, part)
  where organization_id = $1`

/** Queries that all match: by the index, and by reading the sections that the index returns. */
interface MatchedQueries {
  indexed: readonly string[]
  filters: readonly string[]
}

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
  if (indexed.length === 0) return { indexed: [...scopes, ...terms.map(termToTsQuery)], filters: [] }
  return { indexed: [...scopes, ...indexed.map(termToTsQuery)], filters: common.map(termToTsQuery) }
}

/**
 * Returns the conditions for sections that match all queries, in the scope of the first two parameters. The queries are no constants:
 * for a constant the planner reads the statistics of all words. Several queries take less time than one that combines them. An index
 * is not used for the form of the filters.
 */
const toConditions = (
  column: 'words' | 'title_words',
  indexed: readonly string[],
  filters: readonly string[] = [],
): string =>
  [
    ...indexed.map((query) => `${column} @@ ${query}`),
    ...filters.map((query) => `(${column} @@ ${query}) is true`),
    'organization_id = $1 and space_id = any($2::text[])',
  ].join(' and ')

/** Section as it is read: its numbers and names are one text, because reading each column takes time. */
interface MatchRow {
  key: string
  anchor: string | null
  heading: string
  conditions: string
}

/** End of the key of a section that was found by its title and heading. */
const titleMark = ' t'

function toHit({ key, anchor, heading, conditions }: MatchRow): Hit {
  const [space_id = '', page_id = '', part, document = ''] = key.split(' ')
  return { space_id, page_id, part: Number(part), document, anchor, heading, conditions }
}

const toRowSql = (mark: string): string =>
  `space_id || ' ' || page_id || ' ' || part || ' ' || document || '${mark}' as key, anchor, heading, conditions`

const matchSqlByShape = new Map<string, string>()

/**
 * Returns the statement that searches titles and then, if they are not enough, texts. The materialized expressions hide later limits
 * from the planner, with which it would read the table from the start although few sections may match; they are still read only as far
 * as needed.
 */
function toMatchSql(indexedCount: number, filterCount: number): string {
  const shape = `${indexedCount} ${filterCount}`
  const cached = matchSqlByShape.get(shape)
  if (cached !== undefined) return cached
  const queries = Array.from({ length: indexedCount + filterCount }, (_, index) => `(select $${index + 6}::tsquery)`)
  const select = (column: 'words' | 'title_words') => `
    with found as materialized (
      select space_id, page_id, part, document, anchor, heading, conditions from search_sections
      where ${toConditions(column, queries.slice(0, indexedCount), queries.slice(indexedCount))})
    select * from found`
  const text = `
    with titles as materialized (select * from (${select('title_words')}) as matching limit $3)
    select ${toRowSql(titleMark)} from titles union all
    select * from (select ${toRowSql('')} from (${select('words')}) as matching
      where (select count(distinct space_id || page_id) from titles) < $5 limit $4) as anywhere`
  matchSqlByShape.set(shape, text)
  return text
}

/** Counts sections and matches. With a limit of few sections the planner would read the table from its start instead of an index. */
const countSql = `
  select least($3::int, (select count(*)::int from (
    select 1 from search_sections where organization_id = $1 and space_id = any($2::text[]) limit greatest($3::int, 300)
  ) as sections)) as count
  union all
  select counted.count from (
    select position, (
      select count(*)::int from (
        select 1 from (
          with found as materialized (
            select 1 from search_sections where ${toConditions('words', ['given.query::tsquery'])})
          select * from found
        ) as matching limit $3
      ) as limited
    ) as count
    from unnest($4::text[]) with ordinality as given (query, position)
    order by position
  ) as counted`

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
