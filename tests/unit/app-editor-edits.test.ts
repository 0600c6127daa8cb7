import { history } from 'prosemirror-history'
import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { isSameJson } from '../../src/app/editor/json.ts'
import { toDocument } from '../../src/app/editor/to-document.ts'
import type { Origins } from '../../src/app/editor/origins.ts'
import { toEditor } from '../../src/app/editor/to-editor.ts'
import { fixTables } from '../../src/app/editor/table/fix-tables.ts'
import { createDocument } from '../../src/content/document/build.ts'
import { restoreStoredDocument } from '../../src/content/document/restore.ts'
import { renameTableByPosition } from '../../src/content/document/tables.ts'
import { readDocument } from '../../src/content/document/validate.ts'
import { mapBlocks } from '../../src/content/document/walk.ts'
import type { Block, Document, Table } from '../../src/content/document/nodes.ts'
import { parseDocument, printDocument } from '../support/edited-documents.ts'
import { DocumentGenerator, words } from '../support/generated-documents.ts'
import { editAtRandom } from '../support/random-edits.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

/** Edits a document at random; returns what is sent to the server. */
function edit(document: Document, seed: number): Document {
  const chance = seededRandom(seed)
  const pick = <T>(items: readonly T[]) => items[randomInteger(chance, 0, items.length - 1)] as T
  const origins: Origins = new WeakMap()
  const state = EditorState.create({ doc: toEditor(document, origins), plugins: [history(), fixTables()] })
  const edited = editAtRandom(state, {
    chance,
    count: randomInteger(chance, 1, 12),
    nextText: () => pick(['', ' ', 'new ']) + pick(words) + pick(['', ' ']),
  })
  return toDocument(edited.doc, origins)
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

const mergedCells =
  '<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td rowspan="2">High</td><td>1</td><td>2</td></tr><tr><td colspan="2">Wide</td></tr><tr><td>3</td><td colspan="2" rowspan="2">Both</td></tr><tr><td>4</td></tr></tbody></table>'

test('documents that were edited at random are valid, and the same after printing and parsing', () => {
  for (let seed = 1; seed <= 250; seed++) {
    const source = seed % 5 === 0 ? parseDocument(mergedCells) : new DocumentGenerator(seed).document()
    const edited = edit(source, seed)
    const document = withStoredTables(readDocument(JSON.parse(JSON.stringify(edited))))
    const printed = printDocument(document)
    const read = parseDocument(printed)
    if (!isSameJson(read, document)) expect({ seed, printed, document: read }).toEqual({ seed, printed, document })
  }
}, 60_000)
