import MiniSearch from 'minisearch'
import type { BenchPage } from './search-pages.ts'

/** Returns a search of the same pages with MiniSearch, with prefixes, typos and a higher weight of titles and headings. */
export function createPeerSearch(pages: readonly BenchPage[]): (query: string) => string[] {
  const index = new MiniSearch({
    fields: ['title', 'headings', 'description', 'text'],
    searchOptions: { boost: { title: 4, headings: 3, description: 2 }, prefix: true, fuzzy: 0.2 },
  })
  index.addAll(
    pages.map(({ name, title, headings, description, text }) => ({
      id: name,
      title,
      headings: headings.join('\n'),
      description,
      text,
    })),
  )
  return (query) => index.search(query).map(({ id }) => String(id))
}
