import { describe, expect, test } from 'vitest'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import type { Block, InlineNode } from '../../src/content/document/nodes.ts'
import { walkBlocks } from '../../src/content/document/walk.ts'
import { findTextProblem } from '../../src/translation/check-text.ts'
import { hasWords, markInlines, restoreInlines } from '../../src/translation/marked-text.ts'
import { MarkupError, assertSameTags, parseMarkup } from '../../src/translation/markup.ts'
import { splitFixedText } from '../../src/translation/placeholders.ts'
import { translateDocument } from '../../src/translation/translate-document.ts'
import { randomDocument } from '../support/blocks.ts'
import { parseDocument, printDocument } from '../support/edited-documents.ts'
import { documentWithEveryBlock, placeholderTargets } from '../support/every-block.ts'
import { withoutHeadingIds, withoutTexts } from '../support/translated-documents.ts'
import { reverseWords } from '../support/translations.ts'

const everyBlock = assignKeys(undefined, documentWithEveryBlock(placeholderTargets))
const randomDocuments = Array.from({ length: 60 }, (_, seed) => assignKeys(undefined, randomDocument(seed + 1)))
const documents = [everyBlock, ...randomDocuments]

describe('a document', () => {
  test('is unchanged by a translation that returns each text, except for the ids of headings', () => {
    for (const document of documents) {
      const translated = translateDocument(document, (text) => text)
      expect(printDocument(withoutHeadingIds(translated))).toBe(printDocument(withoutHeadingIds(document)))
      expect(withoutTexts(translated)).toEqual(withoutTexts(document))
    }
  })

  test('keeps everything that is not text', () => {
    for (const document of documents) {
      const translated = translateDocument(document, reverseWords)
      if (document === everyBlock) expect(translated).not.toEqual(document)
      expect(withoutTexts(translated)).toEqual(withoutTexts(document))
      const twice = translateDocument(translated, reverseWords)
      expect(printDocument(withoutHeadingIds(twice))).toBe(printDocument(withoutHeadingIds(document)))
    }
  })

  test('keeps the anchors of its headings', () => {
    const document = assignKeys(undefined, parseDocument('## One text\n\n### One text\n\n## Own <a id="own"></a>'))
    const translated = translateDocument(document, reverseWords)
    const ids = Array.from(walkBlocks(translated), (block) => ('data' in block ? block.data : undefined))
    expect(ids).toMatchObject([{ id: 'one-text' }, { id: 'one-text-1' }, { id: 'own' }])
  })

  test('has the previous translation of blocks that have not changed', () => {
    for (const document of documents) {
      const translated = translateDocument(document, reverseWords)
      const again = translateDocument(
        document,
        (text) => {
          throw new Error(`The text ${text} is translated again`)
        },
        { source: document, translation: translated },
      )
      expect(again).toEqual(translated)
    }
  })
})

const inlinesOf = (markdown: string): readonly InlineNode[] => {
  const [block] = parseDocument(markdown).nodes
  if (block?.type !== 'paragraph') throw new Error('The Markdown is not a paragraph')
  return block.nodes
}

const markedTexts: [markdown: string, text: string][] = [
  ['Read **this** [page](https://a.example/b?c=d&e) first.', 'Read <g id="1">this</g> <g id="2">page</g> first.'],
  ['Run `npm install` with {{ name }}.', 'Run <x id="1"/> with <x id="2"/>.'],
  ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ['Open https://a.example/x_y. Or not', 'Open <g id="1"><x id="2"/></g>. Or not'],
  ['Press <kbd>Ctrl</kbd>, add $$x^2$$', 'Press <x id="1"/>, add <x id="2"/>'],
  ['**Bold `code` text**', '<g id="1">Bold </g><x id="2"/><g id="3"> text</g>'],
]

