import type { Node, ResolvedPos } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../content/document/nodes.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { nodeType } from './commands.ts'

/** Inserts a file after the block at a position; an image is edited in place. */
export function insertFile(view: EditorView, { id, name, contentType }: RevisionFile, position?: number): void {
  insertBlock(view, contentType.startsWith('image/') ? createImage(id, name) : createFile(id), position)
}

/** Inserts a block after the block at a position, or instead of an empty paragraph. */
export function insertBlock(view: EditorView, node: Node, position?: number): void {
  const { doc, selection } = view.state
  const $at = doc.resolve(Math.min(position ?? selection.head, doc.content.size))
  const isEmpty = $at.depth > 0 && $at.parent.type.name === 'paragraph' && $at.parent.content.size === 0
  const depth = findDepth($at, node)
  const after = depth === 0 ? $at.pos : $at.after(depth)
  const isReplaced = isEmpty && depth === $at.depth
  view.dispatch(
    isReplaced ? view.state.tr.replaceWith($at.before(depth), after, node) : view.state.tr.insert(after, node),
  )
}

/** Returns the depth of the innermost block after which a block can be inserted. */
function findDepth($at: ResolvedPos, node: Node): number {
  for (let depth = $at.depth; depth > 0; depth--) {
    const index = $at.indexAfter(depth - 1)
    if ($at.node(depth - 1).canReplaceWith(index, index, node.type)) return depth
  }
  return 0
}

const createImage = (id: string, name: string): Node =>
  nodeType('images').create(null, [
    nodeType('image').create({ data: { ref: { kind: 'file', file: id }, alt: name.replace(/\.\w+$/, '') } }),
  ])

function createFile(id: string): Node {
  const json: Block = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: id } } }
  return nodeType('protected_block').create({ json })
}
