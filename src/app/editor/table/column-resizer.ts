import type { EditorView } from 'prosemirror-view'
import { create } from '../view-parts.ts'
import { setColumnWidth } from './table-columns.ts'
import type { CellPlace } from './table-model.ts'

/** Minimum and maximum width of a column in pixels. */
export const columnWidths = { min: 48, max: 1200 }

/** Creates a handle at the end of a column that changes its width; the cells are resized while it is dragged. */
export function createResizer(head: HTMLElement, view: EditorView, getPlace: () => CellPlace | undefined): HTMLElement {
  const handle = create('span', 'editor-resizer', { contenteditable: 'false', 'aria-hidden': 'true' })
  handle.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    const [start, before] = [event.clientX, head.getBoundingClientRect().width]
    const direction = getComputedStyle(head).direction === 'rtl' ? -1 : 1
    let width = before
    const move = ({ clientX }: PointerEvent) => {
      const wanted = before + direction * (clientX - start)
      width = Math.round(Math.max(columnWidths.min, Math.min(wanted, columnWidths.max)))
      head.style.width = head.style.minWidth = `${width}px`
    }
    const end = () => {
      handle.removeEventListener('pointermove', move)
      const place = getPlace()
      if (place && width !== before) view.dispatch(setColumnWidth(view.state, place, width))
    }
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end, { once: true })
    handle.addEventListener('pointercancel', end, { once: true })
  })
  return handle
}
