import type { EditorView } from 'prosemirror-view'

/**
 * Makes the editor read the selection of the browser before a key, or a change that the user did not make, is handled. Browsers
 * report that a click or the End key moved the cursor only after other tasks; until then, the editor would use the previous
 * position of the cursor.
 */
export function readSelection({ dom }: EditorView): void {
  dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}
