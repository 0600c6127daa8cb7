import { Fragment, type Node } from 'prosemirror-model'
import { Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { withoutKeys } from '../json.ts'

/** Whether a node with a menu is a list item or a step, which are not blocks in the schema. */
export const isItem = ({ type }: Node): boolean => !type.isInGroup('block')

/** Returns a copy of a node whose blocks have no keys, because two blocks with the same key would be treated as one. */
function copyWithoutKeys(node: Node): Node {
  if (node.isText) return node
  const { attrs, content, type, marks } = node
  const json = attrs['json'] as unknown
  const copied = {
    ...attrs,
    ...('key' in attrs && { key: null }),
    ...(node.isBlock && json !== undefined && { json: withoutKeys(json) }),
  }
  return type.create(copied, content.content.map(copyWithoutKeys), marks)
}

/** Inserts a copy of a block after it. */
export function duplicateBlock(tr: Transaction, position: number): Transaction {
  const node = tr.doc.nodeAt(position)
  return node ? tr.insert(position + node.nodeSize, copyWithoutKeys(node)) : tr
}

/** Inserts an item after a list item, or a paragraph after a block, in which the list of blocks opens. */
export function insertAfter(tr: Transaction, position: number): Transaction {
  const node = tr.doc.nodeAt(position)
  if (!node) return tr
  const { schema } = node.type
  const end = position + node.nodeSize
  if (!isItem(node)) {
    tr.insert(end, schema.node('paragraph', null, schema.text('/')))
    return tr.setSelection(TextSelection.create(tr.doc, end + 2)).scrollIntoView()
  }
  const part = node.type.createAndFill()
  if (part) tr.insert(end, part)
  return tr.setSelection(Selection.near(tr.doc.resolve(end + 1), 1)).scrollIntoView()
}

/** Returns a block that can be converted on its own: an item with its list. */
export function toWholeBlock(doc: Node, position: number): Node | undefined {
  const $at = doc.resolve(position)
  const node = $at.nodeAfter
  if (!node) return undefined
  return isItem(node) ? $at.parent.copy(Fragment.from(node)) : node
}

/** Returns the position in the text of a block that can be converted to another one; undefined if it has none. */
export function findText(node: Node, position: number): number | undefined {
  if (node.isTextblock) return position + 1
  return isItem(node) && node.firstChild?.isTextblock ? position + 2 : undefined
}
