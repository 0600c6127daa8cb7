import type { Node } from 'prosemirror-model'
import { type EditorState, type Transaction, NodeSelection, PluginKey } from 'prosemirror-state'
import { Mapping } from 'prosemirror-transform'
import { type Compare, RemoteMerge, listSent } from './remote-merge.ts'

/** Marks transactions with changes that the user did not make. */
export const remoteKey = new PluginKey<true>('remote')

/** The content that was sent to the server, and the changes of the user since then. */
export interface SentContent {
  doc: Node
  mapping: Mapping
}

export const markContentSent = (doc: Node): SentContent => ({ doc, mapping: new Mapping() })

/**
 * Returns a transaction that applies the content that the server stored in place of the sent content. It changes only what differs,
 * keeps text that the user has typed since then, and is not part of the undo history.
 */
export function createRemoteTransaction(
  state: EditorState,
  { doc, mapping }: SentContent,
  stored: Node,
  compare: Compare,
): Transaction {
  const start = () => state.tr.setMeta('addToHistory', false).setMeta(remoteKey, true)
  const merged = tryMerge(start(), { doc, mapping }, stored, compare)
  const isComplete = mapping.maps.length > 0 || (merged && hasStoredContent(merged.doc, stored, compare))
  if (merged && isComplete) return keepSelection(merged, state)
  const tr = start()
  new RemoteMerge(tr, mapping, compare).copyChildren(doc, stored)
  return keepSelection(tr, state)
}

/** Selects a replaced node again, and keeps the marks for the next typed text. */
function keepSelection(tr: Transaction, { selection, storedMarks }: EditorState): Transaction {
  if (!(selection instanceof NodeSelection) || tr.selection instanceof NodeSelection)
    return tr.setStoredMarks(storedMarks)
  const at = tr.mapping.map(selection.from, -1)
  return tr.doc.nodeAt(at)?.type === selection.node.type ? tr.setSelection(NodeSelection.create(tr.doc, at)) : tr
}

/** Returns undefined if the user changed the structure in a way that parts of the stored content do not fit. */
function tryMerge(
  tr: Transaction,
  { doc, mapping }: SentContent,
  stored: Node,
  compare: Compare,
): Transaction | undefined {
  try {
    new RemoteMerge(tr, mapping, compare).mergeChildren(doc, stored, 0)
    tr.doc.check()
    return tr
  } catch (error) {
    if (error instanceof Error && ['RangeError', 'TransformError'].includes(error.name)) return undefined
    throw error
  }
}

/** Whether the editor shows the stored content, apart from nodes that are not sent. */
export function hasStoredContent(shown: Node, stored: Node, compare: Compare): boolean {
  const texts = listSent(shown, 0, compare).map(({ node }) => compare(node))
  return texts.length === stored.childCount && texts.every((text, at) => text === compare(stored.child(at)))
}
