import type { RevisionPageDocument } from '../../../contract/revision.ts'
import { ApiError, request } from '../../api.ts'

/** Names a page or a reusable content in a change request by IDs. */
export interface PagePlace {
  spaceId: string
  changeRequestId: string
  /** ID of the page or of the reusable content. */
  pageId: string
  kind: 'page' | 'reusable-content'
}

/** Fields of a page besides its text; a reusable content has no description. */
export interface PageFields {
  title: string
  description: string
}

/** A page or reusable content at a revision, with its Markdown. */
export interface PageText {
  revision: string
  fields: PageFields
  /** Undefined for a reusable content. */
  page: RevisionPageDocument | undefined
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
export async function readPageTextAt(place: PagePlace, revision: string): Promise<PageText> {
  if (place.kind === 'reusable-content') {
    const { title, markdown } = await readReusableContent(place, revision, { format: 'markdown' })
    return { revision, fields: { title, description: '' }, page: undefined, ...splitMarkdown(markdown) }
  }
  const page = await readPage(place, revision, { format: 'markdown' })
  if (page.type !== 'document') throw new ApiError(404, `The page is of the type ${page.type}`)
  const fields = { title: page.title, description: page.description ?? '' }
  return { revision, fields, page, ...splitMarkdown(page.markdown) }
}

/** Reads the title and description of a page in a revision. */
export async function readPageFields(place: PagePlace, revision: string): Promise<PageFields> {
  if (place.kind === 'reusable-content') {
    const { title } = await readReusableContent(place, revision, {})
    return { title, description: '' }
  }
  const page = await readPage(place, revision, {})
  return { title: page.title, description: ('description' in page && page.description) || '' }
}

const readPage = ({ spaceId, pageId }: PagePlace, revisionId: string, query: { format?: 'markdown' }) =>
  request('GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
    params: { spaceId, revisionId, pageId },
    query,
  })

const readReusableContent = (
  { spaceId, pageId: reusableContentId }: PagePlace,
  revisionId: string,
  query: { format?: 'markdown' },
) =>
  request('GET /spaces/{spaceId}/revisions/{revisionId}/reusable-contents/{reusableContentId}', {
    params: { spaceId, revisionId, reusableContentId },
    query,
  })

function splitMarkdown(markdown = ''): Pick<PageText, 'titleLine' | 'body'> {
  const [, titleLine = '# ', body = ''] = /^(# [^\n]*)\n*([^]*)$/.exec(markdown) ?? []
  return { titleLine, body: body.replace(/\n+$/, '') }
}

/** Returns the Markdown that is sent to the server. Without a title, headings would have other levels. */
export const joinPageText = (titleLine: string, body: string): string => `${titleLine}\n\n${body}\n`
