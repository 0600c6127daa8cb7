import { setBlockType, wrapIn } from 'prosemirror-commands'
import { history } from 'prosemirror-history'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { isSameJson } from '../../src/app/editor/json.ts'
import { editorKeys, markCommands, nodeType } from '../../src/app/editor/commands.ts'
import { toDocument } from '../../src/app/editor/to-document.ts'
import type { Origins } from '../../src/app/editor/origins.ts'
import { toEditor } from '../../src/app/editor/to-editor.ts'
import { fixTables } from '../../src/app/editor/table/fix-tables.ts'
import { changeColumn, deleteColumn, insertColumn } from '../../src/app/editor/table/table-columns.ts'
import { deleteRow, duplicateRow, inTable, insertRow } from '../../src/app/editor/table/table-commands.ts'
import { columnOf } from '../../src/app/editor/table/table-model.ts'
import { createDocument } from '../../src/content/document/build.ts'
import { restoreStoredDocument } from '../../src/content/document/restore.ts'
import { renameTableByPosition } from '../../src/content/document/tables.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { mapBlocks } from '../../src/content/document/walk.ts'
import type { Block, Document, Table } from '../../src/content/document/nodes.ts'
import { parseDocument, printDocument } from '../support/edited-documents.ts'
import { DocumentGenerator, words } from '../support/generated-documents.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const commands: readonly Command[] = [
  ...Object.values(editorKeys),
  ...Object.values(markCommands),
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

/** Edits a document at random; returns what is sent to the server. */
function edit(document: Document, seed: number): Document {
  const chance = seededRandom(seed)
  const pick = <T>(items: readonly T[]) => items[randomInteger(chance, 0, items.length - 1)] as T
  const origins: Origins = new WeakMap()
  let state = EditorState.create({ doc: toEditor(document, origins), plugins: [history(), fixTables()] })
  for (let count = randomInteger(chance, 1, 12); count > 0; count--) {
    const position = () => randomInteger(chance, 0, state.doc.content.size)
    const at = position()
    const to = chance() < 0.6 ? at : Math.min(at + randomInteger(chance, 1, 30), state.doc.content.size)
    const selection = TextSelection.between(state.doc.resolve(at), state.doc.resolve(to))
    state = state.apply(state.tr.setSelection(selection))
    if (chance() < 0.35)
      state = state.apply(state.tr.insertText(pick(['', ' ', 'new ']) + pick(words) + pick(['', ' '])))
    else if (chance() < 0.3) pick(tableCommands)(state, (tr) => (state = state.apply(tr)))
    else pick(commands)(state, (tr) => (state = state.apply(tr)))
    state.doc.check()
  }
  return toDocument(state.doc, origins)
}

/** Returns a table as it is stored, with names by position, as Markdown is parsed. */
function toStoredTable(table: Table): Block {
  const [stored] = restoreStoredDocument(createDocument([table]), undefined).nodes
  return renameTableByPosition(stored as Table)
}

const withStoredTables = (document: Document): Document => ({
  ...document,
  nodes: mapBlocks(document.nodes, (block) => (block.type === 'table' ? toStoredTable(block) : block)),
})

test('documents that were edited at random are valid, and the same after printing and parsing', () => {
  for (let seed = 1; seed <= 250; seed++) {
    const edited = edit(new DocumentGenerator(seed).document(), seed)
    const document = withStoredTables(readDocument(JSON.parse(JSON.stringify(edited))))
    const printed = printDocument(document)
    const read = parseDocument(printed)
    if (!isSameJson(read, document)) expect({ seed, printed, document: read }).toEqual({ seed, printed, document })
  }
}, 60_000)
