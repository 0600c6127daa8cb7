import type { Node } from 'prosemirror-model'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, type Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { outdentItem } from './commands.ts'
import { nodeType } from './schema.ts'

/** Returns the innermost list that contains the whole selection. */
function findList({ $from, to }: Selection): { node: Node; at: number } | undefined {
  for (let depth = $from.sharedDepth(to); depth > 0; depth--) {
    const node = $from.node(depth)
    if (node.type.name.startsWith('list_') && node.type.name !== 'list_item') return { node, at: $from.before(depth) }
  }
  return undefined
}

/** Whether a block is an item of a list. */
export const isListItem = ({ type }: Node): boolean => type.name === 'list_item' || type.name === 'task_item'

/** Returns the same items as a list of another type; undefined if an item cannot be a task. */
function convertList(list: Node, name: string): Node | undefined {
  const type = nodeType(name === 'list_tasks' ? 'task_item' : 'list_item')
  const items = list.children.map(({ attrs, content }) => {
    const { key } = attrs
    return type.validContent(content) ? type.create({ key: key as unknown }, content) : undefined
  })
  if (items.includes(undefined)) return undefined
  return nodeType(name).create({ key: list.attrs['key'] as unknown }, items as Node[])
}

/**
 * Converts the item whose text starts at a position to another kind of list; the items before and after it do not change. Returns
 * the new position of the text, or undefined if the item cannot be a task.
 */
export function changeItem(tr: Transaction, at: number, name: string): number | undefined {
  const $at = tr.doc.resolve(at)
  const [list, index, start] = [$at.node(-2), $at.index(-2), $at.before(-2)]
  const { type, attrs, children } = list
  if (type.name === name) return at
  // Only the first part keeps the key of the list.
  const changed = convertList(type.create(index === 0 ? attrs : null, $at.node(-1)), name)
  if (!changed) return undefined
  const before = index === 0 ? [] : [type.create(attrs, children.slice(0, index))]
  const after = index === children.length - 1 ? [] : [type.create(null, children.slice(index + 1))]
  tr.replaceWith(start, start + list.nodeSize, [...before, changed, ...after])
  const from = start + (before[0]?.nodeSize ?? 0)
  const to = from + changed.nodeSize
  if (tr.doc.resolve(to).nodeAfter?.type === changed.type) tr.join(to)
  const isContinued = tr.doc.resolve(from).nodeBefore?.type === changed.type
  if (isContinued) tr.join(from)
  return isContinued ? from + 1 : from + 3
}

/** Converts the selected text to a list, or its list to another type; a list of the same type is converted to text. */
export const wrapList =
  (name: string): Command =>
  (state, dispatch, view) => {
    const list = findList(state.selection)
    if (!list) return wrapInList(nodeType(name))(state, dispatch, view)
    if (list.node.type.name === name) return outdentItem(state, dispatch, view)
    const next = convertList(list.node, name)
    if (!next) return false
    const { from, to } = state.selection
    const tr = state.tr.replaceWith(list.at, list.at + list.node.nodeSize, next)
    // Both lists have the same size.
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, from, to)).scrollIntoView())
    return true
  }
