import type { Db } from '../schema/tables.ts'
import type { Matches, SearchScope, TermCounts } from './engine.ts'
import { searchEngineOf } from './engines.ts'
import type { ExpandedTerm } from './expand.ts'

/** Terms of a search with the number of indexed sections that contain each. */
export interface CountedTerms {
  terms: readonly ExpandedTerm[]
  counts: TermCounts
}

/**
 * Maximum number of sections that are counted for a term, because counting takes time; words with more are all treated alike. The
 * exact counts of many terms matter less and would take long.
 */
const countLimits = { max: 300, minEstimatedTerms: 7 }

export async function countTerms(db: Db, scope: SearchScope, terms: readonly ExpandedTerm[]): Promise<CountedTerms> {
  return { terms, counts: await searchEngineOf(db).count(db, scope, terms, countLimits) }
}

/** Adds the number of sections that are not in the index. */
export const addCounts = ({ terms, counts }: CountedTerms, { sections, perTerm }: TermCounts): CountedTerms => ({
  terms,
  counts: {
    sections: counts.sections + sections,
    perTerm: counts.perTerm.map((count, index) => count + (perTerm[index] ?? 0)),
  },
})

/** Minimum rarity, for words that are in nearly all sections. */
const minRarity = 0.1

/** Returns how much each term distinguishes sections (inverse document frequency). */
export const toRarities = ({ counts: { sections, perTerm } }: CountedTerms): number[] =>
  perTerm.map((count) => Math.max(minRarity, Math.log(1 + (Math.max(0, sections - count) + 0.5) / (count + 0.5))))

/**
 * Maximum number of sections that are retrieved if many match, and the part of the limit for sections with the terms in titles and
 * headings. More sections with the terms only in their texts take time and hardly improve the results.
 */
const manyMatches = { anywhere: 200, titleShare: 0.3 }

/**
 * Number of pages of each searched space with the terms in titles or headings from which texts are not searched: these pages are the
 * best results, and common words occur in many more texts than titles.
 */
const enoughTitlePagesPerSpace = 50

/** Returns the number of pages with the terms in titles or headings that are enough as results. */
export const countEnoughTitlePages = ({ spaceIds }: SearchScope): number => enoughTitlePagesPerSpace * spaceIds.length

/** Limits of a retrieval besides its terms. */
export interface RetrievalLimits {
  /** Maximum number of sections. */
  maxHits: number
  /** Whether texts are searched even if enough pages have the terms in titles or headings. */
  alwaysSearchesTexts: boolean
}

/** Returns sections with all terms, preferably in titles and headings. */
export async function retrieveWithAll(
  db: Db,
  scope: SearchScope,
  terms: readonly ExpandedTerm[],
  limits: RetrievalLimits,
): Promise<Matches> {
  return searchEngineOf(db).match(db, { ...toScope(scope), terms, mode: 'all', ...toMatchLimits(scope, limits) })
}

/** Returns sections with at least one of the terms; with rare ones, all of them. */
export async function retrieveWithAny(
  db: Db,
  scope: SearchScope,
  { terms, counts }: CountedTerms,
  limits: RetrievalLimits,
): Promise<Matches> {
  if (counts.perTerm.every((count) => count === 0)) return { hits: [], hasOnlyTitles: false }
  const { maxHits } = limits
  const isBounded = Math.max(...counts.perTerm) < countLimits.max
  const total = counts.perTerm.reduce((sum, count) => sum + count, 0)
  const matchLimits =
    isBounded && total <= maxHits
      ? { limit: maxHits, titleLimit: 0, enoughTitlePages: 1 }
      : toMatchLimits(scope, limits)
  return searchEngineOf(db).match(db, { ...toScope(scope), terms, mode: 'any', ...matchLimits })
}

function toMatchLimits(scope: SearchScope, { maxHits, alwaysSearchesTexts }: RetrievalLimits) {
  const titleLimit = Math.ceil(maxHits * manyMatches.titleShare)
  return {
    limit: Math.min(maxHits, manyMatches.anywhere),
    titleLimit,
    enoughTitlePages: alwaysSearchesTexts ? titleLimit + 1 : countEnoughTitlePages(scope),
  }
}

const toScope = ({ organizationId, spaceIds }: SearchScope): SearchScope => ({ organizationId, spaceIds })

/**
 * Separates terms that few sections contain from common ones. Whether a term is rare does not depend on the other terms, so that
 * a word of hidden content does not affect which of the others are searched.
 */
export function splitByRarity(
  { terms, counts }: CountedTerms,
  limit: number,
): { rare: CountedTerms; common: CountedTerms } {
  const maxSections = Math.min(countLimits.max - 1, limit / terms.length)
  const select = (isSelected: (count: number) => boolean): CountedTerms => {
    const indexes = terms.map((_, index) => index).filter((index) => isSelected(counts.perTerm[index] ?? 0))
    return {
      terms: indexes.map((index) => terms[index] as ExpandedTerm),
      counts: { sections: counts.sections, perTerm: indexes.map((index) => counts.perTerm[index] ?? 0) },
    }
  }
  return { rare: select((count) => count <= maxSections), common: select((count) => count > maxSections) }
}
