import { setBlockType, wrapIn } from 'prosemirror-commands'
import type { ResolvedPos } from 'prosemirror-model'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, type Transaction, TextSelection } from 'prosemirror-state'
import { moveBlockCommand } from '../../src/app/editor/blocks/block-places.ts'
import { editorKeys, markCommands } from '../../src/app/editor/commands.ts'
import { nodeType } from '../../src/app/editor/schema.ts'
import { changeColumn, deleteColumn } from '../../src/app/editor/table/change-columns.ts'
import { insertColumn } from '../../src/app/editor/table/table-columns.ts'
import { deleteRow, duplicateRow, inTable, insertRow } from '../../src/app/editor/table/table-commands.ts'
import { spanOf } from '../../src/app/editor/table/merged-cells.ts'
import { columnOf, findCell } from '../../src/app/editor/table/table-model.ts'
import { randomInteger } from './random.ts'

const commands: readonly Command[] = [
  ...Object.values(editorKeys),
  ...Object.values(markCommands),
  moveBlockCommand(-1),
  moveBlockCommand(1),
  ...['paragraph', 'heading_1', 'heading_3', 'code_block'].map((name) => setBlockType(nodeType(name))),
  ...['blockquote', 'hint'].map((name) => wrapIn(nodeType(name))),
  ...['list_unordered', 'list_ordered', 'list_tasks'].map((name) => wrapInList(nodeType(name))),
]

/** Changes of rows and columns. */
const tableCommands: readonly Command[] = [
  inTable((state, place) => insertRow(state, place, Math.max(1, place.row))),
  inTable((state, place) => insertColumn(state, place, place.column + 1)),
  inTable((state, place) => (place.row > 0 && place.table.childCount > 2 ? deleteRow(state, place) : undefined)),
  inTable((state, place) => (place.table.child(0).childCount > 1 ? deleteColumn(state, place) : undefined)),
  inTable((state, place) => (place.row > 0 ? duplicateRow(state, place) : undefined)),
  inTable((state, place) => {
    const { id } = columnOf(place.table, place.column)
    return changeColumn(state, place, { id, type: 'rating', max: 5 })
  }),
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].flatMap((key) => editorKeys[`Alt-Shift-${key}`] ?? []),
]

function isCovered($pos: ResolvedPos): boolean {
  const place = findCell($pos)
  return place !== undefined && spanOf(place).coveredBy !== undefined
}

interface RandomEdits {
  chance: () => number
  count: number
  /** Returns the text that is typed next. */
  nextText: () => string
  /** Called with each transaction, those of plugins included. */
  onTransaction?: (tr: Transaction) => void
}

/** Selects places of a page at random, types there and runs commands. */
export function editAtRandom(initial: EditorState, edits: RandomEdits): EditorState {
  const { chance, count, nextText, onTransaction = () => undefined } = edits
  const pick = <T>(items: readonly T[]) => items[randomInteger(chance, 0, items.length - 1)] as T
  let current = initial
  const dispatch = (tr: Transaction) => {
    const { state, transactions } = current.applyTransaction(tr)
    transactions.forEach(onTransaction)
    current = state
  }
  for (let step = 0; step < count; step++) {
    const { size } = current.doc.content
    const at = randomInteger(chance, 0, size)
    const to = chance() < 0.6 ? at : Math.min(at + randomInteger(chance, 1, 30), size)
    const selection = TextSelection.between(current.doc.resolve(at), current.doc.resolve(to))
    // The cursor is never in a cell that another one covers.
    if ([selection.$from, selection.$to].some(isCovered)) continue
    dispatch(current.tr.setSelection(selection))
    if (chance() < 0.35) dispatch(current.tr.insertText(nextText()))
    else pick(chance() < 0.3 ? tableCommands : commands)(current, dispatch)
    current.doc.check()
  }
  return current
}
