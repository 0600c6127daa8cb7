import { useEffect, useState } from 'preact/hooks'
import type { EditorState, Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { isMenuOpen } from '../open-menu.ts'
import { cardValue, setCardValue } from './cards.ts'
import { findNextRange, findSelectedRange, mergeRange, splitCell } from './merge-cells.ts'
import { deleteColumn, moveColumn } from './change-columns.ts'
import { insertColumn } from './table-columns.ts'
import { deleteRow, duplicateRow, insertRow, moveRow } from './table-commands.ts'
import { type CellPlace, cellPosition, columnIds, findCell, isCards } from './table-model.ts'
import { tableTexts as texts } from './table-texts.ts'

/** A cell with the positions of its handles in the editor, in pixels. */
interface Target {
  place: CellPlace
  row: { top: number; left: number }
  column: { top: number; left: number }
}

/** Shows handles beside the row and above the column of the cell under the pointer or with the cursor. */
export function TableMenu({ editor }: { editor: VisualEditorModel }) {
  const { getView, host, changes, form } = editor
  const [target, setTarget] = useState<Target>()
  useEffect(() => {
    if (isMenuOpen(host.current)) return
    const view = getView()
    const place = view && findCell(view.state.selection.$from)
    setTarget(view && place && measure(view, host.current, place))
  }, [changes.value])
  useEffect(() => {
    const element = host.current
    const follow = ({ target: over }: MouseEvent) => {
      const view = getView()
      const cell = over instanceof Element ? over.closest('.editor-table :is(th, td, .card-field, .card)') : null
      if (!view || !cell || isMenuOpen(element)) return
      const place = findCell(view.state.doc.resolve(view.posAtDOM(cell.querySelector('.card-field') ?? cell, 0)))
      if (place) setTarget(measure(view, element, place))
    }
    element?.addEventListener('mousemove', follow)
    return () => element?.removeEventListener('mousemove', follow)
  }, [])
  const view = getView()
  if (!target || !view) return null
  const { place } = target
  // The content may have changed since the position was measured.
  if (view.state.doc.nodeAt(Math.min(place.at, view.state.doc.content.size)) !== place.table) return null
  const run = (tr: Transaction | undefined) => {
    if (tr) view.dispatch(tr)
    view.focus()
  }
  const open = (kind: TableForm) => (form.value = { kind, position: cellPosition(place) })
  const areCards = isCards(place.table)
  return (
    <>
      {place.row > 0 && (
        <div class="table-handle" style={toStyle(target.row)}>
          <Menu
            label={areCards ? texts.card : texts.row}
            icon={areCards ? 'dots' : 'grip-vertical'}
            items={areCards ? listCardItems(view, place, run, open) : listRowItems(view, place, run)}
          />
        </div>
      )}
      {!areCards && (
        <div class="table-handle table-handle-column" style={toStyle(target.column)}>
          <Menu label={texts.column} icon="dots" items={listColumnItems(view, place, run, open)} />
        </div>
      )}
    </>
  )
}

const toStyle = ({ top, left }: { top: number; left: number }) => ({ top: `${top}px`, left: `${left}px` })

/** Returns where the handles of a cell are; undefined if it is not shown. */
function measure(view: EditorView, host: HTMLElement | null, place: CellPlace): Target | undefined {
  const root = host?.getBoundingClientRect()
  const cell = view.nodeDOM(cellPosition(place))
  if (!root || !(cell instanceof HTMLElement)) return undefined
  const card = cell.closest('.card')
  const frame = (card ?? cell.closest('.scroll'))?.getBoundingClientRect()
  const box = cell.getBoundingClientRect()
  if (!frame || box.height === 0) return undefined
  const end = getComputedStyle(cell).direction === 'rtl' ? frame.right : frame.left
  const middle = Math.max(frame.left, Math.min(box.left + box.width / 2, frame.right))
  return {
    place,
    row: card
      ? { top: frame.top - root.top, left: frame.right - root.left }
      : { top: box.top + Math.min(box.height / 2, 24) - root.top, left: end - root.left },
    column: { top: frame.top - root.top, left: middle - root.left },
  }
}

type TableForm = 'column' | 'table' | 'card-link' | 'card-cover'
type Items = readonly (MenuItem | false)[]
type Run = (tr: Transaction | undefined) => void
type Open = (kind: TableForm) => void

function listRowItems({ state }: EditorView, place: CellPlace, run: Run): Items {
  const { row, table } = place
  return [
    { title: texts.insertAbove, icon: 'plus', onSelect: () => run(insertRow(state, place, row)) },
    { title: texts.insertBelow, icon: 'plus', onSelect: () => run(insertRow(state, place, row + 1)) },
    row > 1 && {
      title: texts.moveUp,
      icon: 'chevron-up',
      startsGroup: true,
      onSelect: () => run(moveRow(state, place, -1)),
    },
    row < table.childCount - 1 && {
      title: texts.moveDown,
      icon: 'chevron-down',
      onSelect: () => run(moveRow(state, place, 1)),
    },
    { title: texts.duplicate, icon: 'copy', onSelect: () => run(duplicateRow(state, place)) },
    ...listMergeItems(state, place, run),
    {
      title: texts.deleteRow,
      icon: 'trash',
      startsGroup: true,
      isDangerous: true,
      onSelect: () => run(deleteRow(state, place)),
    },
  ]
}

/** Returns actions for merging and splitting the selected cells, or the cell of the menu. */
function listMergeItems(state: EditorState, place: CellPlace, run: Run): Items {
  const selected = findSelectedRange(state)
  const [right, below] = [findNextRange(place, 'right'), findNextRange(place, 'below')]
  const changes = [
    { title: texts.mergeCells, tr: selected && mergeRange(state, selected) },
    { title: texts.mergeRight, tr: selected || !right ? undefined : mergeRange(state, right) },
    { title: texts.mergeBelow, tr: selected || !below ? undefined : mergeRange(state, below) },
    { title: texts.splitCell, tr: splitCell(state, place) },
  ].filter(({ tr }) => tr !== undefined)
  return changes.map(({ title, tr }, index): MenuItem => ({
    title,
    icon: 'table',
    startsGroup: index === 0,
    onSelect: () => run(tr),
  }))
}

function listColumnItems({ state }: EditorView, place: CellPlace, run: Run, open: Open): Items {
  const { column, table } = place
  return [
    { title: texts.insertLeft, icon: 'plus', onSelect: () => run(insertColumn(state, place, column)) },
    { title: texts.insertRight, icon: 'plus', onSelect: () => run(insertColumn(state, place, column + 1)) },
    column > 0 && {
      title: texts.moveLeft,
      icon: 'arrow-left',
      startsGroup: true,
      onSelect: () => run(moveColumn(state, place, -1)),
    },
    column < columnIds(table).length - 1 && {
      title: texts.moveRight,
      icon: 'arrow-right',
      onSelect: () => run(moveColumn(state, place, 1)),
    },
    { title: texts.columnSettings, icon: 'gear', startsGroup: true, onSelect: () => open('column') },
    { title: texts.tableSettings, icon: 'table', onSelect: () => open('table') },
    { title: texts.deleteColumn, icon: 'trash', isDangerous: true, onSelect: () => run(deleteColumn(state, place)) },
  ]
}

function listCardItems({ state }: EditorView, place: CellPlace, run: Run, open: Open): Items {
  const { row, table } = place
  const hasLink = (cardValue(place, 'targetDefinition') ?? null) !== null
  return [
    { title: texts.cardLink, icon: 'link', onSelect: () => open('card-link') },
    hasLink && {
      title: texts.removeLink,
      icon: 'x',
      onSelect: () => run(setCardValue(state, place, 'targetDefinition', null)),
    },
    { title: texts.cardCover, icon: 'photo', onSelect: () => open('card-cover') },
    {
      title: texts.insertBefore,
      icon: 'plus',
      startsGroup: true,
      onSelect: () => run(insertRow(state, place, row)),
    },
    { title: texts.insertAfter, icon: 'plus', onSelect: () => run(insertRow(state, place, row + 1)) },
    row > 1 && { title: texts.moveLeft, icon: 'arrow-left', onSelect: () => run(moveRow(state, place, -1)) },
    row < table.childCount - 1 && {
      title: texts.moveRight,
      icon: 'arrow-right',
      onSelect: () => run(moveRow(state, place, 1)),
    },
    { title: texts.duplicate, icon: 'copy', onSelect: () => run(duplicateRow(state, place)) },
    { title: texts.cardSettings, icon: 'gear', startsGroup: true, onSelect: () => open('table') },
    { title: texts.deleteCard, icon: 'trash', isDangerous: true, onSelect: () => run(deleteRow(state, place)) },
  ]
}
