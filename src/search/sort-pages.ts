import { createYielder } from '../kernel/event-loop.ts'
import type { Db } from '../schema/tables.ts'
import type { Hit } from './engine.ts'
import { type UnrankedPage, pageOf, sectionKeyOf } from './found-page.ts'
import type { PageRanker } from './rank.ts'
import { readSectionTexts } from './section-texts.ts'

/** Maximum number of sections whose texts are read to rank them, of all pages and of one page. */
const textLimits = { total: 50, perPage: 3 }

/** Sorts pages, first by titles and headings, then the best of them also by their texts. */
export async function sortByRelevance(
  db: Db,
  organizationId: string,
  pages: readonly UnrankedPage[],
  ranker: PageRanker,
): Promise<UnrankedPage[]> {
  const byTitles = await sortPages(pages, ranker)
  const best: UnrankedPage[] = []
  let remaining = textLimits.total
  for (const page of byTitles) {
    if (remaining <= 0) break
    remaining -= Math.min(page.hits.length, textLimits.perPage)
    best.push(page)
  }
  const withTexts = await addTexts(db, organizationId, best)
  return [...(await sortPages(withTexts, ranker)), ...byTitles.slice(best.length)]
}

/** Reads the texts of the best hits of pages. */
async function addTexts(db: Db, organizationId: string, pages: readonly UnrankedPage[]): Promise<UnrankedPage[]> {
  const bestHits = pages.flatMap(({ hits }) => hits.slice(0, textLimits.perPage))
  const texts = await readSectionTexts(db, organizationId, bestHits)
  const addText = (hit: Hit, index: number): Hit => {
    const body = index < textLimits.perPage ? (hit.body ?? texts.get(sectionKeyOf(hit))) : undefined
    return body === undefined ? hit : withBody(hit, body)
  }
  return pages.map((page) => withHits(page, page.hits.map(addText)))
}

// Objects with the same properties in the same order are copied without spread syntax, which takes several times as long.

const withHits = ({ spaceId, lineage, terms, language }: UnrankedPage, hits: readonly Hit[]): UnrankedPage => ({
  spaceId,
  lineage,
  hits,
  terms,
  language,
})

const withBody = (hit: Hit, body: string): Hit => ({
  space_id: hit.space_id,
  page_id: hit.page_id,
  part: hit.part,
  document: hit.document,
  anchor: hit.anchor,
  heading: hit.heading,
  conditions: hit.conditions,
  body,
})

/** Number of pages after which sorting yields if it is due; a check takes as long as ranking a page without texts. */
const pagesPerYield = 8

/** Sorts pages and their hits by relevance. */
async function sortPages(pages: readonly UnrankedPage[], ranker: PageRanker): Promise<UnrankedPage[]> {
  const yieldIfDue = createYielder()
  const ranked: { page: UnrankedPage; score: number }[] = []
  for (const [index, page] of pages.entries()) {
    if (index % pagesPerYield === 0) await yieldIfDue()
    const { page: content } = pageOf(page.lineage)
    const { score, order } = ranker.rank({
      titles: [content.title, content.linkTitle ?? ''],
      description: content.description ?? '',
      sections: page.hits,
      language: page.language,
    })
    const isInOrder = order.every((at, place) => at === place)
    ranked.push({
      page: isInOrder
        ? page
        : withHits(
            page,
            order.map((at) => page.hits[at] as Hit),
          ),
      score,
    })
  }
  return ranked.toSorted((a, b) => b.score - a.score).map(({ page }) => page)
}
