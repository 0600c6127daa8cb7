import { EditorState, NodeSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { createComparator, parseBody } from '../../src/app/editor/document-text.ts'
import type { Origins } from '../../src/app/editor/origins.ts'
import { createRemoteTransaction, hasStoredContent, markContentSent } from '../../src/app/editor/remote-changes.ts'
import { schema } from '../../src/app/editor/schema.ts'
import { fixTables } from '../../src/app/editor/table/fix-tables.ts'
import { toDocument } from '../../src/app/editor/to-document.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { parseDocument, parseWithKeys } from '../support/edited-documents.ts'
import { DocumentGenerator } from '../support/generated-documents.ts'
import { isLong } from '../support/long.ts'
import { editAtRandom } from '../support/random-edits.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const seedCount = isLong ? 5000 : 150

/** An editor of a page whose content was sent and then edited, and which takes over what the server stored. */
class OpenEditor {
  readonly origins: Origins = new WeakMap()
  readonly compare = createComparator(this.origins)
  state: EditorState

  constructor(document: Document) {
    this.state = EditorState.create({ doc: this.parse(document), plugins: [fixTables()] })
  }

  parse(document: Document) {
    return parseBody(JSON.stringify(document.nodes), this.origins)
  }

  /** Edits after the content was sent, and takes over stored content. */
  takeOver(
    stored: Document,
    edit: (state: EditorState, onTransaction: (tr: EditorState['tr']) => void) => EditorState,
  ) {
    const sent = markContentSent(this.state.doc)
    this.state = edit(this.state, (tr) => sent.mapping.appendMapping(tr.mapping))
    const next = this.parse(stored)
    this.state = this.state.apply(createRemoteTransaction(this.state, sent, next, this.compare))
    return hasStoredContent(this.state.doc, next, this.compare)
  }

  get texts(): string[] {
    return this.state.doc.children.map(({ textContent }) => textContent)
  }
}

/** Opens a page in which the user typed texts at positions that are marked with `|` after it was sent. */
function typeAndTakeOver(before: string, marked: string, stored: string): string[] {
  const document = parseWithKeys(before)
  const editor = new OpenEditor(document)
  const typed = marked.split('\n\n').map((paragraph) => /^(?<start>.*)<(?<text>.*)>/.exec(paragraph)?.groups)
  editor.takeOver(assignKeys(document, parseDocument(stored)), (initial, onTransaction) => {
    let state = initial
    for (const [index, groups] of [...typed.entries()].toReversed()) {
      if (!groups) continue
      let position = 1 + (groups['start'] ?? '').length
      for (const node of state.doc.children.slice(0, index)) position += node.nodeSize
      const tr = state.tr.insertText(groups['text'] ?? '', position)
      onTransaction(tr)
      state = state.apply(tr)
    }
    return state
  })
  return editor.texts
}

test('a selected block remains selected when the server stored it differently', () => {
  const document = parseWithKeys('Text\n\n***\n\n![a](a.png)')
  const editor = new OpenEditor(document)
  // The row of images, and the image in it.
  for (const depth of [0, 1]) {
    const { doc } = editor.state
    const position = doc.content.size - (doc.lastChild?.nodeSize ?? 0) + depth
    const stored = assignKeys(document, parseDocument(`More text\n\n***\n\n![b${depth}](a.png)`))
    editor.takeOver(stored, (state, onTransaction) => {
      const tr = state.tr.setSelection(NodeSelection.create(state.doc, position))
      onTransaction(tr)
      return state.apply(tr)
    })
    const { selection } = editor.state
    expect(selection instanceof NodeSelection && JSON.stringify(selection.node.toJSON())).toContain(`b${depth}`)
  }
})

test('marks that were chosen for the next text remain while the text of others is taken over', () => {
  const document = parseWithKeys('One\n\nTwo')
  const editor = new OpenEditor(document)
  editor.takeOver(assignKeys(document, parseDocument('One\n\nTwo and more')), (state, onTransaction) => {
    const tr = state.tr.setStoredMarks([schema.mark('bold')])
    onTransaction(tr)
    return state.apply(tr)
  })
  expect(editor.texts).toEqual(['One', 'Two and more'])
  const { doc } = editor.state.apply(editor.state.tr.insertText('!'))
  expect(doc.firstChild?.firstChild?.marks).toEqual([schema.mark('bold')])
})

test('keeps what was typed where others changed the same text', () => {
  const cases: [string, string, string, string[]][] = [
    // At the start, at the end and inside of a changed range.
    ['one two three', 'one<x> two three', 'one 2 three', ['onex 2 three']],
    ['one two three', 'one two<x> three', 'one 2 three', ['one 2x three']],
    ['one two three', 'one t<x>wo three', 'one 2 three', ['one 2x three']],
    ['one two', 'one two< mine>', 'one two theirs', ['one two theirs mine']],
    ['one two three', 'one <x>two three', 'one', ['onex']],
    // In a paragraph that others deleted, split, or added another to.
    ['one\n\ntwo\n\nthree', 'one\n\ntwo< x>\n\nthree', 'one\n\nthree', ['one', 'two x', 'three']],
    ['one two', 'one two< x>', 'one\n\ntwo', ['one x', 'two']],
    ['one\n\ntwo', 'one< x>\n\ntwo', 'one\n\nnew\n\ntwo', ['one x', 'new', 'two']],
  ]
  for (const [before, typed, stored, expected] of cases)
    expect({ typed, stored, texts: typeAndTakeOver(before, typed, stored) }).toEqual({ typed, stored, texts: expected })
})

test('keeps an empty paragraph that was sent, and what was typed there since', () => {
  const document = parseWithKeys('one\n\ntwo')
  const editor = new OpenEditor(document)
  editor.state = editor.state.apply(editor.state.tr.split(4))
  const stored = assignKeys(document, parseDocument('one\n\ntwo\n\ntheirs'))
  expect(editor.takeOver(stored, (state) => state)).toBe(true)
  expect(editor.texts).toEqual(['one', '', 'two', 'theirs'])
  editor.takeOver(document, (state, onTransaction) => {
    const tr = state.tr.insertText('mine', 6)
    onTransaction(tr)
    return state.apply(tr)
  })
  expect(editor.texts).toEqual(['one', 'mine', 'two'])
})

const wordsOf = (text: string): readonly string[] => text.match(/(?:Mine|Theirs)\d+x/g) ?? []

test('changes of others appear, and no word of anybody is lost, wherever both edit', () => {
  for (let seed = 1; seed <= seedCount; seed++) {
    const chance = seededRandom(seed)
    const opened = assignKeys(undefined, new DocumentGenerator(seed).document())
    const edits = (name: string, count: number) => {
      let typed = 0
      return { chance, count, nextText: () => ` ${name}${++typed}x ` }
    }
    const editor = new OpenEditor(opened)
    editor.state = editAtRandom(editor.state, edits('Before', randomInteger(chance, 0, 3)))
    const base = assignKeys(opened, toDocument(editor.state.doc, editor.origins))
    const other = new OpenEditor(base)
    other.state = editAtRandom(other.state, edits('Theirs', randomInteger(chance, 1, 5)))
    const stored = assignKeys(base, toDocument(other.state.doc, other.origins))
    const count = chance() < 0.3 ? 0 : randomInteger(chance, 1, 6)
    let mine = ''
    const isSame = editor.takeOver(stored, (state, onTransaction) => {
      const edited = editAtRandom(state, { ...edits('Mine', count), onTransaction })
      mine = edited.doc.textContent
      return edited
    })
    editor.state.doc.check()
    const shown = editor.state.doc.textContent
    const lost = [...wordsOf(mine), ...wordsOf(editor.parse(stored).textContent)].filter(
      (word) => !shown.includes(word),
    )
    expect({ seed, lost }).toEqual({ seed, lost: [] })
    if (count === 0) expect({ seed, isSame }).toEqual({ seed, isSame: true })
  }
}, 300_000)
