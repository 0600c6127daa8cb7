import { type FoundPage, search } from '../../src/search/search.ts'
import { withSections } from '../../src/search/sections.ts'
import { findHead } from '../../src/derived/heads.ts'
import { type StatesTable, findState } from '../../src/derived/states.ts'
import type { Reader } from '../../src/search/visible.ts'
import { type Change, editLive, emptySpace } from './content.ts'
import { type Person, type TestServer, until } from './server.ts'

/** Waits until the content of a space can be searched as it is now. */
export const searchable = (octavo: TestServer, spaceId: string): Promise<void> =>
  untilDerived(octavo, 'search_states', spaceId)

/** Waits until rows that are made from the head of a space match it. */
export async function untilDerived({ server }: TestServer, table: StatesTable, spaceId: string): Promise<void> {
  const { reader } = server.app.database
  await until(async () => {
    const head = await findHead(reader, spaceId)
    const state = head && (await findState(reader, table, head))
    return state?.root_hash === head?.rootHash && state?.pending_hash === null
  }, `${table} of the space match its head`)
}

/** A space with these pages, which can be searched. */
export async function searchableSpace(octavo: TestServer, ...changes: Change[]) {
  const spaceId = await emptySpace(octavo.admin)
  const pages = await editLive(octavo.admin, spaceId, ...changes)
  await searchable(octavo, spaceId)
  return { spaceId, pages }
}

/** The titles of the pages that somebody finds in a space. */
export async function titlesFound({ api }: Pick<Person, 'api'>, spaceId: string, query: string): Promise<string[]> {
  const { items } = await api.searchSpaceContent({ params: { spaceId }, query: { query } })
  return items.map(({ title }) => title)
}

/** What a reader finds, in words: titles, and the snippets of their sections. */
export async function tellFound(
  { server }: TestServer,
  { organizationId, spaceIds, query, reader }: Parameters<typeof search>[1] & { reader: Reader },
): Promise<string[]> {
  const { database, openObjects } = server.app
  const context = { db: database.reader, openObjects }
  const found = await search(context, { organizationId, spaceIds, query, reader })
  const pages = await withSections(context.db, organizationId, found, query)
  return pages.map((page) => [titleOf(page), ...page.sections.map(({ snippet }) => snippet.text)].join(': '))
}

const titleOf = ({ lineage }: FoundPage) => lineage.at(-1)?.page.title ?? ''
