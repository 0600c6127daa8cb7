import type { SpaceKey } from '../derived/heads.ts'
import type { Db, Row } from '../schema/tables.ts'
import type { ExpandedTerm } from './expand.ts'

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

/** Columns of a section that do not depend on the database. */
export const sectionColumns = [
  'organization_id',
  'space_id',
  'page_id',
  'part',
  'document',
  'anchor',
  'heading',
  'body',
  'conditions',
] as const satisfies (keyof NewSection)[]

export interface Hit extends Omit<Row<'search_sections'>, 'organization_id' | 'body'> {
  /** Text of the section, if it was read already or is not in the index. */
  body?: string | undefined
}

export type SectionKey = Pick<Hit, 'space_id' | 'page_id' | 'part'>

export type SectionBody = SectionKey & Pick<Row<'search_sections'>, 'body'>

export interface SearchScope {
  organizationId: string
  spaceIds: readonly string[]
}

export interface MatchQuery extends SearchScope {
  terms: readonly ExpandedTerm[]
  /** Whether a section must contain all terms, or at least one. */
  mode: 'all' | 'any'
  /** Maximum number of sections with the terms anywhere. */
  limit: number
  /** Maximum number of sections with the terms in their title or heading. */
  titleLimit: number
  /** Number of pages with the terms in titles or headings from which no sections with the terms elsewhere are searched. */
  enoughTitlePages: number
}

export interface Matches {
  /** Sections that match, in no particular order, and some of them twice. */
  hits: Hit[]
  /** Whether only titles and headings were searched, because enough of them match. */
  hasOnlyTitles: boolean
}

/** Indexes words and finds sections by them, in one of the database engines. */
export interface SearchEngine {
  insert(db: Db, sections: readonly NewSection[]): Promise<void>
  /** Finds sections by terms in titles and headings and, if few pages have them there, by terms anywhere. */
  match(db: Db, match: MatchQuery): Promise<Matches>
  /** Returns the number of all sections in the scope and of those with each term, each up to a maximum. */
  count(db: Db, scope: SearchScope, terms: readonly ExpandedTerm[], limits: CountLimits): Promise<TermCounts>
  /** Returns words that some sections contain and that would take long to count; others may be common too. */
  findCommonWords(db: Db, space: SpaceKey, words: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the texts of sections that still exist. */
  findBodies(db: Db, organizationId: string, keys: readonly SectionKey[]): Promise<SectionBody[]>
}

export interface CountLimits {
  /** Maximum number of sections that are counted for a term. */
  max: number
  /** Number of terms from which the maximum may be returned for words that are common in the whole index, without counting them. */
  minEstimatedTerms: number
}

export interface TermCounts {
  sections: number
  perTerm: number[]
}
