import type { Node, NodeType, ResolvedPos } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import type { Block } from '../../content/document/nodes.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { nodeType } from './schema.ts'

/** Creates a block for a file; an image is edited in place. */
export const createFileNode = ({ id, name, contentType }: RevisionFile): Node =>
  contentType.startsWith('image/') ? createImage(id, name) : createFile(id)

/** Inserts a block after the block at a position, or instead of an empty paragraph; returns the position after it. */
export function insertBlock(tr: Transaction, node: Node, position: number): number {
  const $at = tr.doc.resolve(Math.min(position, tr.doc.content.size))
  const place = findPlace($at, node.type)
  const isEmpty = $at.depth > 0 && $at.parent.type.name === 'paragraph' && $at.parent.content.size === 0
  const start = isEmpty && place === $at.after() ? $at.before() : place
  tr.replaceWith(start, place, node)
  return start + node.nodeSize
}

/** Returns the nearest position, at or after another, where a block can be inserted. */
function findPlace($at: ResolvedPos, type: NodeType): number {
  for (let depth = $at.depth; depth >= 0; depth--) {
    const index = depth === $at.depth ? $at.index() : $at.indexAfter(depth)
    if ($at.node(depth).canReplaceWith(index, index, type)) return depth === $at.depth ? $at.pos : $at.after(depth + 1)
  }
  return $at.doc.content.size
}

const createImage = (id: string, name: string): Node =>
  nodeType('images').create(null, [
    nodeType('image').create({ data: { ref: { kind: 'file', file: id }, alt: name.replace(/\.\w+$/, '') } }),
  ])

function createFile(id: string): Node {
  const json: Block = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: id } } }
  return nodeType('protected_block').create({ json })
}
