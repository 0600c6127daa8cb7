import type { FoundPage } from '../../src/search/found-page.ts'
import { search } from '../../src/search/search.ts'
import { withSections } from '../../src/search/matching-sections.ts'
import { findSpaceHead } from '../../src/derived/heads.ts'
import { type StatesTable, findDerivationState } from '../../src/derived/derivation-states.ts'
import type { SearchReader } from '../../src/search/hit-visibility.ts'
import { type Change, editLive, emptySpace } from './content.ts'
import { type Person, type TestServer, waitUntil } from './server.ts'

/** Waits until the current content of a space is indexed for search. */
export const waitUntilSearchable = (octavo: TestServer, spaceId: string): Promise<void> =>
  waitUntilDerived(octavo, 'search_states', spaceId)

/** Waits until rows derived from the head of a space are up to date. */
export async function waitUntilDerived({ server }: TestServer, table: StatesTable, spaceId: string): Promise<void> {
  const { reader } = server.app.database
  await waitUntil(async () => {
    const head = await findSpaceHead(reader, spaceId)
    const state = head && (await findDerivationState(reader, table, head))
    return state?.root_hash === head?.rootHash && state?.pending_hash === null
  }, `${table} of the space match its head`)
}

/** Creates a space with these pages and waits until it is indexed. */
export async function makeSearchableSpace(octavo: TestServer, ...changes: Change[]) {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await editLive(octavo.admin, spaceId, ...changes)
  await waitUntilSearchable(octavo, spaceId)
  return { spaceId, pages }
}

/** Returns the titles of the pages that a search in a space finds. */
export async function searchTitles({ api }: Pick<Person, 'api'>, spaceId: string, query: string): Promise<string[]> {
  const { items } = await api.searchSpaceContent({ params: { spaceId }, query: { query } })
  return items.map(({ title }) => title)
}

/** Returns search results as strings: titles, and the snippets of their sections. */
export async function searchSnippets(
  { server }: TestServer,
  { organizationId, spaceIds, query, reader }: Parameters<typeof search>[1] & { reader: SearchReader },
): Promise<string[]> {
  const { database, openObjects } = server.app
  const context = { db: database.reader, openObjects }
  const found = await search(context, { organizationId, spaceIds, query, reader })
  const pages = await withSections(context.db, organizationId, found)
  return pages.map((page) => [titleOf(page), ...page.sections.map(({ snippet }) => snippet.text)].join(': '))
}

const titleOf = ({ lineage }: FoundPage) => lineage.at(-1)?.page.title ?? ''
