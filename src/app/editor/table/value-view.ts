import type { Node } from 'prosemirror-model'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import type { Block, CellValue } from '../../../content/document/nodes.ts'
import { makeInert } from '../rendered-blocks.ts'
import type { ViewOptions } from '../view-options.ts'
import { type GetPosition, create, withPosition } from '../view-parts.ts'
import { toNumber } from './cell-values.ts'
import { moveToRow } from './row-keys.ts'
import { moveToCell } from './table-commands.ts'
import { type CellPlace, type Column, columnOf, isCards } from './table-model.ts'
import { placeOf, showColumn, showSpan } from './cell-style.ts'
import { tableTexts as texts } from './table-texts.ts'

/** Maximum number of stars; a higher rating is shown as a number. */
const maxStars = 10

/** A control for the value of a cell. */
interface Control {
  element: HTMLElement
  show: (value: CellValue | undefined) => void
}

type SetValue = (value: CellValue) => void

function createNumber(label: string, set: SetValue): Control {
  const input = create('input', 'editor-cell-number', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': label,
    'data-control': '',
  }) as HTMLInputElement
  let shown = ''
  input.addEventListener('change', () => {
    const number = toNumber(input.value)
    if (number === null && input.value.trim() !== '') input.value = shown
    else set(number)
  })
  return {
    element: input,
    show(value) {
      shown = typeof value === 'number' ? String(value) : ''
      input.value = shown
    },
  }
}

function createCheckbox(label: string, set: SetValue): Control {
  const input = create('input', 'editor-cell-check', {
    type: 'checkbox',
    'aria-label': label,
    'data-control': '',
  }) as HTMLInputElement
  input.addEventListener('change', () => set(input.checked))
  return { element: input, show: (value) => (input.checked = value === true) }
}

function createStars(label: string, max: number, set: SetValue): Control {
  const element = create('span', 'rating editor-cell-stars', {
    role: 'slider',
    tabindex: '0',
    'aria-label': label,
    'aria-valuemin': '0',
    'aria-valuemax': String(max),
    'data-control': '',
  })
  const stars = Array.from({ length: max }, () => create('span'))
  element.append(...stars)
  let shown = 0
  const change = (value: number) => set(value <= 0 ? null : Math.min(value, max))
  element.addEventListener('click', ({ target }) => {
    const value = stars.indexOf(target as HTMLElement) + 1
    // Clicking the current number of stars removes the rating.
    if (value > 0) change(value === shown ? 0 : value)
  })
  element.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    change(shown + by)
  })
  return {
    element,
    show(value) {
      shown = typeof value === 'number' ? value : 0
      element.setAttribute('aria-valuenow', String(shown))
      stars.forEach((star, index) => (star.className = index < shown ? 'full' : ''))
    },
  }
}

/** Creates a button that shows the value as on published pages, and opens a form. */
function createForm(column: Column, label: string, onOpen: () => void, { renderer }: ViewOptions): Control {
  const render = renderer.createPlace()
  const button = create('button', 'editor-cell-value', { type: 'button', 'aria-label': label, 'data-control': '' })
  button.addEventListener('click', (event) => {
    event.preventDefault()
    onOpen()
  })
  return {
    element: button,
    show(value) {
      const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
      button.classList.toggle('editor-cell-empty', isEmpty)
      button.textContent = isEmpty ? texts.choose : ''
      render(isEmpty ? undefined : toTable(column, value), (element) => showValue(button, element))
    },
  }
}

/** Shows the contents of the only cell of a rendered table. */
function showValue(button: HTMLElement, table: HTMLElement): void {
  const cell = table.querySelector<HTMLElement>('tbody td')
  if (cell) makeInert(cell)
  button.replaceChildren(...(cell?.childNodes ?? []))
}

const toTable = (column: Column, value: CellValue): Block =>
  ({
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: [column.id], hideHeader: true },
      definition: { [column.id]: { ...column, title: '' } },
      records: { row: { orderIndex: '1', values: { [column.id]: value } } },
    },
    fragments: [],
  }) as unknown as Block

function createControl(place: CellPlace, view: EditorView, getPosition: GetPosition, options: ViewOptions): Control {
  const column = columnOf(place.table, place.column)
  const label = place.table.child(0).child(place.column).textContent || texts.column
  const set: SetValue = (value) => {
    const position = getPosition()
    if (position !== undefined) view.dispatch(view.state.tr.setNodeAttribute(position, 'value', value))
  }
  switch (column.type) {
    case 'number':
      return createNumber(label, set)
    case 'checkbox':
      return createCheckbox(label, set)
    case 'rating':
      return column.max > maxStars ? createNumber(label, set) : createStars(label, column.max, set)
    default:
      return createForm(
        column,
        label,
        withPosition(getPosition, (position) => options.onOpenForm({ kind: 'cell', position })),
        options,
      )
  }
}

/** Shows a cell of another type than text with a control for its value. */
export const createValueView =
  (options: ViewOptions): NodeViewConstructor =>
  (node, view, getPosition) => {
    const place = placeOf(view, getPosition)
    const dom = create(place && isCards(place.table) ? 'div' : 'td', 'editor-value', { contenteditable: 'false' })
    if (!place) return { dom }
    if (isCards(place.table)) dom.classList.add('card-field')
    else {
      showColumn(dom, place)
      showSpan(dom as HTMLTableCellElement, place)
    }
    const control = createControl(place, view, getPosition, options)
    control.show(node.attrs['value'] as CellValue | undefined)
    control.element.addEventListener('keydown', (event) => {
      const current = placeOf(view, getPosition)
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      // The arrow keys change a rating.
      if (!current || event.defaultPrevented || !(event.key === 'Tab' || (by !== 0 && !isCards(current.table)))) return
      event.preventDefault()
      if (by === 0) moveToCell(view, current, event.shiftKey ? -1 : 1)
      else moveToRow(view, current, by)
    })
    dom.append(control.element)
    return {
      dom,
      stopEvent: ({ target }: Event) => control.element.contains(target as globalThis.Node | null),
      ignoreMutation: () => true,
      update(next: Node) {
        if (next.type !== node.type || next.attrs['column'] !== node.attrs['column']) return false
        control.show(next.attrs['value'] as CellValue | undefined)
        return true
      },
    }
  }
