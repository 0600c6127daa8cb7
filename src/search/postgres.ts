import { type Expression, sql } from 'kysely'
import type { FieldWords, Hit, MatchQuery, SearchEngine, SectionBody } from './engine.ts'
import type { Term } from './query.ts'
import { scopeWord, scopeWords } from './scope.ts'

/** The four weight labels of PostgreSQL with their fields, from the highest weight. */
const fieldLabels: readonly (readonly [keyof FieldWords, string])[] = [
  ['title', 'A'],
  ['heading', 'B'],
  ['description', 'C'],
  ['body', 'D'],
  ['around', 'D'],
]

/** Weights of the labels from D to A. */
const weights = sql.raw(`'{0.1, 0.3, 0.5, 1}'`)

/** Distance between the positions of two fields, so that no phrase matches across fields. */
const fieldGap = 10

/** Maximum position in a `tsvector` of PostgreSQL. */
const maxPosition = 16_383

/** PostgreSQL full-text search, with words in the syntax of `tsvector`: its parsers support only some languages and formats. */
export const postgresEngine: SearchEngine = {
  async insert(db, sections) {
    for (const { words, ...section } of sections) {
      await sql`insert into search_sections
          (organization_id, space_id, page_id, part, document, anchor, heading, body, conditions, words)
        values (${section.organization_id}, ${section.space_id}, ${section.page_id}, ${section.part}, ${section.document},
          ${section.anchor}, ${section.heading}, ${section.body}, ${section.conditions},
          ${toTsVector(section.space_id, words)}::tsvector)`.execute(db)
    }
  },

  async match(db, { organizationId, spaceIds, terms, mode, limit }) {
    const scopes = scopeWords(spaceIds).map(quote)
    const tsQuery = toTsQuery({ terms, mode })
    const scopedTsQuery = scopes.length > 0 ? `(${scopes.join(' | ')}) & (${tsQuery})` : tsQuery
    const { rows } = await sql<Hit>`
      select space_id, page_id, part, document, anchor, heading, conditions, ${rankExpression(sql.ref('words'), tsQuery)} as score
      from search_sections
      where words @@ ${scopedTsQuery}::tsquery and organization_id = ${organizationId}
        and space_id = any(${spaceIds}::text[])
      order by score desc, space_id, page_id, part
      limit ${limit}`.execute(db)
    return rows
  },

  async score(db, sections, match) {
    const vectors = sections.map(({ space_id, words }) => toTsVector(space_id, words))
    const { rows } = await sql<Pick<Hit, 'score'>>`
      select ${rankExpression(sql`words::tsvector`, toTsQuery(match))} as score
      from unnest(${vectors}::text[]) with ordinality as given (words, place) order by place`.execute(db)
    return rows.map(({ score }) => score)
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

const toTsQuery = ({ terms, mode }: Pick<MatchQuery, 'terms' | 'mode'>): string =>
  terms.map(termToTsQuery).join(mode === 'all' ? ' & ' : ' | ')

/** Returns the rank of a section. Unlike `ts_rank_cd`, `ts_rank` dampens repeated words, so a title outweighs a long text. */
const rankExpression = (vector: Expression<unknown>, tsQuery: string) =>
  sql<number>`ts_rank(${weights}, ${vector}, ${tsQuery}::tsquery)`

/** Formats words with their positions and weights as a `tsvector`. */
function toTsVector(spaceId: string, fields: FieldWords): string {
  const positionsByWord = new Map<string, string[]>()
  let position = 1
  for (const [field, label] of fieldLabels) {
    for (const word of fields[field]) {
      const positions = positionsByWord.get(word)
      const labeledPosition = `${Math.min(position++, maxPosition)}${label}`
      if (positions) positions.push(labeledPosition)
      else positionsByWord.set(word, [labeledPosition])
    }
    position += fieldGap
  }
  const lexemes = Array.from(positionsByWord, ([word, positions]) => `${quote(word)}:${positions.join(',')}`)
  return [quote(scopeWord(spaceId)), ...lexemes].join(' ')
}

function termToTsQuery({ words, isPrefix }: Term): string {
  const lexemes = words.map((word, index) => quote(word) + (isPrefix && index === words.length - 1 ? ':*' : ''))
  return `(${lexemes.join(' <-> ')})`
}

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quote = (text: string): string => `'${text}'`
