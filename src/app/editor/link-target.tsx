import type { Mark } from 'prosemirror-model'
import type { ContentRef } from '../../content/document/nodes.ts'
import { appHref } from '../base-path.ts'
import { useContentQuery } from '../data/content-place.ts'
import { toEditorPath } from '../screens/edit/editor-path.ts'
import type { PagePlace } from '../screens/edit/page-text.ts'
import { listLinkTargets } from '../screens/edit/relative-link.ts'
import { usePages } from '../screens/space/use-pages.ts'

interface LinkTargetProps {
  link: Mark
  place: PagePlace
  /** Number of the change request; undefined for the live content. */
  number: string | undefined
}

/** Shows the title of the page and heading that a link points to, as a link that opens them. */
export function LinkTarget({ link, place, number }: LinkTargetProps) {
  const { ref } = link.attrs['data'] as { ref: ContentRef }
  const isHere = (ref.kind === 'page' || ref.kind === 'anchor') && (ref.space ?? place.spaceId) === place.spaceId
  const pageId = isHere ? (ref.page ?? place.pageId) : ''
  const anchor = isHere && ref.kind === 'anchor' ? ref.anchor : undefined
  // The navigation has already read the pages.
  const { data: tree } = usePages(place.spaceId, { changeRequest: number })
  const page = listLinkTargets(tree?.pages ?? []).find(({ id }) => id === pageId)
  const { data } = useContentQuery(
    page && anchor !== undefined ? 'GET /spaces/{spaceId}/content/page/{pageId}/html' : undefined,
    place,
    { params: { pageId } },
  )
  if (!page) return null
  const heading = data?.outline.find(({ id }) => id === anchor)?.title ?? anchor
  const path = toEditorPath({ spaceId: place.spaceId, kind: 'page', pageId }, number)
  return (
    <a
      class="selection-link"
      href={appHref(path) + (anchor === undefined ? '' : `#${anchor}`)}
      target="_blank"
      rel="noreferrer"
    >
      {heading === undefined ? page.title : `${page.title} › ${heading}`}
    </a>
  )
}
