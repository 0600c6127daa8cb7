import type { RevisionPageDocument } from '../../../contract/revision.ts'
import { ApiError, request } from '../../api.ts'

/** Names a page in a change request by IDs. */
export interface PagePlace {
  spaceId: string
  changeRequestId: string
  pageId: string
}

/** A page at a revision, with its Markdown. */
export interface PageText {
  revision: string
  page: RevisionPageDocument
  /** First line of the Markdown, which contains the title. */
  titleLine: string
  /** Markdown after the title. */
  body: string
}

/** Reads the current text of a page in a change request. */
export async function readPageText(place: PagePlace): Promise<PageText> {
  const { spaceId, changeRequestId } = place
  const { revision } = await request('GET /spaces/{spaceId}/change-requests/{changeRequestId}', {
    params: { spaceId, changeRequestId },
  })
  return readPageTextAt(place, revision)
}

/** Reads the text of a page in a revision. */
export async function readPageTextAt({ spaceId, pageId }: PagePlace, revision: string): Promise<PageText> {
  const page = await request('GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
    params: { spaceId, revisionId: revision, pageId },
    query: { format: 'markdown' },
  })
  if (page.type !== 'document') throw new ApiError(404, `The page is of the type ${page.type}`)
  const [, titleLine = '# ', body = ''] = /^(# [^\n]*)\n*([^]*)$/.exec(page.markdown ?? '') ?? []
  return { revision, page, titleLine, body: body.replace(/\n+$/, '') }
}

/** Reads the title and description of a page in a revision. */
export async function readPageFields(
  { spaceId, pageId }: PagePlace,
  revision: string,
): Promise<{ title: string; description: string }> {
  const page = await request('GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
    params: { spaceId, revisionId: revision, pageId },
  })
  return { title: page.title, description: ('description' in page && page.description) || '' }
}

/** Returns the Markdown that is sent to the server. Without a title, headings would have other levels. */
export const joinPageText = (titleLine: string, body: string): string => `${titleLine}\n\n${body}\n`
