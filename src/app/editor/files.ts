import type { Node } from 'prosemirror-model'
import { TextSelection, type Transaction } from 'prosemirror-state'
import type { Block } from '../../content/document/nodes.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { findPlace } from './find-place.ts'
import { nodeType } from './schema.ts'

/** Creates a block for a file; an image is edited in place. */
export const createFileNode = ({ id, name, contentType }: RevisionFile): Node =>
  contentType.startsWith('image/') ? createImage(id, name) : createFile(id)

/** Inserts a block after the block at a position, or instead of an empty paragraph; returns the position after it. */
export function insertBlock(tr: Transaction, node: Node, position: number): number {
  const $at = tr.doc.resolve(Math.min(position, tr.doc.content.size))
  const place = findPlace($at, node.type) ?? tr.doc.content.size
  const isEmpty = $at.depth > 0 && $at.parent.type.name === 'paragraph' && $at.parent.content.size === 0
  const start = isEmpty && place === $at.after() ? $at.before() : place
  tr.replaceWith(start, place, node)
  return start + node.nodeSize
}

/** Places the cursor in an empty paragraph after a new block. */
export function placeCursorAfter(tr: Transaction, position: number): void {
  const next = tr.doc.nodeAt(position)
  const isEmpty = next?.type.name === 'paragraph' && next.childCount === 0
  if (!isEmpty) tr.insert(position, nodeType('paragraph').create())
  tr.setSelection(TextSelection.create(tr.doc, position + 1)).scrollIntoView()
}

const createImage = (id: string, name: string): Node =>
  nodeType('images').create(null, [
    nodeType('image').create({ data: { ref: { kind: 'file', file: id }, alt: name.replace(/\.\w+$/, '') } }),
  ])

function createFile(id: string): Node {
  const json: Block = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: id } } }
  return nodeType('protected_block').create({ json })
}
