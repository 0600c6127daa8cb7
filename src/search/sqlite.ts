import { sql } from 'kysely'
import { createYielder } from '../kernel/event-loop.ts'
import { slowReaderOf } from '../storage/slow-reader.ts'
import type { Db } from '../schema/tables.ts'
import type { FieldWords, Hit, NewSection, SearchEngine, SectionBody } from './engine.ts'
import type { ExpandedTerm, Form } from './expand.ts'
import { scopeWord, scopeWords } from './scope.ts'

/** Columns of `search_words` besides the scope. */
const columns = { all: '{title heading description body around}', titles: '{title heading}' }

/** SQLite full-text search with FTS5, without its ranking: `bm25` reads all occurrences of each word. */
export const sqliteEngine: SearchEngine = {
  async insert(db, sections) {
    const yieldIfDue = createYielder()
    for (const section of sections) {
      await insertSection(db, section)
      await yieldIfDue()
    }
  },

  async match(db, { organizationId, spaceIds, terms, mode, inTitles, limit }) {
    const anyOrAll = terms.map(termToExpression).join(mode === 'all' ? ' AND ' : ' OR ')
    const fields = inTitles ? columns.titles : columns.all
    const expression = `${scopeExpression(spaceIds, ' AND ')}${fields} : (${anyOrAll})`
    // A cross join keeps the order of the tables: the words are searched once and not for each section of a space.
    const { rows } = await sql<Hit>`
      select s.space_id, s.page_id, s.part, s.document, s.anchor, s.heading, s.conditions
      from search_words cross join search_sections as s
      where search_words match ${expression} and s.id = search_words.rowid and s.organization_id = ${organizationId}
        and s.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))
      limit ${limit}`.execute(await chooseReader(db))
    return rows
  },

  async count(db, { spaceIds }, terms, max) {
    const scope = scopeExpression(spaceIds, ' AND ')
    const expressions = terms.map((term) => `${scope}${columns.all} : (${termToExpression(term)})`)
    const countMatches = (expression: string) =>
      sql`select count(*) as count from (select 1 from search_words where search_words match ${expression} limit ${max})`
    const countAll = scope === '' ? sql`select ${max} as count` : countMatches(scopeExpression(spaceIds, ''))
    const statement = sql<{
      count: number
    }>`${sql.join([countAll, ...expressions.map(countMatches)], sql` union all `)}`
    const { rows } = await statement.execute(await chooseReader(db))
    const [sections = 0, ...perTerm] = rows.map(({ count }) => count)
    return { sections, perTerm }
  },

  async findBodies(db, organizationId, keys) {
    const keysJson = JSON.stringify(keys.map(({ space_id, page_id, part }) => [space_id, page_id, part]))
    const { rows } = await sql<SectionBody>`
      select s.space_id, s.page_id, s.part, s.body
      from json_each(${keysJson}) as asked cross join search_sections as s
      where s.organization_id = ${organizationId} and s.space_id = asked.value ->> 0
        and s.page_id = asked.value ->> 1 and s.part = asked.value ->> 2`.execute(db)
    return rows
  },
}

/** Maximum size of an index that is searched on the main thread. */
const maxSectionsOnMainThread = 2000

/** Returns the reader for a search: a search of a large index runs in a thread, so that it blocks no other requests. */
async function chooseReader(db: Db): Promise<Db> {
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from search_sections`.execute(db)
  return (rows[0]?.last ?? 0) > maxSectionsOnMainThread ? slowReaderOf(db) : db
}

async function insertSection(db: Db, { words, ...section }: NewSection): Promise<void> {
  const { id } = await db
    .insertInto('search_sections')
    .values(section)
    .returning(sql<number>`id`.as('id'))
    .executeTakeFirstOrThrow()
  const text = (field: keyof FieldWords) => words[field].join(' ')
  await sql`insert into search_words (rowid, scope, title, heading, description, body, around)
    values (${id}, ${scopeWord(section.space_id)}, ${text('title')}, ${text('heading')}, ${text('description')},
      ${text('body')}, ${text('around')})`.execute(db)
}

/** Returns an expression for the sections of some spaces; empty if there are too many spaces. */
function scopeExpression(spaceIds: readonly string[], end: string): string {
  const scopes = scopeWords(spaceIds).map(quote)
  return scopes.length === 0 ? '' : `scope : (${scopes.join(' OR ')})${end}`
}

const termToExpression = ({ forms }: ExpandedTerm): string => `(${forms.map(formToExpression).join(' OR ')})`

const formToExpression = ({ words, isPrefix }: Form): string => quote(words.join(' ')) + (isPrefix ? ' *' : '')

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quote = (text: string): string => `"${text}"`
