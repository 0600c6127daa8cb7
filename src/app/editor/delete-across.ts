import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, Plugin, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { nodeType } from './schema.ts'
import { isCell } from './table/table-model.ts'

/** Whether a position is inside a block with borders that does not contain the other position. */
const isEnclosed = ($at: ResolvedPos, sharedDepth: number): boolean => {
  for (let depth = $at.depth; depth > sharedDepth; depth--) if ($at.node(depth).type.spec.isolating) return true
  return false
}

/**
 * Deletes a selection that starts or ends in a cell, column, tab or another block with borders, without moving content that is not
 * selected. Undefined for other selections, whose ends are joined.
 */
function deleteAcross({ selection, doc, tr }: EditorState): Transaction | undefined {
  const { $from, $to, from, to } = selection
  if (!(selection instanceof TextSelection) || selection.empty) return undefined
  const shared = $from.sharedDepth(to)
  if (!isEnclosed($from, shared) && !isEnclosed($to, shared)) return undefined
  const ranges: [number, number][] = []
  doc.nodesBetween(from, to, (node, at, parent, index) => {
    const end = at + node.nodeSize
    const isCovered = at >= from && end <= to
    if (isCovered && parent && !isKept(node, parent, index)) {
      ranges.push([at, end])
      return false
    }
    if (node.isTextblock) ranges.push([Math.max(from, at + 1), Math.min(to, end - 1)])
    return !node.isTextblock
  })
  for (const [start, end] of ranges.toReversed()) {
    const $start = tr.doc.resolve(start)
    const isRemovable = $start.parent.isTextblock || $start.parent.canReplace($start.index(), $start.index() + 1)
    // The last block of a container is replaced by an empty one, because containers must not be empty.
    if (isRemovable) tr.delete(start, end)
    else tr.replaceWith(start, end, nodeType('paragraph').create())
  }
  return tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(from, -1)), 1))
}

/** Whether a node that is completely selected remains, without its text. */
const isKept = (node: Node, parent: Node, index: number): boolean =>
  isCell(node) || !parent.canReplace(index, index + 1)

export const deleteAcrossCommand: Command = (state, dispatch) => {
  const tr = deleteAcross(state)
  if (tr) dispatch?.(tr.scrollIntoView())
  return tr !== undefined
}

/** Keeps blocks with borders when text across them is cut, or replaced by typing or pasting. */
export const keepBorders = (): Plugin =>
  new Plugin({
    props: {
      handleTextInput({ state, dispatch }, _from, _to, text) {
        const tr = deleteAcross(state)
        if (tr) dispatch(tr.insertText(text).scrollIntoView())
        return tr !== undefined
      },
      handlePaste({ state, dispatch }) {
        deleteAcrossCommand(state, dispatch)
        return false
      },
      handleDOMEvents: {
        cut(view, event) {
          const tr = deleteAcross(view.state)
          if (!tr || !event.clipboardData) return false
          event.preventDefault()
          const { dom, text } = view.serializeForClipboard(view.state.selection.content())
          event.clipboardData.setData('text/html', dom.innerHTML)
          event.clipboardData.setData('text/plain', text)
          view.dispatch(tr.scrollIntoView().setMeta('uiEvent', 'cut'))
          return true
        },
      },
    },
  })
