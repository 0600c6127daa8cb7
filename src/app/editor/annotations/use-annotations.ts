import { useEffect, useMemo } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { useContentQuery } from '../../data/content-place.ts'
import { useComments } from '../../screens/comments/comment-place.ts'
import type { CommentsState } from '../../screens/comments/comments-state.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { nameLocation, setAnnotations } from './annotations.ts'

/** Maximum number of broken links that are marked. */
const maxBroken = 100

/** Marks blocks with open comments and broken links in the editor; returns the keys of the blocks. */
export function useAnnotations(
  { getView }: VisualEditorModel,
  place: PagePlace,
  space: Space,
  { root, highlighted, target }: CommentsState,
): ReadonlySet<string> {
  const { pageId } = place
  const comments = useComments({ space, changeRequest: place.changeRequestId, pageId }, 'open').items
  const { data: links } = useContentQuery('GET /spaces/{spaceId}/content/page/{pageId}/links', place, {
    params: { pageId },
    query: { status: 'broken', limit: maxBroken },
  })
  const commented = useMemo(
    () => new Set((comments ?? []).flatMap((one) => (one.target.node ? [one.target.node.id] : []))),
    [comments],
  )
  const broken = useMemo(() => new Set((links?.items ?? []).map((item) => nameLocation(item.targetReference))), [links])
  const written = target.value?.key
  useEffect(() => {
    const view = getView()
    if (!view) return
    root.value = view.dom
    const shown = written === undefined ? commented : new Set([...commented, written])
    setAnnotations(view, { commented: shown, highlighted: highlighted.value ?? written, broken, pageId })
  }, [commented, broken, written, highlighted.value])
  return commented
}
