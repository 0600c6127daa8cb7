import { expect } from 'vitest'
import type { RevisionPage, RevisionPageDocument } from '../../src/contract/revision.ts'
import { propose, updatePage } from './content.ts'
import { OfficialContentSchemas } from './official-schemas.ts'
import type { TestServer } from './server.ts'

let compiled: OfficialContentSchemas | undefined

/** Returns violations of the public schemas, which are compiled once. */
export function officialProblems(node: object): string[] {
  compiled ??= new OfficialContentSchemas()
  return compiled.problemsOf(node)
}

function* documentPages(pages: readonly RevisionPage[]): Generator<RevisionPageDocument> {
  for (const page of pages) {
    if (page.type === 'document') yield page
    if ('pages' in page) yield* documentPages(page.pages)
  }
}

const idsOf = (list: Iterable<RevisionPageDocument>) => Array.from(list, ({ id, documentId }) => ({ id, documentId }))

const perRequest = 50

/**
 * Checks the revision and every document of a space, or one of several, against the public schemas, and that documents which are sent
 * back unchanged change nothing. Returns the number of documents.
 */
export async function checkSpace({ admin }: TestServer, spaceId: string, oneOf = 1): Promise<number> {
  const { api } = admin
  const revision = await api.getCurrentRevision({ params: { spaceId } })
  expect(officialProblems(revision)).toEqual([])
  for (const { id: reusableContentId, title } of revision.reusableContents) {
    const params = { spaceId, revisionId: revision.id, reusableContentId }
    const document = await api.getReusableContentDocumentInRevisionById({ params })
    expect(officialProblems(document), title).toEqual([])
  }

  const all = [...documentPages(revision.pages)]
  // A page of the table of contents whose file does not exist has no document.
  const pages = all.filter(({ documentId }) => documentId !== undefined)
  const chosen = pages.filter((_, index) => index % oneOf === 0)
  const proposal = await propose(admin, spaceId)
  for (let from = 0; from < chosen.length; from += perRequest) {
    const changes = chosen.slice(from, from + perRequest).map(async ({ id: page, title }) => {
      const query = { format: 'document', evaluated: false, dereferenced: false } as const
      const read = await api.getPageById({ params: { spaceId, pageId: page }, query })
      const document = 'document' in read ? read.document : undefined
      expect(officialProblems(document ?? {}), title).toEqual([])
      return updatePage(page, { document: { document } })
    })
    await proposal.edit(...(await Promise.all(changes)))
  }
  const after = await api.getRevisionOfChangeRequestById({ params: proposal.params })
  expect(idsOf(documentPages(after.pages))).toEqual(idsOf(all))
  return pages.length
}
