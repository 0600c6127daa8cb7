import type { PagePlace } from './page-text.ts'

/** Name in the query of the editor of a new page, whose title is entered first. */
export const newPageQuery = 'new'

const folders: Readonly<Record<PagePlace['kind'], string>> = { page: 'pages', 'reusable-content': 'reusable' }

/** Returns the path of the screen that shows a page or reusable content with its live content. */
export const toReadingPath = ({ spaceId, kind, pageId }: Pick<PagePlace, 'spaceId' | 'kind' | 'pageId'>): string =>
  `/spaces/${spaceId}/${folders[kind]}/${pageId}`

/** Returns the path of the editor, in the change request with a number or of the live content. */
export const toEditorPath = (
  place: Pick<PagePlace, 'spaceId' | 'kind' | 'pageId'>,
  number: string | number | undefined,
): string =>
  number === undefined
    ? `${toReadingPath(place)}/edit`
    : `/spaces/${place.spaceId}/change-requests/${number}/${folders[place.kind]}/${place.pageId}`
