import { findDerivedRoots } from '../derived/derivation-states.ts'
import { type SpaceHead, findSpaceHeads } from '../derived/heads.ts'
import { createYielder } from '../kernel/event-loop.ts'
import type { Hit, MatchQuery, Matches } from './engine.ts'
import { type ExpandedTerm, addForms, expandTerm } from './expand.ts'
import { removeFillerWords } from './filler-words.ts'
import { type FoundPage, type UnrankedPage, addHits, withoutPages } from './found-page.ts'
import type { SearchReader } from './hit-visibility.ts'
import { type SearchContext, openSpaces } from './open-spaces.ts'
import {
  type SearchPreview,
  type PreviewSections,
  countPreviewTerms,
  mergePreviewHits,
  readPreviewSections,
} from './preview.ts'
import { type Term, parseSearchQuery } from './query.ts'
import { MatchedTerms } from './matcher.ts'
import { QueryWords } from './query-words.ts'
import { PageRanker } from './rank.ts'
import {
  type CountedTerms,
  type RetrievalLimits,
  addCounts,
  countEnoughTitlePages,
  countTerms,
  retrieveWithAll,
  retrieveWithAny,
  splitByRarity,
  toRarities,
} from './retrieve.ts'
import { sortByRelevance } from './sort-pages.ts'
import { findCorrections } from './spelling.ts'
import type { SpaceLanguage } from './stems.ts'
import { type SynonymGroups, type TermsWithSynonyms, applySynonyms } from './synonyms.ts'

export interface SearchRequest {
  organizationId: string
  /** IDs of the spaces to search; those of other organizations are ignored. */
  spaceIds: readonly string[]
  query: string
  /** Reader whose visibility rules apply, or a function that returns it for a space. */
  reader: SearchReader | ((spaceId: string) => SearchReader)
  /** Maximum number of sections to consider, if only a few results are needed. */
  maxHits?: number | undefined
  /** Whether to exclude pages that contain only some of the words. */
  needsAll?: boolean | undefined
  /** Whether words that differ by one letter are searched too, if only few pages match; default true. */
  correctsTypos?: boolean | undefined
  /** Words and phrases that are searched for each other. */
  synonyms?: SynonymGroups | undefined
  /** Change request or revision to search instead of the published content of one of the spaces. */
  preview?: SearchPreview | undefined
}

/** Maximum number of sections that a search considers, and the minimum among which the best are chosen. */
const hitLimits = { default: 1000, min: 200 }

/**
 * Minimum number of pages with all words. With fewer, words that differ by one letter are searched too, and then pages with some words
 * of a question.
 */
const minExactPages = 3

/**
 * Returns the pages that match a query and that the reader may see, best first. They contain all terms or, if no such page is
 * visible, some of them. If only few pages contain all terms, pages with similar words follow. Pages that the reader may not see
 * affect neither the number of results nor these choices.
 */
export async function search(context: SearchContext, request: SearchRequest): Promise<FoundPage[]> {
  const { db } = context
  const { organizationId, preview: requestedPreview } = request
  const parsed = parseSearchQuery(request.query)
  if (parsed.length === 0 || request.spaceIds.length === 0) return []
  const heads = await findSpaceHeads(db, organizationId, request.spaceIds)
  if (heads.length === 0) return []
  const languages = new Map(heads.map(({ spaceId, language }) => [spaceId, language]))
  const previewLanguage = languages.get(requestedPreview?.spaceId ?? '')
  const preview =
    requestedPreview && previewLanguage !== undefined
      ? await readPreviewSections(db, organizationId, { ...requestedPreview, language: previewLanguage })
      : undefined
  return new PageFinder(
    context,
    { ...request, spaceIds: [...languages.keys()], heads, preview },
    languages,
    parsed,
  ).find()
}

type PreparedRequest = Omit<SearchRequest, 'preview'> & {
  heads: readonly SpaceHead[]
  preview: PreviewSections | undefined
}

/** Terms to search, and all terms of the query including the words of questions. */
interface SearchTerms {
  searched: MatchedTerms
  all: MatchedTerms
}

/** Terms that sections are retrieved by, and how much each of the searched terms distinguishes pages. */
interface Retrieval {
  mode: MatchQuery['mode']
  matched: readonly ExpandedTerm[]
  rarities: readonly number[]
  retrieve: (limits: RetrievalLimits) => Promise<Matches>
  /** Pages that were found before, with sections that may not be retrieved again. */
  found?: readonly UnrankedPage[]
}

