import type { EditorView } from 'prosemirror-view'

/**
 * Lets the editor read the selection of the browser before a change that the user did not make. Browsers report a click only after other
 * tasks, and the change would move the cursor back to where it was.
 */
export function readSelection({ dom }: EditorView): void {
  dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}
