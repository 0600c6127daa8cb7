import type { Lineage, LineagePage } from '../content/revision/lineages.ts'
import type { Hit, SectionKey } from './engine.ts'
import type { MatchedTerms } from './matcher.ts'
import type { SpaceLanguage } from './stems.ts'

/** Page that matches a search. */
export interface FoundPage {
  spaceId: string
  /** Pages from the top of the space down to the page. */
  lineage: Lineage
  /** Sections that match, best first. */
  hits: readonly Hit[]
  /** Rank among all results, starting at 1. */
  rank: number
  /** Terms that were searched, with the forms that match them in the language of the space. */
  terms: MatchedTerms
  language: SpaceLanguage
}

export type UnrankedPage = Omit<FoundPage, 'rank'>

export const pageOf = (lineage: Lineage) => lineage.at(-1) as LineagePage

export const sectionKeyOf = ({ space_id, page_id, part }: SectionKey): string => `${space_id}/${page_id}/${part}`

const pageKeyOf = ({ spaceId, lineage }: UnrankedPage): string => `${spaceId}/${pageOf(lineage).entry.id}`

/** Returns pages without those that are excluded. */
export function withoutPages(pages: readonly UnrankedPage[], excluded: readonly UnrankedPage[]): UnrankedPage[] {
  const keys = new Set(excluded.map(pageKeyOf))
  return pages.filter((page) => !keys.has(pageKeyOf(page)))
}

const withoutDuplicates = (hits: readonly Hit[]): Hit[] => [
  ...new Map(hits.map((hit) => [sectionKeyOf(hit), hit])).values(),
]

/** Adds the sections with which pages were found before. */
export function addHits(pages: readonly UnrankedPage[], found: readonly UnrankedPage[]): UnrankedPage[] {
  if (found.length === 0) return [...pages]
  const foundHits = new Map(found.map((page) => [pageKeyOf(page), page.hits]))
  return pages.map((page) => ({
    ...page,
    hits: withoutDuplicates([...page.hits, ...(foundHits.get(pageKeyOf(page)) ?? [])]),
  }))
}
