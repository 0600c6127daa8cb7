import type { Node } from 'prosemirror-model'
import type { NodeView, NodeViewConstructor } from 'prosemirror-view'
import type { Block } from '../../../content/document/nodes.ts'
import type { ViewOptions } from '../view-options.ts'
import { create, createButton, isField, isOutside } from '../view-parts.ts'
import { createResizer } from './column-resizer.ts'
import { insertColumn } from './table-columns.ts'
import { focusCell, insertRow } from './table-commands.ts'
import { type CellPlace, dataOfTable, hasVisibleHead, isCards } from './table-model.ts'
import { tableTexts as texts } from './table-texts.ts'
import { placeOf, showColumn, showSpan } from './cell-style.ts'
import { mergesOf } from './merged-cells.ts'
import { createValueView } from './value-view.ts'

function createAddButton(className: string, label: string, onClick: () => void): HTMLElement {
  const button = createButton(className, label, onClick, 'plus')
  // The focus remains in the text.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  return button
}

const tableView: NodeViewConstructor = (node, view, getPosition) => {
  const { view: shown, fullWidth } = dataOfTable(node)
  const merges = JSON.stringify(mergesOf(node))
  const dom = create('div', `table editor-table${fullWidth ? ' full-width' : ''}`)
  const add = (change: (place: CellPlace) => void) => () => {
    const at = getPosition()
    const table = at === undefined ? null : view.state.doc.nodeAt(at)
    if (at !== undefined && table) change({ table, at, row: table.childCount, column: 0 })
  }
  const addRow = add((place) => {
    view.dispatch(insertRow(view.state, place, place.row))
    const table = view.state.doc.nodeAt(place.at)
    if (table) focusCell(view, { ...place, table })
  })
  let contentDOM: HTMLElement
  if (shown.type === 'cards') {
    contentDOM = create('ul', `cards cards-${shown.cardSize}`, { role: 'list' })
    dom.append(contentDOM, createAddButton('editor-add-row', texts.addCard, addRow))
  } else {
    const scroll = create('div', 'scroll')
    const sticky = `${shown.stickyHeader ? ' sticky-head' : ''}${shown.stickyFirstColumn ? ' sticky-first' : ''}`
    contentDOM = create('table', `grid${sticky}`)
    scroll.append(contentDOM)
    const addColumn = add((place) => {
      view.dispatch(insertColumn(view.state, { ...place, row: 0 }, dataOfTable(place.table).view.columns.length))
      view.focus()
    })
    dom.append(
      scroll,
      createAddButton('editor-add-row', texts.addRow, addRow),
      createAddButton('editor-add-column', texts.addColumn, addColumn),
    )
  }
  return {
    dom,
    contentDOM,
    stopEvent: isField,
    ignoreMutation: isOutside(contentDOM),
    // The view of a cell depends on the definitions of columns and on covered cells, so all cells are updated when these change.
    update(next) {
      if (next.type !== node.type || next.attrs['data'] !== node.attrs['data']) return false
      return node.attrs['merges'] === next.attrs['merges'] && JSON.stringify(mergesOf(next)) === merges
    },
  }
}

const headView: NodeViewConstructor = (_node, view, getPosition) => {
  const at = getPosition()
  const table = at === undefined ? undefined : view.state.doc.resolve(at).parent
  const isVisible = table !== undefined && hasVisibleHead(table)
  if (table && isCards(table)) {
    const dom = create('li')
    dom.hidden = true
    return { dom, contentDOM: dom }
  }
  const dom = create('thead')
  dom.hidden = !isVisible
  const contentDOM = create('tr')
  dom.append(contentDOM)
  return { dom, contentDOM }
}

const headerView: NodeViewConstructor = (_node, view, getPosition) => {
  const dom = create('th', undefined, { scope: 'col' })
  const contentDOM = create('div', 'editor-column-title', { 'data-hint': texts.column })
  dom.append(contentDOM)
  const place = placeOf(view, getPosition)
  if (place) showColumn(dom, place)
  dom.append(createResizer(dom, view, () => placeOf(view, getPosition)))
  return { dom, contentDOM, ignoreMutation: isOutside(contentDOM), stopEvent: isResizer }
}

const isResizer = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.classList.contains('editor-resizer')

const cellView: NodeViewConstructor = (_node, view, getPosition): NodeView => {
  const place = placeOf(view, getPosition)
  if (!place || !isCards(place.table)) {
    const dom = create('td') as HTMLTableCellElement
    if (place) {
      showColumn(dom, place)
      showSpan(dom, place)
    }
    return { dom, contentDOM: dom }
  }
  return createCardField(place)
}

/** Creates a text of a card, with the title of its column if the cards show it. */
function createCardField({ table, column }: CellPlace): { dom: HTMLElement; contentDOM: HTMLElement } {
  const dom = create('div', 'card-field')
  const { view } = dataOfTable(table)
  const title = table.child(0).child(column).textContent
  const contentDOM = create('div')
  if (view.type === 'cards' && view.hideColumnTitle === false && title !== '') {
    const label = create('span', 'label', { contenteditable: 'false' })
    label.textContent = title
    dom.append(label)
  }
  dom.append(contentDOM)
  return { dom, contentDOM }
}

const createRowView =
  ({ renderer }: ViewOptions): NodeViewConstructor =>
  (node, view, getPosition) => {
    const at = getPosition()
    const table = at === undefined ? undefined : view.state.doc.resolve(at).parent
    if (!table || !isCards(table)) {
      // Browsers are much slower with tables that have a body around each row.
      const dom = create('tr')
      return { dom, contentDOM: dom }
    }
    const dom = create('li', 'card')
    const contentDOM = create('div', 'card-body')
    const cover = create('div', 'editor-cover', { contenteditable: 'false' })
    dom.append(cover, contentDOM)
    const render = renderer.createPlace()
    const show = (row: Node) => {
      const block = coverBlock(table, row)
      if (!block) cover.replaceChildren()
      render(block, (element) => cover.replaceChildren(...element.querySelectorAll('.cover')))
    }
    show(node)
    let shown = node
    return {
      dom,
      contentDOM,
      ignoreMutation: isOutside(contentDOM),
      update(next) {
        if (next.type !== node.type) return false
        if (next.attrs['hidden'] !== shown.attrs['hidden']) show(next)
        shown = next
        return true
      },
    }
  }

/** Returns a table of one card with only its cover; undefined if it has none. */
function coverBlock(table: Node, row: Node): Block | undefined {
  const { view, definition } = dataOfTable(table)
  if (view.type !== 'cards') return undefined
  const hidden = (row.attrs['hidden'] ?? {}) as Readonly<Record<string, unknown>>
  const ids = [view.coverDefinition, view.coverDefinitionDark].filter((id) => id !== undefined)
  const values = Object.fromEntries(ids.flatMap((id) => (hidden[id] ? [[id, hidden[id]]] : [])))
  const [first] = ids
  if (first === undefined || Object.keys(values).length === 0) return undefined
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { ...view, columns: [first] },
      definition: Object.fromEntries(ids.map((id) => [id, { title: '', ...definition[id] }])),
      records: { row: { orderIndex: '1', values } },
    },
    fragments: [],
  } as unknown as Block
}

export const createTableViews = (options: ViewOptions): Record<string, NodeViewConstructor> => ({
  table: tableView,
  table_head: headView,
  table_header: headerView,
  table_row: createRowView(options),
  table_cell: cellView,
  table_value: createValueView(options),
})
