import { describe, expect, test } from 'vitest'
import { createDocument, paragraph } from '../../src/content/document/build.ts'
import { assertWithinLimits, measureDocument } from '../../src/content/document/limits.ts'
import type { Block, InlineElement } from '../../src/content/document/nodes.ts'
import { documentText } from '../../src/content/document/text.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { annotation, blockOfEachType, expandable, link, quote, textParagraph } from '../support/blocks.ts'

function nested(levels: number): Block {
  let block: Block = textParagraph('')
  for (let level = 1; level < levels; level++) block = quote(block)
  return block
}

test('counts blocks in nodes, fragments and annotations', () => {
  const document = createDocument([
    quote(textParagraph('a')),
    expandable('b', [textParagraph('c')]),
    paragraph([annotation('d', [textParagraph('e')])]),
  ])
  expect(measureDocument(document).blocks).toBe(7)
})

test('measures depth as the number of nested blocks, including annotations', () => {
  expect(measureDocument(createDocument([])).depth).toBe(0)
  expect(measureDocument(createDocument([paragraph([link('p', 'a')])])).depth).toBe(1)
  expect(measureDocument(createDocument([paragraph([annotation('a', [textParagraph('b')])])])).depth).toBe(2)
  expect(measureDocument(createDocument([textParagraph('a'), nested(7)])).depth).toBe(7)
})

const inLink = (inner: InlineElement): InlineElement => ({
  object: 'inline',
  type: 'link',
  data: { ref: { kind: 'page', page: 'p' } },
  nodes: [inner],
})

test('counts nested links as depth', () => {
  let deep: InlineElement = link('p', 'a')
  for (let level = 0; level < 100_000; level++) deep = inLink(deep)
  expect(() => assertWithinLimits(createDocument([paragraph([deep])]))).toThrow('nested deeper than 50 levels')
})

test.each([
  ['a', 1],
  ['ü', 2],
  ['中', 3],
  ['🎉', 4],
  ['a🎉中ü', 10],
])('counts text in bytes of UTF-8: %s', (text, bytes) => {
  expect(measureDocument(createDocument([textParagraph(text)])).textLength).toBe(bytes)
})

test('counts strings in data and the names of records as text', () => {
  const math: Block = { object: 'block', type: 'math', isVoid: true, data: { formula: 'x'.repeat(100) } }
  expect(measureDocument(createDocument([math])).textLength).toBe(100)
  const records = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`record-${index}`.padEnd(20), { orderIndex: '', values: {} }]),
  )
  const table: Block = { ...blockOfEachType.table, data: { ...blockOfEachType.table.data, records } }
  expect(measureDocument(createDocument([table])).textLength).toBeGreaterThan(20_000)
})

const blocks = (count: number) => createDocument(Array.from({ length: count }, () => textParagraph('')))

describe('document limits', () => {
  test('accept 10,000 blocks and reject more', () => {
    expect(() => assertWithinLimits(blocks(10_000))).not.toThrow()
    expect(() => assertWithinLimits(blocks(10_001))).toThrow('more than 10000 blocks')
  })

  test('accept 50 levels and reject more', () => {
    expect(() => assertWithinLimits(createDocument([nested(50)]))).not.toThrow()
    expect(() => assertWithinLimits(createDocument([nested(51)]))).toThrow('nested deeper than 50 levels')
    expect(() => assertWithinLimits(createDocument([nested(100_000)]))).toThrow('nested deeper than 50 levels')
  })

  test('accept 1 MB of text and reject more', () => {
    expect(() => assertWithinLimits(createDocument([textParagraph('x'.repeat(1_048_576))]))).not.toThrow()
    expect(() => assertWithinLimits(createDocument([textParagraph('x'.repeat(1_048_577))]))).toThrow(
      'more than 1048576 bytes',
    )
    expect(() => assertWithinLimits(createDocument([textParagraph('中'.repeat(349_526))]))).toThrow(
      'more than 1048576 bytes',
    )
  })

  test('accept 100,000 cells and reject more, even if the cells are empty', () => {
    const { table } = blockOfEachType
    const columns = Array.from({ length: 100 }, () => 'c1')
    const withRows = (count: number): Block => {
      const rows = Array.from({ length: count }, (_, index) => [`r${index}`, { orderIndex: '', values: {} }])
      return {
        ...table,
        data: { ...table.data, view: { ...table.data.view, columns }, records: Object.fromEntries(rows) },
      }
    }
    expect(() => assertWithinLimits(createDocument([withRows(500), withRows(500)]))).not.toThrow()
    expect(() => assertWithinLimits(createDocument([withRows(500), withRows(501)]))).toThrow('more than 100000 cells')
  })

  test('count unused and empty fragments as cells', () => {
    const { table } = blockOfEachType
    const withFragments = (count: number): Block => ({
      ...table,
      fragments: Array.from({ length: count }, (_, index) => ({
        object: 'fragment' as const,
        fragment: `f${index}`,
        nodes: [],
      })),
    })
    expect(() => assertWithinLimits(createDocument([withFragments(20_000), withFragments(20_000)]))).not.toThrow()
    expect(() => assertWithinLimits(createDocument([withFragments(200_000)]))).toThrow('more than 100000 cells')
  })
})

test('stops expanding footnotes that reference each other when the page is full', () => {
  const notes = Array.from({ length: 30 }, (_, index) => `[^${index + 1}]: ${`y[^${index + 2}] `.repeat(100)}`)
  const source = ['x[^1]', ...notes].join('\n\n')
  const { document } = parsePage(source, { references: verbatimReferences, isExpression: () => true })
  expect(measureDocument(document).textLength).toBeLessThan(2_000_000)
  expect(documentText(document).includes('y[^')).toBe(true)
})

test('limits the depth of a chain of footnotes', () => {
  const notes = Array.from({ length: 3000 }, (_, index) => `[^${index + 1}]: y[^${index + 2}]`)
  const { document } = parsePage(['x[^1]', ...notes].join('\n\n'), {
    references: verbatimReferences,
    isExpression: () => true,
  })
  expect(measureDocument(document).depth).toBeLessThan(50)
})
