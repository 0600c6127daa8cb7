import type { DocumentBlock } from '../../src/contract/document.ts'
import type { Person } from './server.ts'

interface KeyedBlock extends DocumentBlock {
  key: string
  nodes?: KeyedBlock[]
  data: { records: Record<string, unknown>; definition: Record<string, { id: string; title: string }> }
}

/** Returns the top-level blocks of a page, of the space or of a change request. */
export async function readBlocks(
  { api }: Pick<Person, 'api'>,
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId?: string },
  pageId: string,
): Promise<KeyedBlock[]> {
  const query = { format: 'document' } as const
  const page =
    changeRequestId === undefined
      ? await api.getPageById({ params: { spaceId, pageId }, query })
      : await api.getPageInChangeRequestById({ params: { spaceId, changeRequestId, pageId }, query })
  if (page.type !== 'document') throw new Error(`The page is a ${page.type}`)
  return (page.document?.nodes ?? []) as KeyedBlock[]
}

/** Returns the body of a request with a comment as Markdown. */
export const say = (markdown: string) => ({ body: { markdown } })
