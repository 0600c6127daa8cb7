import type { ExpandedTerm } from './expand.ts'
import type { MatchedTerms } from './matcher.ts'
import type { SpaceLanguage } from './stems.ts'

/** Terms of a query with the data that ranking needs. */
export interface RankedQuery {
  /** Terms to match, without the words of questions. */
  terms: readonly ExpandedTerm[]
  /** How much each of them distinguishes pages: more for rare words. */
  rarities: readonly number[]
  /** All terms in order, for comparison with whole titles. */
  allTerms: MatchedTerms
}

/** Texts of a page that matches. */
export interface RankedPage {
  titles: readonly string[]
  description: string
  sections: readonly RankedSection[]
  language: SpaceLanguage
}

export interface RankedSection {
  heading: string
  /** Text of the section, if it is available. */
  body?: string | undefined
}

/**
 * Weights of fields and of whole titles, tuned with `npm run bench -- search`. The terms of a query share the weight of a field, so
 * the sum of the first four is the maximum of a page without a similar title or heading.
 */
const weights = {
  title: 4,
  heading: 2.5,
  description: 2,
  body: 2,
  similarTitle: 6,
  similarHeading: 6,
  otherSections: 0.15,
}

/** Number of occurrences at which a text gets half of the weight, in a text of average length. */
const bodySaturation = 1.2
/** Length of an average section in words. */
const averageLength = 100

export interface PageRanking {
  score: number
  /** Indexes of the sections, best first. */
  order: number[]
}

/** Ranks pages by their texts and the rarities of terms only, so that the order is the same on all databases. */
export class PageRanker {
  readonly #query: RankedQuery
  /** Position of each searched term among all terms. */
  readonly #positions: readonly number[]
  readonly #totalRarity: number
  readonly #queryLength: number
  /** Matches of titles and headings by language, which are needed twice and are often the same. */
  readonly #titleMatches = new Map<SpaceLanguage, Map<string, TitleMatch>>()
  readonly #emptyTitleMatch: TitleMatch

  constructor(query: RankedQuery) {
    this.#query = query
    this.#positions = query.terms.map((term) => query.allTerms.terms.indexOf(term))
    this.#totalRarity = query.rarities.reduce((sum, rarity) => sum + rarity, 0)
    this.#queryLength = query.allTerms.terms.reduce((sum, term) => sum + lengthOf(term), 0)
    this.#emptyTitleMatch = { weights: query.terms.map(() => 0), similarity: 0 }
  }

  /** Returns the relevance of a page: of its best section, with its title and description. */
  rank({ titles, description, sections, language }: RankedPage): PageRanking {
    const inDescription = this.#matchTitle(description, language)
    const inPage = this.#positions.map(() => 0)
    let similarTitle = 0
    for (const title of titles) {
      if (title === '') continue
      const { weights: inTitle, similarity } = this.#matchTitle(title, language)
      if (similarity > similarTitle) similarTitle = similarity
      for (let index = 0; index < inPage.length; index++) {
        const weight = inTitle[index] as number
        if (weight > (inPage[index] as number)) inPage[index] = weight
      }
    }
    for (let index = 0; index < inPage.length; index++) {
      inPage[index] =
        weights.title * (inPage[index] as number) + weights.description * (inDescription.weights[index] as number)
    }
    const scores = sections.map((section) => this.#rankSection(section, inPage, language))
    const order = scores.map((_, index) => index)
    if (order.length > 1) order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    const best = scores[order[0] ?? 0] ?? 0
    const score = best + weights.similarTitle * similarTitle + weights.otherSections * Math.log(sections.length)
    return { score, order }
  }

  #rankSection({ heading, body = '' }: RankedSection, inPage: readonly number[], language: SpaceLanguage): number {
    const inHeading = this.#matchTitle(heading, language)
    const inBody = body === '' ? undefined : this.#query.allTerms.getMatcher(language).match(body)
    const damping = bodySaturation * (0.5 + (0.5 * (inBody?.length ?? 0)) / averageLength)
    let score = 0
    for (let index = 0; index < inPage.length; index++) {
      const match = inBody?.terms[this.#positions[index] as number]
      const ofBody = match ? (weights.body * match.weight * match.count) / (match.count + damping) : 0
      const ofHeading = weights.heading * (inHeading.weights[index] as number)
      score += (this.#query.rarities[index] ?? 1) * ((inPage[index] as number) + ofHeading + ofBody)
    }
    return score / this.#totalRarity + weights.similarHeading * inHeading.similarity
  }

  #matchTitle(title: string, language: SpaceLanguage): TitleMatch {
    if (title === '') return this.#emptyTitleMatch
    let byTitle = this.#titleMatches.get(language)
    if (!byTitle) this.#titleMatches.set(language, (byTitle = new Map()))
    let match = byTitle.get(title)
    if (!match) byTitle.set(title, (match = this.#computeTitleMatch(title, language)))
    return match
  }

  #computeTitleMatch(title: string, language: SpaceLanguage): TitleMatch {
    const { terms: matches, length } = this.#query.allTerms.getMatcher(language).match(title)
    const matched = this.#query.allTerms.terms.reduce(
      (sum, term, index) => sum + lengthOf(term) * (matches[index]?.weight ?? 0),
      0,
    )
    const similarity = (2 * Math.min(matched, length)) / Math.max(1, this.#queryLength + length)
    return { weights: this.#positions.map((position) => matches[position]?.weight ?? 0), similarity: similarity ** 2 }
  }
}

interface TitleMatch {
  /** How the title matches each of the searched terms. */
  weights: readonly number[]
  /** Similarity to the whole query: 1 if their words are the same, 0 if they have none in common. */
  similarity: number
}

const lengthOf = ({ forms }: ExpandedTerm): number => forms[0]?.words.length ?? 1
