import type { EditorView } from 'prosemirror-view'
import { addParagraph, isOpen } from './page-edges.ts'

/** Adds a paragraph after the last block if the space below it is clicked; returns whether it did. */
export function clickBelow(view: EditorView, { target, clientY }: MouseEvent): boolean {
  const last = view.dom.lastElementChild
  if (target !== view.dom || !last || isOpen(view.state.doc.lastChild)) return false
  if (clientY <= last.getBoundingClientRect().bottom) return false
  view.dispatch(addParagraph(view.state, 1))
  view.focus()
  return true
}
