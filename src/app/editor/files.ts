import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../content/document/nodes.ts'
import type { RevisionFile } from '../../contract/revision.ts'
import { nodeType } from './commands.ts'

/** Inserts a file after the block at a position; an image is edited in place. */
export function insertFile(view: EditorView, { id, name, contentType }: RevisionFile, position?: number): void {
  const { doc, selection } = view.state
  const $at = doc.resolve(Math.min(position ?? selection.head, doc.content.size))
  const isEmpty = $at.depth === 1 && $at.parent.type.name === 'paragraph' && $at.parent.content.size === 0
  const after = $at.depth === 0 ? $at.pos : $at.after(1)
  const node = contentType.startsWith('image/') ? createImage(id, name) : createFile(id)
  view.dispatch(isEmpty ? view.state.tr.replaceWith($at.before(1), after, node) : view.state.tr.insert(after, node))
}

const createImage = (id: string, name: string): Node =>
  nodeType('images').create(null, [
    nodeType('image').create({ data: { ref: { kind: 'file', file: id }, alt: name.replace(/\.\w+$/, '') } }),
  ])

function createFile(id: string): Node {
  const json: Block = { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: id } } }
  return nodeType('protected_block').create({ json })
}
