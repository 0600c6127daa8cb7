import type { Db } from '../schema/tables.ts'
import type { SectionKey } from './engine.ts'
import { searchEngineOf } from './engines.ts'
import { containsTerm, parseSearchQuery } from './query.ts'
import type { FoundPage } from './search.ts'
import { type Snippet, createSnippet } from './snippet.ts'
import { splitSearchWords } from './words.ts'

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
  query: string,
): Promise<PageWithSections[]> {
  const terms = parseSearchQuery(query)
  const chosenHits = pages.map(({ hits }) => chooseBestHits(hits))
  const bodies = new Map<string, string>()
  const indexed = chosenHits.flat().filter((hit) => hit.body === undefined)
  for (const { body, ...key } of await searchEngineOf(db).findBodies(db, organizationId, indexed)) {
    bodies.set(sectionKeyOf(key), body)
  }
  return pages.map((page, index) => ({
    ...page,
    sections: (chosenHits[index] ?? []).flatMap((hit): FoundSection[] => {
      const body = hit.body ?? bodies.get(sectionKeyOf(hit))
      if (body === undefined) return []
      const snippet = createSnippet(body, terms)
      const heading = splitSearchWords(hit.heading).map((word) => word.text)
      // A section that matches only by the title of its page adds no information.
      if (snippet.marks.length === 0 && !terms.some((term) => containsTerm(heading, term))) return []
      return [{ anchor: hit.anchor, heading: hit.heading, snippet }]
    }),
  }))
}

function chooseBestHits<Hit extends { anchor: string | null }>(hits: readonly Hit[]): Hit[] {
  const byAnchor = new Map<string | null, Hit>()
  for (const hit of hits) if (!byAnchor.has(hit.anchor)) byAnchor.set(hit.anchor, hit)
  return [...byAnchor.values()].slice(0, maxSections)
}

const sectionKeyOf = ({ space_id, page_id, part }: SectionKey) => `${space_id}/${page_id}/${part}`
