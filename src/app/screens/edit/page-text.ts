import type { DocumentBlock, DocumentBody } from '../../../contract/document.ts'
import type { RevisionPageDocument } from '../../../contract/revision.ts'
import { ApiError, request } from '../../api.ts'
import { type ContentPlace, readHead } from '../../data/content-place.ts'
import { type LineConflict, type Side, mergeLines } from './line-diff.ts'

/** Identifies a page or a reusable content by IDs. */
export interface PagePlace extends ContentPlace {
  /** ID of the page or of the reusable content. */
  pageId: string
  kind: 'page' | 'reusable-content'
}

/** Fields of a page besides its text; a reusable content has no description. */
export interface PageFields {
  title: string
  description: string
}

/** A page or reusable content at a revision, with its text in the format of an editor. */
export interface PageText {
  revision: string
  fields: PageFields
  /** Undefined for a reusable content. */
  page: RevisionPageDocument | undefined
  /** First line of the Markdown, which contains the title; empty in other formats. */
  titleLine: string
  /** Text after the title. */
  body: string
  /** The blocks of the text, if it is their JSON. */
  blocks?: readonly DocumentBlock[]
}

/** Format of the text in an editor: Markdown, or the blocks of a document as JSON. */
export interface PageFormat {
  name: 'markdown' | 'document'
  /** Returns the text of a page that was read in this format. */
  toText: (page: Pick<RevisionPageDocument, 'document' | 'markdown'>) => Pick<PageText, 'titleLine' | 'body' | 'blocks'>
  /** Returns the document that is sent to the server. */
  toRequest: (titleLine: string, body: string) => DocumentBody
  /** Returns the text as lines that people can read and compare. */
  toLines: (body: string) => string
  /** Merges the changes of two people; where both changed the same text, it uses the given side and returns both. */
  merge: (
    base: string,
    mine: string,
    theirs: string,
    side: Side,
  ) => { text: string; conflicts: readonly LineConflict[] }
}

/** Reads the current text of a page; with one round trip if `known` is the current revision. */
export async function readPageText(place: PagePlace, format: PageFormat, known?: string): Promise<PageText> {
  const read = known === undefined ? undefined : readPageTextAt(place, known, format).catch(() => undefined)
  const [head, text] = await Promise.all([readHead(place), read])
  return text?.revision === head ? text : readPageTextAt(place, head, format)
}

/** Reads the text of a page in a revision; that of a reusable content is always Markdown. */
export async function readPageTextAt(place: PagePlace, revision: string, format: PageFormat): Promise<PageText> {
  if (place.kind === 'reusable-content') {
    const { title, markdown } = await readReusableContent(place, revision, { format: 'markdown' })
    return { revision, fields: { title, description: '' }, page: undefined, ...markdownFormat.toText({ markdown }) }
  }
  const page = await readPage(place, revision, { format: format.name })
  if (page.type !== 'document') throw new ApiError(404, `The page is of the type ${page.type}`)
  const fields = { title: page.title, description: page.description ?? '' }
  return { revision, fields, page, ...format.toText(page) }
}

export const markdownFormat: PageFormat = {
  name: 'markdown',
  toText({ markdown = '' }) {
    const [, titleLine = '# ', body = ''] = /^(# [^\n]*)\n*([^]*)$/.exec(markdown) ?? []
    return { titleLine, body: body.replace(/\n+$/, '') }
  },
  toRequest: (titleLine, body) => ({ markdown: joinPageText(titleLine, body) }),
  toLines: (body) => body,
  merge: mergeLines,
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

const readPage = ({ spaceId, pageId }: PagePlace, revisionId: string, query: { format?: PageFormat['name'] }) =>
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

/** Returns the Markdown that is sent to the server. Without a title, headings would have other levels. */
export const joinPageText = (titleLine: string, body: string): string => `${titleLine}\n\n${body}\n`
