import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { showToast } from '../../ui/toasts.tsx'
import { type Draft, findDraft, removeDraft, storeDraft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import { PageSaver } from './page-saver.ts'
import type { PageFormat, PagePlace, PageText } from './page-text.ts'
import type { Upload } from './send-file.ts'

export interface EditorInput {
  organizationId: string
  place: PagePlace
  initial: PageText
}

/** Functions of an editor that the model calls. */
export interface EditorSurface {
  /** The text of the page. It is computed on demand, because long texts change with every key. */
  body: ReadonlySignal<string>
  /** Called when the text is sent. */
  markSent: () => void
  /** Replaces the sent text with the text that the server stored; see `PageSaver`. */
  applyText: (sent: string, stored: string) => string | undefined
  /** Replaces the whole text. */
  setText: (text: string) => void
}

/** The state of an open editor. */
export interface EditorModel {
  format: PageFormat
  saver: PageSaver
  title: Signal<string>
  description: Signal<string>
  body: ReadonlySignal<string>
  /** Text in this browser that the server does not have. */
  draft: Signal<Draft | undefined>
  uploads: Signal<readonly Upload[]>
  /** Key of the block with the cursor, if the editor has blocks. */
  block?: Signal<string | undefined>
  setField: (name: 'title' | 'description', value: string) => void
  /** Replaces the text with one that is based on a revision, and saves it. */
  replaceText: (text: string, base: string) => void
  /** Restores a draft that was moved here from the live content. */
  restoreMoved: () => void
  restoreDraft: () => void
  discardDraft: () => void
}

/** Creates the part of an editor that is independent of the format. */
export function createEditorModel(
  { place, initial }: EditorInput,
  format: PageFormat,
  surface: EditorSurface,
): EditorModel {
  const stored = initial.fields
  const [title, description] = [signal(stored.title), signal(stored.description)]
  const { body } = surface
  const draft = signal(findUnsent(place, initial, format))
  const saver = new PageSaver({
    place,
    format,
    initial,
    read: () => ({ title: title.value, description: description.value, body: body.value }),
    onSend: surface.markSent,
    applyText: surface.applyText,
    applyFields: (fields) => {
      title.value = fields.title
      description.value = fields.description
    },
  })
  const replaceText = (text: string, base: string) => {
    surface.setText(text)
    saver.continueFrom(base)
  }
  const restoreDraft = () => {
    const { value: restored } = draft
    draft.value = undefined
    if (!restored) return
    title.value = restored.title || stored.title
    description.value = restored.description
    replaceText(restored.body, restored.base)
  }
  return {
    format,
    saver,
    title,
    description,
    body,
    draft,
    uploads: signal([]),
    replaceText,
    setField(name, value) {
      ;(name === 'title' ? title : description).value = value
      saver.changed()
    },
    restoreMoved: () => draft.value?.isMoved === true && restoreDraft(),
    restoreDraft,
    discardDraft() {
      const { value: discarded } = draft
      draft.value = undefined
      if (!discarded) return
      removeDraft(place, discarded)
      const undo = () => {
        storeDraft(place, discarded)
        draft.value = discarded
      }
      showToast(texts.discarded, { action: { title: texts.undo, onSelect: undo } })
    },
  }
}

/** Returns the draft of a page in a format, unless the server has the same text. */
function findUnsent(place: PagePlace, initial: PageText, { name }: PageFormat): Draft | undefined {
  const draft = findDraft(place, name)
  if (!draft) return undefined
  const { title, description } = initial.fields
  const isSaved = draft.body === initial.body && draft.title === title && draft.description === description
  if (!isSaved) return draft
  removeDraft(place, draft)
  return undefined
}
