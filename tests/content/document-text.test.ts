import { expect, test } from 'vitest'
import { createDocument, leaf, mark, paragraph } from '../../src/content/document/build.ts'
import type { Block } from '../../src/content/document/nodes.ts'
import { documentText, joinTexts, plainText } from '../../src/content/document/text.ts'
import {
  annotation,
  blockOfEachType,
  expandable,
  inlineOfEachType,
  link,
  quote,
  textParagraph,
  textNode,
} from '../support/blocks.ts'

const textsOf = (...nodes: readonly Block[]) => documentText(createDocument(nodes)).split('\n')

test('writes one line per block in reading order and none for empty blocks', () => {
  expect(
    textsOf(
      textParagraph('a'),
      quote(textParagraph('b'), paragraph([]), textParagraph('c')),
      blockOfEachType.divider,
      textParagraph('d'),
    ),
  ).toEqual(['a', 'b', 'c', 'd'])
  expect(documentText(createDocument([]))).toBe('')
})

test('omits marks and link targets', () => {
  const bold = leaf('bold', [mark('bold')])
  expect(
    textsOf(paragraph([{ object: 'text', leaves: [leaf('a '), bold] }, textNode(' '), link('p', 'link')])),
  ).toEqual(['a bold link'])
})

test('includes the visible text of inlines', () => {
  const { emoji, button, icon, mention } = inlineOfEachType
  expect(plainText([emoji, button, icon, mention, inlineOfEachType['inline-math']])).toBe('🎉Gox^2')
})

test('puts annotations after the block that contains them', () => {
  expect(
    textsOf(
      paragraph([textNode('a '), annotation('word', [textParagraph('note')]), textNode(' b')]),
      textParagraph('c'),
    ),
  ).toEqual(['a word b', 'note', 'c'])
})

test('writes table rows as lines in order after the titles of the visible columns', () => {
  expect(textsOf(blockOfEachType.table)).toEqual(['Name Count State', 'first 4 Open', 'second'])
})

test('includes code, titles, captions and formulas', () => {
  expect(textsOf(blockOfEachType.code)).toEqual(['a.js', 'let a = 1'])
  expect(textsOf(blockOfEachType.tabs)).toEqual(['Tab', 'in a tab'])
  expect(textsOf(expandable('Title', [textParagraph('body')]))).toEqual(['Title', 'body'])
  expect(textsOf(blockOfEachType.images)).toEqual(['alt', 'caption'])
  expect(textsOf(blockOfEachType.math)).toEqual(['a + b'])
  expect(textsOf(blockOfEachType['openapi-operation'])).toEqual(['POST /pets'])
})

test('returns text for every block type except those without words', () => {
  const silent = Object.entries(blockOfEachType).flatMap(([type, block]) =>
    documentText(createDocument([block])) === '' ? [type] : [],
  )
  expect(silent).toEqual(['divider', 'drawing', 'embed', 'content-ref', 'reusable-content', 'integration'])
})

test('joins adjacent texts unless an element separates them', () => {
  const { emoji } = inlineOfEachType
  expect(joinTexts([textNode('a'), textNode('b'), emoji, textNode(''), emoji, textNode('c')])).toEqual([
    textNode('ab'),
    emoji,
    emoji,
    textNode('c'),
  ])
})

test('returns the labels in a table of 5,000 rows with 5,000 options', () => {
  const options = Array.from({ length: 5000 }, (_, index) => ({ value: `o${index}`, label: `Label ${index}` }))
  const records = Object.fromEntries(
    options.map(({ value }, index) => [
      `r${index}`,
      { orderIndex: String(index).padStart(5, '0'), values: { c: [value] } },
    ]),
  )
  const table: Block = {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: ['c'], hideHeader: true },
      definition: { c: { id: 'c', title: '', type: 'select', options } },
      records,
    },
    fragments: [],
  }
  expect(textsOf(table)).toEqual(options.map(({ label }) => label))
})
