import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, Selection, type Transaction } from 'prosemirror-state'

/** Parts that are moved, copied and deleted like blocks, and can only be in a certain block. */
const itemTypes: ReadonlySet<string> = new Set(['list_item', 'task_item', 'stepper_step'])

const isItem = ({ type }: Node): boolean => itemTypes.has(type.name)

/** Whether a node has its own menu. The first text of a list item shares the menu of the item. */
function hasMenu(node: Node, parent: Node, index: number): boolean {
  if (isItem(node)) return true
  const isItemText = node.type.name === 'paragraph' && index === 0 && parent.type.name.endsWith('_item')
  return node.type.isInGroup('block') && !isItemText
}

/** Returns the positions of the blocks that contain a position, or start there, from the outermost one. Cells have other menus. */
export function listBlocksAt($at: ResolvedPos): number[] {
  const found: number[] = []
  for (let depth = 1; depth <= $at.depth; depth++) {
    const node = $at.node(depth)
    if (hasMenu(node, $at.node(depth - 1), $at.index(depth - 1))) found.push($at.before(depth))
    if (node.type.name === 'table') return found
  }
  const { nodeAfter } = $at
  if (nodeAfter && hasMenu(nodeAfter, $at.parent, $at.index())) found.push($at.pos)
  return found
}

/** Returns the block with which a block is exchanged when it is moved up or down. */
function findOther($at: ResolvedPos, by: -1 | 1): Node | undefined {
  const index = $at.index() + by
  const other = index < 0 ? null : $at.parent.maybeChild(index)
  return other && hasMenu(other, $at.parent, index) ? other : undefined
}

/** Returns the position of the container that a block leaves when it is moved beyond the start or end of the container. */
function findOuter($at: ResolvedPos, by: -1 | 1): number | undefined {
  const isAtEdge = $at.index() === (by < 0 ? 0 : $at.parent.childCount - 1)
  const outer = listBlocksAt($at).findLast((position) => position < $at.pos)
  const [container, { nodeAfter }] = [outer === undefined ? null : $at.doc.nodeAt(outer), $at]
  return isAtEdge && container && !isItem(container) && nodeAfter && !isItem(nodeAfter) ? outer : undefined
}

/** Whether a block can be moved: before or after another one, or out of its container. */
export function canMoveBlock(doc: Node, position: number, by: -1 | 1): boolean {
  const $at = doc.resolve(position)
  return findOther($at, by) !== undefined || findOuter($at, by) !== undefined
}

/** Exchanges a block with the one before or after it, or moves it out of its container. The cursor remains in the block. */
export function moveBlock(tr: Transaction, position: number, by: -1 | 1): Transaction {
  const $at = tr.doc.resolve(position)
  const node = $at.nodeAfter
  if (!node) return tr
  const { from, to } = tr.selection
  const offset = from > position && to < position + node.nodeSize ? from - position : 0
  const [other, outer] = [findOther($at, by), findOuter($at, by)]
  let target = position
  if (other) {
    // The block itself is not replaced, so that comments and the menu follow it.
    const start = by < 0 ? position - other.nodeSize : position + node.nodeSize
    tr.delete(start, start + other.nodeSize).insert(by < 0 ? start + node.nodeSize : position, other)
    target = by < 0 ? start : position + other.nodeSize
  } else if (outer !== undefined) {
    const after = outer + (tr.doc.nodeAt(outer)?.nodeSize ?? 0)
    deleteBlock(tr, position)
    target = by < 0 ? outer : tr.mapping.map(after)
    tr.insert(target, node)
  }
  return tr.setSelection(Selection.near(tr.doc.resolve(target + offset), 1)).scrollIntoView()
}

/** Deletes a block: a list or block of steps together with its only item; other containers keep an empty paragraph. */
export function deleteBlock(tr: Transaction, position: number): Transaction {
  const $at = tr.doc.resolve(position)
  const node = $at.nodeAfter
  if (!node) return tr
  if (isItem(node) && $at.parent.childCount === 1) return deleteBlock(tr, $at.before())
  const [index, end] = [$at.index(), position + node.nodeSize]
  const hadCursor = tr.selection.from > position && tr.selection.to < end
  if ($at.parent.canReplace(index, index + 1)) tr.delete(position, end)
  else tr.replaceWith(position, end, node.type.schema.node('paragraph'))
  return hadCursor ? tr.setSelection(Selection.near(tr.doc.resolve(position), 1)) : tr
}

/** Moves the innermost block with the cursor. */
export const moveBlockCommand =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const position = listBlocksAt(state.selection.$from).at(-1)
    if (position === undefined || !canMoveBlock(state.doc, position, by)) return false
    dispatch?.(moveBlock(state.tr, position, by))
    return true
  }
