import { type Signal, signal } from '@preact/signals'
import type { EditorView } from '@codemirror/view'
import { type RefObject, createRef } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PickerKind } from './blocks.ts'
import { applyStoredText, createCodeEditor, markSent } from './code-editor.ts'
import { editTexts as texts } from './edit-texts.ts'
import { type EditorInput, type EditorModel, createEditorModel } from './editor-model.ts'
import { markdownFormat } from './page-text.ts'
import { type SlashMenuModel, createSlashMenu } from './slash-menu.tsx'
import { uploadFiles, uploadPlaces } from './uploads.ts'

/** The state of an open editor of Markdown. */
export interface MarkdownEditorModel extends EditorModel {
  /** Position of the cursor in the text, from 0 to 1. */
  position: Signal<number>
  slashMenu: SlashMenuModel
  /** List from which text is being chosen. */
  picker: Signal<PickerKind | undefined>
  /** The element in which the editor is. */
  host: RefObject<HTMLDivElement | null>
  getView: () => EditorView | undefined
  addFiles: (files: readonly File[], position?: number) => void
}

/** Creates the editor of a page; when it is closed, saves unsaved changes. */
export function useEditor(input: EditorInput): MarkdownEditorModel {
  const [{ model, open }] = useState(() => createEditor(input))
  useEffect(open, [])
  return model
}

function createEditor(input: EditorInput): { model: MarkdownEditorModel; open: () => () => void } {
  const { organizationId, place } = input
  const position = signal(0)
  const picker = signal<PickerKind | undefined>(undefined)
  const slashMenu = createSlashMenu((kind) => (picker.value = kind))
  const host = createRef<HTMLDivElement>()
  const body = signal(input.initial.body)
  let view: EditorView | undefined
  const model = createEditorModel(input, markdownFormat, {
    body,
    markSent: () => view && markSent(view),
    applyText(sent, text) {
      if (view) applyStoredText(view, sent, text)
      return undefined
    },
    setText: (text) => view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
  })
  const { saver, uploads } = model
  const addFiles = (files: readonly File[], at?: number) => {
    if (!view) return
    void uploadFiles(view, files, at ?? view.state.selection.main.head, { organizationId, place, uploads })
  }
  const open = () => {
    if (!host.current) return () => undefined
    view = createCodeEditor({
      parent: host.current,
      text: body.value,
      label: texts.editor,
      hint: texts.editorHint,
      keys: slashMenu.keys,
      extensions: uploadPlaces,
      onFiles: addFiles,
      onBlur: () => saver.blurred(),
      onChange() {
        body.value = view?.state.doc.toString() ?? body.value
        saver.changed()
      },
      onUpdate(current) {
        slashMenu.update(current)
        const { head } = current.state.selection.main
        position.value = current.state.doc.length === 0 ? 0 : head / current.state.doc.length
      },
    })
    model.restoreMoved()
    return () => {
      saver.close()
      view?.destroy()
      view = undefined
    }
  }
  return { model: { ...model, position, slashMenu, picker, host, getView: () => view, addFiles }, open }
}
