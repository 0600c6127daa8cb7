import type { EditorView } from 'prosemirror-view'
import { create, makeDraggable } from '../view-parts.ts'
import { setColumnWidth } from './table-columns.ts'
import type { CellPlace } from './table-model.ts'

/** Minimum and maximum width of a column in pixels. */
export const columnWidths = { min: 48, max: 1200 }

/** Creates a handle at the end of a column that changes its width; the cells are resized while it is dragged. */
export function createResizer(head: HTMLElement, view: EditorView, getPlace: () => CellPlace | undefined): HTMLElement {
  const handle = create('span', 'editor-resizer', { contenteditable: 'false', 'aria-hidden': 'true' })
  makeDraggable(handle, () => {
    const before = head.getBoundingClientRect().width
    let width = before
    return {
      move(distance) {
        width = Math.round(Math.max(columnWidths.min, Math.min(before + distance, columnWidths.max)))
        head.style.width = head.style.minWidth = `${width}px`
      },
      end() {
        const place = getPlace()
        if (place && width !== before) view.dispatch(setColumnWidth(view.state, place, width))
      },
    }
  })
  return handle
}
