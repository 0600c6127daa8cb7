import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { createYielder } from '../kernel/event-loop.ts'
import { slowReaderOf } from '../storage/slow-reader.ts'
import type { Db } from '../schema/tables.ts'
import {
  type FieldWords,
  type Hit,
  type NewSection,
  type SearchEngine,
  type SearchScope,
  type SectionBody,
  sectionColumns,
} from './engine.ts'
import { type ExpandedTerm, type Form, selectIndexedForms } from './expand.ts'
import { scopeWord, scopeWords } from './scope.ts'

/**
 * Prefix with which words of titles and headings are indexed a second time, in the column `scope`. With a filter for columns, all
 * occurrences of a word in texts would be read too. Words of texts consist of letters and digits.
 */
const titlePrefix = '@@'

type HitColumns = [
  spaceId: string,
  pageId: string,
  part: number,
  document: string,
  anchor: string | null,
  heading: string,
  conditions: string,
]

const toHit = ([space_id, page_id, part, document, anchor, heading, conditions]: HitColumns): Hit => ({
  space_id,
  page_id,
  part,
  document,
  anchor,
  heading,
  conditions,
})

const parseHits = (json = '[]'): Hit[] => (JSON.parse(json) as HitColumns[]).map(toHit)

/** SQLite full-text search with FTS5, without its ranking: `bm25` reads all occurrences of each word. */
export const sqliteEngine: SearchEngine = {
  async insert(db, sections) {
    const yieldIfDue = createYielder()
    const firstId = (await findLastId(db)) + 1
    // All words after all sections: an insert of several rows opens a savepoint, for which FTS5 writes what it has collected
    // so far, so that every statement would add a segment that FTS5 has to merge. Few sections are inserted one by one, because
    // the sections that they replace were deleted in the same transaction.
    const perInsert = sections.length > sectionsPerInsert ? sectionsPerInsert : 1
    for (let start = 0; start < sections.length; start += perInsert) {
      await insertSections(db, firstId + start, sections.slice(start, start + perInsert))
      await yieldIfDue()
    }
    for (const [index, section] of sections.entries()) {
      await insertWords(db, firstId + index, section)
      await yieldIfDue()
    }
  },

  async match(db, { terms, mode, limit, titleLimit, enoughTitlePages, ...scope }) {
    const toExpression = (prefix: string) =>
      terms.map((term) => termToExpression(term, prefix)).join(mode === 'all' ? ' AND ' : ' OR ')
    const [anywhereExpression, titleExpression] = [toExpression(''), toExpression(titlePrefix)]
    const query = CompiledQuery.raw(matchSql, [
      scope.organizationId,
      JSON.stringify(scope.spaceIds),
      anywhereExpression,
      addScope(anywhereExpression, scope.spaceIds),
      limit,
      Math.ceil(limit * matchesPerHit),
      titleExpression,
      addScope(titleExpression, scope.spaceIds),
      titleLimit,
      Math.ceil(titleLimit * matchesPerHit),
      enoughTitlePages,
    ])
    const reader = await chooseReader(db)
    const { rows } = await reader.executeQuery<{ anywhere: string; titles: string }>(query)
    const [anywhere = [], titles = []] = [rows[0]?.anywhere, rows[0]?.titles].map(parseHits)
    const titlePages = new Set(titles.map((hit) => hit.space_id + hit.page_id))
    const hasOnlyTitles = titlePages.size >= enoughTitlePages
    return { hits: hasOnlyTitles ? titles : [...titles, ...anywhere], hasOnlyTitles }
  },

  async count(db, { organizationId, spaceIds }, terms, { max }) {
    const sections = sql`
      select 1 from search_sections
      where organization_id = ${organizationId} and space_id in (select value from json_each(${JSON.stringify(spaceIds)}))`
    const countRows = (rows: RawBuilder<unknown>) => sql`(select count(*) from (${rows} limit ${max}))`
    const countMatches = (term: ExpandedTerm) => {
      const expression = termToExpression(term, '')
      const sparse = sql`select 1 from ${joinSections({ organizationId, spaceIds })} and search_words match ${expression}`
      const dense = sql`select 1 from search_words where search_words match ${addScope(expression, spaceIds)}`
      // FTS5 merges the lists of all words with a prefix before it returns the first match, so they are searched only once.
      if (term.forms.some(({ isPrefix, completions }) => isPrefix && !completions)) return countRows(dense)
      const isSparse = isSparseBelow(expression, Math.min(maxSparse, max * matchesPerCounted))
      return sql`case when ${isSparse} then ${countRows(sparse)} else ${countRows(dense)} end`
    }
    const counts = [countRows(sections), ...terms.map(countMatches)].map((count) => sql`select ${count} as count`)
    const { rows } = await sql<{ count: number }>`${sql.join(counts, sql` union all `)}`.execute(await chooseReader(db))
    const [sectionCount = 0, ...perTerm] = rows.map(({ count }) => count)
    return { sections: sectionCount, perTerm }
  },

  // Counting stops at the maximum, so that common words take no longer.
  async findCommonWords() {
    return new Set()
  },

  async findBodies(db, organizationId, keys) {
    const keysJson = JSON.stringify(keys.map(({ space_id, page_id, part }) => [space_id, page_id, part]))
    const { rows } = await sql<{ bodies: string }>`
      select json_group_array(json_array(s.space_id, s.page_id, s.part, s.body)) as bodies
      from json_each(${keysJson}) as asked cross join search_sections as s
      where s.organization_id = ${organizationId} and s.space_id = asked.value ->> 0
        and s.page_id = asked.value ->> 1 and s.part = asked.value ->> 2`.execute(db)
    const found = JSON.parse(rows[0]?.bodies ?? '[]') as [string, string, number, string][]
    return found.map(([space_id, page_id, part, body]): SectionBody => ({ space_id, page_id, part, body }))
  },
}

