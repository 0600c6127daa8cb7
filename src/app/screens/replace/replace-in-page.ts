import { type TextQuery, findText, replaceText } from '../../../content/document/find-text.ts'
import type { Document } from '../../../content/document/nodes.ts'
import type { ContentChanges } from '../../../contract/content-changes.ts'
import { ApiError, request } from '../../api.ts'
import { type ContentPlace, changeContent } from '../../data/content-place.ts'
import { replaceTexts as texts } from './replace-texts.ts'
import type { FoundPage } from './use-text-matches.ts'

type Change = ContentChanges['changes'][number]

/** Result of replacing matches in a page. */
export interface Replaced {
  /** The page with the matches that remain. */
  page: FoundPage
  count: number
  /** Writes the previous text again. */
  undo: () => Promise<unknown>
}

/** Replaces some matches of a page with one write that is based on the revision in which they were found. */
export async function replaceInPage(
  place: ContentPlace,
  found: FoundPage,
  query: TextQuery,
  replacement: string,
  isChosen: (index: number) => boolean,
): Promise<Replaced> {
  const read = await request('GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', {
    params: { spaceId: place.spaceId, revisionId: found.revision, pageId: found.page },
    query: { format: 'document' },
  })
  const before = read.type === 'document' ? (read.document as Document | undefined) : undefined
  if (!before || findText(before, query).length !== found.count) throw new ApiError(409, texts.changed)
  const after = replaceText(before, query, replacement, isChosen)
  const revision = await write(place, found.page, found.revision, after)
  const matches = findText(after, query)
  return {
    page: { ...found, revision, count: matches.length, matches },
    count: found.matches.filter((_, index) => isChosen(index)).length + countHidden(found, isChosen),
    undo: () => write(place, found.page, revision, before),
  }
}

/** Counts the chosen matches that are not listed. */
const countHidden = ({ count, matches }: FoundPage, isChosen: (index: number) => boolean): number =>
  Array.from({ length: count - matches.length }, (_, index) => matches.length + index).filter(isChosen).length

async function write(place: ContentPlace, page: string, base: string, { nodes }: Document): Promise<string> {
  const document = { document: { object: 'document', data: { schemaVersion: 1 }, nodes } }
  try {
    const { revision } = await changeContent(place, [{ operation: 'update_page', page, base, document } as Change])
    return revision
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) throw new ApiError(409, texts.conflict)
    throw error
  }
}
