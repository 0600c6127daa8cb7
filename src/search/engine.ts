import type { Db, Row } from '../schema/tables.ts'
import type { Term } from './query.ts'

/** Words of a section by field, from the highest to the lowest weight. */
export interface FieldWords {
  title: readonly string[]
  heading: readonly string[]
  description: readonly string[]
  body: readonly string[]
  /** Titles and headings above the section, so that it is also found by words that it does not repeat. */
  around: readonly string[]
}

export interface NewSection extends Row<'search_sections'> {
  words: FieldWords
}

export interface Hit extends Omit<Row<'search_sections'>, 'organization_id' | 'body'> {
  /** Relevance, higher is better. Its scale depends on the engine. */
  score: number
  /** Text of a section that is not in the index. */
  body?: string
}

export type SectionKey = Pick<Hit, 'space_id' | 'page_id' | 'part'>

export type SectionBody = SectionKey & Pick<Row<'search_sections'>, 'body'>

export type ScoredSection = Pick<NewSection, 'space_id' | 'words'>

export interface MatchQuery {
  organizationId: string
  spaceIds: readonly string[]
  terms: readonly Term[]
  /** Whether a section must contain all terms, or at least one. */
  mode: 'all' | 'any'
  limit: number
}

/** Indexes words and ranks sections by relevance, in one of the database engines. */
export interface SearchEngine {
  insert(db: Db, sections: readonly NewSection[]): Promise<void>
  /** Returns the sections that match the terms, best first. */
  match(db: Db, match: MatchQuery): Promise<Hit[]>
  /** Returns the scores that sections outside the index would have among the indexed ones. */
  score(db: Db, sections: readonly ScoredSection[], terms: Pick<MatchQuery, 'terms' | 'mode'>): Promise<number[]>
  /** Returns the texts of sections that still exist. */
  findBodies(db: Db, organizationId: string, keys: readonly SectionKey[]): Promise<SectionBody[]>
}
