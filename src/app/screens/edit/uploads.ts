import { type Signal, signal } from '@preact/signals'
import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { request } from '../../api.ts'
import { nameOfFile, toFileMarkdown, uploadFile } from '../../data/upload.ts'
import { fillText } from '../../texts.ts'
import { describeError } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { toolTexts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

/** A file that is being sent. */
export interface Upload {
  id: number
  name: string
  /** Part that was sent, from 0 to 1. */
  progress: number
}

/** Shows the place of a file in the text while it is sent; the text itself does not change. */
class UploadWidget extends WidgetType {
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span')
    element.className = 'cm-upload'
    element.textContent = fillText(toolTexts.uploading, { name: this.name })
    return element
  }
}

const addPlace = StateEffect.define<{ id: number; position: number; name: string }>()
const removePlace = StateEffect.define<number>()

const places = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(addPlace)) {
        const { id, position, name } = effect.value
        next = next.update({
          add: [Decoration.widget({ widget: new UploadWidget(name), side: 1, id }).range(position)],
        })
      } else if (effect.is(removePlace))
        next = next.update({ filter: (_from, _to, { spec }) => (spec as { id?: number }).id !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Marks the places of files that are being sent. */
export const uploadPlaces: Extension = places

function findPlace(view: EditorView, id: number): number | undefined {
  for (const cursor = view.state.field(places).iter(); cursor.value; cursor.next())
    if ((cursor.value.spec as { id?: number }).id === id) return cursor.from
  return undefined
}

let lastId = 0

export const createUploads = (): Signal<readonly Upload[]> => signal([])

/** Adds files to the change request and inserts them into the text. */
export async function uploadFiles(
  view: EditorView,
  files: readonly File[],
  position: number,
  { organizationId, place, uploads }: { organizationId: string; place: PagePlace; uploads: Signal<readonly Upload[]> },
): Promise<void> {
  for (const file of files) {
    const id = ++lastId
    const name = nameOfFile(file)
    const at = findPlace(view, id - 1) ?? Math.min(position, view.state.doc.length)
    view.dispatch({ effects: addPlace.of({ id, position: at, name }) })
    uploads.value = [...uploads.value, { id, name, progress: 0 }]
    const report = (progress: number) =>
      (uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, progress } : upload)))
    try {
      const markdown = await addFile(file, name, organizationId, place, report)
      const target = findPlace(view, id) ?? view.state.doc.length
      insertAt(view, target, markdown, id)
    } catch (error) {
      view.dispatch({ effects: removePlace.of(id) })
      showToast(fillText(toolTexts.uploadFailed, { name, reason: describeError(error) }), { kind: 'error' })
    } finally {
      uploads.value = uploads.value.filter((upload) => upload.id !== id)
    }
  }
}

/** Inserts a block at a position as a paragraph of its own. */
function insertAt(view: EditorView, position: number, markdown: string, id: number): void {
  const line = view.state.doc.lineAt(position)
  const isEmpty = line.text.trim() === ''
  const insert = isEmpty ? markdown : `\n\n${markdown}\n`
  const at = isEmpty ? line.from : line.to
  view.dispatch({
    changes: { from: at, to: isEmpty ? line.to : at, insert },
    effects: removePlace.of(id),
    userEvent: 'input',
  })
}

/** Sends a file and adds it to the change request; returns the Markdown that shows it. */
async function addFile(
  file: File,
  name: string,
  organizationId: string,
  { spaceId, changeRequestId }: PagePlace,
  report: (progress: number) => void,
): Promise<string> {
  const key = await uploadFile(organizationId, file, report)
  const reply = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/content', {
    params: { spaceId, changeRequestId },
    query: { compat: false },
    body: { changes: [{ operation: 'insert_files', files: [{ name, upload: key }] }] },
  })
  const inserted = 'insertedFiles' in reply ? reply.insertedFiles?.[0] : undefined
  if (!inserted) throw new Error(toolTexts.uploadFailed)
  return toFileMarkdown(inserted)
}
