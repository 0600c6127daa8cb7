import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { FollowedRange } from '../follow-range.ts'
import type { readSelection } from '../read-selection.ts'

/** Functions of the editor, which this module does not import because it is loaded later, and the pasted text. */
interface PasteTools {
  pasteInTitle: (view: EditorView, content: Slice) => boolean
  readSelection: typeof readSelection
  text: string
}

/** Replaces the selection by Markdown, or by its plain text if the server cannot convert it. */
export async function pasteMarkdown(
  view: EditorView,
  range: FollowedRange,
  parsed: Promise<readonly Node[] | undefined>,
  { pasteInTitle, readSelection, text }: PasteTools,
): Promise<void> {
  const nodes = await parsed
  range.stop()
  if (view.isDestroyed) return
  readSelection(view)
  const { tr, selection, schema } = view.state
  const content = nodes ? Slice.maxOpen(Fragment.from(nodes)) : new Slice(Fragment.from(schema.text(text)), 0, 0)
  // If the cursor was moved in the meantime, it remains there.
  const isThere = selection.from === range.from && selection.to === range.to
  if (isThere && pasteInTitle(view, content)) return
  view.dispatch(
    isThere ? tr.replaceSelection(content).scrollIntoView() : tr.replaceRange(range.from, range.to, content),
  )
}
