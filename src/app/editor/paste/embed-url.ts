import { closeHistory } from 'prosemirror-history'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../content/document/nodes.ts'
import { placeCursorAfter } from '../files.ts'
import { followRange } from '../follow-range.ts'
import { isListItem } from '../lists.ts'
import { nodeType } from '../schema.ts'
import { findCell } from '../table/table-model.ts'

/** Replaces a URL that was pasted before the cursor by the player of its page, if it has one. Undo restores the link. */
export async function embedPasted(view: EditorView, url: string): Promise<void> {
  const { head } = view.state.selection
  const range = followRange(view, head - url.length, head)
  const hasPlayer = await findPlayer(url)
  range.stop()
  if (view.isDestroyed || !hasPlayer) return
  const { tr, selection } = view.state
  const $from = tr.doc.resolve(range.from)
  const { parent } = $from
  // Lists and tables of links remain texts.
  if (parent.type.name !== 'paragraph' || parent.textContent !== url || isListItem($from.node(-1)) || findCell($from))
    return
  const json: Block = { object: 'block', type: 'embed', isVoid: true, data: { url } }
  const start = $from.before()
  tr.replaceWith(start, $from.after(), nodeType('protected_block').create({ json }))
  if (selection.empty && selection.head === range.to) placeCursorAfter(tr, start + 1)
  view.dispatch(closeHistory(tr))
}

async function findPlayer(url: string): Promise<boolean> {
  try {
    const { findEmbedPlayer } = await import('../../../content/document/embed-players.ts')
    return findEmbedPlayer(new URL(url)) !== undefined
  } catch {
    // It remains a link if the module cannot be loaded.
    return false
  }
}