/** Finds the pages for one query. */
class PageFinder {
  readonly #context: SearchContext
  readonly #request: PreparedRequest
  readonly #languages: ReadonlyMap<string, SpaceLanguage>
  readonly #distinctLanguages: readonly SpaceLanguage[]
  readonly #parsed: readonly Term[]
  readonly #synonyms: TermsWithSynonyms['synonyms']
  readonly #words: QueryWords
  #indexedRoots: Promise<ReadonlyMap<string, string>> | undefined

  constructor(
    context: SearchContext,
    request: PreparedRequest,
    languages: ReadonlyMap<string, SpaceLanguage>,
    parsed: readonly Term[],
  ) {
    this.#context = context
    this.#request = request
    this.#languages = languages
    this.#distinctLanguages = [...new Set(languages.values())]
    const { terms, synonyms } = applySynonyms(parsed, request.synonyms ?? [], this.#distinctLanguages)
    this.#parsed = terms
    this.#synonyms = synonyms
    this.#words = new QueryWords(context.db, request, this.#distinctLanguages)
  }

  async find(): Promise<FoundPage[]> {
    const searched = removeFillerWords(this.#parsed, this.#distinctLanguages)
    const pages = await this.#findPagesWith(searched)
    if (pages.length > 0 || searched.length === this.#parsed.length || this.#request.needsAll) return withRanks(pages)
    const allTerms = await this.#createTerms(this.#parsed, new Map())
    return withRanks(await this.#findPagesWithSome(allTerms))
  }

  /**
   * Returns the pages with all terms as typed, then with similar words. If there are none, or few for a question, the pages with some
   * of them are returned.
   */
  async #findPagesWith(searched: readonly Term[]): Promise<UnrankedPage[]> {
    const exactTerms = await this.#createTerms(searched, new Map())
    const exact = await this.#findPagesWithAll(exactTerms)
    if (exact.length >= minExactPages) return exact
    const corrections = await this.#findCorrections(searched)
    const terms = corrections.size > 0 ? await this.#createTerms(searched, corrections) : exactTerms
    const similar = corrections.size > 0 ? await this.#findPagesWithAll(terms) : []
    const pages = [...exact, ...withoutPages(similar, exact)]
    const isQuestion = searched.length < this.#parsed.length
    const minPages = isQuestion ? minExactPages : 1
    if (pages.length >= minPages || searched.length === 1 || this.#request.needsAll) return pages
    const some = await this.#findPagesWithSome(terms, pages)
    return [...withoutPages(pages, some), ...some]
  }

  /** Returns the visible pages with all terms. Each contains every term, so how rare the terms are makes little difference. */
  async #findPagesWithAll(terms: SearchTerms): Promise<UnrankedPage[]> {
    const searched = terms.searched.terms
    const isPossible = this.#request.preview !== undefined || searched.every((term) => this.#words.mayContain(term))
    if (!isPossible) return []
    return this.#findPages(terms, {
      mode: 'all',
      matched: searched,
      rarities: searched.map(() => 1),
      retrieve: (limits) => retrieveWithAll(this.#context.db, this.#request, searched, limits),
    })
  }

  /** Returns the visible pages with some of the terms, preferably rare ones; pages that were found before keep their sections. */
  async #findPagesWithSome(terms: SearchTerms, found: readonly UnrankedPage[] = []): Promise<UnrankedPage[]> {
    const counted = await this.#countTerms(terms.searched.terms)
    const find = (matched: CountedTerms) =>
      this.#findPages(terms, {
        mode: 'any',
        matched: matched.terms,
        rarities: toRarities(counted),
        retrieve: (limits) => retrieveWithAny(this.#context.db, this.#request, matched, limits),
        found,
      })
    const { rare, common } = splitByRarity(counted, this.#maxHits)
    const pages = await find(rare)
    return pages.length > 0 ? pages : find(common)
  }

  /** Returns the words of the searched spaces that differ from each term by one letter. */
  async #findCorrections(terms: readonly Term[]): Promise<Map<Term, ExpandedTerm['forms']>> {
    const { organizationId, spaceIds, preview, correctsTypos } = this.#request
    const scope = { organizationId, spaceIds, previewWords: preview?.words }
    if (correctsTypos === false) return new Map()
    return findCorrections(this.#context.db, terms, scope)
  }

  async #createTerms(
    terms: readonly Term[],
    corrections: ReadonlyMap<Term, ExpandedTerm['forms']>,
  ): Promise<SearchTerms> {
    const languages = this.#distinctLanguages
    const expanded = new Map(
      this.#parsed.map((term) => {
        const added = [...(this.#synonyms.get(term) ?? []), ...(corrections.get(term) ?? [])]
        return [term, addForms(expandTerm(term, languages), added, languages)]
      }),
    )
    const completed = await this.#words.complete([...expanded.values()])
    const byTerm = new Map(Array.from(expanded.keys(), (term, index) => [term, completed[index] as ExpandedTerm]))
    const all = new MatchedTerms(completed)
    if (terms.length === this.#parsed.length) return { searched: all, all }
    return { searched: new MatchedTerms(terms.map((term) => byTerm.get(term) as ExpandedTerm)), all }
  }

  async #countTerms(terms: readonly ExpandedTerm[]): Promise<CountedTerms> {
    const { preview } = this.#request
    const counted = await countTerms(this.#context.db, this.#request, terms)
    return preview ? addCounts(counted, countPreviewTerms(preview, terms)) : counted
  }

  get #maxHits(): number {
    return Math.max(hitLimits.min, this.#request.maxHits ?? hitLimits.default)
  }

  /** Returns the visible pages with the matched terms, best first by all terms. */
  async #findPages(terms: SearchTerms, retrieval: Retrieval): Promise<UnrankedPage[]> {
    const { searched, all } = terms
    const { rarities, found = [] } = retrieval
    const titles = await this.#retrieveVisible(searched, retrieval, false)
    // Pages that the reader may not see must not decide whether texts are searched.
    const isEnough = !titles.hasOnlyTitles || titles.pages.length >= countEnoughTitlePages(this.#request)
    const { pages } = isEnough ? titles : await this.#retrieveVisible(searched, retrieval, true)
    const ranker = new PageRanker({ terms: searched.terms, rarities, allTerms: all })
    return sortByRelevance(this.#context.db, this.#request.organizationId, addHits(pages, found), ranker)
  }

  async #retrieveVisible(
    terms: MatchedTerms,
    { mode, matched, retrieve }: Retrieval,
    alwaysSearchesTexts: boolean,
  ): Promise<{ pages: UnrankedPage[]; hasOnlyTitles: boolean }> {
    const { preview } = this.#request
    // Read before the hits: if the index is updated in between, pages are checked again instead of taken as current.
    const indexedRoots = await this.#getIndexedRoots()
    const maxHits = this.#maxHits
    const { hits: indexed, hasOnlyTitles } = await retrieve({ maxHits, alwaysSearchesTexts })
    const hits = preview ? mergePreviewHits(indexed, preview, { terms: matched, mode, limit: maxHits }) : indexed
    return { pages: await this.#selectVisible(withoutRepetitions(hits), terms, indexedRoots), hasOnlyTitles }
  }

  /** Returns the roots with which the searched spaces were indexed; nothing for members, who may see outdated conditions. */
  #getIndexedRoots(): Promise<ReadonlyMap<string, string>> {
    const { organizationId, spaceIds, reader } = this.#request
    this.#indexedRoots ??=
      reader === 'member'
        ? Promise.resolve(new Map())
        : findDerivedRoots(this.#context.db, 'search_states', organizationId, spaceIds)
    return this.#indexedRoots
  }

  /** Groups the hits that the reader may see by page; those of a page are adjacent. */
  async #selectVisible(
    hits: readonly Hit[],
    terms: MatchedTerms,
    indexedRoots: ReadonlyMap<string, string>,
  ): Promise<UnrankedPage[]> {
    const spaces = await openSpaces(this.#context, hits, this.#request, indexedRoots)
    const pages: (UnrankedPage & { hits: Hit[] })[] = []
    const yieldIfDue = createYielder()
    for (const [index, hit] of hits.entries()) {
      if (index % hitsPerYield === 0) await yieldIfDue()
      const { space_id: spaceId, page_id: pageId } = hit
      const space = spaces.get(spaceId)
      const lineage = space?.lineages.get(pageId)
      if (!space || !lineage || !space.isVisible(hit, lineage)) continue
      const page = pages.at(-1)
      if (page?.lineage === lineage) page.hits.push(hit)
      else pages.push({ spaceId, lineage, hits: [hit], terms, language: this.#languages.get(spaceId) ?? null })
    }
    return pages
  }
}

/** Number of hits after which selecting them yields if it is due. */
const hitsPerYield = 16

/** Returns each section once, in the order of the index. */
function withoutRepetitions(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted(compareHits)
  return sorted.filter((hit, index) => index === 0 || compareHits(sorted[index - 1] as Hit, hit) !== 0)
}

/** Compares hits by their position in the index, so that equal scores have the same order on all databases. */
function compareHits(a: Hit, b: Hit): number {
  return compareTexts(a.space_id, b.space_id) || compareTexts(a.page_id, b.page_id) || a.part - b.part
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const withRanks = (pages: readonly UnrankedPage[]): FoundPage[] =>
  pages.map(({ spaceId, lineage, hits, terms, language }, index) => ({
    spaceId,
    lineage,
    hits,
    rank: index + 1,
    terms,
    language,
  }))
