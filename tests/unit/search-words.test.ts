import { expect, test } from 'vitest'
import { parseSearchQuery } from '../../src/search/query.ts'
import { createSnippet } from '../../src/search/snippet.ts'
import { splitSearchWords } from '../../src/search/words.ts'

const texts = (text: string) => splitSearchWords(text).map((word) => word.text)

test('words are letters and digits, in lower case and without accents', () => {
  expect(texts('Hello, WORLD! snake_case x.y 1.2')).toEqual(['hello', 'world', 'snake', 'case', 'x', 'y', '1', '2'])
  expect(texts('Crème brûlée Straße Ångström Łódź ŒUVRE ﬁne')).toEqual([
    'creme',
    'brulee',
    'strasse',
    'angstrom',
    'lodz',
    'oeuvre',
    'fine',
  ])
  expect(texts('é')).toEqual(texts('é'))
  expect(texts('ΟΔΟΣ Ёлка İstanbul')).toEqual(['οδοσ', 'елка', 'istanbul'])
  expect(texts('हिन्दी')).toHaveLength(1)
})

test('in scripts without spaces, each character is a word', () => {
  expect(texts('全文検索API入門')).toEqual(['全', '文', '検', '索', 'api', '入', '門'])
  expect(texts('ガ')).toEqual(texts('ガ'))
})

test('a word has its start and end in the text', () => {
  const text = '“Étude” in 東京 now'
  expect(splitSearchWords(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'Étude',
    'in',
    '東',
    '京',
    'now',
  ])
})

const term = (text: string, isPrefix = false) => ({ words: text.split(' '), isPrefix })

test('the last word is a prefix, quotes form phrases, and words joined by punctuation form one term', () => {
  expect(parseSearchQuery('set up dock')).toEqual([term('set'), term('up'), term('dock', true)])
  expect(parseSearchQuery('"set up" "dock"')).toEqual([term('set up'), term('dock')])
  expect(parseSearchQuery('"set up')).toEqual([term('set'), term('up', true)])
  expect(parseSearchQuery('max_body')).toEqual([term('max body', true)])
  expect(parseSearchQuery('検索')).toEqual([term('検 索')])
  expect(parseSearchQuery('a')).toEqual([term('a')])
  expect(parseSearchQuery('a* OR (b NEAR/2 -c)').flatMap(({ words }) => words)).toEqual([
    'a',
    'or',
    'b',
    'near',
    '2',
    'c',
  ])
  expect(parseSearchQuery('** "" ( :')).toEqual([])
  expect(parseSearchQuery(Array.from({ length: 200 }, (_, index) => `w${index}`).join(' '))).toHaveLength(16)
})

test('a snippet contains the passage with the most matches and marks them', () => {
  const far = 'filler '.repeat(100)
  const { text, marks } = createSnippet(`alpha ${far}see Álpha beside beta here ${far}`, parseSearchQuery('alpha beta'))
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Álpha', 'beta'])
  expect(text.startsWith('… ') && text.endsWith(' …')).toBe(true)
  expect(text.length).toBeLessThan(220)
  expect(createSnippet('short\ntext', parseSearchQuery('nothing'))).toEqual({ text: 'short text', marks: [] })
  const cjk = createSnippet('語'.repeat(500) + '検索' + '語'.repeat(500), parseSearchQuery('検索'))
  expect(cjk.marks.map(([start, end]) => cjk.text.slice(start, end)).join('')).toBe('検索')
})
