import type { EditorView } from 'prosemirror-view'

/**
 * Lets the editor read the selection of the browser before a key or a change that the user did not make. Browsers report that a click or
 * the key End moved the cursor only after other tasks; until then, the editor would use the place where the cursor was before.
 */
export function readSelection({ dom }: EditorView): void {
  dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}
