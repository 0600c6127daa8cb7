import { type Command, NodeSelection } from 'prosemirror-state'
import type { Block, InlineElement } from '../../../content/document/nodes.ts'
import { formTitle } from './block-types.ts'
import { openForm } from './form-state.ts'
import { inlineTitle } from './inline-types.ts'

/** Opens the form for the selected block or part of a line. */
export const openSelected: Command = (state, dispatch, view) => {
  const { selection } = state
  const { from: position, to, $from } = selection
  // The arrow keys with Shift select a part of a line as text.
  const node = selection instanceof NodeSelection ? selection.node : to - position === 1 ? $from.nodeAfter : null
  const isImage = node?.type.name === 'image'
  if (isImage || (node?.type.name === 'images' && node.childCount === 1))
    return openForm({ kind: 'image', position: isImage ? position : position + 1 })(state, dispatch, view)
  const json = node?.attrs['json'] as Block | InlineElement | undefined
  if (json?.object === 'block' && formTitle(json) !== undefined)
    return openForm({ kind: 'block', position, block: json })(state, dispatch, view)
  if (json?.object === 'inline' && inlineTitle(json) !== undefined)
    return openForm({ kind: 'inline', position, inline: json })(state, dispatch, view)
  return false
}
