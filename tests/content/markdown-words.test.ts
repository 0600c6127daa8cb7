import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import type { Block, Document, Fragment, Table } from '../../src/content/document/nodes.ts'
import { documentText } from '../../src/content/document/text.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { blockOfEachType, expandable, randomDocument, quote, textParagraph, conditional } from '../support/blocks.ts'

// Printing and parsing must not lose words of a document.

const parse = (source: string) =>
  parsePage(source, { references: verbatimReferences, isExpression: () => true }).document
const print = (document: Document) => printPage({ document }, verbatimReferences)

function wordsOf(document: Document): Set<string> {
  return new Set(documentText(document).match(/[\p{L}\p{N}]+/gu))
}

/** Creates a table with one cell. */
const cellOf = (nodes: readonly Block[]): Table => ({
  object: 'block',
  type: 'table',
  isVoid: true,
  data: {
    view: { type: 'grid', columns: ['c1'], hideHeader: false },
    definition: { c1: { id: 'c1', title: 'Title of a column', type: 'text' } },
    records: { r1: { orderIndex: '000001', values: { c1: 'r1c1' } } },
  },
  fragments: [{ object: 'fragment', fragment: 'r1c1', nodes }],
})

const figure = (caption: readonly Fragment[]): Block => ({
  object: 'block',
  type: 'images',
  nodes: [{ ...blockOfEachType.image, fragments: caption }],
})

const fragment = (nodes: readonly Block[], type?: string): Fragment => ({
  object: 'fragment',
  ...(type !== undefined && { type }),
  nodes,
})

/** Containers whose content is printed as HTML. */
const places: Readonly<Record<string, (blocks: readonly Block[]) => Block>> = {
  'a cell': cellOf,
  'a cell behind a paragraph': (blocks) => cellOf([textParagraph('Before'), ...blocks, textParagraph('Behind')]),
  'a list in a cell': (blocks) =>
    cellOf([
      { object: 'block', type: 'list-unordered', nodes: [{ object: 'block', type: 'list-item', nodes: blocks }] },
    ]),
  'a quote in a cell': (blocks) => cellOf([quote(...blocks)]),
  'a table in a cell': (blocks) => cellOf([cellOf(blocks)]),
  'a condition in a cell': (blocks) => cellOf([conditional('a < b && c === "d"', ...blocks)]),
  'an expandable in a cell': (blocks) => cellOf([expandable('Title', blocks)]),
  'a title of an expandable': (blocks) => ({
    ...blockOfEachType.expandable,
    fragments: [fragment(blocks, 'expandable-title'), fragment([textParagraph('Body')], 'expandable-body')],
  }),
  'a caption': (blocks) => figure([fragment(blocks)]),
  'several captions': (blocks) => figure([fragment([textParagraph('First')]), fragment(blocks)]),
  'a note on a word in a cell': (blocks) =>
    cellOf([
      {
        object: 'block',
        type: 'paragraph',
        nodes: [{ object: 'inline', type: 'annotation', nodes: [], fragments: [fragment(blocks, 'annotation-body')] }],
      },
    ]),
}

function expectKept(document: Document, what: object): void {
  const printed = print(document)
  const read = parse(printed)
  const words = wordsOf(read)
  const lost = [...wordsOf(document)].filter((word) => !words.has(word))
  const once = print(read)
  const twice = print(parse(once))
  expect({ ...what, lost, printed, stable: twice === once || { once, twice } }).toEqual({
    ...what,
    lost: [],
    printed,
    stable: true,
  })
}

test.each(Object.entries(places))('every type of block keeps its words in %s', (place, put) => {
  for (const block of Object.values(blockOfEachType))
    expectKept(createDocument([put([block])]), { type: block.type, place })
})

test('generated documents keep their words, also inside containers printed as HTML', () => {
  const put = Object.values(places)
  for (let seed = 1; seed <= 150; seed++) {
    const document = randomDocument(seed)
    expectKept(document, { seed })
    const place = put[seed % put.length] as (typeof put)[number]
    expectKept(createDocument([place(document.nodes)]), { seed, place: seed % put.length })
  }
})