/** Maximum size of an index that is searched on the main thread. */
const maxSectionsOnMainThread = 2000

/** Databases whose index was large when it was searched. */
const largeDatabases = new WeakSet<Db>()

/** Returns the reader for a search: a search of a large index runs in a thread, so that it blocks no other requests. */
async function chooseReader(db: Db): Promise<Db> {
  if (!largeDatabases.has(db) && (await findLastId(db)) > maxSectionsOnMainThread) largeDatabases.add(db)
  return largeDatabases.has(db) ? slowReaderOf(db) : db
}

/** Returns the last ID of a section, or 0. */
async function findLastId(db: Db): Promise<number> {
  const { rows } = await db.executeQuery<{ last: number | null }>(CompiledQuery.raw(lastIdSql))
  return rows[0]?.last ?? 0
}

// Statements as text, because compiling them takes longer than running them.
const lastIdSql = 'select max(id) as last from search_sections'
const sectionValuesSql = `(?, ${sectionColumns.map(() => '?').join()})`
const toInsertSectionsSql = (count: number): string =>
  `insert into search_sections (id, ${sectionColumns.join()}) values ${Array(count).fill(sectionValuesSql).join()}`
const insertWordsSql = `insert into search_words (rowid, scope, title, heading, description, body, around)
  values (?, ?, ?, ?, ?, ?, ?)`

/** Maximum number of sections in one insert statement. */
const sectionsPerInsert = 20

/** Inserts sections with consecutive IDs, without their words. */
async function insertSections(db: Db, firstId: number, sections: readonly NewSection[]): Promise<void> {
  const values = sections.flatMap((section, index) => [
    firstId + index,
    ...sectionColumns.map((column) => section[column]),
  ])
  await db.executeQuery(CompiledQuery.raw(toInsertSectionsSql(sections.length), values))
}

async function insertWords(db: Db, id: number, { words, space_id }: NewSection): Promise<void> {
  const text = (field: keyof FieldWords) => words[field].join(' ')
  const titleWords = [...words.title, ...words.heading].map((word) => titlePrefix + word)
  const scope = [scopeWord(space_id), ...titleWords].join(' ')
  const columns = [scope, text('title'), text('heading'), text('description'), text('body'), text('around')]
  await db.executeQuery(CompiledQuery.raw(insertWordsSql, [id, ...columns]))
}

/** Matches in all spaces that are read for each one in the searched spaces, before only these are searched. */
const matchesPerHit = 1.5

