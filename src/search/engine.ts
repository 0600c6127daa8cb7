import type { Db, Row } from '../schema/tables.ts'
import type { Term } from './query.ts'

/** What is looked for of a section, by the field it stands in; fields are named from the weightiest to the least. */
export interface Fields {
  title: readonly string[]
  heading: readonly string[]
  description: readonly string[]
  body: readonly string[]
  /** What stands above the section: it need not be repeated in it to be found with it. */
  around: readonly string[]
}

export interface NewSection extends Row<'search_sections'> {
  words: Fields
}

export interface Hit extends Omit<Row<'search_sections'>, 'organization_id' | 'body'> {
  /** The more, the better. What it counts is for the engine to say. */
  score: number
  /** What it says, where it is in no index. */
  body?: string
}

export type SectionKey = Pick<Hit, 'space_id' | 'page_id' | 'part'>

export type SectionBody = SectionKey & Pick<Row<'search_sections'>, 'body'>

export type ScoredSection = Pick<NewSection, 'space_id' | 'words'>

export interface Match {
  organizationId: string
  spaceIds: readonly string[]
  terms: readonly Term[]
  /** Whether all terms must be in a section, or one of them will do. */
  mode: 'all' | 'any'
  limit: number
}

/** How an engine keeps words and ranks what holds them. */
export interface SearchEngine {
  insert(db: Db, sections: readonly NewSection[]): Promise<void>
  /** The sections that hold the terms, the best first. */
  match(db: Db, match: Match): Promise<Hit[]>
  /** The scores that sections which are in no index would have among those that hold the terms. */
  score(db: Db, sections: readonly ScoredSection[], terms: Pick<Match, 'terms' | 'mode'>): Promise<number[]>
  /** The texts of sections, as far as they are still there. */
  bodies(db: Db, organizationId: string, keys: readonly SectionKey[]): Promise<SectionBody[]>
}
