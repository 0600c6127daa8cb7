import { sql } from 'kysely'
import { createYielder } from '../kernel/event-loop.ts'
import { slowReaderOf } from '../storage/slow-reader.ts'
import type { Db } from '../schema/tables.ts'
import { type Corpus, bm25 } from './bm25.ts'
import type { FieldWords, Hit, NewSection, SearchEngine, SectionBody } from './engine.ts'
import type { Term } from './query.ts'
import { scopeWord, scopeWords } from './scope.ts'

/** Weights of the columns of `search_words`; the scope column comes first in the table and has the weight 0. */
const weights: Readonly<Record<keyof FieldWords, number>> = {
  title: 10,
  heading: 5,
  description: 3,
  body: 1,
  around: 0.5,
}
const rankExpression = sql.raw(`-bm25(search_words, ${[0, ...Object.values(weights)].join(', ')})`)

/** SQLite full-text search with FTS5, ranked by BM25. */
export const sqliteEngine: SearchEngine = {
  async insert(db, sections) {
    const yieldIfDue = createYielder()
    for (const section of sections) {
      await insertSection(db, section)
      await yieldIfDue()
    }
  },

  async match(db, { organizationId, spaceIds, terms, mode, limit }) {
    const scopes = scopeWords(spaceIds).map(quote)
    const termExpression = terms.map(toMatchExpression).join(mode === 'all' ? ' AND ' : ' OR ')
    const scope = scopes.length > 0 ? `scope : (${scopes.join(' OR ')}) AND ` : ''
    const expression = `${scope}{title heading description body around} : (${termExpression})`
    const { rows } = await sql<Hit>`
      select s.space_id, s.page_id, s.part, s.document, s.anchor, s.heading, s.conditions, ${rankExpression} as score
      from search_words join search_sections as s on s.id = search_words.rowid
      where search_words match ${expression} and s.organization_id = ${organizationId}
        and s.space_id in (select value from json_each(${JSON.stringify(spaceIds)}))
      order by score desc, s.space_id, s.page_id, s.part
      limit ${limit}`.execute(await chooseReader(db))
    return rows
  },

  async score(db, sections, { terms }) {
    const corpus = await readCorpus(db, terms)
    return sections.map(({ words }) => bm25(words, weights, terms, corpus))
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

/** Maximum size of an index that is searched on the main thread: ranking takes about 5 µs for each matching section. */
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

/** Reads the statistics that `bm25` of FTS5 uses. */
async function readCorpus(db: Db, terms: readonly Term[]): Promise<Corpus> {
  const { rows } = await sql<{ block: Uint8Array }>`select block from search_words_data where id = 1`.execute(db)
  const [sectionCount = 0, ...lengths] = decodeVarints(rows[0]?.block ?? new Uint8Array())
  const reader = await chooseReader(db)
  const sectionsPerTerm: number[] = []
  for (const term of terms) {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from search_words where search_words match ${toMatchExpression(term)}`.execute(reader)
    sectionsPerTerm.push(counted[0]?.count ?? 0)
  }
  return { sectionCount, wordCount: lengths.reduce((sum, length) => sum + length, 0), sectionsPerTerm }
}

/** Decodes the varints of FTS5: seven bits per byte, with the high bit set in all but the last byte. */
function decodeVarints(block: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  for (const byte of block) {
    number = number * 0x80 + (byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
  }
  return numbers
}

function toMatchExpression({ words, isPrefix }: Term): string {
  return quote(words.join(' ')) + (isPrefix ? ' *' : '')
}

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quote = (text: string): string => `"${text}"`
