import { expect, test } from 'vitest'
import { parseSearchQuery } from '../../src/search/query.ts'
import { createSnippet } from '../../src/search/snippet.ts'
import { expandTerm } from '../../src/search/expand.ts'
import { removeFillerWords } from '../../src/search/filler-words.ts'
import { toIndexWords } from '../../src/search/index-words.ts'
import { TermMatcher } from '../../src/search/matcher.ts'
import { createEditTest, createEdits, toUnchangedParts } from '../../src/search/spelling-distance.ts'
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

const term = (text: string, isPrefix = false) => ({ words: text.split(' '), isPrefix, isQuoted: false })
const phrase = (text: string) => ({ ...term(text), isQuoted: true })

test('the last word is a prefix, quotes form phrases, and words joined by punctuation form one term', () => {
  expect(parseSearchQuery('set up dock')).toEqual([term('set'), term('up'), term('dock', true)])
  expect(parseSearchQuery('"set up" "dock"')).toEqual([phrase('set up'), phrase('dock')])
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

const snippet = (body: string, query: string) => {
  const terms = parseSearchQuery(query).map((one) => expandTerm(one, ['en']))
  return createSnippet(body, new TermMatcher(terms, 'en'))
}

test('a snippet contains the passage with the most matches and marks them', () => {
  const far = 'filler '.repeat(100)
  const { text, marks } = snippet(`alpha ${far}see Álpha beside beta here ${far}`, 'alpha beta')
  expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Álpha', 'beta'])
  expect(text.startsWith('… ') && text.endsWith(' …')).toBe(true)
  expect(text.length).toBeLessThan(220)
  expect(snippet('short\ntext', 'nothing')).toEqual({ text: 'short text', marks: [] })
  const cjk = snippet('語'.repeat(500) + '検索' + '語'.repeat(500), '検索')
  expect(cjk.marks.map(([start, end]) => cjk.text.slice(start, end)).join('')).toBe('検索')
})

function markedTexts(body: string, query: string): string[] {
  const { text, marks } = snippet(body, query)
  return marks.map(([start, end]) => text.slice(start, end))
}

test('a snippet marks other forms of a word and parts of identifiers', () => {
  expect(markedTexts('Use parseHTTPServer, base64toUrl, otherName and getA', 'server url')).toEqual([
    'parseHTTPServer',
    'base64toUrl',
  ])
  expect(markedTexts('Use parseHTTPServer, base64toUrl, otherName and getA', 'a text')).toEqual(['getA'])
  expect(markedTexts('set it up, then set the other up and set up', '"set up" other')).toEqual(['other', 'set', 'up'])
  expect(markedTexts('Configuring servers, and the configuration', 'configure server')).toEqual([
    'Configuring',
    'servers',
    'configuration',
  ])
  expect(markedTexts('Call createPage or create_page', 'create page')).toEqual(['createPage', 'create', 'page'])
  expect(markedTexts('Set maxBodyLength', 'max_body')).toEqual(['maxBodyLength'])
})

test('identifiers are also indexed by their parts, and words by their stems', () => {
  expect(toIndexWords('createPage', 'en')).toEqual(['createpage', 'create', 'page', 'createpag', 'creat'])
  expect(toIndexWords('parseHTML of some_names', 'en').slice(0, 6)).toEqual([
    'parsehtml',
    'of',
    'some',
    'names',
    'parse',
    'html',
  ])
  expect(toIndexWords('Installationen', 'de')).toContain('installation')
  expect(toIndexWords('installations', 'fr')).toContain('install')
  expect(toIndexWords('pages', 'ja')).toEqual(['pages'])
})

const remainingWords = (query: string): string[] =>
  removeFillerWords(parseSearchQuery(query), ['en']).flatMap(({ words }) => words)

test('words of questions are ignored unless nothing else is searched', () => {
  expect(remainingWords('how do I create a page?')).toEqual(['create', 'page'])
  expect(remainingWords('how to')).toEqual(['how', 'to'])
  expect(remainingWords('"how to" start')).toEqual(['how', 'to', 'start'])
})

test('edits are all words with one letter left out, added, replaced or swapped', () => {
  const edits = createEdits('abcd')
  for (const edit of ['abd', 'bcd', 'abcde', 'xabcd', 'abxd', 'acbd', 'abdc']) expect(edits, edit).toContain(edit)
  for (const other of ['abcd', 'ab', 'dcba', 'abcdef']) expect(edits, other).not.toContain(other)
  expect(createEdits('поиск')).toContain('поиски')
})

test.each(['abcd', 'aabba', 'поиск', 'ʔaʔa'])('the edits of %s are recognized and share a half with it', (word) => {
  const edits = createEdits(word)
  const isEdit = createEditTest(word)
  const parts = toUnchangedParts(word)
  const hasPart = (edit: string) =>
    parts.some(({ text, isEnd }) => (isEnd ? edit.endsWith(text) : edit.startsWith(text)))
  expect([...edits].filter((edit) => !isEdit(edit) || !hasPart(edit))).toEqual([])
  const twice = new Set(selectEvery(10, [...edits]).flatMap((edit) => [...createEdits(edit)]))
  expect([...twice].filter((other) => isEdit(other) !== edits.has(other))).toEqual([])
})

const selectEvery = <Item>(step: number, items: readonly Item[]): Item[] =>
  items.filter((_, index) => index % step === 0)
