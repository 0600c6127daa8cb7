import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, Selection, type Transaction } from 'prosemirror-state'
import { nodeType } from '../schema.ts'

const paragraph = () => nodeType('paragraph').create()

/** Creates a part after another one, for each type of block whose parts are added in the same way. */
const newParts: Readonly<Record<string, (before: Node) => Node>> = {
  stepper(before) {
    const title = before.firstChild?.type
    const heading = title?.name.startsWith('heading') ? title : nodeType('heading_2')
    return nodeType('stepper_step').create(null, [heading.create(), paragraph()])
  },
  columns: () => nodeType('column').create(null, paragraph()),
}

/** A part of a block, for example a step. */
export interface Part {
  /** The block that contains it. */
  block: Node
  index: number
  /** Position of the part. */
  at: number
}

/** Returns the innermost part that contains a position; `blockAt` limits the search to one block. */
export function findPart($at: ResolvedPos, blockAt?: number): Part | undefined {
  for (let depth = $at.depth - 1; depth > 0; depth--) {
    const block = $at.node(depth)
    if (!(block.type.name in newParts) || (blockAt !== undefined && $at.before(depth) !== blockAt)) continue
    return { block, index: $at.index(depth), at: $at.before(depth + 1) }
  }
  return undefined
}

/** Returns the last part of a block at a position. */
export const lastPart = (block: Node, blockAt: number): Part => ({
  block,
  index: block.childCount - 1,
  at: blockAt + block.nodeSize - 1 - (block.lastChild?.nodeSize ?? 0),
})

/** Adds an empty part after another one, and places the cursor in it. */
export function addPartAfter(tr: Transaction, { block, index, at }: Part): Transaction {
  const before = block.child(index)
  const end = at + before.nodeSize
  const part = newParts[block.type.name]?.(before)
  if (!part) return tr
  tr.insert(end, part)
  return tr.setSelection(Selection.near(tr.doc.resolve(end + 1), 1)).scrollIntoView()
}

/** Deletes a part; a block is deleted with its only part. */
export function deletePart(tr: Transaction, { block, index, at }: Part): Transaction {
  const end = at + block.child(index).nodeSize
  return (block.childCount > 1 ? tr.delete(at, end) : tr.delete(at - 1, end + 1)).scrollIntoView()
}

/** Adds a part after the one with the cursor. */
export const addPart: Command = ({ selection, tr }, dispatch) => {
  const part = findPart(selection.$to)
  if (!part) return false
  dispatch?.(addPartAfter(tr, part))
  return true
}
