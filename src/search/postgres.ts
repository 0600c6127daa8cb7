import { type Expression, sql } from 'kysely'
import type { Fields, Hit, Match, SearchEngine, SectionBody } from './engine.ts'
import type { Term } from './query.ts'
import { scopeWord, scopeWords } from './scope.ts'

/** The four weight labels of PostgreSQL with their fields, from the highest weight. */
const labels: readonly (readonly [keyof Fields, string])[] = [
  ['title', 'A'],
  ['heading', 'B'],
  ['description', 'C'],
  ['body', 'D'],
  ['around', 'D'],
]

/** Weights of the labels from D to A. */
const weights = sql.raw(`'{0.1, 0.3, 0.5, 1}'`)

/** Distance between the positions of two fields, so that no phrase matches across fields. */
const gap = 10

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
          ${vectorOf(section.space_id, words)}::tsvector)`.execute(db)
    }
  },

  async match(db, { organizationId, spaceIds, terms, mode, limit }) {
    const scopes = scopeWords(spaceIds).map(quoted)
    const wanted = wantedBy({ terms, mode })
    const bounded = scopes.length > 0 ? `(${scopes.join(' | ')}) & (${wanted})` : wanted
    const { rows } = await sql<Hit>`
      select space_id, page_id, part, document, anchor, heading, conditions, ${rankOf(sql.ref('words'), wanted)} as score
      from search_sections
      where words @@ ${bounded}::tsquery and organization_id = ${organizationId}
        and space_id = any(${spaceIds}::text[])
      order by score desc, space_id, page_id, part
      limit ${limit}`.execute(db)
    return rows
  },

  async score(db, sections, match) {
    const vectors = sections.map(({ space_id, words }) => vectorOf(space_id, words))
    const { rows } = await sql<Pick<Hit, 'score'>>`
      select ${rankOf(sql`words::tsvector`, wantedBy(match))} as score
      from unnest(${vectors}::text[]) with ordinality as given (words, place) order by place`.execute(db)
    return rows.map(({ score }) => score)
  },

  async bodies(db, organizationId, keys) {
    const { rows } = await sql<SectionBody>`
      select space_id, page_id, part, body
      from unnest(${keys.map((key) => key.space_id)}::text[], ${keys.map((key) => key.page_id)}::text[],
          ${keys.map((key) => key.part)}::int[]) as asked (space_id, page_id, part)
        join search_sections using (space_id, page_id, part)
      where organization_id = ${organizationId}`.execute(db)
    return rows
  },
}

const wantedBy = ({ terms, mode }: Pick<Match, 'terms' | 'mode'>): string =>
  terms.map(expressionOf).join(mode === 'all' ? ' & ' : ' | ')

/** Returns the rank of a section. Unlike `ts_rank_cd`, `ts_rank` dampens repeated words, so a title outweighs a long text. */
const rankOf = (vector: Expression<unknown>, wanted: string) =>
  sql<number>`ts_rank(${weights}, ${vector}, ${wanted}::tsquery)`

/** Formats words with their positions and weights as a `tsvector`. */
function vectorOf(spaceId: string, fields: Fields): string {
  const places = new Map<string, string[]>()
  let position = 1
  for (const [field, label] of labels) {
    for (const word of fields[field]) {
      const known = places.get(word)
      const place = `${Math.min(position++, maxPosition)}${label}`
      if (known) known.push(place)
      else places.set(word, [place])
    }
    position += gap
  }
  const lexemes = Array.from(places, ([word, at]) => `${quoted(word)}:${at.join(',')}`)
  return [quoted(scopeWord(spaceId)), ...lexemes].join(' ')
}

function expressionOf({ words, isPrefix }: Term): string {
  const lexemes = words.map((word, index) => quoted(word) + (isPrefix && index === words.length - 1 ? ':*' : ''))
  return `(${lexemes.join(' <-> ')})`
}

/** Quotes a word, which contains no quotes because words consist of letters and digits. */
const quoted = (text: string): string => `'${text}'`
