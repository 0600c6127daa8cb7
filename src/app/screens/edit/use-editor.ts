import { type Signal, signal } from '@preact/signals'
import type { EditorView } from '@codemirror/view'
import { type RefObject, createRef } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { showToast } from '../../ui/toasts.tsx'
import type { PickerKind } from './blocks.ts'
import { applyStoredText, createCodeEditor, markSent } from './code-editor.ts'
import { type Draft, findDraft, removeDrafts, storeDraft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import { PageSaver } from './page-saver.ts'
import type { PagePlace, PageText } from './page-text.ts'
import type { EditedPage } from './send-page.ts'
import { type SlashMenuModel, createSlashMenu } from './slash-menu.tsx'
import { type Upload, createUploads, uploadFiles, uploadPlaces } from './uploads.ts'

interface EditorInput {
  organizationId: string
  place: PagePlace
  initial: PageText
}

/** The state of an open editor. */
export interface PageEditorModel {
  saver: PageSaver
  title: Signal<string>
  description: Signal<string>
  body: Signal<string>
  /** Position of the cursor in the text, from 0 to 1. */
  position: Signal<number>
  /** Text in this browser that the server does not have. */
  draft: Signal<Draft | undefined>
  slashMenu: SlashMenuModel
  /** List from which text is being chosen. */
  picker: Signal<PickerKind | undefined>
  uploads: Signal<readonly Upload[]>
  /** The element in which the editor is. */
  host: RefObject<HTMLDivElement | null>
  getView: () => EditorView | undefined
  setField: (name: 'title' | 'description', value: string) => void
  /** Replaces the text by one that was written over a revision, and saves it. */
  replaceText: (text: string, base: string) => void
  restoreDraft: () => void
  discardDraft: () => void
  addFiles: (files: readonly File[], position?: number) => void
}

/** Creates the editor of a page and saves what is left when it is closed. */
export function useEditor(input: EditorInput): PageEditorModel {
  const [{ model, open }] = useState(() => createEditor(input))
  useEffect(open, [])
  return model
}

function createEditor({ organizationId, place, initial }: EditorInput): {
  model: PageEditorModel
  open: () => () => void
} {
  const stored = initial.fields
  const [title, description, body] = [signal(stored.title), signal(stored.description), signal(initial.body)]
  const picker = signal<PickerKind | undefined>(undefined)
  const slashMenu = createSlashMenu((kind) => (picker.value = kind))
  const [position, uploads] = [signal(0), createUploads()]
  const draft = signal(findUnsent(place, initial))
  const host = createRef<HTMLDivElement>()
  let view: EditorView | undefined
  const saver = new PageSaver({
    place,
    initial,
    read: (): EditedPage => ({
      title: title.value,
      description: description.value,
      body: body.value,
    }),
    onSend: () => view && markSent(view),
    applyText: (sent, text) => view && applyStoredText(view, sent, text),
    applyFields: (fields) => {
      title.value = fields.title
      description.value = fields.description
    },
  })
  const addFiles = (files: readonly File[], at?: number) => {
    if (!view) return
    void uploadFiles(view, files, at ?? view.state.selection.main.head, { organizationId, place, uploads })
  }
  const replaceText = (text: string, base: string) => {
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    body.value = text
    saver.continueFrom(base)
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
    return () => {
      saver.close()
      view?.destroy()
      view = undefined
    }
  }
  const model: PageEditorModel = {
    saver,
    title,
    description,
    body,
    position,
    draft,
    slashMenu,
    picker,
    uploads,
    host,
    getView: () => view,
    setField(name, value) {
      ;(name === 'title' ? title : description).value = value
      saver.changed()
    },
    replaceText,
    restoreDraft() {
      const { value: restored } = draft
      draft.value = undefined
      if (!restored) return
      title.value = restored.title || stored.title
      description.value = restored.description
      replaceText(restored.body, restored.base)
    },
    discardDraft() {
      const { value: discarded } = draft
      draft.value = undefined
      removeDrafts(place)
      if (!discarded) return
      const undo = () => {
        storeDraft(place, discarded)
        draft.value = discarded
      }
      showToast(texts.discarded, { action: { title: texts.undo, onSelect: undo } })
    },
    addFiles,
  }
  return { model, open }
}

/** Returns the draft of a page, unless the server has its text. */
function findUnsent(place: PagePlace, initial: PageText): Draft | undefined {
  const draft = findDraft(place)
  if (!draft) return undefined
  const { title, description } = initial.fields
  const isSaved = draft.body === initial.body && draft.title === title && draft.description === description
  if (!isSaved) return draft
  removeDrafts(place)
  return undefined
}
