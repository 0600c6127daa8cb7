import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../content/document/nodes.ts'
import type { PagePlace } from '../../screens/edit/page-text.ts'
import type { BlockRenderer } from '../rendered-blocks.ts'
import type { EditorForm } from './form-state.ts'

/** Properties of all forms of the editor. */
export interface FormProps {
  form: EditorForm
  /** Returns the form with the current position; undefined if the edited node was deleted. */
  getForm: () => EditorForm | undefined
  view: EditorView
  renderer: BlockRenderer
  /** Converts blocks to content of the editor. */
  toNodes: (blocks: readonly Block[]) => readonly Node[]
  place: PagePlace
  organizationId: string
  /** Number of the change request; undefined for the live content. */
  number: string | undefined
  onClose: () => void
}
