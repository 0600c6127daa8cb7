import { sql } from 'kysely'
import type { Db } from '../storage/tables.ts'
import type { Fields, Hit, NewSection, SearchEngine, SectionBody } from './engine.ts'
import type { Term } from './query.ts'
import { scopeWord, scopeWords } from './scope.ts'

// How much a word counts in each column of `search_words`.
const weights = sql.raw('0, 10, 5, 3, 1, 0.5')

/** The embedded engine: FTS5, ranked by BM25. */
export const sqliteEngine: SearchEngine = {
  async insert(db, sections) {
    for (const section of sections) await insertSection(db, section)
  },

  async match(db, { organizationId, spaceIds, terms, mode, limit }) {
    const scopes = scopeWords(spaceIds).map(quoted)
    const wanted = terms.map(expressionOf).join(mode === 'all' ? ' AND ' : ' OR ')
    const scope = scopes.length > 0 ? `scope : (${scopes.join(' OR ')}) AND ` : ''
    const expression = `${scope}{title heading description body around} : (${wanted})`
    const { rows } = await sql<Hit>`
      select s.space_id, s.page_id, s.part, s.document, s.anchor, s.heading, s.conditions
      from search_words join search_sections as s on s.id = search_words.rowid
      where search_words match ${expression} and s.organization_id = ${organizationId}
        and s.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))
      order by bm25(search_words, ${weights}), s.space_id, s.page_id, s.part
      limit ${limit}`.execute(db)
    return rows
  },

  async bodies(db, organizationId, keys) {
    const asked = JSON.stringify(keys.map(({ space_id, page_id, part }) => [space_id, page_id, part]))
    const { rows } = await sql<SectionBody>`
      select s.space_id, s.page_id, s.part, s.body
      from json_each(${asked}) as asked cross join search_sections as s
      where s.organization_id = ${organizationId} and s.space_id = asked.value ->> 0
        and s.page_id = asked.value ->> 1 and s.part = asked.value ->> 2`.execute(db)
    return rows
  },
}

async function insertSection(db: Db, { words, ...section }: NewSection): Promise<void> {
  const { id } = await db
    .insertInto('search_sections')
    .values(section)
    .returning(sql<number>`id`.as('id'))
    .executeTakeFirstOrThrow()
  const text = (field: keyof Fields) => words[field].join(' ')
  await sql`insert into search_words (rowid, scope, title, heading, description, body, around)
    values (${id}, ${scopeWord(section.space_id)}, ${text('title')}, ${text('heading')}, ${text('description')},
      ${text('body')}, ${text('around')})`.execute(db)
}

function expressionOf({ words, isPrefix }: Term): string {
  return quoted(words.join(' ')) + (isPrefix ? ' *' : '')
}

/** Words hold letters and digits only, so nothing in them ends the quotes. */
const quoted = (text: string): string => `"${text}"`
