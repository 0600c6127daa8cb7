import type { EditorForm } from './forms/form-state.ts'
import type { BlockRenderer } from './rendered-blocks.ts'

/** Options of node views that depend on the editor. */
export interface ViewOptions {
  renderer: BlockRenderer
  /** Opens a form for a part of the page. */
  onOpenForm: (form: EditorForm) => void
}
