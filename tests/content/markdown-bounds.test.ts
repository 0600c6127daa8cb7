import { expect, test } from 'vitest'
import { measureDocument } from '../../src/content/document/limits.ts'
import { documentText } from '../../src/content/document/text.ts'
import { limitMarkup, hasTooMuchMarkup } from '../../src/content/markdown/markup-limits.ts'
import { parsePage } from '../../src/content/markdown/parse.ts'
import { printPage } from '../../src/content/markdown/print.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'

const read = (source: string) =>
  parsePage(source, { references: verbatimReferences, isExpression: () => true }).document

test('does not change ordinary text before parsing', () => {
  const table = '| a_b | c_d |\n'.repeat(5000)
  const list = Array.from({ length: 50 }, (_, depth) => `${'  '.repeat(depth)}- x_y & z`).join('\n')
  for (const text of ['', 'a_b_c', '> > quoted', list, table]) expect(limitMarkup(text)).toBeUndefined()
})

// Without bounds, the parser takes minutes for a megabyte of any of these.
test.each([
  ['quotes', '>'],
  ['lists in quotes', '> - '],
  ['numbered lists', '1. '],
  ['emphasis', '_a_'],
  ['words with underscores', 'a_'],
  ['entities', '&amp;'],
  ['addresses', 'http://a.b '],
  ['mail addresses', 'a@b.c '],
  ['names of hosts', 'www.a.b '],
  ['emphasis in other scripts', 'é *é* '],
  ['code and links in other scripts', '`é` [é](é) '],
])('parses a megabyte of %s and keeps at least 90 percent of its characters', (_, piece) => {
  const source = `${piece.repeat(Math.ceil(1_000_000 / piece.length))}end`
  const text = documentText(read(source))
  expect(text).toContain('end')
  // Only the few delimiters that were parsed as markup are missing.
  expect(text.length).toBeGreaterThan(source.length * 0.9)
})

test('keeps private use characters of the source', () => {
  const own = String.fromCharCode(...Array.from({ length: 12 }, (_, index) => 0xe000 + index))
  const text = documentText(read(`${own}${'a_'.repeat(5000)}${own}`))
  expect(text.startsWith(own) && text.endsWith(own)).toBe(true)
  expect(text).toHaveLength(2 * own.length + 10_000)
})

test('keeps all underscores in code', () => {
  const code = 'snake_case_name = other_name\n'.repeat(2000)
  expect(documentText(read(`\`\`\`py\n${code}\`\`\`\n`)).trimEnd()).toBe(code.trimEnd())
})

test('parses the outermost of deeply nested elements and keeps the others as text', () => {
  const deep = `${'<b>'.repeat(60_000)}end${'</b>'.repeat(60_000)}`
  const text = documentText(read(deep))
  expect(text).toContain('end')
  // Only the tags of the outermost elements are missing.
  expect(text.length).toBeGreaterThan(deep.length - 5000)
  expect(read('<b>one <i>two</b> three</i> <sup>four <b>five</b></sup>')).toEqual(
    read('**one <i>two** three</i> <sup>four **five**</sup>'),
  )
})

const annotated = (count: number) => `word${'[^a]'.repeat(count)}\n\n[^a]: Said of it.\n`

test('limits the nesting of annotations for a word with thousands of footnotes', () => {
  expect(measureDocument(read(annotated(3))).depth).toBe(4)
  const many = read(annotated(5000))
  expect(measureDocument(many).depth).toBeLessThan(15)
  expect(printPage({ document: many }, verbatimReferences)).toContain('Said of it.')
})

test('detects a text with too much markup before parsing', () => {
  for (const piece of ['a\n\n', '- a\n', '*a*b ', '[a](b) ', '*'])
    expect(hasTooMuchMarkup(piece.repeat(400_000))).toBe(true)
  const page =
    '## Heading\n\nA *paragraph* of `words`, [links](there.md) and\nmore words.\n\n* One\n* Two\n\n| a | b |\n| - | - |\n'
  expect(hasTooMuchMarkup(page.repeat(6000))).toBe(false)
  expect(hasTooMuchMarkup(`![](data:image/png;base64,${'iVBORw0KGgo'.repeat(500_000)})`)).toBe(false)
})
