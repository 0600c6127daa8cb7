import { type Command, PluginKey, type Transaction } from 'prosemirror-state'
import type { Block, InlineElement } from '../../../content/document/nodes.ts'

/** An open form for a part of the page. */
export type EditorForm =
  /** A part at a position. */
  | { kind: 'cell' | 'column' | 'table' | 'card-link' | 'card-cover' | 'image' | 'new-reusable'; position: number }
  /** A block or inline that is not edited in place; a new one has no position. */
  | { kind: 'block'; position?: number; block: Block }
  /** The Markdown of a block. */
  | { kind: 'source'; position: number; block: Block }
  | { kind: 'inline'; position?: number; inline: InlineElement }

/** Transactions with this key open a form. */
export const formKey = new PluginKey<EditorForm>('form')

/** Transactions with this key open the file dialog of the browser. */
export const filesKey = new PluginKey('files')

/** Lets the user select files from the computer. */
export const pickFiles: Command = ({ tr }, dispatch) => {
  dispatch?.(tr.setMeta(filesKey, true))
  return true
}

/** Returns a command that opens a form. */
export const openForm =
  (form: EditorForm): Command =>
  ({ tr }, dispatch) => {
    dispatch?.(tr.setMeta(formKey, form))
    return true
  }

/** Returns a form with the new position of the edited node after a change of the text; undefined if the node was deleted. */
export function mapForm(form: EditorForm | undefined, { mapping }: Transaction): EditorForm | undefined {
  if (form?.position === undefined) return form
  const { pos, deletedAfter } = mapping.mapResult(form.position)
  return deletedAfter ? undefined : { ...form, position: pos }
}
