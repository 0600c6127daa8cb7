import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import { nameOfFile, toFileMarkdown } from '../../data/upload.ts'
import { fillText } from '../../texts.ts'
import { toolTexts } from './edit-texts.ts'
import { type UploadTarget, newUploadId, sendFile } from './send-file.ts'

/** Shows the position of a file in the text while it is being uploaded; the text itself does not change. */
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

/** Marks the positions of files that are being uploaded. */
export const uploadPlaces: Extension = places

function findPlace(view: EditorView, id: number): number | undefined {
  for (const cursor = view.state.field(places).iter(); cursor.value; cursor.next())
    if ((cursor.value.spec as { id?: number }).id === id) return cursor.from
  return undefined
}

/** Adds files to the content and inserts them into the text. */
export async function uploadFiles(
  view: EditorView,
  files: readonly File[],
  position: number,
  target: UploadTarget,
): Promise<void> {
  for (const file of files) {
    const id = newUploadId()
    const at = findPlace(view, id - 1) ?? Math.min(position, view.state.doc.length)
    view.dispatch({ effects: addPlace.of({ id, position: at, name: nameOfFile(file) }) })
    const added = await sendFile(id, file, target)
    if (added) insertAt(view, findPlace(view, id) ?? view.state.doc.length, toFileMarkdown(added), id)
    else view.dispatch({ effects: removePlace.of(id) })
  }
}

/** Inserts a block at a position as a separate paragraph. */
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
