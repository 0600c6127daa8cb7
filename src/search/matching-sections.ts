import type { Db } from '../schema/tables.ts'
import { type FoundPage, sectionKeyOf } from './found-page.ts'
import { readSectionTexts } from './section-texts.ts'
import { type Snippet, createSnippet } from './snippet.ts'

/** Section of a page that matches a search. */
export interface FoundSection {
  /** Null for the start of the page. */
  anchor: string | null
  heading: string
  snippet: Snippet
}

export interface PageWithSections extends FoundPage {
  sections: FoundSection[]
}

const maxSections = 3

/** Adds the best matching sections, with snippets, to pages. */
export async function withSections(
  db: Db,
  organizationId: string,
  pages: readonly FoundPage[],
): Promise<PageWithSections[]> {
  const chosenHits = pages.map(({ hits }) => chooseBestHits(hits))
  const texts = await readSectionTexts(db, organizationId, chosenHits.flat())
  return pages.map((page, index) => {
    const matcher = page.terms.getMatcher(page.language)
    const sections = (chosenHits[index] ?? []).flatMap((hit): FoundSection[] => {
      const body = hit.body ?? texts.get(sectionKeyOf(hit))
      if (body === undefined) return []
      const snippet = createSnippet(body, matcher)
      const inHeading = matcher.findMatchingWords(hit.heading)
      // A section that matches only by the title of its page adds no information.
      if (snippet.marks.length === 0 && inHeading.length === 0) return []
      return [{ anchor: hit.anchor, heading: hit.heading, snippet }]
    })
    return { ...page, sections }
  })
}

function chooseBestHits<Hit extends { anchor: string | null }>(hits: readonly Hit[]): Hit[] {
  const byAnchor = new Map<string | null, Hit>()
  for (const hit of hits) if (!byAnchor.has(hit.anchor)) byAnchor.set(hit.anchor, hit)
  return [...byAnchor.values()].slice(0, maxSections)
}
