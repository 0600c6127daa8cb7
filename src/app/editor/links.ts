import type { EditorView } from 'prosemirror-view'
import type { ContentRef } from '../../content/document/nodes.ts'
import { newLinkId } from './inline-schema.ts'
import { schema } from './schema.ts'

const linkType = schema.marks['link']

/** Links the selected text, or inserts the title of the page or the address. */
export function insertLink(view: EditorView, destination: string, title: string, pageId: string | undefined): void {
  const { from, to, empty } = view.state.selection
  const link = linkType.create({ id: newLinkId(), data: { ref: toRef(destination, pageId) } })
  const { tr } = view.state
  const text = schema.text(title || destination, [...view.state.selection.$from.marks(), link])
  view.dispatch((empty ? tr.replaceSelectionWith(text, false) : tr.addMark(from, to, link)).scrollIntoView())
  view.focus()
}

/** Returns the reference for the destination of a link. */
export function toRef(destination: string, pageId: string | undefined): ContentRef {
  if (pageId !== undefined) return { kind: 'page', page: pageId }
  return destination.startsWith('#')
    ? { kind: 'anchor', anchor: destination.slice(1) }
    : { kind: 'url', url: destination }
}

/** Whether the selection contains a link. */
export function hasLink({ state }: EditorView): boolean {
  const { from, to } = state.selection
  return state.doc.rangeHasMark(from, to, linkType)
}

export function removeLink(view: EditorView): void {
  const { from, to } = view.state.selection
  view.dispatch(view.state.tr.removeMark(from, to, linkType))
  view.focus()
}
