import type { Node } from 'prosemirror-model'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, type Selection, TextSelection } from 'prosemirror-state'
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

/** Returns the same items as a list of another type; undefined if an item cannot be a task. */
export function convertList(list: Node, name: string): Node | undefined {
  const type = nodeType(name === 'list_tasks' ? 'task_item' : 'list_item')
  const items = list.children.map(({ attrs, content }) => {
    const { key } = attrs
    return type.validContent(content) ? type.create({ key: key as unknown }, content) : undefined
  })
  if (items.includes(undefined)) return undefined
  return nodeType(name).create({ key: list.attrs['key'] as unknown }, items as Node[])
}

/** Makes a list of the selected text, or changes the type of its list; a list of the same type ends. */
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
