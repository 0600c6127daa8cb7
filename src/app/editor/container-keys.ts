import { joinTextblockForward } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import { type Command, type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state'
import { nodeType } from './schema.ts'
import { hasVisibleHead } from './table/table-model.ts'

/** Blocks whose parts have borders: text beside them is not joined with text inside them. */
const dividedTypes: ReadonlySet<string> = new Set(['tabs', 'columns', 'updates', 'stepper', 'images'])
/** Blocks that are removed with Backspace while they are empty. */
const removedTypes: ReadonlySet<string> = new Set([...dividedTypes, 'expandable', 'if', 'table'])
/** Blocks that are selected first when a key would delete them. */
const selectedTypes: ReadonlySet<string> = new Set([...dividedTypes, 'protected_block', 'code_block'])

const isAtStart = ({ selection: { empty, $from } }: EditorState): boolean => empty && $from.parentOffset === 0
const isAtEnd = ({ selection: { empty, $from } }: EditorState): boolean =>
  empty && $from.parentOffset === $from.parent.content.size

/**
 * Selects an adjacent block with parts instead of joining the text with one of them, and moves the cursor into adjacent code.
 * Joining would remove the marks of the text, or the lines of the code.
 */
const selectBeside =
  (side: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if ($from.depth === 0 || !(side < 0 ? isAtStart(state) : isAtEnd(state))) return false
    const index = $from.index($from.depth - 1) + side
    const sibling = index < 0 ? null : $from.node($from.depth - 1).maybeChild(index)
    const isCode = sibling?.type.spec.code === true
    if (!sibling || !selectedTypes.has(sibling.type.name) || (isCode && $from.parent.type.spec.code)) return false
    const { tr } = state
    const at = side < 0 ? $from.before() - sibling.nodeSize : $from.after()
    const isEmpty = $from.parent.content.size === 0
    if (isEmpty) tr.delete($from.before(), $from.after())
    const start = isEmpty ? tr.mapping.map(at) : at
    const selection = isCode
      ? TextSelection.create(tr.doc, side < 0 ? start + sibling.nodeSize - 1 : start + 1)
      : NodeSelection.create(tr.doc, start)
    dispatch?.(tr.setSelection(selection).scrollIntoView())
    return true
  }

/** Whether a block has neither text nor nodes other than text. */
function isEmptyBlock(block: Node): boolean {
  let isEmpty = block.textContent === ''
  block.descendants((node) => {
    isEmpty &&= !node.isLeaf && node.type.name !== 'image'
  })
  return isEmpty
}

/** Returns the position where the visible content of a block starts. */
const startOf = (block: Node, at: number): number =>
  block.type.name === 'table' && !hasVisibleHead(block) ? at + 1 + block.child(0).nodeSize : at

/** Replaces an empty block with parts by a paragraph if the cursor is at its start. */
const removeEmpty: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!isAtStart(state)) return false
  for (let depth = $from.depth - 1; depth > 0; depth--) {
    const block = $from.node(depth)
    if (!removedTypes.has(block.type.name)) continue
    const isFirst = Selection.near(state.doc.resolve(startOf(block, $from.before(depth))), 1).from === $from.pos
    if (!isFirst || !isEmptyBlock(block)) return false
    const at = $from.before(depth)
    const tr = state.tr.replaceWith(at, $from.after(depth), nodeType('paragraph').create())
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView())
    return true
  }
  return false
}

/** Parts of a block that can be removed with a key while they are empty; other parts have a title or a date. */
const removedParts: ReadonlySet<string> = new Set(['column', 'stepper_step'])

/** Removes an empty part of a block if the cursor is at its start or end, and does not change the other parts. */
const removePart =
  (side: -1 | 1): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    const depth = $from.depth - 1
    if (!removedParts.has($from.node(depth)?.type.name) || !(side < 0 ? isAtStart(state) : isAtEnd(state))) return false
    const [part, index, last] = [$from.node(depth), $from.index(depth - 1), $from.node(depth - 1).childCount - 1]
    const isAtEdge = $from.index(depth) === (side < 0 ? 0 : part.childCount - 1)
    if (last === 0 || !isAtEdge || !isEmptyBlock(part)) return false
    const at = $from.before(depth)
    const tr = state.tr.delete(at, $from.after(depth))
    // The cursor remains in the block.
    const bias = index === 0 ? 1 : index === last ? -1 : side
    dispatch?.(tr.setSelection(Selection.near(tr.doc.resolve(at), bias)).scrollIntoView())
    return true
  }

/** Moves from the start of the body of an expandable to its title; at the start of the title, turns the expandable into text. */
const leaveExpandable: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!isAtStart(state) || $from.depth < 2) return false
  const { tr } = state
  if ($from.parent.type.name === 'expandable_title') {
    const [at, block] = [$from.before($from.depth - 1), $from.node($from.depth - 1)]
    const blocks = [nodeType('paragraph').create(null, $from.parent.content), ...block.child(1).children]
    tr.replaceWith(at, at + block.nodeSize, blocks).setSelection(TextSelection.create(tr.doc, at + 1))
  } else {
    const isFirst = $from.node($from.depth - 1).type.name === 'expandable_body' && $from.index($from.depth - 1) === 0
    if (!isFirst) return false
    tr.setSelection(Selection.near(tr.doc.resolve($from.before($from.depth - 1) - 1), -1))
  }
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Containers that an empty paragraph at their end leaves; true for parts that can be followed by other parts of the same block. */
const leftTypes: ReadonlyMap<string, boolean> = new Map([
  ['if', false],
  ['expandable_body', false],
  ['tabs_item', false],
  ['column', true],
  ['stepper_step', true],
  ['update', true],
])

/** Moves an empty paragraph at the end of a container after the block, as in lists and quotes. */
export const leaveContainer: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  const depth = $from.depth - 1
  const container = $from.node(depth)
  const hasOthers = leftTypes.get(container.type.name)
  if (hasOthers === undefined || !empty || $from.parent.type.name !== 'paragraph' || $from.parent.content.size > 0)
    return false
  const isLastPart = !hasOthers || $from.index(depth - 1) === $from.node(depth - 1).childCount - 1
  if (!isLastPart || container.childCount < 2 || $from.index(depth) < container.childCount - 1) return false
  const after = $from.after(container.type.isInGroup('block') ? depth : depth - 1)
  const tr = state.tr.insert(after, nodeType('paragraph').create()).delete($from.before(), $from.after())
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, tr.mapping.map(after, -1) + 1)).scrollIntoView())
  return true
}

export const backspaceInContainer: readonly Command[] = [removeEmpty, removePart(-1), leaveExpandable, selectBeside(-1)]

/** Moves from the title of an expandable to its body. */
export const enterBody: Command = (state, dispatch) => {
  const { $from } = state.selection
  if ($from.parent.type.name !== 'expandable_title') return false
  dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve($from.after()), 1)).scrollIntoView())
  return true
}

const enterBodyAtEnd: Command = (state, dispatch, view) => isAtEnd(state) && enterBody(state, dispatch, view)

/** Joins the text with that of the next item or block. Code is not joined, because its lines would become spaces. */
const joinNextText: Command = (state, dispatch, view) => {
  const { $from } = state.selection
  if (!isAtEnd(state) || $from.depth === 0 || $from.parent.type.spec.code) return false
  const next = Selection.findFrom(state.doc.resolve($from.after()), 1, true)
  return next?.$from.parent.type.spec.code !== true && joinTextblockForward(state, dispatch, view)
}

export const deleteInContainer: readonly Command[] = [removePart(1), enterBodyAtEnd, selectBeside(1), joinNextText]