describe('a text with markup', () => {
  test.each(markedTexts)('%s', (markdown, text) => {
    const marked = markInlines(inlinesOf(markdown))
    expect(marked.text).toBe(text)
    expect(restoreInlines(marked, text)).toEqual(inlinesOf(markdown))
  })

  test('may have its tags in another order', () => {
    const marked = markInlines(inlinesOf('Read **this** page with `code`.'))
    const nodes = restoreInlines(marked, 'Mit <x id="2"/> diese <g id="1">lesen</g>.')
    const document = {
      object: 'document' as const,
      data: {},
      nodes: [{ ...parseDocument('x').nodes[0], nodes } as Block],
    }
    expect(printDocument(document)).toBe('Mit `code` diese **lesen**.\n')
  })

  test.each(['`code`', 'https://a.example/', '42 %', '{{ name }}', ':smile:'])('%s has no words', (markdown) => {
    expect(hasWords(markInlines(inlinesOf(markdown)))).toBe(false)
  })

  test.each([
    'user@mail.example',
    '{{ user.name }}',
    '{% if x %}',
    '${HOME}',
    '{count}',
    '%s',
    '%(name)s',
    '<your-name>',
    '--dry-run',
    'MAX_SIZE',
    'https://a.example/b?c=d',
  ])('contains the placeholder %s as it is', (placeholder) => {
    const pieces = splitFixedText(`Before ${placeholder} after`)
    expect(pieces).toEqual([
      { text: 'Before ', isFixed: false },
      { text: placeholder, isFixed: true },
      { text: ' after', isFixed: false },
    ])
  })
})

const source = 'Read <g id="1">this <x id="2"/></g> <x id="3"/> now'

const hostileReplies: [reply: string, problem: RegExp][] = [
  ['Lis ceci maintenant', /id 1 is missing/],
  ['Lis <g id="1">ceci</g> <x id="3"/>', /id 2 is missing/],
  ['Lis <g id="1">ceci <x id="2"/></g> <x id="3"/> <x id="4"/>', /id 4 is not in the source/],
  ['Lis <g id="1">ceci <x id="2"/></g> <x id="3"/> <x id="3"/>', /id 3 occurs more than once/],
  ['Lis <g id="1">ceci</g> <x id="2"/> <x id="3"/>', /another level/],
  ['Lis <x id="1"/> <x id="2"/> <x id="3"/>', /another level|is missing/],
  ['Lis <g id="1">ceci <x id="2"/> <x id="3"/>', /not closed/],
  ['Lis ceci</g>', /no opening tag/],
  ['Lis <g>ceci</g>', /no id/],
  ['Lis <script>alert(1)</script>', /tag that the source does not have/],
  ['Lis <g id="1"><b>ceci</b> <x id="2"/></g> <x id="3"/>', /tag that the source does not have/],
  ['<g id="1"><x id="2"/></g><x id="3"/>', /empty/],
  [`Lis <g id="1">ceci <x id="2"/></g> <x id="3"/> ${'encore '.repeat(100)}`, /much longer/],
  ['Lis\u0000 <g id="1">ceci <x id="2"/></g> <x id="3"/>', /not text/],
  ['Lis <g id="1">ceci <x id="2"/></g>\n\n<x id="3"/> Voici', /several paragraphs/],
  ['<g id="1">'.repeat(100_000), /nested too deeply/],
]

describe('a reply of an engine', () => {
  test.each(hostileReplies)('that is damaged is not used: %.80s', (reply, problem) => {
    expect(findTextProblem(source, reply, { source: 'en', target: 'fr' })).toMatch(problem)
  })

  test('that is missing is not used', () => {
    expect(findTextProblem(source, undefined, { source: 'en', target: 'fr' })).toMatch(/no translation/)
  })

  test('may write tags in other ways', () => {
    const reply = 'Lis <G id=\'1\'>ceci <x id=2></x></G> <x id="3"> </x> maintenant'
    expect(findTextProblem(source, reply, { source: 'en', target: 'fr' })).toBeUndefined()
  })

  test('in another language is not used', () => {
    const text = 'The page that you read is in the language of the source and it is not translated.'
    const languages = { source: 'en', target: 'ru' } as const
    expect(findTextProblem(text, text, languages)).toMatch(/not translated/)
    const german = 'Die Seite ist nicht in der Sprache, die der Leser für das Buch und die Texte wünscht.'
    expect(findTextProblem(text, german, languages)).toMatch(/another language/)
    expect(findTextProblem(text, german, { source: 'en', target: 'fr' })).toMatch(/another language/)
    expect(findTextProblem(text, german, { source: 'en', target: 'de' })).toBeUndefined()
  })

  test('in no language is used, although some of its words exist in another one', () => {
    const languages = { source: 'en', target: 'fr' } as const
    const text = 'A definition of a workflow is not a running one.'
    expect(findTextProblem(text, 'a noitinifed fo a wolfkrow si ton a gninnur eno.', languages)).toBeUndefined()
  })

  test('cannot refer to parts that do not exist', () => {
    expect(() => assertSameTags(parseMarkup('a'), parseMarkup('<x id="999999"/>'))).toThrow(MarkupError)
  })
})