/** Parameters of a selection of sections, in the notation of SQLite. */
interface SelectionParameters {
  expression: string
  /** The expression, limited to the searched spaces. */
  scopedExpression: string
  max: string
  maxRead: string
}

/**
 * Selects up to `max` sections that match, if a condition is true. Usually most sections belong to the searched spaces, so matches in
 * all spaces are read first. If they contain too few, the expression is limited to the spaces, which takes longer: FTS5 reads the list
 * of their sections too.
 */
function toSelection({ expression, scopedExpression, max, maxRead }: SelectionParameters, condition: string): string {
  const columns = 's.space_id, s.page_id, s.part, s.document, s.anchor, s.heading, s.conditions'
  const isInScope = 's.organization_id = ?1 and s.space_id in (select value from json_each(?2))'
  // With a limit of 0 nothing is searched, unlike with a condition in the `where` clause.
  return `
    with matching as materialized (
        select rowid as id from search_words where search_words match ${expression}
        limit case when ${condition} then ${maxRead} else 0 end),
      first as materialized (
        select ${columns} from matching cross join search_sections as s
        where s.id = matching.id and ${isInScope} limit ${max}),
      others as (
        select ${columns} from search_words cross join search_sections as s
        where s.id = search_words.rowid and ${isInScope} and search_words match ${scopedExpression}
        limit case
          when (select count(*) from matching) >= ${maxRead} and (select count(*) from first) < ${max} then ${max}
          else 0 end)
    select * from first union all select * from others`
}

/** One JSON text takes half of the time of reading the rows one by one and passing them between threads. */
const hitsToJson = 'json_group_array(json_array(space_id, page_id, part, document, anchor, heading, conditions))'

/** Unlike PostgreSQL, FTS5 returns the first matches early, so titles are searched only if they can make a difference. */
const matchSql = `
  with anywhere as materialized (${toSelection({ expression: '?3', scopedExpression: '?4', max: '?5', maxRead: '?6' }, 'true')}),
    titles as (${toSelection(
      { expression: '?7', scopedExpression: '?8', max: '?9', maxRead: '?10' },
      `(select count(*) from anywhere) >= ?5 or (select count(distinct space_id || page_id) from anywhere) >= ?11`,
    )})
  select (select ${hitsToJson} from anywhere) as anywhere, (select ${hitsToJson} from titles) as titles`

/** Maximum number of matches that are sparse. */
const maxSparse = 1000

/** Matches that are read for each one that is counted; if there are more, one in the searched spaces is probably found early. */
const matchesPerCounted = 20

/**
 * Returns a condition for whether few sections of all spaces match an expression. Then their spaces are compared row by row, because
 * FTS5 reads the whole list of sections of a space to combine it with few matches.
 */
const isSparseBelow = (expression: string, limit: number) => sql`
  (select count(*) from (select 1 from search_words where search_words match ${expression} limit ${limit})) < ${limit}`

/** Returns the words joined with their sections of some spaces. A cross join keeps the order, so that words are searched once. */
const joinSections = (scope: SearchScope) => sql`
  search_words cross join search_sections as s
  where s.id = search_words.rowid and ${isInScope(scope)}`

const isInScope = ({ organizationId, spaceIds }: SearchScope) => sql`
  s.organization_id = ${organizationId} and s.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))`

/** Limits an expression to the sections of some spaces, unless there are too many spaces. */
function addScope(expression: string, spaceIds: readonly string[]): string {
  const scopes = scopeWords(spaceIds).map(quote)
  return scopes.length === 0 ? expression : `(${scopes.join(' OR ')}) AND (${expression})`
}

/** Returns an expression for a term whose words are indexed with a prefix. */
const termToExpression = (term: ExpandedTerm, prefix: string): string =>
  `(${selectIndexedForms(term)
    .map((form) => formToExpression(form, prefix))
    .join(' OR ')})`

const formToExpression = ({ words, isPrefix, completions }: Form, prefix: string): string =>
  completions
    ? completions.map((word) => quote(prefix + word)).join(' OR ') || quote(prefix + words.join(' '))
    : quote(words.map((word) => prefix + word).join(' ')) + (isPrefix ? ' *' : '')

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quote = (text: string): string => `"${text}"`
