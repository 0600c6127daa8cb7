import { GapCursor } from 'prosemirror-gapcursor'
import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { nodeType } from './schema.ts'
import { hasVisibleHead } from './table/table-model.ts'

/** Whether the text of a block can be continued, so that no paragraph is needed after it. */
export const isOpen = (block: Node | null): boolean =>
  block !== null && (block.type.name === 'paragraph' || block.type.name.startsWith('heading'))

/** Inserts an empty paragraph before the first or after the last block, and places the cursor in it. */
export function addParagraph({ tr }: EditorState, side: -1 | 1): Transaction {
  const at = side < 0 ? 0 : tr.doc.content.size
  tr.insert(at, nodeType('paragraph').create())
  return tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView()
}

/** Whether the cursor can move further in a direction. Only the tab with the cursor is visible. */
function hasTextBeside($head: ResolvedPos, side: -1 | 1): boolean {
  const edge = (depth: number) => (side < 0 ? $head.before(depth) : $head.after(depth))
  let found = Selection.findFrom($head.doc.resolve(edge($head.depth)), side)
  for (let depth = $head.depth - 1; depth > 0; depth--) {
    if ($head.node(depth).type.name !== 'tabs_item') continue
    if (found && found.from > $head.before(depth) && found.to < $head.after(depth)) return true
    found = Selection.findFrom($head.doc.resolve(edge(depth - 1)), side)
  }
  return found !== null
}

/** Moves out of the first or last block of the page, for example of code, into a new paragraph. */
const leavePage =
  (side: -1 | 1): Command =>
  (state, dispatch, view) => {
    const { $head, empty } = state.selection
    const block = side < 0 ? state.doc.firstChild : state.doc.lastChild
    if (!empty || !(state.selection instanceof TextSelection) || isOpen(block)) return false
    if (!view?.endOfTextblock(side < 0 ? 'up' : 'down')) return false
    if (hasTextBeside($head, side)) return false
    dispatch?.(addParagraph(state, side))
    return true
  }

/**
 * Moves to the start or end of the page, or selects up to it. Browsers do not if the page starts or ends with an element that is not text,
 * or with blocks that were not laid out.
 */
const goToEdge =
  (side: -1 | 1, isSelecting = false): Command =>
  ({ tr, doc, selection }, dispatch) => {
    const edge = side < 0 ? Selection.atStart(doc) : Selection.atEnd(doc)
    dispatch?.(
      tr.setSelection(isSelecting ? TextSelection.between(selection.$anchor, edge.$head) : edge).scrollIntoView(),
    )
    return true
  }

export const pageEdgeKeys = {
  ArrowUp: leavePage(-1),
  ArrowDown: leavePage(1),
  'Ctrl-Home': goToEdge(-1),
  'Ctrl-End': goToEdge(1),
  'Ctrl-Shift-Home': goToEdge(-1, true),
  'Ctrl-Shift-End': goToEdge(1, true),
  'Cmd-ArrowUp': goToEdge(-1),
  'Cmd-ArrowDown': goToEdge(1),
} satisfies Readonly<Record<string, Command>>

/** Returns the table whose hidden titles contain a position. */
function findHiddenHead($at: ResolvedPos): { table: Node; at: number } | undefined {
  for (let depth = $at.depth; depth > 0; depth--) {
    const table = $at.node(depth)
    if (table.type.name === 'table' && $at.index(depth) === 0 && !hasVisibleHead(table))
      return { table, at: $at.before(depth) }
  }
  return undefined
}

/** Moves the cursor out of hidden titles of columns, in the direction of its last move. */
export const skipHiddenHeads = (): Plugin =>
  new Plugin({
    appendTransaction(_, before, { selection, doc, tr }) {
      const found = selection.empty ? findHiddenHead(selection.$head) : undefined
      if (!found) return null
      const { table, at } = found
      const isBackward = before.selection.head > selection.head && before.selection.head <= doc.content.size
      const $before = doc.resolve(at)
      const after = () => Selection.near(doc.resolve(at + 1 + table.child(0).nodeSize), 1)
      const next = isBackward ? (Selection.findFrom($before, -1) ?? new GapCursor($before)) : after()
      return findHiddenHead(next.$head) ? null : tr.setSelection(next)
    },
  })
