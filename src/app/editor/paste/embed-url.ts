import type { closeHistory } from 'prosemirror-history'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../content/document/nodes.ts'
import type { placeCursorAfter } from '../files.ts'
import type { FollowedRange } from '../follow-range.ts'
import type { findCell } from '../table/table-model.ts'

/** Functions of the editor; this module is loaded later and does not import them. */
interface EmbedTools {
  closeHistory: typeof closeHistory
  findCell: typeof findCell
  placeCursorAfter: typeof placeCursorAfter
}

/** Replaces a pasted URL with the player of its page, if it has one. Undo restores the link. */
export async function embedPasted(
  view: EditorView,
  url: string,
  range: FollowedRange,
  { closeHistory, findCell, placeCursorAfter }: EmbedTools,
): Promise<void> {
  const hasPlayer = await findPlayer(url)
  range.stop()
  if (view.isDestroyed || !hasPlayer) return
  const { tr, selection } = view.state
  const $from = tr.doc.resolve(range.from)
  const { parent } = $from
  if (parent.type.name !== 'paragraph' || parent.textContent !== url) return
  // Lists and tables of links remain text.
  if (/^(?:list|task)_item$/.test($from.node(-1).type.name) || findCell($from)) return
  const json: Block = { object: 'block', type: 'embed', isVoid: true, data: { url } }
  const start = $from.before()
  tr.replaceWith(start, $from.after(), view.state.schema.node('protected_block', { json }))
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
